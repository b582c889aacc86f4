//! `flipside book check`: searches the least certain values again, deeper, and reports the changes. First it
//! finds, without a search, the values that claim more than the book shows.

use super::searches::{Searches, SearchesArgs};
use super::source::{discs, open};
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::progress;
use anyhow::Context;
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::audit::{Unfounded, audited};
use flipside_core::games::reversi::book::entry::{Grade, Value};
use flipside_core::games::reversi::book::graph::{BookGraph, BookNode};
use flipside_core::games::reversi::book::journal::JournalLine;
use flipside_core::games::reversi::book::searcher::{Job, even_horizon};
use flipside_core::games::reversi::book::store::BookStore;
use flipside_core::games::reversi::obf;
use flipside_core::search::types::Score;
use flipside_support::json;
use flipside_support::random::Random;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Most changes that are shown one by one.
const SHOWN: usize = 10;
/// Most empty squares of a value that is checked by a solve; larger solves take minutes.
const MOST_SOLVED: u32 = 24;

/// Arguments of `flipside book check`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book check --book my.book --count 100 --deeper 4"])]
pub struct CheckArgs {
    /// Book to check and update (default: the embedded book, which does not change)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Number of values to search again, the least certain first; solves go up to 24 empty squares
    #[arg(long, value_name = "NUMBER", default_value_t = 500)]
    count: usize,
    /// Check a random sample with this seed instead of the least certain values
    #[arg(long, value_name = "SEED")]
    sample: Option<u64>,
    /// Additional depth of the searches, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=60))]
    deeper: u32,
    #[command(flatten)]
    searches: SearchesArgs,
    /// Print one JSON object with all changes
    #[arg(long)]
    json: bool,
}

/// The result: the object of `--json`.
#[derive(Serialize)]
struct Found {
    mean_change: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_before: Option<f64>,
    /// The largest first.
    changes: Vec<Change>,
    /// Values that claim more than the book shows.
    unfounded: Vec<Claim>,
}

/// A value that is graded proven or exact, although the values that it rests on are not.
#[derive(Serialize)]
struct Claim {
    position: String,
    /// The best move that leaves the book, if the value is the value of that move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    score: f64,
    #[serde(serialize_with = "json::as_text")]
    grade: Grade,
    /// The grade that the book shows.
    #[serde(serialize_with = "json::as_text")]
    shown: Grade,
}

/// A value that was searched again.
#[derive(Serialize)]
struct Change {
    position: String,
    score: f64,
    score_before: f64,
}

/// Searches and prints the largest changes and the mean.
///
/// # Errors
/// The book cannot be read or written.
pub fn run(args: &CheckArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let mut store = args.book.as_deref().map(BookStore::open).transpose().context("cannot open the book")?;
    let (of_file, unfounded) = args.audited()?;
    let mut graph = store.as_ref().map_or(of_file, |store| store.graph.clone());
    let chosen = args.choose(&graph);
    let bar = progress::bar(chosen.len() as u64, "{pos}/{len} searches, {elapsed}");
    let mut changes = Vec::new();
    let searches = Searches::open(&args.searches, &interrupt)?;
    drop(opening);
    let job = |&(board, value): &(Board, Value)| {
        let depth = args.depth_after(value);
        Job { board, squares: graph.open_moves(board), depth, deep: true }
    };
    // Keyed by position, because an interrupted search returns nothing.
    let before: HashMap<Board, Score> = chosen.iter().map(|(board, value)| (*board, value.score)).collect();
    searches.run(chosen.iter().map(job).collect(), &mut |line| {
        bar.inc(1);
        if let JournalLine::Search(board, Some(found)) = &line
            && let Some(old) = before.get(board)
        {
            changes.push((*board, *old, found.value.score));
        }
        store.as_mut().map_or(Ok(()), |store| store.add(&line)).context("cannot write the journal")
    })?;
    bar.finish_and_clear();
    let start = |graph: &BookGraph| graph.get(Board::START).map(|node| node.value.score);
    let old_start = start(&graph);
    if let Some(store) = &mut store {
        store.merge().context("cannot write the book")?;
        graph.clone_from(&store.graph);
    }
    changes.sort_by_key(|it| Reverse(change(it)));
    if args.json {
        let found = Found {
            mean_change: mean_change(&changes),
            score: start(&graph).map(discs),
            score_before: old_start.map(discs),
            changes: changes.iter().map(Change::new).collect(),
            unfounded: unfounded.iter().map(Claim::new).collect(),
        };
        writeln!(out, "{}", json::line(&found)?)?;
        return Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { 0 }));
    }
    write!(out, "{}", report(&changes))?;
    if let (Some(old), Some(new)) = (old_start, start(&graph)) {
        writeln!(out, "start position: {:+.2}, was {:+.2}", discs(new), discs(old))?;
    }
    write!(out, "{}", unfounded_text(&unfounded))?;
    Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { 0 }))
}

impl CheckArgs {
    /// The unchanged book as a graph, and its values that claim more than it shows; empty for a new book.
    fn audited(&self) -> anyhow::Result<(BookGraph, Vec<Unfounded>)> {
        if self.book.as_ref().is_some_and(|path| !path.exists()) {
            return Ok(Default::default());
        }
        let entries = open(self.book.as_deref())?.entries().collect::<Result<Vec<_>, _>>()?;
        Ok(audited(&entries))
    }

    /// The depth at which this value is searched again.
    fn depth_after(&self, value: Value) -> u32 {
        u32::from(value.depth) + self.deeper
    }

    /// The values to search again: those that are not proven and whose deeper search is not a long solve.
    fn choose(&self, graph: &BookGraph) -> Vec<(Board, Value)> {
        let value = |node| graph.deviation(node).map(|deviation| deviation.value);
        let open = graph.nodes().iter().filter_map(|node| Some((node, value(node)?)));
        let is_affordable = |(node, value): &(&BookNode, Value)| {
            let empties = node.board.empties();
            !value.grade.is_proven()
                && (empties <= MOST_SOLVED || even_horizon(empties, self.depth_after(*value)) < empties)
        };
        let mut open: Vec<_> = open.filter(is_affordable).collect();
        open.sort_by_key(|(node, value)| {
            (value.depth, value.selectivity, node.loss, node.board.player, node.board.opponent)
        });
        if let Some(seed) = self.sample {
            Random(seed).shuffle(&mut open);
        }
        open.into_iter().take(self.count).map(|(node, value)| (node.board, value)).collect()
    }
}

/// A position, and its scores before and after.
type Rescored = (Board, Score, Score);

impl Claim {
    fn new(found: &Unfounded) -> Claim {
        Claim {
            position: obf::show(found.board, true),
            mv: found.square.map(obf::square_name),
            score: discs(found.claimed.score),
            grade: found.claimed.grade,
            shown: found.shown.grade,
        }
    }
}

/// The values that claim too much and their number; empty for a sound book.
fn unfounded_text(found: &[Unfounded]) -> String {
    let mut text = String::new();
    for claim in found.iter().take(SHOWN).map(Claim::new) {
        let mv = claim.mv.map(|mv| format!(" {mv}")).unwrap_or_default();
        text += &format!("{}{mv}  {:+.2} {}, shown {}\n", claim.position, claim.score, claim.grade, claim.shown);
    }
    match found.len() {
        0 => text,
        count => text + &format!("{count} values claim more than the book shows\n"),
    }
}

impl Change {
    fn new(&(board, old, new): &Rescored) -> Change {
        Change { position: obf::show(board, true), score: discs(new), score_before: discs(old) }
    }
}

fn change(&(_, old, new): &Rescored) -> u32 {
    new.abs_diff(old)
}

/// The mean absolute change in discs.
fn mean_change(changes: &[Rescored]) -> f64 {
    let sum: u64 = changes.iter().map(|it| u64::from(change(it))).sum();
    sum as f64 / 100.0 / changes.len().max(1) as f64
}

/// The largest changes and their mean; the largest come first.
fn report(changes: &[Rescored]) -> String {
    let mut text = String::new();
    for (board, old, new) in changes.iter().take(SHOWN) {
        text += &format!("{}  {:+.2}, was {:+.2}\n", obf::show(*board, true), discs(*new), discs(*old));
    }
    let mean = mean_change(changes);
    text + &format!("{} values searched again: mean absolute change {mean:.2} discs\n", changes.len())
}
