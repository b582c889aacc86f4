//! The top of a solve: open windows, the line of best play, many threads.

use super::super::board::{Board, PASS, Placement, Reversi};
use super::super::kernels::Kernels;
use super::Solver;
use super::evaluation_ordered::{EvaluationOrdered, placement};
use super::fastest_first::{select_next, work};
use super::table::StoreData;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Budget, Stop};
use crate::search::types::Selectivity;
use crate::support::thread_pool;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Below so many empty squares an open window is closed in from its ends by null windows.
const OPEN_FROM: u32 = 8;

impl<K: Kernels, E: Eval<Reversi<K>>> EvaluationOrdered<'_, '_, K, E> {
    /// Principal variation search: the score within an open window, fail-soft.
    pub fn pv(&mut self, board: Board, state: &E::Accumulator, (mut alpha, mut beta): (i32, i32), empties: u32) -> i32 {
        if beta - alpha == 1 {
            return self.null(board, state, alpha, empties);
        }
        if empties < OPEN_FROM {
            return self.closing(board, (alpha, beta), empties);
        }
        if self.deep.budget.count_node() || self.is_out() {
            return 0;
        }
        let moves = self.deep.placements(board);
        if moves == 0 {
            let passed = board.passed();
            if self.deep.placements(passed) == 0 {
                return board.final_discs();
            }
            let state = self.eval.update(state, &board, Placement::PASS, &passed);
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
            let mv = select_next(&mut ranked, index);
            let child_state = self.eval.update(state, &board, placement(board, mv), &mv.child);
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
        let found = StoreData { score: best, alpha: first_alpha, beta, best: best_square, selectivity, work };
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
pub struct SolveTask {
    /// Discs; scores outside are bounds. `(-1, 1)` asks only who wins.
    pub window: (i32, i32),
    /// How sure.
    pub selectivity: Selectivity,
    /// Threads inside this position, at least 1.
    pub threads: usize,
}

/// One position being solved for people: who solves it, with what, and until when.
pub struct RootSolver<'a, K: Kernels, E: Eval<Reversi<K>>> {
    /// The solver with its table.
    pub solver: &'a Solver,
    /// The rules.
    pub game: &'a Reversi<K>,
    /// For ordering.
    pub eval: &'a E,
    /// When it must end.
    pub stop: &'a Stop,
    /// Where nodes are summed.
    pub nodes: &'a AtomicU64,
    /// What is asked.
    pub task: SolveTask,
}

impl<K: Kernels, E: Eval<Reversi<K>>> RootSolver<'_, K, E> {
    /// The score of the position in the task's window; passes of lower selectivity, which fill the table with
    /// good first moves, come before. `None` if it had to end.
    pub fn score(&self, board: Board) -> Option<i32> {
        let passes = self.solver.settings.passes(board.empties());
        let mut guess = None;
        for level in passes.filter(|&level| level < self.task.selectivity.0) {
            guess = Some(self.around(guess, board, Selectivity(level))?);
        }
        self.around(guess, board, self.task.selectivity)
    }

    /// The score in the task's window, looked for around a guess first.
    fn around(&self, guess: Option<i32>, board: Board, selectivity: Selectivity) -> Option<i32> {
        let (alpha, beta) = self.task.window;
        let Some(mut guess) = guess else { return self.within(board, (alpha, beta), selectivity) };
        let mut width = self.solver.settings.root_width;
        loop {
            let (low, high) = ((guess - width).clamp(alpha, beta - 1), (guess + width).clamp(alpha + 1, beta));
            let score = self.within(board, (low, high), selectivity)?;
            if (score > low || low == alpha) && (score < high || high == beta) {
                return Some(score);
            }
            // The score is now a bound that the next window has inside.
            (guess, width) = (score, width * 2);
        }
    }

    /// The score in a window, by all threads.
    fn within(&self, board: Board, window: (i32, i32), selectivity: Selectivity) -> Option<i32> {
        let done = AtomicBool::new(false);
        let with_thread = |job: &dyn Fn(&mut EvaluationOrdered<'_, '_, K, E>) -> Option<i32>| {
            let mut budget = Budget::new(self.stop, self.nodes);
            budget.selectivity = selectivity;
            self.solver.with_high(self.game, self.eval, &mut budget, job)
        };
        let help = |_| {
            with_thread(&|high| {
                high.assist(|| done.load(Ordering::Relaxed));
                None
            });
        };
        // Little work is done before a thread has started.
        let small = board.empties() < self.solver.settings.split_from;
        let mut score = None;
        thread_pool::run(if small { 1 } else { self.task.threads }, &help, &mut || {
            score = with_thread(&|high| {
                let state = self.eval.refresh(&board);
                let score = high.pv(board, &state, window, board.empties());
                (!high.is_out()).then_some(score)
            });
            done.store(true, Ordering::Relaxed);
        });
        score
    }

    /// The value of every legal move in the task's window, the best first, equals in reading order.
    pub fn all_moves(&self, board: Board) -> Option<Vec<(Placement, i32)>> {
        let (alpha, beta) = self.task.window;
        let below = RootSolver { task: SolveTask { window: (-beta, -alpha), ..self.task }, ..*self };
        let mut values = Vec::new();
        for mv in self.game.moves(&board) {
            values.push((mv, -below.score(board.after(mv))?));
        }
        best_first(&mut values);
        Some(values)
    }

    /// A move that keeps the score, if the position is not over: the table's own first, proved by null windows.
    pub fn best_move(&self, board: Board, score: i32) -> Option<Placement> {
        let mut moves: Vec<_> = self.game.moves(&board).collect();
        let known = self.solver.table.probe(board).map_or(PASS, |known| known.moves[0]);
        known_first(&mut moves, known);
        if moves.len() == 1 {
            return moves.pop();
        }
        let keeps = |mv: &&Placement| {
            let window = (-score, -score + 1);
            self.within(board.after(**mv), window, self.task.selectivity).is_some_and(|value| -value >= score)
        };
        moves.iter().find(keeps).copied()
    }

    /// The move that the table thinks best, or the first legal one.
    pub fn any_move(&self, board: Board) -> Option<Placement> {
        let known = self.solver.table.probe(board).map_or(PASS, |known| known.moves[0]);
        self.game.moves(&board).find(|mv| mv.square == known).or_else(|| self.game.moves(&board).next())
    }

    /// The line of best play from a position with this score; it ends early if there is no time left to prove it,
    /// and never goes on behind a score that is only a bound.
    pub fn line(&self, mut board: Board, mut score: i32) -> Vec<Placement> {
        let mut line = Vec::new();
        while let Some(mv) = self.best_move(board, score) {
            line.push(mv);
            board = board.after(mv);
            score = -score;
            if self.stop.is_raised() || score.abs() > 64 {
                break;
            }
        }
        line
    }
}

// Sorting needs neither level nor evaluation: it is compiled once.

fn best_first(values: &mut [(Placement, i32)]) {
    values.sort_by_key(|&(_, value)| -value);
}

fn known_first(moves: &mut [Placement], known: u8) {
    moves.sort_by_key(|mv| mv.square != known);
}
