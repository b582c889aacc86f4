//! What the search tries in Reversi: the order of moves, the schedule of depths, shares of time.

use super::board::{Board, PASS, Placement, Reversi};
use super::kernels::Kernels;
use super::mobility::{neighbours, weighted_mobility};
use super::probcut::{MiddlegamePairs, PLAY_SELECTIVITY, ProbCutModel};
use super::solver::{Solver, SolverSettings};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::Budget;
use crate::search::policy::{ProbCut, SearchPolicy};
use crate::search::types::{Depth, Effort, MAX_DEPTH, RemainingBudget, Score, Selectivity, UNIT};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Instant;

/// SearchPolicy of Reversi for a processor level.
pub struct ReversiPolicy<K: Kernels> {
    game: Reversi<K>,
    /// Made when it is first needed, or before there is a clock.
    solver: RwLock<OnceLock<Solver>>,
    /// MiB of the solver's table.
    hash: usize,
    settings: SolverSettings,
    /// What ProbCut bets on in the middle game, if the evaluation was measured.
    bets: Option<MiddlegamePairs>,
    /// How sure those bets are.
    middle: Selectivity,
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

impl<K: Kernels> ReversiPolicy<K> {
    /// Positions that an exact solve will enter: twice the geometric mean of 168 positions of our own games with 10 to
    /// 22 empty squares. Half of them were within a factor of two of that mean, so that it would be too little for
    /// every second solve: a player who trusted it, and a sixteenth for who wins, lost to this one at 5000 nodes a move.
    fn solve_cost(&self, board: Board) -> u64 {
        let replies = |board| u64::from(self.game.placements(board).count_ones()) + 1;
        let choice = replies(board) * replies(board.passed());
        (1_u64 << board.empties().min(48)) * choice.isqrt() / 2
    }

    /// SearchPolicy for this game whose solver keeps a table of `hash` MiB, without bets.
    pub fn new(game: &Reversi<K>, hash: usize) -> Self {
        Self::with_probcut(game, hash, None)
    }

    /// SearchPolicy that bet on what is known of the evaluation.
    pub fn with_probcut(game: &Reversi<K>, hash: usize, probcut_model: Option<&ProbCutModel>) -> Self {
        let settings = SolverSettings::with_probcut(probcut_model);
        let bets = probcut_model.map(MiddlegamePairs::new);
        ReversiPolicy { game: game.clone(), solver: RwLock::default(), hash, settings, bets, middle: PLAY_SELECTIVITY }
    }

    fn new_solver(&self) -> Solver {
        Solver::with_settings(self.hash, self.settings)
    }

    /// The same policy with surer or bolder bets in the middle game; of a search to a given depth, in the last iteration.
    pub fn with_selectivity(self, middle: Selectivity) -> Self {
        ReversiPolicy { middle, ..self }
    }
}

/// Ranks by kind of square: corners first, squares beside empty corners last.
const SQUARE_RANK: [i32; 64] = square_ranks();

const fn square_ranks() -> [i32; 64] {
    // One quadrant, a1 to d4; the others mirror it.
    const QUADRANT: [[i32; 4]; 4] = [[180, -60, 30, 24], [-60, -100, -12, -8], [30, -12, 8, 4], [24, -8, 4, 0]];
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        ranks[square] = QUADRANT[row][column];
        square += 1;
    }
    ranks
}

/// What one more reply of the opponent costs in rank, and one more at a corner.
const REPLY: i32 = 110;
/// Empty squares next to the mover's discs after the move: replies of a later day.
const FRONTIER: i32 = 30;
/// From so many plies before the end the search goes straight for it.
const LEAP: Depth = 12;
/// With so many empty squares a solve is prepared by selective ones.
const PREPARE_FROM: Depth = 18;
/// How sure bets are that prepare surer ones.
const PREPARING: Selectivity = Selectivity(1);

impl<K: Kernels, E: Eval<Reversi<K>>> SearchPolicy<Reversi<K>, E> for ReversiPolicy<K> {
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
        let bets = self.bets.as_ref().map(|bets| bets.bets(64 - board.empties(), depth));
        bets.into_iter().flatten().map(move |bet| bet.middle(depth, selectivity))
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
            let selectivity = if last.wld { Some(Selectivity::EXACT) } else { surer(last.selectivity) };
            return selectivity.map(|selectivity| Effort { selectivity, ..Effort::plies(end) });
        }
        if end <= limit && done + LEAP >= end {
            let cost = self.solve_cost(*board);
            let affords = |cost: u64| {
                remaining.nodes.is_none_or(|nodes| cost <= nodes)
                    && remaining.time.is_none_or(|time| cost / SOLVER_PACE <= time)
            };
            if affords(cost) {
                let selectivity = if end >= PREPARE_FROM { Selectivity(0) } else { Selectivity::EXACT };
                return Some(Effort { selectivity, ..Effort::plies(end) });
            }
            if affords(cost / OUTCOME_SHARE) {
                return Some(Effort { wld: true, ..Effort::plies(end) });
            }
        }
        let stride = if done == 0 || limit < MAX_DEPTH { 1 } else { STRIDE };
        let depth = (done + stride).min(end);
        // Where the last iteration is known, its bets may be surer than those that prepare it.
        let prepares = limit < MAX_DEPTH && depth < limit;
        let selectivity = if self.bets.is_none() || done == 0 {
            // The first ply leads to positions that are judged, not searched: there is nothing to bet on.
            Selectivity::EXACT
        } else if prepares {
            self.middle.min(PREPARING)
        } else {
            self.middle
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
        let best = solver.get()?.table.probe(*board).map(|known| known.moves[0]);
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

/// The pass of a solve after one of this selectivity; none after the exact one.
fn surer(selectivity: Selectivity) -> Option<Selectivity> {
    match selectivity {
        Selectivity(0..=1) => Some(Selectivity(2)),
        Selectivity(2..=4) => Some(Selectivity::EXACT),
        _ => None,
    }
}
