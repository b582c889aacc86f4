//! `flipside book lines`: the lines near best play, and the number of positions that a player must remember.

use super::hundredths;
use super::source::{discs, open_graph, position, transcript};
use crate::cli::io::output::Output;
use anyhow::ensure;
use clap::Args;
use flipside_core::games::reversi::book::lines::{lines, repertoire};
use flipside_core::games::reversi::obf::square_name;
use flipside_core::search::types::Side;
use flipside_support::json;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book lines`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book lines --within 1 --plies 10", "flipside book lines f5f6 --count"])]
pub struct LinesArgs {
    /// Start of the lines: a transcript or a position (default: the start of the game)
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Book file (default: the embedded book)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Show lines on which both sides together give away at most this
    #[arg(long, value_name = "DISCS", default_value = "0.5", value_parser = hundredths)]
    within: i32,
    /// Follow lines for at most this number of moves
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    plies: usize,
    /// Print only the number of lines and of positions to remember
    #[arg(long)]
    count: bool,
    /// Print one JSON object per line, and one for the positions to remember
    #[arg(long)]
    json: bool,
}

/// A line of the book: one object of `--json`.
#[derive(Serialize)]
struct BookLine {
    moves: Vec<String>,
    loss: f64,
    score: f64,
}

/// The last object of `--json`.
#[derive(Serialize)]
struct Summary {
    lines: u64,
    within: f64,
    black: u64,
    white: u64,
}

/// Prints one line per line of the book: the moves, a tab, what both sides gave away, a tab, the value for the side
/// that begins. Then prints the number of positions that each side must remember.
///
/// # Errors
/// The book or the position cannot be read, or the position is not in the book.
pub fn run(args: &LinesArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let graph = open_graph(args.book.as_deref())?;
    let (board, side) = position(args.position.as_deref())?;
    ensure!(graph.get(board).is_some(), "the position is not in the book");
    let mut count = 0_u64;
    lines(&graph, board, args.within, args.plies, &mut |line| {
        count += 1;
        if args.count {
            return Ok(());
        }
        if args.json {
            let moves = line.squares.iter().map(|square| square_name(*square)).collect();
            let known = BookLine { moves, loss: discs(line.loss), score: discs(line.score) };
            return writeln!(out, "{}", json::line(&known)?);
        }
        writeln!(out, "{}\t{:.2}\t{:+.2}", transcript(&line.squares), discs(line.loss), discs(line.score))
    })?;
    let [mover, other] = repertoire(&graph, board, args.within);
    let [black, white] = if side == Side::First { [mover, other] } else { [other, mover] };
    if args.json {
        let summary = Summary { lines: count, within: discs(args.within), black: black as u64, white: white as u64 };
        writeln!(out, "{}", json::line(&summary)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{count} lines within {:.2} discs of best", discs(args.within))?;
    writeln!(out, "positions to remember: black {black}, white {white}")?;
    Ok(ExitCode::SUCCESS)
}
