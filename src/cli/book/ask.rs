//! `flipside book ask`: shows what a book knows about a position.

use super::source::{certainty, discs, open, position};
use crate::cli::io::output::Output;
use clap::Args;
use flipside_core::games::reversi::book::entry::{BookEntry, BookMove, GameCounts, Grade, Value};
use flipside_core::games::reversi::{obf, opening_names};
use flipside_core::search::types::Side;
use flipside_support::json;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book ask`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book ask f5d6c3", "flipside book ask --book my.book --json f5f6"])]
pub struct AskArgs {
    /// Transcript such as f5d6c3, or position: 64 squares and the side to move (default: the start)
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Book file (default: the embedded book)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The object of `--json`.
#[derive(Serialize)]
struct BookAnswer {
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'static str>,
    #[serde(flatten)]
    value: Option<AnsweredValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<[u32; 3]>,
    moves: Vec<AnsweredMove>,
}

#[derive(Serialize)]
struct AnsweredValue {
    /// In discs.
    score: f64,
    depth: u8,
    selectivity: u8,
    #[serde(serialize_with = "json::as_text")]
    grade: Grade,
}

#[derive(Serialize)]
struct AnsweredMove {
    r#move: String,
    #[serde(flatten)]
    value: AnsweredValue,
    games: [u32; 3],
    in_book: bool,
}

fn answered(value: Value) -> AnsweredValue {
    let Value { score, depth, selectivity, grade } = value;
    AnsweredValue { score: discs(score), depth, selectivity, grade }
}

fn counts(games: GameCounts) -> [u32; 3] {
    [games.won, games.drawn, games.lost]
}

/// Prints what the book knows; the status is 1 if the position is not in the book.
///
/// # Errors
/// The book or the position cannot be read, or a block of the book is damaged.
pub fn run(args: &AskArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let book = open(args.book.as_deref())?;
    let (board, side) = position(args.position.as_deref())?;
    let entry = book.lookup(board)?;
    let moves = book.moves(board);
    let text = obf::show(board, side == Side::First);
    let opening = opening_names::at(board).map(|opening| opening.name);
    if args.json {
        let moves = moves.iter().map(|mv| AnsweredMove {
            r#move: obf::square_name(mv.square),
            value: answered(mv.value),
            games: counts(mv.games),
            in_book: mv.in_book,
        });
        let answer = BookAnswer {
            position: text,
            opening,
            value: entry.map(|entry| answered(entry.value)),
            leaves: entry.map(|entry| entry.leaves),
            games: entry.map(|entry| counts(entry.games)),
            moves: moves.collect(),
        };
        writeln!(out, "{}", json::line(&answer)?)?;
    } else {
        writeln!(out, "{text}")?;
        if let Some(opening) = opening {
            writeln!(out, "{opening}")?;
        }
        match entry {
            Some(entry) => write!(out, "{}", table(&entry, &moves))?,
            None => writeln!(out, "not in the book")?,
        }
    }
    Ok(ExitCode::from(u8::from(entry.is_none())))
}

fn table(entry: &BookEntry, moves: &[BookMove]) -> String {
    let words = |value: Value| format!("{:+.2}  {}", discs(value.score), certainty(value));
    let games = |games: GameCounts| match games.total() {
        0 => String::new(),
        total => format!("  games {total} (+{} ={} -{})", games.won, games.drawn, games.lost),
    };
    let mut text = format!("{} (positions searched: {}){}\n", words(entry.value), entry.leaves, games(entry.games));
    for mv in moves {
        let out_of_book = if mv.in_book { "" } else { "  leaves the book" };
        text += &format!("  {:4} {}{}{out_of_book}\n", obf::square_name(mv.square), words(mv.value), games(mv.games));
    }
    text
}
