//! `flipside book build`: searches until the book is what it is to become. Every search is written to the journal when it
//! is done; the book is made of them now and then.

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

/// The book is written so often.
const WRITE_INTERVAL: Duration = Duration::from_secs(600);
/// Searches after which values are backed up and the next are chosen, at least.
const BATCH: usize = 32;

/// Arguments of `flipside book build`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book build --book my.book --positions 5000 --threads 4"])]
pub struct BuildArgs {
    /// The book to build or to go on with
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Positions of the book
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000)]
    positions: usize,
    /// Follow no line on which both sides together give away more
    #[arg(long, value_name = "DISCS", default_value = "8", value_parser = hundredths)]
    error: i32,
    /// Follow no line further than so many moves
    #[arg(long, value_name = "NUMBER", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Take a longer line before a shorter one only if it is so much better, for each move
    #[arg(long, value_name = "DISCS", default_value = "0.15", value_parser = hundredths)]
    ply_penalty: i32,
    /// Depth of the searches that shape the book, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=60))]
    quick_depth: u32,
    /// Depth of the deeper searches, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Search all positions deeper that lie on lines which give away no more
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = hundredths)]
    within: i32,
    /// Search so many positions, those nearest to best play, deeper still
    #[arg(long, value_name = "NUMBER", default_value_t = 2000)]
    best: usize,
    /// Depth of these searches, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 28, value_parser = clap::value_parser!(u32).range(1..=60))]
    best_depth: u32,
    #[command(flatten)]
    searches: SearchesArgs,
    /// Print how far the book is as one JSON object
    #[arg(long)]
    json: bool,
}

/// How far a book is: the object of `--json`.
#[derive(Serialize)]
struct BuiltBook {
    positions: usize,
    /// Positions that were asked for.
    target: usize,
    /// Discs that both sides together give away on the lines of `near` at most.
    within: f64,
    near: SearchGoal,
    best: SearchGoal,
    /// Of the start position, in discs for Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

/// Positions that are to be searched to a depth.
#[derive(Serialize)]
struct SearchGoal {
    depth: u32,
    selectivity: u8,
    positions: usize,
    /// Those of them that are.
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

    /// The same in words, without the end of the last line.
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

/// Builds the book and prints how far it is.
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
