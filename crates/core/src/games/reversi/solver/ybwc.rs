//! Parallel search by young brothers wait (Feldmann, 1990), with split points that idle threads join.
//!
//! A thread whose first move did not cause a cutoff offers the moves that are left. Idle threads
//! take one each, search it and report. The thread that offered waits for all of them; while it
//! waits it helps only below its own split point (helpful master), so its stack never holds
//! unrelated work that its own result would have to wait for. A move that causes a cutoff ends the
//! work of all threads below.
//!
//! Data races are impossible: shared state is behind a mutex or is an atomic flag that only says
//! "stop early"; scores pass through the mutex alone.

use super::moves::{SolverMove, SolverMoves, select_next};
use crate::games::reversi::board::Board;
use crate::search::types::Selectivity;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an idle thread sleeps before it asks again whether the solve is over.
const IDLE_WAIT: Duration = Duration::from_millis(1);

/// How often an idle thread polls for changes before it sleeps: about a tenth of a millisecond, as
/// long as waking it would take.
const SPIN_POLLS: u32 = 2_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A position whose remaining moves all threads may search, with the null window `(alpha, alpha + 1)`.
pub struct SplitPoint {
    /// The position.
    pub board: Board,
    /// The lower end of the window, in discs.
    pub alpha: i32,
    /// Empty squares of the position.
    pub empties: u32,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
    parent: Option<Arc<SplitPoint>>,
    cut: AtomicBool,
    state: Mutex<SplitState>,
}

/// The state that changes while threads work at a split point.
struct SplitState {
    moves: SolverMoves,
    next: usize,
    /// Threads that have joined; the owner is not counted.
    helpers: usize,
    best: (i32, u8),
    /// The squares of moves that failed low.
    failed_low: u64,
    aborted: bool,
}

impl SplitPoint {
    /// Offers the moves of `moves` from `next` on; `best` is the best score so far and its move.
    pub fn new(
        (board, alpha, empties, selectivity): (Board, i32, u32, Selectivity),
        parent: Option<Arc<SplitPoint>>,
        (moves, next): (&SolverMoves, usize),
        best: (i32, u8),
    ) -> Arc<SplitPoint> {
        let state = SplitState { moves: moves.clone(), next, helpers: 0, best, failed_low: 0, aborted: false };
        Arc::new(SplitPoint {
            board,
            alpha,
            empties,
            selectivity,
            parent,
            cut: AtomicBool::new(false),
            state: Mutex::new(state),
        })
    }

    /// True once nothing below needs a search: a move here or above has caused a cutoff.
    #[inline(always)]
    pub fn is_cut(&self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if this.cut.load(Ordering::Relaxed) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }

    /// True while moves are left that no thread has taken and no cutoff has made irrelevant.
    pub fn has_moves(&self) -> bool {
        lock(&self.state).has_moves() && !self.is_cut()
    }

    /// Takes the best of the moves that no thread has taken.
    pub fn take(&self) -> Option<SplitMove<'_>> {
        let mut state = lock(&self.state);
        if !state.has_moves() || self.is_cut() {
            return None;
        }
        let index = state.next;
        state.next += 1;
        Some(SplitMove { split: self, mv: select_next(&mut state.moves, index) })
    }

    /// A move was aborted because a budget ran out: the position has no score.
    pub fn abort(&self) {
        lock(&self.state).aborted = true;
        self.cut.store(true, Ordering::Relaxed);
    }

    /// The best score and its move, once all helpers have left; `None` if a move was aborted.
    pub fn result(&self) -> Option<(i32, u8)> {
        let state = lock(&self.state);
        (!state.aborted).then_some(state.best)
    }

    /// The squares of moves that failed low.
    pub fn failed_low(&self) -> u64 {
        lock(&self.state).failed_low
    }

    fn helpers(&self) -> usize {
        lock(&self.state).helpers
    }

    /// Joins, if moves are left.
    fn join(&self) -> bool {
        let mut state = lock(&self.state);
        let joins = state.has_moves() && !self.is_cut();
        state.helpers += usize::from(joins);
        joins
    }

    fn is_below(self: &Arc<SplitPoint>, top: &Arc<SplitPoint>) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if Arc::ptr_eq(this, top) {
                return true;
            }
            split = this.parent.as_ref();
        }
        false
    }
}

impl SplitState {
    fn has_moves(&self) -> bool {
        self.next < self.moves.len()
    }
}

/// A move of a split point that one thread searches. If that thread panics, the move goes back to
/// the split point, whose owner waits for all helpers to leave and then searches it.
pub struct SplitMove<'s> {
    split: &'s SplitPoint,
    /// The move.
    pub mv: SolverMove,
}

impl SplitMove<'_> {
    /// Reports the score of the move, searched to its end.
    pub fn report(&self, score: i32) {
        let mut state = lock(&self.split.state);
        if score <= self.split.alpha {
            state.failed_low |= 1 << self.mv.square;
        }
        if score > state.best.0 {
            state.best = (score, self.mv.square);
            if score > self.split.alpha {
                self.split.cut.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for SplitMove<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut state = lock(&self.split.state);
            // The entries before the next one hold moves that were taken.
            state.next -= 1;
            let next = state.next;
            state.moves[next] = self.mv;
        }
    }
}

/// A split point that a helper has joined; the helper leaves it when this is dropped.
pub struct HelperGuard<'t> {
    pool: &'t SplitPool,
    split: Arc<SplitPoint>,
}

impl Deref for HelperGuard<'_> {
    type Target = Arc<SplitPoint>;

    fn deref(&self) -> &Arc<SplitPoint> {
        &self.split
    }
}

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        lock(&self.split.state).helpers -= 1;
        self.pool.notify(lock(&self.pool.open));
    }
}

/// The open split points of a solver, and its idle threads, which wait for them.
#[derive(Default)]
pub struct SplitPool {
    open: Mutex<Vec<Arc<SplitPoint>>>,
    wake: Condvar,
    idle: AtomicUsize,
    /// A counter of the changes that an idle thread may wait for.
    changes: AtomicUsize,
}

impl SplitPool {
    /// True if a split point would find a helper.
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Opens a split point to idle threads.
    pub fn open(&self, split: &Arc<SplitPoint>) {
        let mut open = lock(&self.open);
        open.push(split.clone());
        self.notify(open);
    }

    /// Wakes idle threads. The counter changes under the lock, so that a thread between its last poll and its sleep does
    /// not miss the change.
    fn notify(&self, open: MutexGuard<'_, Vec<Arc<SplitPoint>>>) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        drop(open);
        self.wake.notify_all();
    }

    /// Closes a split point to further helpers; those that have joined stay.
    pub fn close(&self, split: &Arc<SplitPoint>) {
        lock(&self.open).retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Joins a split point below `top` as soon as there is one; `None` once `top` has no helpers left.
    pub fn join_below(&self, top: &Arc<SplitPoint>) -> Option<HelperGuard<'_>> {
        self.wait(|| top.helpers() == 0, |split| split.is_below(top))
    }

    /// Joins any split point; `None` once `is_over` is true.
    pub fn join_any(&self, is_over: impl Fn() -> bool) -> Option<HelperGuard<'_>> {
        self.wait(is_over, |_| true)
    }

    fn wait(&self, is_over: impl Fn() -> bool, fits: impl Fn(&Arc<SplitPoint>) -> bool) -> Option<HelperGuard<'_>> {
        let mut open = lock(&self.open);
        self.idle.fetch_add(1, Ordering::Relaxed);
        let found = loop {
            if is_over() {
                break None;
            }
            // Larger positions first: helpers then change split points less often.
            let best = open.iter().filter(|split| fits(split)).max_by_key(|split| split.empties).cloned();
            match best {
                Some(split) if split.join() => break Some(HelperGuard { pool: self, split }),
                // No moves are left there: its owner will close it, and other threads need not try
                // it again.
                Some(split) => open.retain(|other| !Arc::ptr_eq(other, &split)),
                None => {
                    let seen = self.changes.load(Ordering::Relaxed);
                    drop(open);
                    let is_unchanged = || self.changes.load(Ordering::Relaxed) == seen && !is_over();
                    let polled_in_vain = (0..SPIN_POLLS).all(|_| {
                        std::hint::spin_loop();
                        is_unchanged()
                    });
                    open = lock(&self.open);
                    if polled_in_vain && self.changes.load(Ordering::Relaxed) == seen {
                        open = self.wake.wait_timeout(open, IDLE_WAIT).unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            }
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::board::PASS;

    fn split(parent: Option<Arc<SplitPoint>>, moves: usize) -> Arc<SplitPoint> {
        let moves: SolverMoves = (0..moves)
            .map(|square| SolverMove { rank: -(square as i32), square: square as u8, child: Board::START, replies: 0 })
            .collect();
        SplitPoint::new((Board::START, 3, 20, Selectivity::EXACT), parent, (&moves, 0), (-65, PASS))
    }

    #[test]
    fn each_move_is_taken_once_and_the_best_score_stays() {
        let split = split(None, 3);
        let taken: Vec<SplitMove> = std::iter::from_fn(|| split.take()).collect();
        assert_eq!(taken.iter().map(|taken| taken.mv.square).collect::<Vec<_>>(), [0, 1, 2]);
        taken[1].report(-4);
        taken[2].report(-8);
        assert_eq!((split.result(), split.is_cut(), split.failed_low()), (Some((-4, 1)), false, 0b110));
    }

    #[test]
    fn a_cutoff_ends_all_work_below() {
        let above = split(None, 2);
        let below = split(Some(above.clone()), 2);
        assert!(below.take().is_some());
        above.take().expect("a move").report(4);
        assert!(below.is_cut() && below.take().is_none() && above.take().is_none());
        assert_eq!((above.result(), above.failed_low()), (Some((4, 0)), 0));
    }

    #[test]
    fn an_aborted_move_leaves_no_score() {
        let split = split(None, 2);
        split.take().expect("a move").report(9);
        split.abort();
        assert_eq!(split.result(), None);
    }

    #[test]
    fn helpers_join_only_what_is_below_and_leave() {
        let (pool, above) = (SplitPool::default(), split(None, 2));
        let (below, beside) = (split(Some(above.clone()), 2), split(None, 2));
        pool.open(&beside);
        pool.open(&below);
        assert!(above.join());
        let joined = pool.join_below(&above).expect("a split point below");
        assert!(Arc::ptr_eq(&joined, &below) && below.helpers() == 1);
        drop(joined);
        drop(HelperGuard { pool: &pool, split: above.clone() });
        assert!(pool.join_below(&above).is_none() && below.helpers() == 0 && !pool.has_idle());
        pool.close(&beside);
        assert!(lock(&pool.open).iter().all(|open| Arc::ptr_eq(open, &below)));
    }

    #[test]
    fn a_helper_that_panics_puts_its_move_back_and_leaves() {
        let (pool, split) = (SplitPool::default(), split(None, 3));
        pool.open(&split);
        let own = split.take().expect("a move");
        let helper = std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let joined = pool.join_any(|| false).expect("a split point");
                let _taken = joined.take().expect("a move");
                panic!("on purpose");
            });
            helper.join()
        });
        assert!(helper.is_err() && pool.join_below(&split).is_none());
        own.report(-9);
        assert!(split.has_moves());
        let again: Vec<u8> = std::iter::from_fn(|| split.take()).map(|taken| taken.mv.square).collect();
        assert_eq!((again, split.result()), (vec![1, 2], Some((-9, 0))));
    }
}
