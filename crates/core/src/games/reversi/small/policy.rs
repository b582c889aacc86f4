//! What the search tries on a small board: moves that leave few replies first, iterations up to the exact solve.

use super::evaluation::SmallEvaluation;
use super::rules::SmallReversi;
use super::solver::SmallSolver;
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::search::game::Game;
use crate::search::level::{Base, Supported};
use crate::search::limits::{Budget, RemainingBudget};
use crate::search::policy::SearchPolicy;
use crate::search::technique::{ClockHints, EndgameSolver};
use crate::search::types::{Depth, IterationGoal, IterationPlan, Score, UNIT};
use flipside_support::clock::Instant;
use flipside_support::memory::MemoryError;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The search policy of a small board.
pub struct SmallPolicy {
    game: SmallReversi,
    solver: RwLock<SmallSolver>,
}

/// From this many plies before the end on, the next iteration may be the solve.
const SOLVE_LEAD: Depth = 10;
/// A solve of n empty squares counts as 2^n positions, with n at most this.
const MAX_LOG_COST: u32 = 62;

impl SmallPolicy {
    /// A policy whose solver keeps a table of this many MiB.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn new(game: SmallReversi, mebibytes: usize) -> Result<SmallPolicy, MemoryError> {
        Ok(SmallPolicy { game, solver: RwLock::new(SmallSolver::new(game, mebibytes)?) })
    }

    fn solver(&self) -> RwLockReadGuard<'_, SmallSolver> {
        self.solver.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SearchPolicy<SmallReversi, SmallEvaluation> for SmallPolicy {
    type Level = Base;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

    /// Corners first, then low mobility of the opponent.
    fn score_move(&self, game: &SmallReversi, board: &Board, mv: Placement) -> i32 {
        if mv.square == PASS {
            return 0;
        }
        let corner = game.corners() >> mv.square & 1;
        let replies = game.placements(game.play(board, mv));
        10 * corner as i32 - (replies.count_ones() + (replies & game.corners()).count_ones()) as i32
    }

    /// One ply at a time, then the solve as soon as it is near and the budget affords it.
    fn next_iteration(
        &self,
        board: &Board,
        last: Option<IterationPlan>,
        goal: IterationGoal,
        remaining: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        let empties = self.game.empties(*board);
        let (end, done) = ((empties as Depth).max(1), last.map_or(0, |last| last.depth));
        if done >= end.min(goal.depth) {
            return None;
        }
        let cost = 1_u64 << empties.min(MAX_LOG_COST);
        let affords = [remaining.nodes, remaining.time].into_iter().flatten().all(|left| cost <= left);
        let solves = end <= goal.depth && done + SOLVE_LEAD >= end && affords;
        Some(IterationPlan::plies(if solves { end } else { done + 1 }))
    }

    fn solver(&self) -> Option<&impl EndgameSolver<SmallReversi, SmallEvaluation>> {
        Some(self)
    }

    fn clock_hints(&self) -> Option<&impl ClockHints<SmallReversi>> {
        Some(self)
    }
}

impl EndgameSolver<SmallReversi, SmallEvaluation> for SmallPolicy {
    fn plies_to_end(&self, board: &Board) -> Depth {
        self.game.empties(*board) as Depth
    }

    /// Exact scores are whole discs, so the window is rounded outwards to discs.
    fn solve(
        &self,
        _: &SmallEvaluation,
        (): &(),
        board: &Board,
        (alpha, beta): (Score, Score),
        budget: &mut Budget<'_>,
    ) -> Option<Score> {
        let squares = (self.game.size() * self.game.size()) as i32;
        let alpha = alpha.div_euclid(UNIT).clamp(-squares - 1, squares);
        let beta = (-(-beta).div_euclid(UNIT)).clamp(-squares, squares + 1);
        SmallPolicy::solver(self).solve(*board, (alpha, beta), budget).map(|discs| discs * UNIT)
    }

    fn best_move(&self, game: &SmallReversi, board: &Board) -> Option<Placement> {
        let best = SmallPolicy::solver(self).best_move(*board);
        game.moves(board).find(|mv| mv.square == PASS || Some(mv.square) == best)
    }

    fn prepare(&self, until: Instant) {
        SmallPolicy::solver(self).table.prefault(until);
    }

    fn new_search(&self) {
        SmallPolicy::solver(self).table.new_search();
    }

    fn clear(&self) {
        self.solver.write().unwrap_or_else(PoisonError::into_inner).table.clear();
    }
}

impl ClockHints<SmallReversi> for SmallPolicy {
    /// Half of the empty squares; the last dozen are solved in no time.
    fn moves_left(&self, board: &Board) -> u32 {
        (self.game.empties(*board).saturating_sub(12) / 2).max(2)
    }

    fn moves_to_end(&self, board: &Board) -> u32 {
        self.game.empties(*board).div_ceil(2)
    }
}
