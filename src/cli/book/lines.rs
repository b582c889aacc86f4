//! `flipside book lines`: the lines near best play, and how much of them a player must remember.

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
    /// Where the lines begin: a transcript or a position (default: the start)
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// The book (default: the one inside the program)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Show lines on which both sides together give away at most so much
    #[arg(long, value_name = "DISCS", default_value = "0.5", value_parser = hundredths)]
    within: i32,
    /// Follow lines for so many moves at most
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    plies: usize,
    /// Print only how many lines there are and how much is to be remembered
    #[arg(long)]
    count: bool,
    /// Print one JSON object a line, and one for what is to be remembered
    #[arg(long)]
    json: bool,
}

/// A line of the book: an object of `--json`.
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

/// Prints a line of the book a line: the moves, a tab, what was given away, a tab, the value for the side that begins; then how
/// many positions each side must remember.
///
/// # Errors
/// The book or the position cannot be read, or the book does not know the position.
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
