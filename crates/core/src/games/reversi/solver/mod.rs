//! The exact endgame solver: its own recursion, its own table with whole boards, its own move ordering.
//!
//! [`Solver::solve`] answers a window for the search; [`root::RootSolver`] solves a whole position. The recursion
//! changes with the number of empty squares: [`evaluation_ordered`], [`fastest_first`], [`last_empties`]. Threads share
//! the work at split points ([`ybwc`]).

pub mod entry;
pub mod evaluation_ordered;
pub mod fastest_first;
pub mod last_empties;
pub mod level;
pub mod local_table;
pub mod moves;
pub mod parity;
pub mod root;
pub mod settings;
pub mod split_node;
pub mod table;
pub mod thread;
pub mod ybwc;

use super::board::Board;
use super::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::limits::Budget;
use crate::search::split_pool::SplitThread;
use flipside_support::memory::MemoryError;
use level::SolverLevel;
use local_table::LocalTable;
use settings::SolverSettings;
use split_node::SplitPool;
use std::sync::{Mutex, PoisonError};
use table::SolverTable;
use thread::{EvaluationOrdered, FastestFirst};

/// The endgame solver: its table, and what the threads of a solve share.
pub struct Solver {
    /// Positions solved so far.
    pub table: SolverTable,
    /// Thresholds.
    pub settings: SolverSettings,
    pool: SplitPool,
    /// Small tables of threads that are not searching now.
    locals: Mutex<Vec<LocalTable>>,
}

impl Solver {
    /// A solver whose table takes this many MiB.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn new(mebibytes: usize) -> Result<Solver, MemoryError> {
        Solver::with_settings(mebibytes, SolverSettings::default())
    }

    /// A solver with other thresholds, for sweeps.
    ///
    /// # Errors
    /// As [`Solver::new`].
    pub fn with_settings(mebibytes: usize, settings: SolverSettings) -> Result<Solver, MemoryError> {
        let table = SolverTable::new(mebibytes)?;
        Ok(Solver { table, settings, pool: SplitPool::default(), locals: Mutex::new(Vec::new()) })
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.table.clear();
        self.locals.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The score of the position in discs for the side to move, fail-soft within `(alpha, beta)`, empty squares counted
    /// for the winner, at the selectivity of `budget.selectivity`. `None` once the budget has stopped it. `state` is the
    /// evaluation's accumulator of the position.
    ///
    /// A helper of a search (see [`Budget::helps_solver`]) gets no score: it joins split points until the search ends, and
    /// [`Solver::wake`] lets it see that.
    pub fn solve<K: SolverLevel, E: Eval<Reversi<K>>>(
        &self,
        game: &Reversi<K>,
        eval: &E,
        state: &E::Accumulator,
        board: Board,
        (alpha, beta): (i32, i32),
        budget: &mut Budget<'_>,
    ) -> Option<i32> {
        let (helper, is_over) = (budget.helps_solver, budget.end());
        self.with_thread(game, eval, budget, |thread| {
            if helper {
                thread.help_until(is_over);
                thread.inner.budget.poll();
                return None;
            }
            let score = thread.pvs(board, state, (alpha, beta), board.empties());
            (!thread.is_stopped()).then_some(score)
        })
    }

    /// Wakes helpers that wait for split points.
    pub fn wake(&self) {
        self.pool.wake();
    }

    /// Runs a job with the state of one thread, and puts its small table back afterwards.
    fn with_thread<K: SolverLevel, E: Eval<Reversi<K>>, R>(
        &self,
        game: &Reversi<K>,
        eval: &E,
        budget: &mut Budget<'_>,
        job: impl FnOnce(&mut EvaluationOrdered<'_, '_, K, E>) -> R,
    ) -> R {
        let local = self.locals.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let selectivity = budget.selectivity;
        let inner = FastestFirst::new(game.level(), budget, &self.table, local, self.settings);
        let split = SplitThread::new(&self.pool);
        let mut thread = EvaluationOrdered { inner, eval, selectivity, split, aborted: false, in_probcut: false };
        let result = job(&mut thread);
        self.locals.lock().unwrap_or_else(PoisonError::into_inner).push(thread.inner.local);
        result
    }
}
