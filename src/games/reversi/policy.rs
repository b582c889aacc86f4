//! What the search tries in Reversi: the order of moves, the schedule of depths, shares of time.

use super::board::{Board, PASS, Placement, by_quadrant};
use super::mobility::{neighbours, weighted_mobility};
use super::probcut::{MiddlegamePairs, PLAY_SELECTIVITY, ProbCutModel};
use super::rules::Reversi;
use super::solver::Solver;
use super::solver::level::SolverLevel;
use super::solver::settings::{SELECTIVE_FROM, SolverSettings, next_pass};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::Budget;
use crate::search::policy::{ProbCut, SearchPolicy};
use crate::search::types::{Depth, Effort, MAX_DEPTH, RemainingBudget, Score, Selectivity, UNIT};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Instant;

/// SearchPolicy of Reversi for a processor level.
pub struct ReversiPolicy<K: SolverLevel> {
    game: Reversi<K>,
    /// Made when it is first needed, or before there is a clock.
    solver: RwLock<OnceLock<Solver>>,
    /// MiB of the solver's table.
    hash: usize,
    settings: SolverSettings,
    /// ProbCut in the middlegame, if the evaluation's errors were measured.
    probcut: Option<MiddlegamePairs>,
    /// Selectivity of the middlegame search.
    middlegame: Selectivity,
}

/// Who wins is found with so much less work than the score: half of what the geometric mean of 168 positions of our own
/// games would allow, for a solve that does not end in time has been for nothing.
const OUTCOME_SHARE: u64 = 8;

/// Plies from one iteration to the next in a search without a set depth. Whoever moves last looks better than he is, so
/// that values swing between even and odd depths: those of the same kind prepare each other best, and the search between
/// them is saved. At a set depth the searches between make the last one a little better than it would be.
const STRIDE: Depth = 2;

/// Positions that the solver enters in the time of one of the search.
const SOLVER_PACE: u64 = 4;

impl<K: SolverLevel> ReversiPolicy<K> {
    /// Positions that an exact solve will enter: twice the geometric mean of 168 positions of our own games with 10 to
    /// 22 empty squares. Half of them were within a factor of two of that mean, so that it would be too little for
    /// every second solve: a player who trusted it, and a sixteenth for who wins, lost to this one at 5000 nodes a move.
    fn solve_cost(&self, board: Board) -> u64 {
        let replies = |board| u64::from(self.game.placements(board).count_ones()) + 1;
        let choice = replies(board) * replies(board.passed());
        (1_u64 << board.empties().min(48)) * choice.isqrt() / 2
    }

    /// SearchPolicy for this game whose solver keeps a table of `hash` MiB, without ProbCut.
    pub fn new(game: &Reversi<K>, hash: usize) -> Self {
        Self::with_probcut(game, hash, None)
    }

    /// A policy with ProbCut by the measured errors of the evaluation.
    pub fn with_probcut(game: &Reversi<K>, hash: usize, probcut_model: Option<&ProbCutModel>) -> Self {
        let settings = SolverSettings::with_probcut(probcut_model);
        let probcut = probcut_model.map(MiddlegamePairs::new);
        ReversiPolicy {
            game: game.clone(),
            solver: RwLock::default(),
            hash,
            settings,
            probcut,
            middlegame: PLAY_SELECTIVITY,
        }
    }

    fn new_solver(&self) -> Solver {
        Solver::with_settings(self.hash, self.settings)
    }

    /// The same policy with another selectivity in the middlegame; in a search to a set depth, of the last iteration.
    pub fn with_selectivity(self, middlegame: Selectivity) -> Self {
        ReversiPolicy { middlegame, ..self }
    }
}

/// Ranks by square: corners first, squares beside corners last.
const SQUARE_RANK: [i32; 64] =
    by_quadrant(&[[180, -60, 30, 24], [-60, -100, -12, -8], [30, -12, 8, 4], [24, -8, 4, 0]]);

/// What one more reply of the opponent costs in rank, and one more at a corner.
const REPLY: i32 = 110;
/// Empty squares next to the mover's discs after the move: replies of a later day.
const FRONTIER: i32 = 30;
/// From so many plies before the end the search goes straight for it.
const LEAP: Depth = 12;
/// Selectivity of the iterations before the last one in a search to a set depth.
const PREPARING: Selectivity = Selectivity(1);

impl<K: SolverLevel, E: Eval<Reversi<K>>> SearchPolicy<Reversi<K>, E> for ReversiPolicy<K> {
    type Level = K;
    const ASPIRATION: Score = 3 * UNIT / 2;
    const EVALUATION_ORDERING: Option<Depth> = Some(3);
    const LATE_MOVE_REDUCTION: Option<(Depth, usize)> = Some((5, 4));
    const SOLVER: bool = true;
    const PROBCUT: bool = true;

    /// Fastest first: few replies for the opponent, corners, and few open neighbours.
    #[inline(always)]
    fn order(&self, game: &Reversi<K>, board: &Board, mv: Placement) -> i32 {
        if mv.square == PASS {
            return 0;
        }
        let child = game.play(board, mv);
        let replies = game.placements(child);
        let open = (neighbours(child.opponent) & child.empty()).count_ones();
        SQUARE_RANK[usize::from(mv.square)] - REPLY * weighted_mobility(replies) - FRONTIER * open as i32
    }

    #[inline(always)]
    fn probcut(&self, board: &Board, depth: Depth, selectivity: Selectivity) -> impl Iterator<Item = ProbCut> {
        let pairs = self.probcut.as_ref().map(|probcut| probcut.pairs(64 - board.empties(), depth));
        pairs.into_iter().flatten().map(move |pair| pair.middlegame(depth, selectivity))
    }

    fn horizon(&self, board: &Board) -> Option<Depth> {
        Some(board.empties() as Depth)
    }

    /// Two plies at a time, or one where a depth is asked for; then in one leap to the end of the game if what is left to
    /// spend will do: first on the word of shallow searches, then exactly. Where it will not do for the score, it may do
    /// for who wins.
    fn next(&self, board: &Board, last: Option<Effort>, limit: Depth, remaining: RemainingBudget) -> Option<Effort> {
        let end = (board.empties() as Depth).max(1);
        let done = last.map_or(0, |effort| effort.depth);
        if let Some(last) = last.filter(|last| last.depth >= end) {
            let selectivity = if last.wld { Some(Selectivity::EXACT) } else { next_pass(last.selectivity) };
            return selectivity.map(|selectivity| Effort { selectivity, ..Effort::plies(end) });
        }
        if end <= limit && done + LEAP >= end {
            let cost = self.solve_cost(*board);
            let affords = |cost: u64| {
                remaining.nodes.is_none_or(|nodes| cost <= nodes)
                    && remaining.time.is_none_or(|time| cost / SOLVER_PACE <= time)
            };
            if affords(cost) {
                let selectivity = if end >= SELECTIVE_FROM as Depth { Selectivity(0) } else { Selectivity::EXACT };
                return Some(Effort { selectivity, ..Effort::plies(end) });
            }
            if affords(cost / OUTCOME_SHARE) {
                return Some(Effort { wld: true, ..Effort::plies(end) });
            }
        }
        let stride = if done == 0 || limit < MAX_DEPTH { 1 } else { STRIDE };
        let depth = (done + stride).min(end);
        // In a search to a set depth the last iteration may be less selective than those before it.
        let prepares = limit < MAX_DEPTH && depth < limit;
        let selectivity = if self.probcut.is_none() || done == 0 {
            // The first ply leads to positions that are judged, not searched: there is nothing to bet on.
            Selectivity::EXACT
        } else if prepares {
            self.middlegame.min(PREPARING)
        } else {
            self.middlegame
        };
        (done < limit).then_some(Effort { selectivity, ..Effort::plies(depth) })
    }

    fn prepare(&self, until: Instant) {
        let solver = self.solver.read().unwrap_or_else(PoisonError::into_inner);
        solver.get_or_init(|| self.new_solver().prefaulted(until));
    }

    fn begin(&self) {
        if let Some(solver) = self.solver.read().unwrap_or_else(PoisonError::into_inner).get() {
            solver.table.new_search();
        }
    }

    /// Exact scores are whole discs, so the window is rounded outwards to discs.
    fn solve(
        &self,
        eval: &E,
        state: &E::Accumulator,
        board: &Board,
        (alpha, beta): (Score, Score),
        budget: &mut Budget<'_>,
    ) -> Option<Score> {
        let window = (alpha.div_euclid(UNIT).clamp(-65, 64), (-(-beta).div_euclid(UNIT)).clamp(-64, 65));
        let solver = self.solver.read().unwrap_or_else(PoisonError::into_inner);
        let solver = solver.get_or_init(|| self.new_solver());
        solver.solve(&self.game, eval, state, *board, window, budget).map(|discs| discs * UNIT)
    }

    fn solver_best_move(&self, game: &Reversi<K>, board: &Board) -> Option<Placement> {
        let solver = self.solver.read().unwrap_or_else(PoisonError::into_inner);
        let best = solver.get()?.table.probe(*board).map(|entry| entry.moves[0]);
        let mut moves = game.moves(board);
        let first = moves.next()?;
        if first.square == PASS || Some(first.square) == best {
            Some(first)
        } else {
            moves.find(|mv| Some(mv.square) == best)
        }
    }

    fn forget(&self) {
        if let Some(solver) = self.solver.write().unwrap_or_else(PoisonError::into_inner).get_mut() {
            solver.clear();
        }
    }

    /// Half of the empty squares, but the last dozen are solved in no time.
    fn moves_left(&self, board: &Board) -> u32 {
        (board.empties().saturating_sub(12) / 2).max(2)
    }

    fn moves_to_end(&self, board: &Board) -> u32 {
        board.empties().div_ceil(2)
    }

    /// The middle game before the exact solve decides most games.
    fn weight(&self, board: &Board) -> u32 {
        match board.empties() {
            49.. => 60,
            41..=48 => 90,
            33..=40 => 120,
            20..=32 => 140,
            _ => 100,
        }
    }
}
