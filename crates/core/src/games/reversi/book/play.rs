//! The book as the engine sees it: an [`OpeningBook`] of Reversi.

use super::error::BookError;
use super::journal::JournalLine;
use super::learner::{DEFAULT_DEPTH, DEFAULT_PLIES, Learner, LearnerSearches};
use super::reader::Book;
use super::searcher::{Job, deviation, even_horizon};
use super::store::BookStore;
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::search::game::Game;
use crate::search::opening_book::{BookMove, BookSearch, OpeningBook};
use crate::search::types::Depth;
use flipside_support::bounded_file;
use flipside_support::file_fault::FileFault;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// Discs at the start of a game.
const DISCS_AT_START: u32 = 4;

/// A book to play from.
#[derive(Debug)]
pub enum PlayBook {
    /// The book inside the program.
    Embedded,
    /// A book in a file, opened again after it has learned a game.
    File(PathBuf, RwLock<Book>),
}

impl PlayBook {
    /// Opens the book in a file. It is read, not mapped: one move of a game needs a few blocks,
    /// and a file that is cut short meanwhile must not end the engine.
    ///
    /// # Errors
    /// It is not a regular file, cannot be read, or is not a book.
    pub fn open(path: &Path) -> Result<PlayBook, BookError> {
        Ok(PlayBook::File(path.to_path_buf(), RwLock::new(open(path)?)))
    }

    /// What the book knows of a position.
    fn known(&self, board: Board) -> Vec<super::entry::BookMove> {
        match self {
            PlayBook::Embedded => Book::embedded().moves(board),
            PlayBook::File(_, book) => book.read().unwrap_or_else(PoisonError::into_inner).moves(board),
        }
    }
}

fn open(path: &Path) -> Result<Book, BookError> {
    Book::from_file(bounded_file::open_regular(path)?)
}

/// The searches of a book that learns: the engine makes them one by one.
struct EngineSearches<'a, K: Kernels>(&'a BookSearch<'a, Reversi<K>>);

impl<K: Kernels> LearnerSearches for EngineSearches<'_, K> {
    type Error = BookError;

    fn run(&mut self, store: &mut BookStore, jobs: Vec<Job>) -> Result<bool, BookError> {
        for Job { board, squares, depth, .. } in jobs {
            let depth = even_horizon(board.empties(), depth).max(1);
            let moves: Vec<_> = Reversi::portable().moves(&board).filter(|mv| squares.contains(&mv.square)).collect();
            let best = || self.0(&board, &moves, depth as Depth).and_then(|best| deviation(board, depth, &best));
            let found = if moves.is_empty() { None } else { best() };
            if found.is_none() && !moves.is_empty() {
                return Ok(false);
            }
            store.add(&JournalLine::Search(board, found))?;
        }
        Ok(true)
    }
}

impl<K: Kernels> OpeningBook<Reversi<K>> for PlayBook {
    fn moves(&self, board: &Board) -> Vec<BookMove<Placement>> {
        let game = Reversi::portable();
        let empties = board.empty().count_ones();
        let known = self.known(*board);
        let book_move = |known: &super::entry::BookMove| {
            let mv = game.moves(board).find(|mv| mv.square == known.square)?;
            Some(BookMove {
                mv,
                score: known.value.score,
                depth: known.value.depth.into(),
                certainty: known.value.certainty(empties),
                grade: known.value.grade,
                games: known.games.total(),
            })
        };
        known.iter().filter_map(book_move).collect()
    }

    fn plies(&self, board: &Board) -> u32 {
        (board.player | board.opponent).count_ones().saturating_sub(DISCS_AT_START)
    }

    fn learn(&self, moves: &[Placement], search: &BookSearch<'_, Reversi<K>>) -> Result<String, String> {
        let PlayBook::File(path, book) = self else {
            return Err("the book inside the program learns nothing; name a file with the option Book".into());
        };
        let squares: Vec<u8> = moves.iter().map(|mv| mv.square).filter(|square| *square != PASS).collect();
        let learn = || -> Result<String, BookError> {
            let mut store = BookStore::open(path)?;
            let searches = EngineSearches::<K>(search);
            let mut learner = Learner { store: &mut store, plies: DEFAULT_PLIES, depth: DEFAULT_DEPTH, searches };
            let learned = learner.learn(&squares)?;
            store.merge()?;
            *book.write().unwrap_or_else(PoisonError::into_inner) = open(path)?;
            Ok(learned.map_or_else(|| "interrupted".into(), |learned| learned.to_string()))
        };
        learn().map_err(|error| format!("{}: {}", path.display(), error.without_content()))
    }
}
