//! The root of a solve: open windows by principal variation search, selective passes and aspiration windows before the
//! exact pass, the line of best play, helper threads.

use super::Solver;
use super::entry::{StoreData, work};
use super::level::SolverLevel;
use super::moves::{SolverMoves, select_next};
use super::thread::EvaluationOrdered;
use super::ybwc::Found;
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Budget, Stop};
use crate::search::solve::{Solution, Wanted};
use crate::search::types::{Selectivity, UNIT};
use flipside_support::thread_pool;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// From this many empty squares on, an open window is searched by principal variation search; below, it is bisected.
const PVS_FROM: u32 = 8;

impl<K: SolverLevel, E: Eval<Reversi<K>>> EvaluationOrdered<'_, '_, K, E> {
    /// Principal variation search: the score within an open window, fail-soft.
    pub fn pvs(
        &mut self,
        board: Board,
        state: &E::Accumulator,
        (mut alpha, mut beta): (i32, i32),
        empties: u32,
    ) -> i32 {
        if beta - alpha == 1 {
            return self.null_window(board, state, alpha, empties);
        }
        if empties < PVS_FROM {
            return self.bisect_window(board, (alpha, beta), empties);
        }
        if self.inner.budget.count_node() || self.is_stopped() {
            return 0;
        }
        let moves = self.inner.placements(board);
        if moves == 0 {
            let passed = board.passed();
            if self.inner.placements(passed) == 0 {
                return board.final_discs();
            }
            let state = self.eval.update(state, &board, Placement::PASS, &passed);
            return -self.pvs(passed, &state, (-beta, -alpha), empties);
        }
        let entry = self.probe(board);
        if entry.lower == entry.upper || i32::from(entry.lower) >= beta {
            return i32::from(entry.lower);
        }
        if i32::from(entry.upper) <= alpha {
            return i32::from(entry.upper);
        }
        alpha = alpha.max(i32::from(entry.lower) - 1);
        beta = beta.min(i32::from(entry.upper) + 1);
        if beta - alpha == 1 {
            return self.null_window(board, state, alpha, empties);
        }
        let (first_alpha, start) = (alpha, self.inner.budget.nodes);
        let mut ranked = self.children(board, moves);
        self.rank(board, state, &mut ranked, entry.moves, (alpha, beta), empties);
        let (mut best, mut best_square) = (-65, PASS);
        let mut index = 0;
        while index < ranked.len() {
            // The result of the null window above alpha; the first move has none.
            let mut tested = None;
            if self.is_shared(ranked.len(), index, empties) {
                let node = (board, alpha, empties);
                let Some(found) = self.share_moves(node, state, &mut ranked, index, (best, best_square)) else {
                    return 0;
                };
                if found.0 <= alpha {
                    (best, best_square) = found;
                    break;
                }
                tested = Some(found.0);
            }
            let mv = select_next(&mut ranked, index);
            let child_state = self.eval.update(state, &board, mv.placement(board), &mv.child);
            if index > 0 && tested.is_none() {
                tested = Some(-self.null_window(mv.child, &child_state, -alpha - 1, empties - 1));
            }
            let score = match tested {
                Some(score) if score <= alpha || score >= beta => score,
                _ => {
                    let low = tested.map_or(alpha, |score| score - 1);
                    -self.pvs(mv.child, &child_state, (-beta, -low), empties - 1)
                }
            };
            if self.is_stopped() {
                return 0;
            }
            if score > best {
                (best, best_square) = (score, mv.square);
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                break;
            }
            index += 1;
        }
        let work = work(self.inner.budget.nodes - start);
        let selectivity = self.selectivity;
        let data = StoreData { score: best, alpha: first_alpha, beta, best: best_square, selectivity, work };
        self.inner.table.store(board, &data);
        best
    }

    /// Searches the moves from `index` on with a null window above alpha, together with idle threads. Returns the best
    /// score and its move, or `best` if that is better. A move that raises alpha comes next; moves that have failed low
    /// do not come again.
    #[cold]
    fn share_moves(
        &mut self,
        (board, alpha, empties): (Board, i32, u32),
        state: &E::Accumulator,
        ranked: &mut SolverMoves,
        index: usize,
        best: (i32, u8),
    ) -> Option<(i32, u8)> {
        let Found { best: (score, square), failed_low } =
            self.search_split_point((board, alpha, empties), state, &ranked[index..], best)?;
        let left: SolverMoves = ranked.drain(index..).filter(|mv| failed_low >> mv.square & 1 == 0).collect();
        ranked.extend(left);
        if let Some(raises) = ranked[index..].iter_mut().find(|mv| mv.square == square) {
            raises.rank = i32::MAX;
        }
        Some((score, square))
    }

    /// Bisection: null windows in the middle of the remaining window.
    fn bisect_window(&mut self, board: Board, (alpha, beta): (i32, i32), empties: u32) -> i32 {
        let (mut lower, mut upper) = (alpha.max(-64), beta.min(64));
        while lower < upper && !self.is_stopped() {
            // Rounded down, so that `(middle, middle + 1)` lies inside.
            let middle = (lower + upper) >> 1;
            let score = self.inner.null_window(board, middle, empties);
            if score > middle {
                lower = score;
            } else {
                upper = score;
            }
        }
        lower
    }
}

/// Solves one position at a time to a score, a line of best play, or a value for every move.
pub struct RootSolver<'a, K: SolverLevel, E: Eval<Reversi<K>>> {
    /// The solver with its table.
    pub solver: &'a Solver,
    /// The rules.
    pub game: &'a Reversi<K>,
    /// For ordering and ProbCut.
    pub eval: &'a E,
    /// Raised when the solve must end.
    pub stop: &'a Stop,
    /// The sum of nodes of all threads.
    pub nodes: &'a AtomicU64,
    /// In discs; scores outside are bounds. `(-1, 1)` asks for win, loss or draw only (WLD).
    pub window: (i32, i32),
    /// Selectivity of the last pass.
    pub selectivity: Selectivity,
    /// Threads that share this position, at least 1.
    pub threads: usize,
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> RootSolver<'_, K, E> {
    /// The score of the position in the window. More selective passes come first and fill the table with good
    /// first moves. `None` if the solve was stopped.
    pub fn score(&self, board: Board) -> Option<i32> {
        self.with_helpers(board, || self.search_passes(board))
    }

    fn search_passes(&self, board: Board) -> Option<i32> {
        let mut previous = None;
        for selectivity in self.solver.settings.passes(board.empties(), self.selectivity) {
            previous = Some(self.aspiration_search(previous, board, selectivity)?);
        }
        self.aspiration_search(previous, board, self.selectivity)
    }

    /// Aspiration search: the score in the window, first in a narrow window around the previous pass's score,
    /// which widens as long as the score falls outside.
    fn aspiration_search(&self, previous: Option<i32>, board: Board, selectivity: Selectivity) -> Option<i32> {
        let (alpha, beta) = self.window;
        let Some(mut centre) = previous else { return self.search_window(board, self.window, selectivity) };
        let mut width = self.solver.settings.root_width;
        loop {
            let (low, high) = ((centre - width).clamp(alpha, beta - 1), (centre + width).clamp(alpha + 1, beta));
            let score = self.search_window(board, (low, high), selectivity)?;
            if (score > low || low == alpha) && (score < high || high == beta) {
                return Some(score);
            }
            // The score is a bound; the next window contains it.
            (centre, width) = (score, width * 2);
        }
    }

    /// Does a job while the other threads wait for its split points. They stay for all its windows: to call them takes
    /// longer than to search a short one.
    fn with_helpers<R>(&self, board: Board, job: impl FnOnce() -> Option<R>) -> Option<R> {
        let is_done = AtomicBool::new(false);
        let help = |_| {
            let mut budget = self.budget(self.selectivity);
            self.solver.with_thread(self.game, self.eval, &mut budget, |thread| {
                thread.help_until(|| is_done.load(Ordering::Relaxed) || self.stop.is_raised());
            });
        };
        // A small position is solved before a helper thread could start.
        let threads = if board.empties() < self.solver.settings.split_from { 1 } else { self.threads };
        let (mut job, mut result) = (Some(job), None);
        thread_pool::run(threads, &help, &mut || {
            // The helpers must end even if this thread panics.
            let _end = EndHelpers { is_done: &is_done, solver: self.solver };
            result = job.take().and_then(|job| job());
        });
        result
    }

    fn budget(&self, selectivity: Selectivity) -> Budget<'_> {
        let mut budget = Budget::new(self.stop, self.nodes);
        (budget.selectivity, budget.threads) = (selectivity, self.threads);
        budget
    }

    /// The score of a position in a window.
    fn search_window(&self, board: Board, window: (i32, i32), selectivity: Selectivity) -> Option<i32> {
        self.solver.with_thread(self.game, self.eval, &mut self.budget(selectivity), |thread| {
            let state = self.eval.refresh(&board);
            let score = thread.pvs(board, &state, window, board.empties());
            (!thread.is_stopped()).then_some(score)
        })
    }

    /// The score and the wanted additions; `None` if the solve was stopped.
    pub fn solve(&self, board: Board, wanted: Wanted) -> Option<Solution<Placement>> {
        self.with_helpers(board, || self.search_wanted(board, wanted))
    }

    fn search_wanted(&self, board: Board, wanted: Wanted) -> Option<Solution<Placement>> {
        let moves = if wanted == Wanted::AllMoves { self.all_moves(board)? } else { Vec::new() };
        let score = match moves.first() {
            Some(&(_, best)) => best,
            None if wanted == Wanted::AllMoves => board.final_discs(),
            None => self.search_passes(board)?,
        };
        let inside = score.clamp(self.window.0, self.window.1);
        let mut line = match wanted {
            Wanted::Score | Wanted::Hint => Vec::new(),
            Wanted::Move => self.best_move(board, inside).into_iter().collect(),
            Wanted::Line | Wanted::AllMoves => self.principal_variation(board, inside),
        };
        if line.is_empty() && wanted != Wanted::Score {
            // If every move fails low, the table has no move, and all moves are equally good.
            line.extend(self.any_move(board));
        }
        let moves = moves.into_iter().map(|(mv, value)| (mv, value * UNIT)).collect();
        let nodes = self.nodes.load(Ordering::Relaxed);
        // A stopped search cuts its line short.
        (!self.stop.is_raised()).then_some(Solution { score: score * UNIT, line, moves, nodes })
    }

    /// The value of every legal move in the window, the best first, equals in reading order.
    fn all_moves(&self, board: Board) -> Option<Vec<(Placement, i32)>> {
        let (alpha, beta) = self.window;
        let opponent = RootSolver { window: (-beta, -alpha), ..*self };
        let mut values = Vec::new();
        for mv in self.game.moves(&board) {
            values.push((mv, -opponent.search_passes(board.after(mv))?));
        }
        best_first(&mut values);
        Some(values)
    }

    /// A move that keeps the score, proven by a null window; the table's move is tried first. `None` if the game is
    /// over or the solve was stopped.
    fn best_move(&self, board: Board, score: i32) -> Option<Placement> {
        let mut moves: Vec<_> = self.game.moves(&board).collect();
        let table_move = self.table_move(board);
        table_move_first(&mut moves, table_move);
        if moves.len() == 1 {
            return moves.pop();
        }
        let keeps = |mv: &&Placement| {
            let window = (-score, -score + 1);
            self.search_window(board.after(**mv), window, self.selectivity).is_some_and(|value| -value >= score)
        };
        moves.iter().find(keeps).copied()
    }

    /// The table's best move without a proof, or the first legal one.
    fn any_move(&self, board: Board) -> Option<Placement> {
        let table_move = self.table_move(board);
        self.game.moves(&board).find(|mv| mv.square == table_move).or_else(|| self.game.moves(&board).next())
    }

    /// The best move in the table's entry of the board, or [`PASS`].
    fn table_move(&self, board: Board) -> u8 {
        self.solver.table.probe(board).map_or(PASS, |entry| entry.moves[0])
    }

    /// The principal variation from a position with this score. It is cut short when the solve is stopped, and after
    /// one move if the score is only a bound.
    fn principal_variation(&self, mut board: Board, mut score: i32) -> Vec<Placement> {
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

/// Ends the helpers' work.
struct EndHelpers<'a> {
    is_done: &'a AtomicBool,
    solver: &'a Solver,
}

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        self.solver.wake();
    }
}

// Outside the generic type, so that sorting is compiled once.

fn best_first(values: &mut [(Placement, i32)]) {
    values.sort_by_key(|&(_, value)| -value);
}

fn table_move_first(moves: &mut [Placement], table_move: u8) {
    moves.sort_by_key(|mv| mv.square != table_move);
}
