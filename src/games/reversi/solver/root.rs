//! The top of a solve: open windows, the line of best play, many threads.

use super::super::board::{Board, PASS, Placement, Reversi};
use super::super::kernels::Kernels;
use super::Solver;
use super::deep::{pick, work};
use super::high::{High, placement};
use super::table::Found;
use crate::search::game::{Eval, Selectivity};
use crate::search::limits::{Budget, Stop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Below so many empty squares an open window is closed in from its ends by null windows.
const OPEN_FROM: u32 = 8;

impl<K: Kernels, E: Eval<Reversi<K>>> High<'_, '_, K, E> {
    /// Principal variation search: the score within an open window, fail-soft.
    pub fn pv(&mut self, board: Board, state: &E::State, (mut alpha, mut beta): (i32, i32), empties: u32) -> i32 {
        if beta - alpha == 1 {
            return self.null(board, state, alpha, empties);
        }
        if empties < OPEN_FROM {
            return self.closing(board, (alpha, beta), empties);
        }
        if self.deep.budget.spend() || self.is_out() {
            return 0;
        }
        let moves = self.deep.placements(board);
        if moves == 0 {
            let passed = board.passed();
            if self.deep.placements(passed) == 0 {
                return board.final_discs();
            }
            let state = self.eval.advance(state, &board, Placement::PASS, &passed);
            return -self.pv(passed, &state, (-beta, -alpha), empties);
        }
        let known = self.known(board);
        if known.lower == known.upper || i32::from(known.lower) >= beta {
            return i32::from(known.lower);
        }
        if i32::from(known.upper) <= alpha {
            return i32::from(known.upper);
        }
        alpha = alpha.max(i32::from(known.lower) - 1);
        beta = beta.min(i32::from(known.upper) + 1);
        if beta - alpha == 1 {
            return self.null(board, state, alpha, empties);
        }
        let (first_alpha, start) = (alpha, self.deep.budget.nodes);
        let mut ranked = self.children(board, moves);
        self.rank(board, state, &mut ranked, known.moves, (alpha, beta), empties);
        let (mut best, mut best_square) = (-65, PASS);
        for index in 0..ranked.len() {
            let mv = pick(&mut ranked, index);
            let child_state = self.eval.advance(state, &board, placement(board, mv), &mv.child);
            let mut score = 65;
            if index > 0 {
                score = -self.null(mv.child, &child_state, -alpha - 1, empties - 1);
            }
            if index == 0 || (score > alpha && score < beta) {
                let low = if index == 0 { alpha } else { score - 1 };
                score = -self.pv(mv.child, &child_state, (-beta, -low), empties - 1);
            }
            if self.is_out() {
                return 0;
            }
            if score > best {
                (best, best_square) = (score, mv.square);
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                break;
            }
        }
        let work = work(self.deep.budget.nodes - start);
        let selectivity = self.selectivity;
        let found = Found { score: best, alpha: first_alpha, beta, best: best_square, selectivity, work };
        self.deep.table.store(board, &found);
        best
    }

    /// The score by null windows that halve what is open.
    fn closing(&mut self, board: Board, (alpha, beta): (i32, i32), empties: u32) -> i32 {
        let (mut lower, mut upper) = (alpha.max(-64), beta.min(64));
        while lower < upper && !self.is_out() {
            // Rounded down, so that `(middle, middle + 1)` is inside.
            let middle = (lower + upper) >> 1;
            let score = self.deep.null(board, middle, empties);
            if score > middle {
                lower = score;
            } else {
                upper = score;
            }
        }
        lower
    }
}

/// What a solve of one position is asked to do.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Discs; scores outside are bounds. `(-1, 1)` asks only who wins.
    pub window: (i32, i32),
    /// How sure.
    pub selectivity: Selectivity,
    /// Threads inside this position.
    pub threads: usize,
}

impl Solver {
    /// [`Solver::solve`] from a bare position, by several threads; nodes go to `nodes`. Passes of rising
    /// selectivity come first.
    pub fn solve_root<K: Kernels, E: Eval<Reversi<K>>>(
        &self,
        game: &Reversi<K>,
        eval: &E,
        board: Board,
        task: Task,
        stop: &Stop,
        nodes: &AtomicU64,
    ) -> Option<i32> {
        let done = AtomicBool::new(false);
        let state = eval.fresh(&board);
        let one = || {
            let mut budget = Budget::new(stop, nodes);
            budget.selectivity = task.selectivity;
            self.with_high(game, eval, &mut budget, &done, |high| {
                let score = high.pv(board, &state, task.window, board.empties());
                let answer = (!high.is_out()).then_some(score);
                if answer.is_some() {
                    done.store(true, Ordering::Relaxed);
                }
                answer
            })
        };
        if task.threads <= 1 {
            return one();
        }
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..task.threads).map(|_| scope.spawn(&one)).collect();
            let mine = one();
            // Whoever comes first has the answer; a panic in a helper loses nothing.
            helpers.into_iter().filter_map(|helper| helper.join().ok().flatten()).fold(mine, Option::or)
        })
    }
}
