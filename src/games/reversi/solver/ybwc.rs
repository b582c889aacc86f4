//! Threads that solve one position together: young brothers wait (Feldmann 1990), with split points
//! that idle threads join.
//!
//! A thread whose first move at a position did not cut offers the moves that are left. Whoever is idle takes one,
//! searches it and reports; the thread that offered waits for all of them, and while it waits it
//! helps below its own split point only, so that its stack never holds foreign work that its answer
//! has to wait for. A move that cuts ends the work of everybody below.
//!
//! Nothing here is racy by the letter of the language: what threads share is behind a mutex or is an
//! atomic flag that only says "stop early"; values travel through the mutex alone.

use super::super::board::Board;
use super::fastest_first::{SolverMove, SolverMoves, select_next};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an idle thread sleeps before it looks whether the solve is over.
const NAP: Duration = Duration::from_millis(1);

/// How often an idle thread looks for news before it sleeps: a tenth of a millisecond or so, as long as
/// waking it would take.
const LOOKS: u32 = 2_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A position whose remaining moves are open to all: a null window `(alpha, alpha + 1)`.
pub struct SplitPoint {
    /// The position.
    pub board: Board,
    /// The lower end of the window, in discs.
    pub alpha: i32,
    /// Empty squares of the position.
    pub empties: u32,
    /// How sure bounds must be: 0..=5.
    pub selectivity: u8,
    parent: Option<Arc<SplitPoint>>,
    cut: AtomicBool,
    progress: Mutex<Progress>,
}

struct Progress {
    moves: SolverMoves,
    next: usize,
    /// Threads at work, the one that split not counted.
    helpers: usize,
    best: (i32, u8),
    aborted: bool,
}

impl SplitPoint {
    /// The moves of `moves` from `next` on; `best` is the best score so far and its move.
    pub fn new(
        (board, alpha, empties, selectivity): (Board, i32, u32, u8),
        parent: Option<Arc<SplitPoint>>,
        (moves, next): (&SolverMoves, usize),
        best: (i32, u8),
    ) -> Arc<SplitPoint> {
        let progress = Progress { moves: moves.clone(), next, helpers: 0, best, aborted: false };
        Arc::new(SplitPoint {
            board,
            alpha,
            empties,
            selectivity,
            parent,
            cut: AtomicBool::new(false),
            progress: Mutex::new(progress),
        })
    }

    /// True once nothing below needs to be searched: here or above a move has cut.
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

    /// True while moves are left that nobody has taken, and they matter.
    pub fn has_moves(&self) -> bool {
        lock(&self.progress).has_moves() && !self.is_cut()
    }

    /// The best of the moves that nobody has taken.
    pub fn take(&self) -> Option<SplitMove<'_>> {
        let mut progress = lock(&self.progress);
        if !progress.has_moves() || self.is_cut() {
            return None;
        }
        let index = progress.next;
        progress.next += 1;
        Some(SplitMove { split: self, mv: select_next(&mut progress.moves, index) })
    }

    /// A move was given up because the budget ran out: the position has no score.
    pub fn abort(&self) {
        lock(&self.progress).aborted = true;
        self.cut.store(true, Ordering::Relaxed);
    }

    /// The best score and its move, once nobody is at work; `None` if a move was given up.
    pub fn result(&self) -> Option<(i32, u8)> {
        let progress = lock(&self.progress);
        (!progress.aborted).then_some(progress.best)
    }

    fn helpers(&self) -> usize {
        lock(&self.progress).helpers
    }

    /// Joins, if there is something left to do.
    fn join(&self) -> bool {
        let mut progress = lock(&self.progress);
        let joins = progress.has_moves() && !self.is_cut();
        progress.helpers += usize::from(joins);
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

impl Progress {
    fn has_moves(&self) -> bool {
        self.next < self.moves.len()
    }
}

/// A move of a split point in one thread's hands. If that thread panics the move goes back: the owner of the split
/// point, who waits for all its helpers to leave, searches it then.
pub struct SplitMove<'s> {
    split: &'s SplitPoint,
    /// The move.
    pub mv: SolverMove,
}

impl SplitMove<'_> {
    /// The score of the move, searched to its end.
    pub fn report(&self, score: i32) {
        let mut progress = lock(&self.split.progress);
        if score > progress.best.0 {
            progress.best = (score, self.mv.square);
            if score > self.split.alpha {
                self.split.cut.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for SplitMove<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut progress = lock(&self.split.progress);
            // The places before the next one hold moves that were taken.
            progress.next -= 1;
            let place = progress.next;
            progress.moves[place] = self.mv;
        }
    }
}

/// A split point that a helper has joined; it leaves when this is dropped.
pub struct HelperGuard<'t> {
    team: &'t SplitPool,
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
        lock(&self.split.progress).helpers -= 1;
        self.team.tell(lock(&self.team.open));
    }
}

/// The threads of a solver and the split points that they may join.
#[derive(Default)]
pub struct SplitPool {
    open: Mutex<Vec<Arc<SplitPoint>>>,
    changed: Condvar,
    idle: AtomicUsize,
    /// Grows with every change that an idle thread may wait for.
    news: AtomicUsize,
}

impl SplitPool {
    /// True if a split point would find somebody.
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Offers a split point to all.
    pub fn open(&self, split: &Arc<SplitPoint>) {
        let mut open = lock(&self.open);
        open.push(split.clone());
        self.tell(open);
    }

    /// Wakes those who wait; under the lock, so that a thread between its look and its sleep does not miss it.
    fn tell(&self, open: MutexGuard<'_, Vec<Arc<SplitPoint>>>) {
        self.news.fetch_add(1, Ordering::Relaxed);
        drop(open);
        self.changed.notify_all();
    }

    /// Takes the offer back; those at work there stay.
    pub fn close(&self, split: &Arc<SplitPoint>) {
        lock(&self.open).retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Joins a split point below `top` as soon as there is one; `None` once `top` has no helpers left.
    pub fn join_below(&self, top: &Arc<SplitPoint>) -> Option<HelperGuard<'_>> {
        self.wait(|| top.helpers() == 0, |split| split.is_below(top))
    }

    /// Joins any split point; `None` once `is_over` says so.
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
            // The larger the position, the less often somebody has to move on.
            let best = open.iter().filter(|split| fits(split)).max_by_key(|split| split.empties).cloned();
            match best {
                Some(split) if split.join() => break Some(HelperGuard { team: self, split }),
                // Nothing is left there: its owner will close it, others need not look again.
                Some(split) => open.retain(|other| !Arc::ptr_eq(other, &split)),
                None => {
                    let known = self.news.load(Ordering::Relaxed);
                    drop(open);
                    let is_old = || self.news.load(Ordering::Relaxed) == known && !is_over();
                    let waited_long = (0..LOOKS).all(|_| {
                        std::hint::spin_loop();
                        is_old()
                    });
                    open = lock(&self.open);
                    if waited_long && self.news.load(Ordering::Relaxed) == known {
                        open = self.changed.wait_timeout(open, NAP).unwrap_or_else(PoisonError::into_inner).0;
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
    use super::super::super::board::PASS;
    use super::*;

    fn split(parent: Option<Arc<SplitPoint>>, moves: usize) -> Arc<SplitPoint> {
        let moves: SolverMoves = (0..moves)
            .map(|square| SolverMove { rank: -(square as i32), square: square as u8, child: Board::START, replies: 0 })
            .collect();
        SplitPoint::new((Board::START, 3, 20, 5), parent, (&moves, 0), (-65, PASS))
    }

    #[test]
    fn moves_go_to_whoever_asks_and_the_best_score_stays() {
        let split = split(None, 3);
        let turns: Vec<SplitMove> = std::iter::from_fn(|| split.take()).collect();
        assert_eq!(turns.iter().map(|turn| turn.mv.square).collect::<Vec<_>>(), [0, 1, 2]);
        turns[1].report(-4);
        turns[2].report(-8);
        assert_eq!((split.result(), split.is_cut()), (Some((-4, 1)), false));
    }

    #[test]
    fn a_cut_ends_all_work_below() {
        let above = split(None, 2);
        let below = split(Some(above.clone()), 2);
        assert!(below.take().is_some());
        above.take().expect("a move").report(4);
        assert!(below.is_cut() && below.take().is_none() && above.take().is_none());
        assert_eq!(above.result(), Some((4, 0)));
    }

    #[test]
    fn a_move_given_up_leaves_no_score() {
        let split = split(None, 2);
        split.take().expect("a move").report(9);
        split.abort();
        assert_eq!(split.result(), None);
    }

    #[test]
    fn helpers_join_only_what_is_below_and_leave() {
        let (team, above) = (SplitPool::default(), split(None, 2));
        let (below, beside) = (split(Some(above.clone()), 2), split(None, 2));
        team.open(&beside);
        team.open(&below);
        assert!(above.join());
        let joined = team.join_below(&above).expect("a split point below");
        assert!(Arc::ptr_eq(&joined, &below) && below.helpers() == 1);
        drop(joined);
        drop(HelperGuard { team: &team, split: above.clone() });
        assert!(team.join_below(&above).is_none() && below.helpers() == 0 && !team.has_idle());
        team.close(&beside);
        assert!(lock(&team.open).iter().all(|open| Arc::ptr_eq(open, &below)));
    }

    #[test]
    fn a_helper_that_panics_puts_its_move_back_and_leaves() {
        let (team, split) = (SplitPool::default(), split(None, 3));
        team.open(&split);
        let own = split.take().expect("a move");
        let helper = std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let joined = team.join_any(|| false).expect("a split point");
                let _turn = joined.take().expect("a move");
                panic!("on purpose");
            });
            helper.join()
        });
        assert!(helper.is_err() && team.join_below(&split).is_none());
        own.report(-9);
        assert!(split.has_moves());
        let again: Vec<u8> = std::iter::from_fn(|| split.take()).map(|turn| turn.mv.square).collect();
        assert_eq!((again, split.result()), (vec![1, 2], Some((-9, 0))));
    }
}
