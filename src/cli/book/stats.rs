//! `flipside book stats`: the contents of a book in numbers.

use super::source::{discs, open};
use crate::cli::io::output::Output;
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::entry::Grade;
use flipside_support::{diagnostics, json};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book stats`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book stats --book my.book"])]
pub struct StatsArgs {
    /// Book file (default: the embedded book)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The contents of a book in numbers: the object of `--json`.
#[derive(Serialize)]
struct Contents<'a> {
    positions: u64,
    bytes: u64,
    blocks: u64,
    damaged: u64,
    note: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// Number of positions by the grade of their values.
    grades: Vec<(&'static str, u64)>,
    searches: Vec<Searched>,
    /// Number of positions by the moves before them.
    plies: Vec<(u32, u64)>,
}

/// Number of positions by the depth and selectivity of the search of their best move outside the book.
#[derive(Serialize)]
struct Searched {
    depth: u8,
    selectivity: u8,
    positions: u64,
}

/// Prints the numbers; the status is 1 if blocks are damaged.
///
/// # Errors
/// The book cannot be opened.
pub fn run(args: &StatsArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let book = open(args.book.as_deref())?;
    let mut grades = Grade::ALL.map(|(_, name)| (name, 0_u64));
    let (mut depths, mut plies) = (BTreeMap::<(u8, u8), u64>::new(), BTreeMap::<u32, u64>::new());
    // One error is shown for all missing blocks.
    let mut damaged = book.missing_blocks().saturating_sub(1);
    for entry in book.entries() {
        let (board, entry) = match entry {
            Ok(entry) => entry,
            Err(error) => {
                damaged += 1;
                if args.json {
                    diagnostics::report(args.book.as_deref(), error)?
                } else {
                    writeln!(out, "{error}")?
                }
                continue;
            }
        };
        grades.iter_mut().filter(|(name, _)| *name == entry.value.grade.name()).for_each(|(_, count)| *count += 1);
        *plies.entry(60_u32.saturating_sub(board.empties())).or_default() += 1;
        if let Some(deviation) = entry.deviation {
            *depths.entry((deviation.value.depth, deviation.value.selectivity)).or_default() += 1;
        }
    }
    if args.json {
        let searched = |((depth, selectivity), positions)| Searched { depth, selectivity, positions };
        let contents = Contents {
            positions: book.positions() as u64,
            bytes: book.bytes() as u64,
            blocks: book.blocks() as u64,
            damaged,
            note: book.note(),
            score: book.probe(Board::START).map(|start| discs(start.value.score)),
            grades: grades.to_vec(),
            searches: depths.into_iter().map(searched).collect(),
            plies: plies.into_iter().collect(),
        };
        writeln!(out, "{}", json::line(&contents)?)?;
        return Ok(ExitCode::from(u8::from(damaged > 0)));
    }
    writeln!(
        out,
        "{} positions, {} bytes, {} blocks, {damaged} damaged",
        book.positions(),
        book.bytes(),
        book.blocks()
    )?;
    if !book.note().is_empty() {
        writeln!(out, "{}", book.note())?;
    }
    if let Some(start) = book.probe(Board::START) {
        let games = start.games.total();
        writeln!(out, "start position: {:+.2} discs, {}, games {games}", discs(start.value.score), start.value.grade)?;
    }
    let grades: Vec<_> = grades.iter().map(|(name, count)| format!("{name} {count}")).collect();
    writeln!(out, "values: {}", grades.join(", "))?;
    let depths: Vec<_> = depths.iter().map(|((depth, percent), count)| format!("{depth}@{percent}% {count}")).collect();
    writeln!(out, "searches: {}", depths.join(", "))?;
    let plies: Vec<_> = plies.iter().map(|(plies, count)| format!("{plies}: {count}")).collect();
    writeln!(out, "positions by move: {}", plies.join(", "))?;
    Ok(ExitCode::from(u8::from(damaged > 0)))
}
