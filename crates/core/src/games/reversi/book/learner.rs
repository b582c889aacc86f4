//! Teaches a book a game: its moves join the book, and after a loss so does the move that the
//! loser should have tried.

use super::error::BookError;
use super::journal::{JournalLine, game_positions};
use super::searcher::Job;
use super::store::BookStore;
use crate::games::reversi::board::Board;
use crate::games::reversi::obf::square_name;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use std::cmp::Reverse;
use std::fmt::{self, Display};

/// Moves of a game that join a book, by default.
pub const DEFAULT_PLIES: u32 = 30;
/// Plies of the searches of new positions, by default.
pub const DEFAULT_DEPTH: u32 = 16;

/// What teaches a book games.
pub struct Learner<'a, S> {
    /// The book.
    pub store: &'a mut BookStore,
    /// Moves of a game that join the book.
    pub plies: u32,
    /// Plies of the searches of new positions.
    pub depth: u32,
    /// The searcher.
    pub searches: S,
}

/// Searches for a book that learns.
pub trait LearnerSearches {
    /// Why a search or its result is lost.
    type Error: From<BookError>;

    /// Makes these searches and adds their results to the book; true if all were made, false if
    /// they were interrupted.
    ///
    /// # Errors
    /// The journal cannot be written.
    fn run(&mut self, store: &mut BookStore, jobs: Vec<Job>) -> Result<bool, Self::Error>;
}

/// What a book learned from a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// Positions that joined the book.
    pub positions: usize,
    /// The first player's discs less the second's at the end; none for an unfinished game.
    pub discs: Option<i32>,
    /// The move out of the book that would have cost the loser least, after these moves of the game.
    pub better: Option<(Vec<u8>, u8)>,
}

impl Display for Learned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} new positions", self.positions)?;
        match self.discs {
            Some(discs) => write!(formatter, ", {discs:+} discs for black")?,
            None => write!(formatter, ", unfinished")?,
        }
        let Some((moves, square)) = &self.better else { return Ok(()) };
        let moves: String = moves.iter().map(|square| square_name(*square)).collect();
        write!(formatter, ", the loser had {} after {moves}", square_name(*square))
    }
}

impl<S: LearnerSearches> Learner<'_, S> {
    /// Learns a game from the usual start by the squares of its moves, passes left out; returns
    /// what it learned, or none if it was interrupted. The game itself comes last in the journal.
    /// Only [`merge`](BookStore::merge) writes the file.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn learn(&mut self, squares: &[u8]) -> Result<Option<Learned>, S::Error> {
        let all = game_positions(squares);
        let bound = 60_u32.saturating_sub(self.plies);
        let path: Vec<_> = all.iter().filter(|(board, _)| board.empties() >= bound).copied().collect();
        let before = self.store.graph.nodes().len();
        let new = path.iter().map(|(board, _)| *board).filter(|board| self.store.graph.get(*board).is_none());
        if !(self.search(new.collect())? && self.search_stale()?) {
            return Ok(None);
        }
        let (last, is_first) = all[all.len() - 1];
        let is_over = Reversi::portable().outcome(&last).is_some();
        let discs = is_over.then(|| if is_first { last.final_discs() } else { -last.final_discs() });
        let lost = discs.filter(|discs| *discs != 0);
        let better = lost.and_then(|discs| self.better(&path, discs < 0));
        if let Some((board, square)) = better
            && !self.add_move(board, square)?
        {
            return Ok(None);
        }
        if let Some(discs) = discs {
            self.store.add(&JournalLine::Game(squares.to_vec(), discs))?;
        }
        let after = |board: Board| squares[..60_u32.saturating_sub(board.empties()) as usize].to_vec();
        Ok(Some(Learned {
            positions: self.store.graph.nodes().len() - before,
            discs,
            better: better.map(|(board, square)| (after(board), square)),
        }))
    }

    /// Searches positions and adds them; false if it was interrupted.
    fn search(&mut self, boards: Vec<Board>) -> Result<bool, S::Error> {
        let job = |board| Job { board, squares: self.store.graph.open_moves(board), depth: self.depth, deep: false };
        let jobs = boards.into_iter().map(job).collect();
        let is_whole = self.searches.run(self.store, jobs)?;
        self.store.graph.refresh();
        Ok(is_whole)
    }

    /// Searches again where the best move out of the book has joined it.
    fn search_stale(&mut self) -> Result<bool, S::Error> {
        let graph = &self.store.graph;
        let stale = graph.nodes().iter().filter(|node| graph.needs_search(node));
        self.search(stale.map(|node| node.board).collect())
    }

    /// The move out of the book that would have cost the loser least, and the position before it;
    /// among equal ones the latest.
    fn better(&self, path: &[(Board, bool)], first_lost: bool) -> Option<(Board, u8)> {
        let graph = &self.store.graph;
        let choice = |&(board, is_first): &(Board, bool)| {
            let node = graph.get(board).filter(|_| is_first == first_lost)?;
            let deviation = graph.deviation(node)?;
            let square = actual_square(board, deviation.square, node.board)?;
            Some((node.value.score - deviation.value.score, board, square))
        };
        let choices = path.iter().filter_map(choice);
        let best = choices.min_by_key(|&(loss, board, _)| (loss, Reverse(board.empties())))?;
        Some((best.1, best.2))
    }

    /// Adds the position after a move; false if it was interrupted.
    fn add_move(&mut self, board: Board, square: u8) -> Result<bool, S::Error> {
        let Some(mv) = Reversi::portable().moves(&board).find(|mv| mv.square == square) else { return Ok(true) };
        Ok(self.search(vec![board.after(mv)])? && self.search_stale()?)
    }
}

/// The square of a move of the canonical position on the board as played.
fn actual_square(board: Board, square: u8, canonical: Board) -> Option<u8> {
    Symmetry::ALL
        .into_iter()
        .find(|symmetry| symmetry.board(canonical) == board)
        .map(|symmetry| symmetry.square(square))
}
