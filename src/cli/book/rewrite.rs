//! `flipside book merge` and `prune`: merge books into one, and make a book smaller.

use super::hundredths;
use super::source::open;
use crate::cli::io::output::Output;
use anyhow::Context;
use clap::Args;
use flipside_core::games::reversi::book::store::BookStore;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book merge`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book merge --book my.book one.book other.book"])]
pub struct MergeArgs {
    /// Books to merge, which do not change
    #[arg(required = true)]
    others: Vec<PathBuf>,
    /// Book to merge into; a new one is created if the file does not exist
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result of a merge: the object of `merge --json`.
#[derive(Serialize)]
struct MergedBook {
    positions: usize,
    /// Positions without a deviation until `book build` has searched them.
    open: usize,
}

/// Arguments of `flipside book prune`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book prune --book my.book --within 4"])]
pub struct PruneArgs {
    /// Book to prune
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Keep positions on lines where both sides together give away at most this
    #[arg(long, value_name = "DISCS", default_value = "128", value_parser = hundredths)]
    within: i32,
    /// Keep positions after at most this number of moves
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    plies: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result of pruning: the object of `prune --json`.
#[derive(Serialize)]
struct PrunedBook {
    positions: usize,
    removed: usize,
}

/// Merges books. Of two searches of a position, the more certain one counts; games are added up.
///
/// # Errors
/// A book cannot be read or written.
pub fn merge(args: &MergeArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {}", args.book.display()))?;
    for path in &args.others {
        let book = open(Some(path))?;
        for entry in book.entries() {
            let (board, entry) = entry.with_context(|| path.display().to_string())?;
            store.graph.add(board, &entry);
        }
        if store.note.is_empty() {
            store.note = book.note().to_string();
        }
    }
    store.merge().with_context(|| format!("cannot write {}", args.book.display()))?;
    let graph = &store.graph;
    let open = graph.nodes().iter().filter(|node| graph.needs_search(node)).count();
    let positions = graph.nodes().len();
    let words = format_args!("{positions} positions, {open} of them without a deviation until they are built");
    out.print(args.json, &MergedBook { positions, open }, words)?;
    Ok(ExitCode::SUCCESS)
}

/// Removes positions; moves to them count as deviations from then on.
///
/// # Errors
/// The book cannot be read or written.
pub fn prune(args: &PruneArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(args.book.is_file(), "there is no book {}", args.book.display());
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {}", args.book.display()))?;
    let before = store.graph.nodes().len();
    store.graph.prune(|node| node.loss <= args.within && node.plies() <= args.plies);
    store.merge().with_context(|| format!("cannot write {}", args.book.display()))?;
    let positions = store.graph.nodes().len();
    let removed = before - positions;
    let words = format_args!("{positions} positions, {removed} removed");
    out.print(args.json, &PrunedBook { positions, removed }, words)?;
    Ok(ExitCode::SUCCESS)
}
