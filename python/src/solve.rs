//! `solve`: exact scores of many positions of Reversi, side by side.

use crate::board::BoardOrText;
use crate::engine::{MAX_HASH, MAX_THREADS};
use crate::results;
use crate::wait::POLL;
use crate::{bad_value, failure};
use flipside::engine::bindings::within;
use flipside::reversi::{self, Reversi};
use flipside::search::limits::Stop;
use flipside::support::thread_pool::{STACK, useful};
use flipside::{Limits, reversi::Solution};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, scope};

/// The index of a position with its solution; `None` if the solver failed.
type Numbered = (usize, Option<Solution>);

/// Waiting positions with their indices.
type Waiting = Mutex<Vec<(usize, reversi::Board)>>;

/// The distribution of the work.
struct Plan {
    /// Positions solved at the same time, each by its own engine.
    workers: usize,
    /// Threads of each engine.
    threads: usize,
    /// MiB of each engine.
    hash: usize,
}

impl Plan {
    fn new(positions: usize, threads: usize, hash: usize) -> Plan {
        let workers = useful(threads).min(positions).max(1);
        Plan { workers, threads: (useful(threads) / workers).max(1), hash: (hash / workers).max(1) }
    }
}

/// Solves positions of Reversi: returns a list of `Solution`, in the order of the boards.
///
/// `threads` (1 to 256) solve positions side by side, or share one if there are fewer positions; `hash` is the MiB of
/// tables in all. Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (boards, *, threads = 1, hash = 64))]
pub fn solve(py: Python<'_>, boards: Vec<BoardOrText<'_>>, threads: i64, hash: i64) -> PyResult<Vec<Py<PyAny>>> {
    let threads = within("threads", threads, 1..=MAX_THREADS).map_err(bad_value)? as usize;
    let hash = within("hash", hash, 1..=MAX_HASH).map_err(bad_value)? as usize;
    let mut waiting = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let text = board.position("reversi")?;
        let board = text.parse().map_err(|error| bad_value(format!("position {}: {error}", index + 1)))?;
        waiting.push((index, board));
    }
    let count = waiting.len();
    waiting.reverse();
    let plan = Plan::new(count, threads, hash);
    let mut solutions: Vec<Option<Py<PyAny>>> = (0..count).map(|_| None).collect();
    let waiting = Mutex::new(waiting);
    py.detach(|| solve_side_by_side(&plan, &waiting, &mut solutions))?;
    solutions.into_iter().collect::<Option<Vec<_>>>().ok_or_else(|| failure("a position was left unsolved"))
}

fn solve_side_by_side(plan: &Plan, waiting: &Waiting, solutions: &mut [Option<Py<PyAny>>]) -> PyResult<()> {
    let stop = &Stop::new(&Limits::default());
    scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..plan.workers {
            let sender = sender.clone();
            let work = move || work(plan, waiting, stop, &sender);
            Builder::new().name("solve".into()).stack_size(STACK).spawn_scoped(scope, work).map_err(|error| {
                stop.raise();
                failure(format!("no thread for the solver: {error}"))
            })?;
        }
        drop(sender);
        let outcome = collect(&results, solutions);
        stop.raise();
        outcome
    })
}

/// Solves positions until none is left.
fn work(plan: &Plan, waiting: &Waiting, stop: &Stop, results: &Sender<Numbered>) {
    let next = || waiting.lock().ok()?.pop();
    let built = flipside::Engine::builder(Reversi).hash_mib(plan.hash).threads(plan.threads).build();
    let Ok(mut engine) = built else {
        // This worker alone has the position.
        if let Some((index, _)) = next() {
            let _ = results.send((index, None));
        }
        return;
    };
    while let Some((index, board)) = next().filter(|_| !stop.is_raised()) {
        let started = std::time::Instant::now();
        let solved = catch_unwind(AssertUnwindSafe(|| engine.solve_until(&board, stop))).ok().flatten();
        let solved = solved.map(|solution| Solution { time: started.elapsed(), ..solution });
        // The receiver is gone once an exception has ended the solve.
        if results.send((index, solved)).is_err() {
            return;
        }
    }
}

/// Collects solutions until all workers have ended.
fn collect(solved: &Receiver<Numbered>, solutions: &mut [Option<Py<PyAny>>]) -> PyResult<()> {
    loop {
        match solved.recv_timeout(POLL) {
            Ok((index, Some(solution))) => {
                solutions[index] = Some(Python::attach(|py| results::solution(py, &solution))?);
            }
            Ok((index, None)) => return Err(failure(format!("the solver failed at position {}", index + 1))),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        Python::attach(|py| py.check_signals())?;
    }
}
