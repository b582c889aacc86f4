//! Young brothers wait in the solver: the moves of a position after the first one are shared with idle threads
//! ([`split_pool`](crate::search::split_pool)).

use super::level::SolverLevel;
use super::moves::SolverMove;
use super::split_node::{SolverNode, SplitPoint};
use super::thread::EvaluationOrdered;
use crate::games::reversi::board::Board;
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use flipside_support::thread_pool;
use std::cmp::Reverse;
use std::sync::Arc;

/// From this many threads on, small positions are shared where a quarter of the threads is idle.
const SHARES_SMALL: usize = 8;

/// The result of moves that were shared.
pub struct Found {
    /// The best score and its move.
    pub best: (i32, u8),
    /// The squares of the moves that failed low.
    pub failed_low: u64,
}

impl<K: SolverLevel, E: Eval<Reversi<K>>> EvaluationOrdered<'_, '_, K, E> {
    /// True if the moves from `index` on, of `count`, should be offered to idle threads: never the first one. Large
    /// positions are offered whether a thread is idle or not, so that one that becomes idle finds the largest first.
    #[inline(always)]
    pub fn is_shared(&self, count: usize, index: usize, empties: u32) -> bool {
        let settings = &self.inner.settings;
        self.inner.budget.threads > 1
            && index > 0
            && index + 1 < count
            && empties >= settings.split_small_from
            && (empties >= settings.offer_from || self.split.has_idle())
    }

    /// True if a position below [`SolverSettings::evaluation_from`](super::settings::SolverSettings) should be shared
    /// as well, because many threads are idle.
    #[inline(always)]
    pub fn shares_small(&self, empties: u32) -> bool {
        let threads = self.inner.budget.threads;
        threads >= SHARES_SMALL
            && empties >= self.inner.settings.split_small_from
            && self.split.pool.idle() * 4 >= threads
            && self.split.has_idle()
    }

    /// Searches moves with a null window above alpha together with all threads that join. `best` is the best score so
    /// far and its move.
    #[cold]
    pub fn search_split_point(
        &mut self,
        (board, alpha, empties): (Board, i32, u32),
        state: &E::Accumulator,
        moves: &[SolverMove],
        mut best: (i32, u8),
    ) -> Option<Found> {
        let mut moves = moves.to_vec();
        moves.sort_by_key(|mv| Reverse(mv.rank));
        let node = SolverNode { board, empties, selectivity: self.selectivity };
        // Larger positions first: helpers then change split points less often.
        let split = SplitPoint::new(node, (moves, alpha), empties, self.split.point().cloned());
        self.inner.budget.parallel_work.splits += 1;
        let above = self.split.enter(Some(split.clone()));
        self.split.pool.open(&split);
        self.search_split_moves(&split, state);
        self.split.pool.close(&split);
        while self.help(Some(&split), || false) {}
        while let Some(index) = split.lost() {
            self.search_split_move(&split, state, index);
        }
        self.split.enter(above);
        let scores = split.scores();
        self.aborted |= scores.is_none();
        let mut failed_low = 0;
        for (index, score) in scores? {
            let square = split.moves[index].square;
            failed_low |= u64::from(score <= alpha) << square;
            best = if score > best.0 { (score, square) } else { best };
        }
        (!self.is_stopped()).then_some(Found { best, failed_low })
    }

    /// Takes moves of a split point until none is left.
    fn search_split_moves(&mut self, split: &SplitPoint, state: &E::Accumulator) {
        while let Some(index) = split.take() {
            self.search_split_move(split, state, index);
        }
    }

    fn search_split_move(&mut self, split: &SplitPoint, state: &E::Accumulator, index: usize) {
        let before = self.inner.budget.nodes - self.inner.budget.parallel_work.discarded;
        let SolverNode { board, empties, .. } = split.node;
        let score = -self.child(board, state, split.moves[index], -split.alpha - 1, empties - 1);
        if self.aborted || self.inner.budget.is_stopped() {
            return self.split.pool.abort(split);
        }
        if self.split.is_cut() {
            self.inner.budget.parallel_work.discarded = self.inner.budget.nodes - before;
        } else {
            self.split.pool.report(split, index, score);
        }
    }

    /// Joins a split point and searches moves there: one below `top`, or any one. False if `top` has no helpers left, or
    /// without it once `is_over`.
    fn help(&mut self, top: Option<&Arc<SplitPoint>>, is_over: impl Fn() -> bool) -> bool {
        let polls = thread_pool::polls(self.inner.budget.threads);
        let Some(split) = self.split.pool.join(top, polls, &mut self.inner.budget.parallel_work.idle, is_over) else {
            return false;
        };
        self.inner.budget.parallel_work.joins += 1;
        let SolverNode { selectivity, board, .. } = split.node;
        let above = self.split.enter(Some(split.clone()));
        let before = std::mem::replace(&mut self.selectivity, selectivity);
        let state = self.eval.refresh(&board);
        self.search_split_moves(&split, &state);
        self.selectivity = before;
        self.split.enter(above);
        true
    }

    /// A helper thread's part: it joins split points until the solve is over or the budget has
    /// stopped it.
    pub fn help_until(&mut self, is_over: impl Fn() -> bool) {
        while !self.is_stopped() && self.help(None, &is_over) {}
    }
}
