//! The exact endgame: its own recursion, its own table, its own idea of which move comes first.
//!
//! [`Solver::solve`] answers a window; [`root::RootSolver`] works out a whole position for people. Threads
//! share the work at split points ([`team`]).

pub mod evaluation_ordered;
pub mod fastest_first;
pub mod last_empties;
pub mod local_table;
pub mod root;
pub mod stability;
pub mod table;
pub mod ybwc;

use super::board::{Board, Reversi};
use super::kernels::Kernels;
use super::probcut::{EndgamePairs, ProbCutModel};
use crate::search::evaluation::Eval;
use crate::search::limits::Budget;
use evaluation_ordered::EvaluationOrdered;
use fastest_first::FastestFirst;
use local_table::LocalTable;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use table::SolverTable;
use ybwc::SplitPool;

/// Thresholds and weights of the recursion, found by sweeps (`benches/sweep.rs`). None of them
/// can change an exact score.
#[derive(Clone, Copy, Debug)]
pub struct SolverSettings {
    /// Empty squares from which moves are sorted by the evaluation.
    pub evaluation_from: u32,
    /// Empty squares from which the shared table is used instead of the thread's own; at least 5.
    pub shared_from: u32,
    /// Empty squares from which a position's moves are shared with idle threads; at least `evaluation_from`.
    pub split_from: u32,
    /// Lower bound in discs from which stability is looked at, with no empty squares...
    pub stability_base: i32,
    /// ... and quarters of a disc more for each empty square.
    pub stability_slope: i32,
    /// Cost of a reply of the opponent in ranks.
    pub reply_weight: i32,
    /// Cost of an empty square beside the mover's discs.
    pub open_weight: i32,
    /// Bonus of a move in a quadrant with an odd number of empty squares.
    pub parity_bonus: i32,
    /// What a point of fastest-first counts beside a quarter of a hundredth of a disc of evaluation.
    pub speed_weight: i32,
    /// Bonus of the table's second move.
    pub second_bonus: i32,
    /// Empty squares from which sorting searches one ply...
    pub sort_from: u32,
    /// ... and one more for so many more empty squares.
    pub sort_step: u32,
    /// Discs outside the window that sorting still tells apart.
    pub sort_window: i32,
    /// Plies that sorting searches at most.
    pub sort_most: u32,
    /// Passes that prepare the exact one: their selectivity, and the empty squares from which they pay.
    pub passes: [(u8, u32); 2],
    /// Discs on both sides of the last pass's score that the next pass tries first.
    pub root_width: i32,
    /// What selective passes bet on.
    pub bets: EndgamePairs,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings {
            evaluation_from: 12,
            shared_from: 10,
            split_from: 12,
            stability_base: -6,
            stability_slope: 6,
            reply_weight: 48,
            open_weight: 4,
            parity_bonus: 12,
            speed_weight: 24,
            second_bonus: 400,
            sort_from: 15,
            sort_step: 4,
            sort_window: 16,
            sort_most: 4,
            passes: [(0, 18), (2, 24)],
            root_width: 1,
            bets: EndgamePairs::new(&ProbCutModel::UNKNOWN),
        }
    }
}

impl SolverSettings {
    /// Plies of the shallow searches that sort.
    #[inline(always)]
    pub fn sort_depth(&self, empties: u32) -> u32 {
        if empties < self.sort_from { 0 } else { (1 + (empties - self.sort_from) / self.sort_step).min(self.sort_most) }
    }

    /// Selectivities of the passes that prepare an exact one.
    pub fn passes(&self, empties: u32) -> impl Iterator<Item = u8> {
        self.passes.into_iter().filter(move |&(_, from)| empties >= from).map(|(level, _)| level)
    }

    /// The usual thresholds with the bets of an evaluation, if that has been measured.
    pub fn with_probcut(probcut_model: Option<&ProbCutModel>) -> SolverSettings {
        probcut_model.map_or_else(SolverSettings::default, |probcut_model| SolverSettings {
            bets: EndgamePairs::new(probcut_model),
            ..SolverSettings::default()
        })
    }
}

/// The endgame solver of a room or a tool: a table and what threads share.
pub struct Solver {
    /// Positions solved so far.
    pub table: SolverTable,
    /// Thresholds.
    pub settings: SolverSettings,
    team: SplitPool,
    /// Small tables of threads that are not at work.
    locals: Mutex<Vec<LocalTable>>,
}

impl Solver {
    /// A solver whose table takes so many MiB.
    pub fn new(mebibytes: usize) -> Solver {
        Solver::with_settings(mebibytes, SolverSettings::default())
    }

    /// A solver with other thresholds, for sweeps.
    pub fn with_settings(mebibytes: usize, settings: SolverSettings) -> Solver {
        Solver {
            table: SolverTable::new(mebibytes),
            settings,
            team: SplitPool::default(),
            locals: Mutex::new(Vec::new()),
        }
    }

    /// The same solver with as much of its memory at hand as comes by then.
    pub fn prefaulted(self, until: Instant) -> Solver {
        Solver { table: self.table.prefaulted(until), ..self }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.locals.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The score of the position in discs for the side to move, fail-soft within `(alpha, beta)`,
    /// empty squares to the winner; sure to the degree of `budget.selectivity`. `None` once the
    /// budget is out. `state` is the evaluation's memory of the position.
    ///
    /// A helper of a search (see [`Budget::helper`]) gets no score: it helps whoever solves until the search ends.
    pub fn solve<K: Kernels, E: Eval<Reversi<K>>>(
        &self,
        game: &Reversi<K>,
        eval: &E,
        state: &E::Accumulator,
        board: Board,
        (alpha, beta): (i32, i32),
        budget: &mut Budget<'_>,
    ) -> Option<i32> {
        let (helper, is_over) = (budget.helper, budget.end());
        self.with_high(game, eval, budget, |high| {
            if helper {
                high.assist(is_over);
                high.deep.budget.poll();
                return None;
            }
            let score = high.pv(board, state, (alpha, beta), board.empties());
            (!high.is_out()).then_some(score)
        })
    }

    /// Sets up one thread's recursion and puts its small table back afterwards.
    fn with_high<K: Kernels, E: Eval<Reversi<K>>, R>(
        &self,
        _game: &Reversi<K>,
        eval: &E,
        budget: &mut Budget<'_>,
        job: impl FnOnce(&mut EvaluationOrdered<'_, '_, K, E>) -> R,
    ) -> R {
        let local = self.locals.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let selectivity = budget.selectivity.0;
        // SAFETY: a game of this level exists, and whoever made it promised the level's features.
        let deep = unsafe { FastestFirst::new(budget, &self.table, local, self.settings) };
        let mut high = EvaluationOrdered { deep, eval, selectivity, team: &self.team, split: None, aborted: false };
        let result = job(&mut high);
        self.locals.lock().unwrap_or_else(PoisonError::into_inner).push(high.deep.local);
        result
    }
}
