//! `flipside bench --scaling`: what more threads gain in solves and in the middle game, and where the rest of the time
//! goes.

use super::endgame::{positions_of, random_position};
use crate::cli::io::output::Output;
use anyhow::{Context, ensure};
use clap::ValueEnum;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, ParallelWork, Stop};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::solve::{SolveTask, Wanted};
use flipside_core::search::types::Selectivity;
use flipside_support::json;
use flipside_support::random::Random;
use flipside_support::thread_pool;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What the threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Exact solves of a second or two
    Solver,
    /// Exact solves of a tenth of a second
    Short,
    /// Searches of the middle game to a fixed depth, a tenth of a second each
    Middle,
}

/// Random plies before the players of a generated position choose.
const RANDOM_PLIES: u32 = 10;
/// Depth and selectivity of the searches of the middle game.
const MIDDLE: (u32, Selectivity) = (22, Selectivity::from_percent(80));

impl Workload {
    /// Empty squares of its own positions, and how many there are.
    fn sample(self) -> (u32, usize) {
        match self {
            Workload::Solver => (24, 6),
            Workload::Short => (20, 16),
            Workload::Middle => (32, 16),
        }
    }

    /// Does the work of one position with empty tables.
    fn run(self, searcher: &ReversiSearcher, board: &Board, threads: usize) -> anyhow::Result<Stop> {
        let (depth, selectivity) = MIDDLE;
        let limits = if self == Workload::Middle { Limits::depth(depth) } else { Limits::default() };
        let stop = Stop::new(&limits);
        if self == Workload::Middle {
            let parameters = SearchParameters { threads, selectivity, ..SearchParameters::new(limits) };
            searcher.search(board, &parameters, &stop, &mut |_| {});
        } else {
            let task = SolveTask { wanted: Wanted::Line, ..SolveTask::exact(threads) };
            searcher.solve(board, &task, &stop).context("the solve was stopped")?;
        }
        Ok(stop)
    }
}

/// The options of the bench.
pub struct Scaling<'a> {
    /// MiB of each table.
    pub hash: usize,
    /// File of positions instead of the bench's own.
    pub file: Option<&'a Path>,
    /// Numbers of threads; the first is what the others are compared with.
    pub threads: &'a [u16],
    /// What to measure.
    pub workloads: &'a [Workload],
    /// Most positions of each workload.
    pub positions: usize,
    /// Whether to measure on virtual processors.
    pub is_virtual: bool,
    /// Whether to print one JSON object instead of text.
    pub json: bool,
}

/// A workload by a number of threads.
#[derive(Serialize)]
struct Row {
    workload: Workload,
    threads: u16,
    positions: usize,
    seconds: f64,
    /// The time by the first number of threads, divided by this time.
    speedup: f64,
    nodes: u64,
    /// The nodes, divided by those of the first number of threads.
    nodes_ratio: f64,
    /// The share of the threads' time in which they waited for work.
    idle: f64,
    /// The share of the nodes that were searched for nothing.
    discarded: f64,
    splits: u64,
    joins: u64,
}

/// The object of `--json`.
#[derive(Serialize)]
struct Report {
    processors: &'static str,
    rows: Vec<Row>,
}

/// Prints a line for each workload and number of threads.
///
/// # Errors
/// The file cannot be read, or the output cannot be written.
pub fn run(bench: &Scaling<'_>, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation = ReversiEvaluation::open("default", None)?;
    let options = SearcherOptions::with_tables(bench.hash, bench.hash);
    let searcher = searcher::open(&evaluation, &options).context("--hash is too large")?;
    let mut rows: Vec<Row> = Vec::new();
    for &workload in bench.workloads {
        let positions = match bench.file {
            Some(path) => positions_of(path)?,
            None => generated(workload.sample())?,
        };
        let positions = &positions[..bench.positions.min(positions.len())];
        ensure!(!positions.is_empty(), "the file holds no position");
        let mut first = None;
        // On real processors no more threads than those search.
        let can_run = |threads: usize| bench.is_virtual || thread_pool::useful(threads) == threads;
        for &threads in bench.threads.iter().filter(|&&threads| can_run(threads.into())) {
            let measured = || measure(bench, &searcher, workload, positions, threads);
            let (seconds, nodes, work) = on_search_stack(measured)?;
            let &mut (first_seconds, first_nodes) = first.get_or_insert((seconds, nodes));
            let row = Row {
                workload,
                threads,
                positions: positions.len(),
                seconds,
                speedup: first_seconds / seconds.max(1e-9),
                nodes,
                nodes_ratio: nodes as f64 / first_nodes.max(1) as f64,
                idle: work.idle.as_secs_f64() / (seconds * f64::from(threads)).max(1e-9),
                discarded: work.discarded as f64 / nodes.max(1) as f64,
                splits: work.splits,
                joins: work.joins,
            };
            if !bench.json {
                writeln!(out, "{}", text(&row))?;
            }
            rows.push(row);
        }
    }
    if bench.json {
        let processors = if bench.is_virtual { "virtual" } else { "real" };
        writeln!(out, "{}", json::line(&Report { processors, rows })?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(row: &Row) -> String {
    let Row { threads, seconds, speedup, nodes, nodes_ratio, splits, joins, .. } = row;
    let name = row.workload.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string());
    let (idle, discarded) = (100.0 * row.idle, 100.0 * row.discarded);
    format!(
        "{name:6} threads {threads:3} {seconds:8.3} s speed-up {speedup:5.2} nodes {nodes:>11} x{nodes_ratio:.3} \
         idle {idle:4.1} % discarded {discarded:4.1} % splits {splits} joins {joins}"
    )
}

/// Seconds, nodes and the threads' work together for all positions.
fn measure(
    bench: &Scaling<'_>,
    searcher: &ReversiSearcher,
    workload: Workload,
    positions: &[Board],
    threads: u16,
) -> anyhow::Result<(f64, u64, ParallelWork)> {
    let (mut seconds, mut nodes, mut work) = (0.0, 0, ParallelWork::default());
    for board in positions {
        searcher.clear();
        let run = || workload.run(searcher, board, usize::from(threads));
        let (stop, time) = if bench.is_virtual { on_virtual_processors(workload, run) } else { timed(run) };
        let stop = stop?;
        seconds += time.as_secs_f64();
        nodes += stop.entered();
        work.add(stop.parallel_work());
    }
    Ok((seconds, nodes, work))
}

/// Runs work on a thread with the stack of a search.
fn on_search_stack<R: Send>(work: impl FnOnce() -> anyhow::Result<R> + Send) -> anyhow::Result<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(thread_pool::STACK).spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

#[cfg(feature = "virtual-processors")]
fn on_virtual_processors<R>(workload: Workload, work: impl FnOnce() -> R) -> (R, Duration) {
    use flipside_support::virtual_processors::{Clock, Model, measure};
    // A position of the middle game takes this long. The solver's differ too much for one price.
    let position = Clock::Position(Duration::from_nanos(450));
    let (clock, quantum) = match workload {
        Workload::Solver => (Clock::ProcessorTime, 50),
        Workload::Short => (Clock::ProcessorTime, 10),
        Workload::Middle => (position, 2),
    };
    measure(Model { clock, quantum: Duration::from_micros(quantum) }, work)
}

#[cfg(not(feature = "virtual-processors"))]
fn on_virtual_processors<R>(_: Workload, work: impl FnOnce() -> R) -> (R, Duration) {
    timed(work)
}

/// Positions of games that begin with random moves and go on with the moves that the evaluation likes best.
fn generated((empties, count): (u32, usize)) -> anyhow::Result<Vec<Board>> {
    let (game, mut random) = (Reversi::portable(), Random(53));
    let evaluation = ReversiEvaluation::open("linear", None)?;
    let player = searcher::open(&evaluation, &SearcherOptions::with_tables(1, 1))?;
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = random_position(&mut random, 60 - RANDOM_PLIES);
        while board.empties() > empties && game.outcome(&board).is_none() {
            let best = game.moves(&board).min_by_key(|mv| player.static_eval(&board.after(*mv)));
            board = board.after(best.context("a game goes on without a move")?);
        }
        if board.empties() == empties && game.moves(&board).nth(1).is_some() {
            positions.push(board);
        }
    }
    Ok(positions)
}
