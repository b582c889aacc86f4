//! `flipside book build`: searches until the book meets its targets. Each finished search goes to the journal; from
//! time to time the journal is merged into the book.

use super::hundredths;
use super::plan::{Plan, Progress};
use super::searches::{Searches, SearchesArgs};
use super::source::discs;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::progress;
use anyhow::Context;
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::store::BookStore;
use indicatif::ProgressBar;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Time between two writes of the book.
const WRITE_INTERVAL: Duration = Duration::from_secs(600);
/// Fewest searches between two rounds that back up values and choose the next searches.
const BATCH: usize = 32;

/// Arguments of `flipside book build`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book build --book my.book --positions 5000 --threads 4"])]
pub struct BuildArgs {
    /// Book to build or to continue
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Number of positions of the book
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000)]
    positions: usize,
    /// Follow lines on which both sides together give away at most this
    #[arg(long, value_name = "DISCS", default_value = "8", value_parser = hundredths)]
    error: i32,
    /// Follow lines for at most this number of moves
    #[arg(long, value_name = "NUMBER", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Prefer a longer line only if it is better by this for each further move
    #[arg(long, value_name = "DISCS", default_value = "0.15", value_parser = hundredths)]
    ply_penalty: i32,
    /// Depth of the searches that shape the book, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=60))]
    quick_depth: u32,
    /// Depth of the deeper searches, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Search deeper all positions on lines that give away at most this
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = hundredths)]
    within: i32,
    /// Search this number of positions nearest to best play deeper still
    #[arg(long, value_name = "NUMBER", default_value_t = 2000)]
    best: usize,
    /// Depth of the deepest searches, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 28, value_parser = clap::value_parser!(u32).range(1..=60))]
    best_depth: u32,
    #[command(flatten)]
    searches: SearchesArgs,
    /// Print the progress of the book as one JSON object
    #[arg(long)]
    json: bool,
}

/// The progress of a book: the object of `--json`.
#[derive(Serialize)]
struct BuiltBook {
    positions: usize,
    /// The requested number of positions.
    target: usize,
    /// The most discs that both sides together give away on the lines of `near`.
    within: f64,
    near: SearchGoal,
    best: SearchGoal,
    /// Score of the start position, in discs for Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

/// Positions to search to a depth.
#[derive(Serialize)]
struct SearchGoal {
    depth: u32,
    selectivity: u8,
    positions: usize,
    /// Those that have been searched.
    searched: usize,
}

impl BuiltBook {
    fn new(plan: &Plan, store: &BookStore) -> BuiltBook {
        let Progress { positions, near, best } = plan.progress(&store.graph);
        let goal = |depth, [positions, searched]: [usize; 2]| SearchGoal {
            depth,
            selectivity: plan.selectivity,
            positions,
            searched,
        };
        BuiltBook {
            positions,
            target: plan.positions,
            within: discs(plan.within),
            near: goal(plan.depth, near),
            best: goal(plan.best_depth, best),
            score: store.graph.get(Board::START).map(|start| discs(start.value.score)),
        }
    }

    /// The progress as text, without the end of the last line.
    fn text(&self) -> String {
        let BuiltBook { positions, target, within, near, best, score } = self;
        let searched = |SearchGoal { depth, selectivity, positions, searched }: &SearchGoal| {
            format!("{positions}, searched to depth {depth} at {selectivity}%: {searched}")
        };
        let mut lines = vec![
            format!("{positions} positions of {target}"),
            format!("within {within:.2} discs of best: {}", searched(near)),
            format!("nearest to best: {}", searched(best)),
        ];
        lines.extend(score.map(|score| format!("start position: {score:+.2} discs")));
        lines.join("\n")
    }
}

impl BuildArgs {
    fn plan(&self) -> Plan {
        Plan {
            positions: self.positions,
            error: self.error,
            plies: self.plies,
            ply_penalty: self.ply_penalty,
            quick_depth: self.quick_depth,
            depth: self.depth,
            selectivity: self.searches.selectivity.percent(),
            within: self.within,
            best: self.best,
            best_depth: self.best_depth,
        }
    }
}

/// Builds the book and prints its progress.
///
/// # Errors
/// The book or its journal cannot be read or written, or belongs to another process.
pub fn run(args: &BuildArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let name = args.book.display();
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {name}"))?;
    store.note = format!("Built by flipside {} with nothing but its own searches.", env!("CARGO_PKG_VERSION"));
    let plan = args.plan();
    let bar = progress::bar(0, "{pos}/{len} searches, {elapsed}, {msg}");
    let searches = Searches::open(&args.searches, &interrupt)?;
    drop(opening);
    let mut written = Instant::now();
    while !interrupt.is_raised() {
        let jobs = plan.next(&store.graph, BATCH);
        if jobs.is_empty() {
            break;
        }
        show(&bar, &plan, &store);
        searches.run(jobs, &mut |line| {
            bar.inc(1);
            store.add(&line).with_context(|| format!("cannot write the journal of {name}"))
        })?;
        store.graph.refresh();
        if written.elapsed() >= WRITE_INTERVAL {
            store.merge().with_context(|| format!("cannot write {name}"))?;
            written = Instant::now();
        }
    }
    bar.finish_and_clear();
    store.merge().with_context(|| format!("cannot write {name}"))?;
    let built = BuiltBook::new(&plan, &store);
    out.print(args.json, &built, built.text())?;
    Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { 0 }))
}

fn show(bar: &ProgressBar, plan: &Plan, store: &BookStore) {
    let progress = plan.progress(&store.graph);
    bar.set_length(bar.position() + progress.open(plan) as u64);
    bar.set_message(format!("{} positions", progress.positions));
}
