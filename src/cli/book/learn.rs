//! `flipside book learn`: adds the moves of games, and after a loss the best other move that the loser had.

use super::plan::Job;
use super::searches::{Searches, SearchesArgs, with_searches};
use super::source::{move_name, transcript};
use crate::cli::analyze::game_records::{self, GameTexts, RecordedGame};
use crate::cli::input_lines;
use crate::cli::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::output::Output;
use crate::games::reversi::board::Board;
use crate::games::reversi::book::journal::{JournalLine, game_positions};
use crate::games::reversi::book::store::BookStore;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use anyhow::Context;
use clap::Args;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book learn`.
#[derive(Args, Debug)]
pub struct LearnArgs {
    /// File of games, each a transcript on a line (f5d6c3...) or a GGF record; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// The book to teach; a new one is begun if there is none
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Moves of a game that join the book
    #[arg(long, value_name = "NUMBER", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Depth of the searches of new positions, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    #[command(flatten)]
    searches: SearchesArgs,
}

/// Learns the games and prints a line for each that is safe in the journal.
///
/// # Errors
/// Files cannot be read or written. A game that cannot be read is reported and left out.
pub fn run(args: &LearnArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let name = args.book.display();
    let interrupt = Interrupt::new()?;
    let mut games = GameTexts::new(input_lines::open(args.file.as_deref(), &interrupt)?);
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {name}"))?;
    let (mut learned, mut has_bad_game) = (0_u64, false);
    with_searches(&args.searches, &interrupt, &mut |searches| {
        let mut learner = Learner { args, searches, store: &mut store, interrupt: &interrupt };
        for record in games.by_ref() {
            let (line, text) = record.context("cannot read the games")?;
            match game_records::read(&Reversi::portable(), &text) {
                Ok(game) => {
                    let Some(report) = learner.learn(&game)? else { break };
                    learned += 1;
                    writeln!(out, "game {learned}: {report}")?;
                    out.flush()?;
                }
                Err(reason) => {
                    has_bad_game = true;
                    writeln!(stderr(), "line {line}: {reason}").context("cannot report a bad game")?;
                }
            }
        }
        Ok(())
    })?;
    store.merge().with_context(|| format!("cannot write {name}"))?;
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::from(u8::from(has_bad_game)))
}

struct Learner<'a> {
    args: &'a LearnArgs,
    searches: &'a dyn Searches,
    store: &'a mut BookStore,
    interrupt: &'a Interrupt,
}

impl Learner<'_> {
    /// Learns a game; what came of it, or none if it was interrupted. The game itself comes last into the journal.
    fn learn(&mut self, game: &RecordedGame) -> anyhow::Result<Option<String>> {
        let squares: Vec<u8> = game.moves.iter().map(|mv| mv.mv.square).collect();
        let all = game_positions(&squares);
        if game.moves.first().is_some_and(|first| first.board != Board::START) {
            return Ok(Some("it does not begin at the start and is left out".into()));
        }
        let bound = 60_u32.saturating_sub(self.args.plies);
        let path: Vec<_> = all.iter().filter(|(board, _)| board.empties() >= bound).copied().collect();
        let before = self.store.graph.nodes().len();
        let new = path.iter().map(|(board, _)| *board).filter(|board| self.store.graph.get(*board).is_none());
        self.search(new.collect())?;
        self.search_stale()?;
        let (last, is_first) = all[all.len() - 1];
        let is_over = Reversi::portable().outcome(&last).is_some();
        let discs = if is_first { last.final_discs() } else { -last.final_discs() };
        let better = if is_over && discs != 0 { self.add_better(&path, discs < 0)? } else { None };
        if self.interrupt.is_raised() {
            return Ok(None);
        }
        if is_over {
            self.store.add(&JournalLine::Game(squares.clone(), discs))?;
        }
        let mut report = format!("{} new positions", self.store.graph.nodes().len() - before);
        report += &if is_over { format!(", {discs:+} discs for black") } else { ", unfinished".into() };
        if let Some((moves, square)) = better {
            report += &format!(", the loser had {} after {}", move_name(square), transcript(&squares[..moves]));
        }
        Ok(Some(report))
    }

    /// Searches positions and adds them.
    fn search(&mut self, boards: Vec<Board>) -> anyhow::Result<()> {
        let job =
            |board| Job { board, squares: self.store.graph.open_moves(board), depth: self.args.depth, deep: false };
        let jobs = boards.into_iter().map(job).collect();
        self.searches.run(jobs, &mut |line| Ok(self.store.add(&line)?))?;
        self.store.graph.refresh();
        Ok(())
    }

    /// Searches again where the best move out of the book has joined it.
    fn search_stale(&mut self) -> anyhow::Result<()> {
        let graph = &self.store.graph;
        let stale = graph.nodes().iter().filter(|node| graph.needs_search(node));
        self.search(stale.map(|node| node.board).collect())
    }

    /// Adds the move out of the book that would have cost the loser least: its square, and how many moves came before it.
    fn add_better(&mut self, path: &[(Board, bool)], first_lost: bool) -> anyhow::Result<Option<(usize, u8)>> {
        let graph = &self.store.graph;
        let choice = |&(board, is_first): &(Board, bool)| {
            let node = graph.get(board).filter(|_| is_first == first_lost)?;
            let deviation = graph.deviation(node)?;
            let square = actual_square(board, deviation.square, node.board)?;
            Some((node.value.score - deviation.value.score, board, square))
        };
        let best =
            path.iter().filter_map(choice).min_by_key(|&(loss, board, _)| (loss, std::cmp::Reverse(board.empties())));
        let Some((_, board, square)) = best else { return Ok(None) };
        let mv = Reversi::portable().moves(&board).find(|mv| mv.square == square);
        if let Some(mv) = mv {
            self.search(vec![board.after(mv)])?;
            self.search_stale()?;
        }
        Ok(Some((60_u32.saturating_sub(board.empties()) as usize, square)))
    }
}

/// The square of a move of the canonical position on the board as it was played.
fn actual_square(board: Board, square: u8, canonical: Board) -> Option<u8> {
    Symmetry::ALL
        .into_iter()
        .find(|symmetry| symmetry.board(canonical) == board)
        .map(|symmetry| symmetry.square(square))
}
