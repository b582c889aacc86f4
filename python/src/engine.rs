//! `Engine`: searches positions of one game and remembers its results.

use crate::board::{BoardOrText, Moves};
use crate::results;
use crate::rules::{open, settings};
use crate::wait::wait;
use crate::{bad_value, failure};
use flipside::api::event::SearchEvent;
use flipside::api::settings::Settings;
use flipside::engine::bindings::{IterationView, ResultView, SearchOptions, set_position, within};
use flipside::engine::dyn_engine::DynEngine;
use flipside::search::limits::Stop;
use flipside::search::notation::Style;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// MiB of tables: as the program's `--hash`.
pub(crate) const MAX_HASH: i64 = 65_536;
/// Threads: as the program's `--threads`.
pub(crate) const MAX_THREADS: i64 = 256;
/// Deepest perft.
const MAX_PERFT: i64 = 30;

/// An engine for one game. It remembers earlier searches.
///
/// - `game`: its name (`games()` lists them).
/// - `evaluation`: name of the evaluation; `default` is the game's best.
/// - `weights`: path of a file of weights, instead of those inside.
/// - `hash`: MiB of the search tables, 1 to 65536.
/// - `threads`: threads of one search, 1 to 256; more than the processors are not started.
///
/// A context manager: `with Engine() as engine:` frees the memory at the end of the block, as `close()` does; otherwise the
/// memory is freed some time after the last reference has gone. An engine runs one search at a time; other threads may use
/// other engines.
#[pyclass(frozen, module = "flipside")]
pub struct Engine {
    /// None after `close()`. Locked during a search. Calls only try the lock: waiting for it would hold the
    /// interpreter's lock.
    engine: Mutex<Option<Box<dyn DynEngine>>>,
    /// Ends the running search.
    stop: Mutex<Option<Arc<Stop>>>,
    game: &'static str,
    threads: usize,
    /// The process that owns the engine's threads, because a fork does not copy them.
    process: u32,
}

/// The engine, locked until this is dropped.
struct Opened<'a>(MutexGuard<'a, Option<Box<dyn DynEngine>>>);

impl Opened<'_> {
    fn get(&mut self) -> PyResult<&mut dyn DynEngine> {
        self.0
            .as_deref_mut()
            .map(|engine| engine as &mut dyn DynEngine)
            .ok_or_else(|| bad_value("this engine has been closed: make a new one"))
    }
}

impl Engine {
    fn lock(&self) -> PyResult<Opened<'_>> {
        if self.process != process::id() {
            return Err(failure(
                "this engine was made before a fork, which does not copy its threads: make one in each process",
            ));
        }
        match self.engine.try_lock() {
            Ok(guard) => Ok(Opened(guard)),
            Err(TryLockError::Poisoned(error)) => Ok(Opened(error.into_inner())),
            Err(TryLockError::WouldBlock) => {
                Err(failure("this engine is searching: call again when it has ended, or make another one"))
            }
        }
    }

    fn set_stop(&self, stop: Option<Arc<Stop>>) {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop;
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game = "reversi", *, evaluation = "default", weights = None, hash = 64, threads = 1))]
    fn new(game: &str, evaluation: &str, weights: Option<PathBuf>, hash: i64, threads: i64) -> PyResult<Engine> {
        let hash = within("hash", hash, 1..=MAX_HASH).map_err(bad_value)? as usize;
        let threads = within("threads", threads, 1..=MAX_THREADS).map_err(bad_value)? as usize;
        let engine = open(&Settings { evaluation: evaluation.to_string(), weights, hash, ..settings(game) })?;
        let game = engine.game();
        Ok(Engine { engine: Mutex::new(Some(engine)), stop: Mutex::default(), game, threads, process: process::id() })
    }

    /// Name of its game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    /// Searches a position: a `Board`, the text of one, or the start of the game. Returns an `Analysis`.
    ///
    /// Limits: `depth` in plies, `nodes` in positions, `time` in seconds. A search that nothing limits has two seconds;
    /// `time=math.inf` goes on until `stop()`, Ctrl-C, or nothing more can be learnt. `lines`: principal variations, 1 to
    /// 64. `level`: effort in plies, 1 to 60 (unlimited). `strength`: in percent, 0 to 100, or `elo` on the
    /// game's scale. `variety`: how much worse than the best the move may be, in hundredths of a unit, 0 to 2000. `seed` of both; 0 draws another one each time.
    /// `moves`: only these. `on_iteration` is called with every iteration and may call `stop()`.
    ///
    /// Other threads of Python run meanwhile. Ctrl-C stops the search and raises `KeyboardInterrupt`; an exception in
    /// `on_iteration` stops it and is raised.
    #[pyo3(signature = (
        board = None, *, depth = None, nodes = None, time = None, lines = 1, level = 60, strength = 100, elo = None,
        variety = 0, seed = 0, moves = None, on_iteration = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python has keywords for them")]
    fn search(
        &self,
        py: Python<'_>,
        board: Option<BoardOrText<'_>>,
        depth: Option<i64>,
        nodes: Option<i64>,
        time: Option<f64>,
        lines: i64,
        level: i64,
        strength: i64,
        elo: Option<i64>,
        variety: i64,
        seed: u64,
        moves: Option<Moves>,
        on_iteration: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let mut opened = self.lock()?;
        let engine = opened.get()?;
        match board {
            Some(board) => board.set(engine)?,
            None => set_position(engine, None, "").map_err(bad_value)?,
        }
        let options = SearchOptions {
            depth,
            nodes,
            time: time.map(seconds).transpose()?,
            lines: Some(lines),
            level: Some(level),
            strength: Some(strength),
            elo,
            variety: Some(variety),
            seed,
            moves: moves.map_or_else(Vec::new, Moves::list),
        };
        let mut request = options.request(engine).map_err(bad_value)?;
        request.threads = self.threads;
        let begin = move |sink| {
            let handle = engine.search(request, sink);
            self.set_stop(Some(Arc::clone(&handle.stop)));
            handle
        };
        let mut heard = Heard::default();
        let outcome = wait(py, begin, &mut |py, event| heard.hear(py, event, on_iteration.as_ref()));
        self.set_stop(None);
        outcome?;
        let result = heard.result.ok_or_else(|| failure("the search ended without a best move"))?;
        match result.failure {
            Some(reason) => Err(failure(reason)),
            None => results::analysis(py, result, heard.lines),
        }
    }

    /// Ends the running search, from another thread or from `on_iteration`; it returns the best result so far.
    fn stop(&self) {
        if let Some(stop) = &*self.stop.lock().unwrap_or_else(PoisonError::into_inner) {
            stop.raise();
        }
    }

    /// Forgets earlier searches, so that the next one does not depend on them.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let mut opened = self.lock()?;
        let engine = opened.get()?;
        py.detach(|| engine.clear_hash());
        Ok(())
    }

    /// Frees the memory. The engine cannot be used afterwards; further calls do nothing.
    fn close(&self) -> PyResult<()> {
        self.lock()?.0.take();
        Ok(())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> String {
        format!("Engine(game={:?}, threads={})", self.game, self.threads)
    }
}

/// The reports of a search.
#[derive(Default)]
struct Heard {
    /// The latest iteration of each line of play, the best first.
    lines: Vec<Py<PyAny>>,
    result: Option<ResultView>,
}

impl Heard {
    fn hear(&mut self, py: Python<'_>, event: SearchEvent, on_iteration: Option<&Py<PyAny>>) -> PyResult<()> {
        match event {
            SearchEvent::Info(info) => {
                let iteration = results::iteration(py, IterationView::from(&info))?;
                self.lines.truncate(info.rank.saturating_sub(1));
                self.lines.push(iteration.clone_ref(py));
                on_iteration.map_or(Ok(()), |hear| hear.call1(py, (iteration,)).map(drop))
            }
            SearchEvent::BestMove(best_move) => {
                self.result = Some(ResultView::from(&best_move));
                Ok(())
            }
            SearchEvent::Candidate(_) | SearchEvent::Perft(_) | SearchEvent::Book(_) => Ok(()),
        }
    }
}

/// A time in seconds; infinite for a search without an end.
fn seconds(time: f64) -> PyResult<Duration> {
    if time == f64::INFINITY {
        return Ok(Duration::MAX);
    }
    Duration::try_from_secs_f64(time).map_err(|_| bad_value(format!("time is {time}, should be seconds, 0 or more")))
}

/// Leaves of the game tree of a position (a `Board`, or the text of one of `game`) at a depth of 0 to 30 plies, by the game's
/// own rule. Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (board, depth, *, game = "reversi"))]
pub fn perft(py: Python<'_>, board: BoardOrText<'_>, depth: i64, game: &str) -> PyResult<u64> {
    let depth = within("depth", depth, 0..=MAX_PERFT).map_err(bad_value)?;
    let game = match &board {
        BoardOrText::Board(board) => board.game_name(),
        BoardOrText::Text(_) => game,
    };
    let mut engine = open(&settings(game))?;
    board.set(engine.as_mut())?;
    let (rules, mut leaves) = (engine.as_mut(), None);
    wait(py, move |sink| rules.divide(depth as u32, Style::Plain, sink), &mut |_, event| {
        if let SearchEvent::Perft(counts) = event {
            leaves = Some(counts.total);
        }
        Ok(())
    })?;
    leaves.ok_or_else(|| failure("the count ended without a result"))
}
