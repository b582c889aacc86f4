//! Young brothers wait (Feldmann, 1990): the open split points of a search, and its idle threads.
//!
//! An owner that waits for its helpers helps only below its own split point (helpful master), so its stack never holds
//! unrelated work that its own result would have to wait for. Who opens a split point gives it to idle threads at once,
//! each of which sleeps at a place of its own: nobody else wakes. A thread that becomes idle looks for the open split
//! point of the highest priority.

use super::split_point::SplitPoint;
use flipside_support::cache_line::CacheLine;
use flipside_support::parker::Parker;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The open split points of a search and its idle threads.
pub struct SplitPool<N, M> {
    shared: Mutex<Shared<N, M>>,
    idle: CacheLine<Idle>,
    /// Cutoffs so far: a thread walks up its split points only after this has changed.
    cuts: CacheLine<AtomicUsize>,
}

/// Threads that wait, as of now; the truth is in [`Shared`].
#[derive(Default)]
struct Idle {
    /// Those that take work anywhere.
    anywhere: AtomicUsize,
    /// Owners, that take work below their split points.
    owners: AtomicUsize,
}

struct Shared<N, M> {
    open: Vec<(u32, Arc<SplitPoint<N, M>>)>,
    waiting: Vec<Arc<Seat<N, M>>>,
}

/// A waiting thread.
struct Seat<N, M> {
    parker: Arc<Parker>,
    /// An owner takes only work below its split point.
    top: Option<Arc<SplitPoint<N, M>>>,
    /// The split point that it was given to join.
    given: Mutex<Option<Arc<SplitPoint<N, M>>>>,
}

/// A split point that a helper has joined; the helper leaves it when this is dropped.
pub struct Joined<'p, N, M> {
    pool: &'p SplitPool<N, M>,
    split: Arc<SplitPoint<N, M>>,
}

impl<N, M> Deref for Joined<'_, N, M> {
    type Target = Arc<SplitPoint<N, M>>;

    fn deref(&self) -> &Arc<SplitPoint<N, M>> {
        &self.split
    }
}

impl<N, M> Drop for Joined<'_, N, M> {
    fn drop(&mut self) {
        // In one order with the owner's test in `join`: either it sees that the last helper has left, or the helper sees
        // that it waits.
        let is_last = self.split.work.helpers.fetch_sub(1, Ordering::SeqCst) == 1;
        if is_last && self.split.work.owner_waits.load(Ordering::SeqCst) {
            self.pool.wake_owner(&self.split);
        }
    }
}

impl<N, M> Default for SplitPool<N, M> {
    fn default() -> SplitPool<N, M> {
        let shared = Mutex::new(Shared { open: Vec::new(), waiting: Vec::new() });
        SplitPool { shared, idle: CacheLine::default(), cuts: CacheLine::default() }
    }
}

impl<N, M> SplitPool<N, M> {
    /// True if an idle thread would join a split point below this one.
    #[inline(always)]
    pub fn has_idle(&self, above: Option<&SplitPoint<N, M>>) -> bool {
        self.idle.anywhere.load(Ordering::Relaxed) > 0
            || self.idle.owners.load(Ordering::Relaxed) > 0 && above.is_some_and(SplitPoint::has_waiting_owner)
    }

    /// Threads that wait for work.
    #[inline(always)]
    pub fn idle(&self) -> usize {
        self.idle.anywhere.load(Ordering::Relaxed) + self.idle.owners.load(Ordering::Relaxed)
    }

    /// Cutoffs so far.
    #[inline(always)]
    pub fn cuts(&self) -> usize {
        self.cuts.load(Ordering::Acquire)
    }

    /// Opens a split point: idle threads join it at once, others as long as it has moves.
    pub fn open(&self, split: &Arc<SplitPoint<N, M>>) {
        let mut shared = lock(&self.shared);
        // One move is for the owner.
        let most = split.moves.len() - 1;
        let mut joined = Vec::new();
        // Owners first: they can do nothing else.
        for owners in [true, false] {
            let fits = |seat: &Arc<Seat<N, M>>| match &seat.top {
                Some(top) => owners && split.is_below(top),
                None => !owners,
            };
            while joined.len() < most
                && let Some(index) = shared.waiting.iter().position(fits)
            {
                joined.push(self.unseat(&mut shared, index));
            }
        }
        split.work.helpers.fetch_add(joined.len(), Ordering::SeqCst);
        if joined.len() < most {
            shared.open.push((split.priority, split.clone()));
        }
        // Under the lock: a thread that leaves its seat by itself now must see what it was given.
        joined.iter().for_each(|seat| *lock(&seat.given) = Some(split.clone()));
        drop(shared);
        joined.iter().for_each(|seat| seat.parker.signal());
    }

    /// Closes a split point to further helpers; those that have joined stay.
    pub fn close(&self, split: &Arc<SplitPoint<N, M>>) {
        let mut shared = lock(&self.shared);
        if let Some(index) = shared.open.iter().rposition(|(_, other)| Arc::ptr_eq(other, split)) {
            shared.open.swap_remove(index);
        }
    }

    /// Reports the score of a move of a split point, searched to its end.
    pub fn report(&self, split: &SplitPoint<N, M>, index: usize, score: i32) {
        if split.is_cut() {
            return;
        }
        split.work.scores[index].store(score, Ordering::Relaxed);
        if score > split.alpha {
            self.cut(split);
        }
    }

    /// A move of a split point was aborted because a budget ran out: the position has no score.
    pub fn abort(&self, split: &SplitPoint<N, M>) {
        split.work.aborted.store(true, Ordering::Relaxed);
        self.cut(split);
    }

    fn cut(&self, split: &SplitPoint<N, M>) {
        split.cut.store(true, Ordering::Relaxed);
        self.cuts.fetch_add(1, Ordering::Release);
    }

    /// Waits for a split point and joins it: one below `top`, until it has no helpers; without `top` any one, until
    /// `is_over`. Polls so often before it sleeps. Adds the time to `idle`.
    pub fn join(
        &self,
        top: Option<&Arc<SplitPoint<N, M>>>,
        polls: u32,
        idle: &mut Duration,
        is_over: impl Fn() -> bool,
    ) -> Option<Joined<'_, N, M>> {
        let is_over = || top.map_or_else(&is_over, |top| top.helpers() == 0);
        loop {
            let mut shared = lock(&self.shared);
            if let Some(split) = shared.best(top).filter(|_| !is_over()) {
                split.work.helpers.fetch_add(1, Ordering::SeqCst);
                return Some(Joined { pool: self, split });
            }
            if let Some(top) = top {
                top.work.owner_waits.store(true, Ordering::SeqCst);
            }
            if is_over() {
                break;
            }
            let seat = Arc::new(Seat { parker: Parker::new(), top: top.cloned(), given: Mutex::new(None) });
            self.waiting(&seat).fetch_add(1, Ordering::Relaxed);
            shared.waiting.push(seat.clone());
            drop(shared);
            *idle += seat.parker.wait(polls, is_over);
            if let Some(split) = self.leave(&seat) {
                self.stop_waiting(top);
                return Some(Joined { pool: self, split });
            }
        }
        self.stop_waiting(top);
        None
    }

    fn stop_waiting(&self, top: Option<&Arc<SplitPoint<N, M>>>) {
        if let Some(top) = top {
            top.work.owner_waits.store(false, Ordering::Relaxed);
        }
    }

    /// The thread leaves its seat; the split point that it was given.
    fn leave(&self, seat: &Arc<Seat<N, M>>) -> Option<Arc<SplitPoint<N, M>>> {
        let mut shared = lock(&self.shared);
        if let Some(index) = shared.waiting.iter().position(|other| Arc::ptr_eq(other, seat)) {
            self.unseat(&mut shared, index);
        }
        drop(shared);
        lock(&seat.given).take()
    }

    /// Removes a waiting thread from the list.
    fn unseat(&self, shared: &mut Shared<N, M>, index: usize) -> Arc<Seat<N, M>> {
        let seat = shared.waiting.swap_remove(index);
        self.waiting(&seat).fetch_sub(1, Ordering::Relaxed);
        seat
    }

    /// The counter of waiting threads of this kind.
    fn waiting(&self, seat: &Seat<N, M>) -> &AtomicUsize {
        if seat.top.is_some() { &self.idle.owners } else { &self.idle.anywhere }
    }

    /// The last helper has left: the owner goes on.
    fn wake_owner(&self, split: &Arc<SplitPoint<N, M>>) {
        let mut shared = lock(&self.shared);
        let is_owner = |seat: &Arc<Seat<N, M>>| seat.top.as_ref().is_some_and(|top| Arc::ptr_eq(top, split));
        if let Some(index) = shared.waiting.iter().position(is_owner) {
            let seat = self.unseat(&mut shared, index);
            drop(shared);
            seat.parker.signal();
        }
    }

    /// Wakes the threads that wait for work anywhere, so that they see that the search is over.
    pub fn wake(&self) {
        let mut shared = lock(&self.shared);
        while let Some(index) = shared.waiting.iter().position(|seat| seat.top.is_none()) {
            self.unseat(&mut shared, index).parker.signal();
        }
    }
}

/// A thread's place among the split points of a search.
pub struct SplitThread<'p, N, M> {
    /// The search's split points.
    pub pool: &'p SplitPool<N, M>,
    /// The one below which the thread searches.
    point: Option<Arc<SplitPoint<N, M>>>,
    /// Whether nothing below it needs a search, and the pool's cutoffs when that was tested.
    is_below_cut: Cell<bool>,
    cuts_seen: Cell<usize>,
}

impl<'p, N, M> SplitThread<'p, N, M> {
    /// A thread that works at no split point.
    pub fn new(pool: &'p SplitPool<N, M>) -> SplitThread<'p, N, M> {
        SplitThread { pool, point: None, is_below_cut: Cell::new(false), cuts_seen: Cell::new(0) }
    }

    /// True once nothing below the thread's split point needs a search. The split points above are looked at only after
    /// a cutoff somewhere.
    #[inline(always)]
    pub fn is_cut(&self) -> bool {
        let Some(point) = &self.point else { return false };
        let cuts = self.pool.cuts();
        if self.cuts_seen.replace(cuts) != cuts {
            self.is_below_cut.set(point.is_cut());
        }
        self.is_below_cut.get()
    }

    /// The split point below which the thread searches.
    pub fn point(&self) -> Option<&Arc<SplitPoint<N, M>>> {
        self.point.as_ref()
    }

    /// The thread works below this split point from now on; the one before.
    pub fn enter(&mut self, point: Option<Arc<SplitPoint<N, M>>>) -> Option<Arc<SplitPoint<N, M>>> {
        // A number of cutoffs that is never reached: the next test looks.
        self.cuts_seen.set(usize::MAX);
        std::mem::replace(&mut self.point, point)
    }

    /// True if an idle thread would join a split point of this thread.
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.pool.has_idle(self.point.as_deref())
    }
}

impl<N, M> Shared<N, M> {
    /// The open split point of the highest priority, below `top` if there is one.
    fn best(&self, top: Option<&Arc<SplitPoint<N, M>>>) -> Option<Arc<SplitPoint<N, M>>> {
        let mut best: Option<(u32, &Arc<SplitPoint<N, M>>)> = None;
        for &(priority, ref split) in &self.open {
            if best.is_none_or(|(best, _)| priority > best)
                && top.is_none_or(|top| split.is_below(top))
                && split.is_joinable()
            {
                best = Some((priority, split));
            }
        }
        best.map(|(_, split)| split.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    type Point = SplitPoint<u32, u32>;
    type Pool = SplitPool<u32, u32>;

    fn point(node: u32, above: Option<&Arc<Point>>, moves: u32) -> Arc<Point> {
        SplitPoint::new(node, ((0..moves).collect(), 3), node, above.cloned())
    }

    fn scores(split: &Point) -> Option<Vec<(usize, i32)>> {
        split.scores().map(Iterator::collect)
    }

    fn join(pool: &Pool, top: Option<&Arc<Point>>) -> Option<u32> {
        pool.join(top, 0, &mut Duration::default(), || true).map(|joined| joined.node)
    }

    /// What a thread is given that waits while `work` runs.
    fn given(pool: &Pool, top: Option<&Arc<Point>>, work: impl FnOnce()) -> Option<u32> {
        let is_over = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(move || {
                let joined = pool.join(top, 0, &mut Duration::default(), || is_over.load(Ordering::Relaxed))?;
                Some(joined.node)
            });
            while pool.idle() == 0 {
                std::thread::yield_now();
            }
            work();
            is_over.store(true, Ordering::Relaxed);
            pool.wake();
            waiter.join().expect("no panic")
        })
    }

    #[test]
    fn the_highest_priority_comes_first_while_it_has_moves() {
        let pool = Pool::default();
        let (small, large) = (point(1, None, 3), point(2, None, 3));
        [&small, &large].into_iter().for_each(|split| pool.open(split));
        let joined = pool.join(None, 0, &mut Duration::default(), || false).expect("a split point");
        assert_eq!((joined.node, join(&pool, None)), (2, None), "over");
        drop(joined);
        while large.take().is_some() {}
        assert_eq!(pool.join(None, 0, &mut Duration::default(), || false).map(|joined| joined.node), Some(1));
        [&small, &large].into_iter().for_each(|split| pool.close(split));
        assert_eq!(join(&pool, None), None);
    }

    #[test]
    fn an_owner_helps_only_below_its_split_point() {
        let pool = Pool::default();
        let above = point(1, None, 3);
        let (below, beside) = (point(2, Some(&above), 3), point(3, None, 3));
        above.work.helpers.fetch_add(1, Ordering::SeqCst);
        [&beside, &below].into_iter().for_each(|split| pool.open(split));
        assert_eq!(pool.join(Some(&above), 0, &mut Duration::default(), || false).map(|joined| joined.node), Some(2));
        pool.close(&below);
        let leave = || drop(Joined { pool: &pool, split: above.clone() });
        assert_eq!(given(&pool, Some(&above), leave), None, "its last helper wakes it");
        assert_eq!(join(&pool, Some(&above)), None);
    }

    #[test]
    fn a_waiting_thread_is_given_a_new_split_point() {
        let pool = Pool::default();
        let above = point(1, None, 3);
        above.work.helpers.fetch_add(1, Ordering::SeqCst);
        let below = point(2, Some(&above), 3);
        let beside = point(3, None, 3);
        assert_eq!(given(&pool, None, || pool.open(&beside)), Some(3));
        let open_both = || {
            assert!(!pool.has_idle(None) && !pool.has_idle(Some(&beside)) && pool.has_idle(Some(&below)));
            [&beside, &below].into_iter().for_each(|split| pool.open(split));
        };
        assert_eq!(given(&pool, Some(&above), open_both), Some(2));
        assert_eq!((pool.idle(), beside.helpers(), below.helpers()), (0, 0, 0));
    }

    #[test]
    fn a_cutoff_ends_all_work_below() {
        let pool = Pool::default();
        let above = point(1, None, 2);
        let below = point(2, Some(&above), 2);
        let mut thread = SplitThread::new(&pool);
        thread.enter(Some(below.clone()));
        assert_eq!((below.take(), above.take(), thread.is_cut()), (Some(0), Some(0), false));
        pool.report(&above, 0, 3);
        assert!(!thread.is_cut(), "a score of alpha");
        pool.report(&above, 0, 4);
        assert!(thread.is_cut() && below.take().is_none() && above.take().is_none());
        pool.report(&below, 0, 9);
        assert_eq!((scores(&below), scores(&above)), (Some(vec![]), Some(vec![(0, 4)])));
        thread.enter(Some(point(3, None, 2)));
        assert!(!thread.is_cut());
    }

    #[test]
    fn a_move_whose_helper_panicked_is_found_again() {
        let pool = Pool::default();
        let split = point(1, None, 2);
        pool.open(&split);
        let helper = std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let joined = pool.join(None, 0, &mut Duration::default(), || false).expect("a split point");
                joined.take().expect("a move");
                panic!("on purpose");
            });
            helper.join()
        });
        assert!(helper.is_err());
        let own = split.take().expect("a move");
        pool.report(&split, own, -9);
        assert_eq!((join(&pool, Some(&split)), own, split.lost()), (None, 1, Some(0)));
        pool.report(&split, 0, 1);
        assert_eq!((split.lost(), scores(&split)), (None, Some(vec![(0, 1), (1, -9)])));
        pool.abort(&split);
        assert!(split.is_cut() && scores(&split).is_none());
    }
}
