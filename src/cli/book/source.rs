//! The input of the subcommands: the user's book or the embedded one, a position or a transcript; and their numbers as
//! text.

use crate::cli::io::reversi_games::ReversiReplay;
use anyhow::{Context, anyhow};
use flipside_core::games::names;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::entry::{Grade, Value};
use flipside_core::games::reversi::book::graph::BookGraph;
use flipside_core::games::reversi::book::reader::Book;
use flipside_core::games::reversi::obf::square_name;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::search::game::Game;
use flipside_core::search::notation::{Notation, Style};
use flipside_core::search::types::{Score, Side, UNIT};
use flipside_host::record::codec;
use std::ops::Deref;
use std::path::Path;

/// A book to read.
pub enum SourceBook {
    /// The embedded book.
    Embedded(&'static Book),
    /// A book of the user.
    File(Book),
}

impl Deref for SourceBook {
    type Target = Book;

    fn deref(&self) -> &Book {
        match self {
            SourceBook::Embedded(book) => book,
            SourceBook::File(book) => book,
        }
    }
}

/// Opens the book of this file, or the embedded one.
///
/// # Errors
/// The file cannot be read or is not a book.
pub fn open(path: Option<&Path>) -> anyhow::Result<SourceBook> {
    match path {
        None => Ok(SourceBook::Embedded(Book::embedded())),
        Some(path) => Book::open(path).map(SourceBook::File).with_context(|| format!("cannot open {}", path.display())),
    }
}

/// The same as a graph, refreshed.
///
/// # Errors
/// The file cannot be read, is not a book, or has a damaged block.
pub fn open_graph(path: Option<&Path>) -> anyhow::Result<BookGraph> {
    let book = open(path)?;
    let mut graph = BookGraph::default();
    for entry in book.entries() {
        let (board, entry) = entry?;
        graph.add(board, &entry);
    }
    graph.refresh();
    Ok(graph)
}

/// The position of a text, or the last one of a transcript; the start of the game for `None` and for an empty text.
///
/// # Errors
/// The text is neither.
pub fn position(text: Option<&str>) -> anyhow::Result<(Board, Side)> {
    let game = Reversi::portable();
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok((Board::START, Side::First)) };
    if let Ok(position) = game.read_position(text, Style::Plain) {
        return Ok(position);
    }
    let (board, side) = last_position(text).context("neither a position nor a game")?;
    // A game may omit passes.
    let passes = game.placements(board) == 0 && game.outcome(&board).is_none();
    Ok(if passes { (board.passed(), side.other()) } else { (board, side) })
}

/// The position at the end of a game in any format.
fn last_position(text: &str) -> anyhow::Result<(Board, Side)> {
    let first = codec::read_first(text.as_bytes(), names::REVERSI.name).context("it is empty")?;
    let record = first.record.map_err(|reason| anyhow!("{reason}"))?;
    Ok(ReversiReplay::new()?.game(&record)?.end)
}

/// A score in discs.
pub fn discs(score: Score) -> f64 {
    f64::from(score) / f64::from(UNIT)
}

/// The certainty of a value as text.
pub fn certainty(value: Value) -> String {
    match value.grade {
        Grade::Exact | Grade::Proven => value.grade.to_string(),
        grade => format!("{grade}, depth {}@{}%", value.depth, value.selectivity),
    }
}

/// Moves as a transcript, without passes.
pub fn transcript(squares: &[u8]) -> String {
    squares.iter().filter(|square| **square < 64).map(|square| square_name(*square)).collect()
}
