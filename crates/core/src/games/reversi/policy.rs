//! The search policy of Reversi: move ordering, the sequence of iterations, ProbCut, the endgame solver, hints for the
//! clock.

use super::board::{Board, PASS, Placement, by_quadrant};
use super::mobility::{neighbours, weighted_mobility};
use super::probcut::{MiddlegamePairs, ProbCutModel};
use super::rules::Reversi;
use super::solver::Solver;
use super::solver::entry::{StoreData, work};
use super::solver::level::SolverLevel;
use super::solver::root::RootSolver;
use super::solver::settings::{SELECTIVE_FROM, SolverSettings, next_pass};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::level::Supported;
use crate::search::limits::{Budget, RemainingBudget, Stop};
use crate::search::margins::{FixedReduction, Margins, OrderingMargins};
use crate::search::policy::SearchPolicy;
use crate::search::solve::{Probed, Solution, SolveTask};
use crate::search::technique::{ClockHints, EndgameSolver, ProbCut, ProbCutTest, RootSolve};
use crate::search::types::{Depth, IterationGoal, IterationPlan, MAX_DEPTH, Score, Selectivity, UNIT};
use flipside_support::clock::Instant;
use flipside_support::memory::MemoryError;
use std::sync::atomic::AtomicU64;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The search policy of Reversi for a processor level.
pub struct ReversiPolicy<K: SolverLevel> {
    game: Reversi<K>,
    solver: RwLock<Solver>,
    /// Solves positions with few empty squares at the root, with a table that fits the processor's cache.
    small_solver: RwLock<Solver>,
    /// ProbCut pairs of the middle game, if the evaluation was measured.
    pairs: Option<MiddlegamePairs>,
}

/// From this many empty squares on, positions are solved with the large table.
const LARGE_TABLE_MIN_EMPTIES: u32 = 15;

/// How many times cheaper than an exact solve a win/loss/draw solve is assumed to be: half of the geometric mean over
/// 168 positions of Flipside's games, because a solve that does not end in time is wasted.
const WLD_SHARE: u64 = 8;

/// Plies from one iteration to the next in a search without a set depth. Odd-even effect: the side that moves last
/// looks better than it is, so values swing between even and odd depths. Depths of the same parity therefore prepare
/// each other best, and the searches between them can be saved. Before a set depth they improve the last search a
/// little.
const STRIDE: Depth = 2;

/// Positions that the solver enters in the time in which the middlegame search enters one.
const SOLVER_SPEED: u64 = 4;

impl<K: SolverLevel> ReversiPolicy<K> {
    /// Positions that an exact solve is expected to enter: twice the geometric mean of 168 positions of Flipside's
    /// games with 10 to 22 empty squares. Half of the solves were within a factor of two of that mean, so the mean
    /// itself would be too small for every second solve: a player that used it, with a sixteenth for win/loss/draw,
    /// lost to this one at 5000 nodes a move.
    fn solve_cost(&self, board: Board) -> u64 {
        let replies = |board| u64::from(self.game.placements(board).count_ones()) + 1;
        let choice = replies(board) * replies(board.passed());
        (1_u64 << board.empties().min(48)) * choice.isqrt() / 2
    }

    /// A policy whose solver has a table of `hash` MiB and these thresholds, with ProbCut by the measured errors of the
    /// evaluation.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(
        game: &Reversi<K>,
        hash: usize,
        settings: SolverSettings,
        probcut_model: Option<&ProbCutModel>,
    ) -> Result<Self, MemoryError> {
        let settings = settings.with_probcut(probcut_model);
        let solver = |mebibytes| Solver::with_settings(mebibytes, settings).map(RwLock::new);
        let pairs = probcut_model.map(MiddlegamePairs::new);
        Ok(ReversiPolicy { game: game.clone(), solver: solver(hash)?, small_solver: solver(1)?, pairs })
    }

    /// The endgame solver with its table.
    fn endgame_solver(&self) -> RwLockReadGuard<'_, Solver> {
        self.solver.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The solver for a position at the root.
    fn root_solver_of(&self, board: Board) -> &RwLock<Solver> {
        if board.empties() < LARGE_TABLE_MIN_EMPTIES { &self.small_solver } else { &self.solver }
    }
}

fn clear(solver: &RwLock<Solver>) {
    solver.write().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Move-ordering scores by square: corners first, squares beside corners last.
const SQUARE_SCORE: [i32; 64] =
    by_quadrant(&[[180, -60, 30, 24], [-60, -100, -12, -8], [30, -12, 8, 4], [24, -8, 4, 0]]);

/// Move-ordering malus for each legal reply of the opponent, counted twice at a corner (weighted mobility).
const MOBILITY: i32 = 110;
/// Malus for each empty square next to the mover's discs after the move (potential mobility).
const POTENTIAL_MOBILITY: i32 = 30;
/// Solve lead: this many plies before the end, the next iteration may be the solve.
const SOLVE_LEAD: Depth = 12;
/// Selectivity of the iterations before the last one of a set depth.
const PREPARING: Selectivity = Selectivity::from_percent(87);

impl<K: SolverLevel, E: Eval<Reversi<K>>> SearchPolicy<Reversi<K>, E> for ReversiPolicy<K> {
    type Level = K;
    const MARGINS: Margins = Margins {
        aspiration: 3 * UNIT / 2,
        ordering: OrderingMargins {
            evaluation_min_depth: Some(3),
            prefetch_min_depth: Some(2),
            ..OrderingMargins::NONE
        },
        fixed_reduction: Some(FixedReduction { min_depth: 5, first_move: 4, plies: 2 }),
        ..Margins::NONE
    };

    fn level(&self) -> Supported<K> {
        self.game.level()
    }

    /// Fastest first: low mobility of the opponent, corners, and few empty neighbours.
    #[inline(always)]
    fn score_move(&self, game: &Reversi<K>, board: &Board, mv: Placement) -> i32 {
        if mv.square == PASS {
            return 0;
        }
        let child = game.play(board, mv);
        let replies = game.placements(child);
        let open = (neighbours(child.opponent) & child.empty()).count_ones();
        SQUARE_SCORE[usize::from(mv.square)] - MOBILITY * weighted_mobility(replies) - POTENTIAL_MOBILITY * open as i32
    }

    /// Two plies at a time, or one before a set depth. If the remaining budget allows a solve, goes straight to the end
    /// of the game, first selectively, then exactly; a budget too small for the score may allow win/loss/draw.
    fn next_iteration(
        &self,
        board: &Board,
        last: Option<IterationPlan>,
        IterationGoal { depth: limit, selectivity, solve_selectivity, .. }: IterationGoal,
        remaining: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        let end = (board.empties() as Depth).max(1);
        let done = last.map_or(0, |last| last.depth);
        if let Some(last) = last.filter(|last| last.depth >= end) {
            let next = if last.wld { Some(Selectivity::EXACT) } else { next_pass(last.selectivity) };
            let selectivity = next.map(|next| next.min(solve_selectivity)).filter(|&next| next > last.selectivity);
            return selectivity.map(|selectivity| IterationPlan { selectivity, ..IterationPlan::plies(end) });
        }
        if end <= limit && done + SOLVE_LEAD >= end {
            let cost = self.solve_cost(*board);
            let affords = |cost: u64| {
                remaining.nodes.is_none_or(|nodes| cost <= nodes)
                    && remaining.time.is_none_or(|time| cost / SOLVER_SPEED <= time)
            };
            if affords(cost) {
                let is_selective = end >= SELECTIVE_FROM as Depth;
                let selectivity = if is_selective { Selectivity::BOLDEST } else { Selectivity::EXACT };
                return Some(IterationPlan { selectivity, ..IterationPlan::plies(end) });
            }
            if affords(cost / WLD_SHARE) {
                return Some(IterationPlan { wld: true, ..IterationPlan::plies(end) });
            }
        }
        let stride = if done == 0 || limit < MAX_DEPTH { 1 } else { STRIDE };
        let depth = (done + stride).min(end);
        let selectivity = self.middlegame_selectivity(selectivity, done, depth, limit);
        (done < limit).then_some(IterationPlan { selectivity, ..IterationPlan::plies(depth) })
    }

    #[inline(always)]
    fn probcut(&self) -> Option<&impl ProbCut<Reversi<K>>> {
        Some(self)
    }

    #[inline(always)]
    fn solver(&self) -> Option<&impl EndgameSolver<Reversi<K>, E>> {
        Some(self)
    }

    #[inline(always)]
    fn clock_hints(&self) -> Option<&impl ClockHints<Reversi<K>>> {
        Some(self)
    }
}

impl<K: SolverLevel> ReversiPolicy<K> {
    /// Before a set last depth, iterations may prune more than the last one.
    fn middlegame_selectivity(&self, last: Selectivity, done: Depth, depth: Depth, limit: Depth) -> Selectivity {
        let prepares = limit < MAX_DEPTH && depth < limit;
        if self.pairs.is_none() || done == 0 {
            // The first ply leads to static evaluations, not to searches, so ProbCut has nothing to prune.
            Selectivity::EXACT
        } else if prepares {
            last.min(PREPARING)
        } else {
            last
        }
    }
}

impl<K: SolverLevel> ProbCut<Reversi<K>> for ReversiPolicy<K> {
    #[inline(always)]
    fn tests(&self, board: &Board, depth: Depth, selectivity: Selectivity) -> impl Iterator<Item = ProbCutTest> {
        let pairs = self.pairs.as_ref().map(|pairs| pairs.pairs(64 - board.empties(), depth));
        pairs.into_iter().flatten().map(move |pair| pair.middlegame(depth, selectivity))
    }
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> EndgameSolver<Reversi<K>, E> for ReversiPolicy<K> {
    fn plies_to_end(&self, board: &Board) -> Depth {
        board.empties() as Depth
    }

    /// Solves within the window, rounded outwards because exact scores are whole discs.
    fn solve(
        &self,
        eval: &E,
        accumulator: &E::Accumulator,
        board: &Board,
        (alpha, beta): (Score, Score),
        budget: &mut Budget<'_>,
    ) -> Option<Score> {
        let window = (alpha.div_euclid(UNIT).clamp(-65, 64), (-(-beta).div_euclid(UNIT)).clamp(-64, 65));
        self.endgame_solver().solve(&self.game, eval, accumulator, *board, window, budget).map(|discs| discs * UNIT)
    }

    fn best_move(&self, game: &Reversi<K>, board: &Board) -> Option<Placement> {
        let best = self.endgame_solver().table.probe(*board).map(|entry| entry.moves[0]);
        let mut moves = game.moves(board);
        let first = moves.next()?;
        if first.square == PASS || Some(first.square) == best {
            Some(first)
        } else {
            moves.find(|mv| Some(mv.square) == best)
        }
    }

    fn prepare(&self, until: Instant) {
        self.endgame_solver().table.prefault(until);
    }

    fn new_search(&self) {
        self.endgame_solver().table.new_search();
    }

    fn suggest(&self, board: &Board, mv: Placement) {
        // Above every window: the bounds stay as they are.
        let (score, alpha, beta) = (64, 64, 64);
        let data = StoreData { score, alpha, beta, best: mv.square, selectivity: Selectivity::BOLDEST, work: work(0) };
        self.endgame_solver().table.store(*board, &data);
    }

    fn wake_helpers(&self) {
        self.endgame_solver().wake();
    }

    fn clear(&self) {
        clear(&self.solver);
        clear(&self.small_solver);
    }

    fn root_solver(&self) -> Option<&impl RootSolve<Reversi<K>, E>> {
        Some(self)
    }
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> RootSolve<Reversi<K>, E> for ReversiPolicy<K> {
    fn solve_root(
        &self,
        game: &Reversi<K>,
        eval: &E,
        root: &Board,
        task: &SolveTask,
        stop: &Stop,
    ) -> Option<Solution<Placement>> {
        let solver = self.root_solver_of(*root);
        if task.fresh {
            clear(solver);
        }
        let solver = &*solver.read().unwrap_or_else(PoisonError::into_inner);
        let SolveTask { window: (alpha, beta), selectivity, threads, wanted, .. } = *task;
        let window = ((alpha / UNIT).max(-64), (beta / UNIT).min(64));
        let nodes = AtomicU64::new(0);
        RootSolver { solver, game, eval, stop, nodes: &nodes, window, selectivity, threads }.solve(*root, wanted)
    }

    fn probe(&self, game: &Reversi<K>, board: &Board) -> Option<Probed<Placement>> {
        // The large table also holds positions below the root of its solves that are small enough for the other one.
        let probe = |solver: &RwLock<Solver>| solver.read().unwrap_or_else(PoisonError::into_inner).table.probe(*board);
        let entry = probe(&self.solver).or_else(|| probe(&self.small_solver))?;
        let bounds = (Score::from(entry.lower) * UNIT, Score::from(entry.upper) * UNIT);
        Some(Probed { bounds, best: game.moves(board).find(|mv| mv.square == entry.moves[0]) })
    }
}

impl<K: SolverLevel> ClockHints<Reversi<K>> for ReversiPolicy<K> {
    /// Half of the empty squares; the last dozen take almost no time.
    fn moves_left(&self, board: &Board) -> u32 {
        (board.empties().saturating_sub(12) / 2).max(2)
    }

    fn moves_to_end(&self, board: &Board) -> u32 {
        board.empties().div_ceil(2)
    }

    /// The middle game before the exact solve decides most games.
    fn time_weight(&self, board: &Board) -> u32 {
        match board.empties() {
            49.. => 60,
            41..=48 => 90,
            33..=40 => 120,
            20..=32 => 140,
            _ => 100,
        }
    }
}
