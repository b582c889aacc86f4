//! The main thread's task at the root, broadcast to the helping threads.
//!
//! A helper that deepened by itself would search other windows, and bounds of other windows are of
//! little use to the main thread. So all threads search the same moves with the same window, and
//! [`SearchingTable`](super::abdada::SearchingTable) makes them take different ones.

use super::types::{IterationPlan, Score};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a helper polls for the next task before it sleeps: about as long as waking it would take.
const SPIN_POLLS: u32 = 2_000;
/// How long a helper sleeps before it asks again whether the search is over.
const IDLE_WAIT: Duration = Duration::from_millis(1);

/// A search of root moves.
#[derive(Clone)]
pub struct RootTask<M> {
    /// The moves, in search order.
    pub moves: Vec<M>,
    /// The window.
    pub window: (Score, Score),
    /// Depth and selectivity.
    pub plan: IterationPlan,
}

/// The present task and its number.
pub struct RootBroadcast<M> {
    task: Mutex<Option<RootTask<M>>>,
    task_id: AtomicU64,
    /// Wakes helpers that wait for a task.
    wake: Condvar,
}

impl<M: Clone> RootBroadcast<M> {
    /// No task yet.
    pub fn new() -> RootBroadcast<M> {
        RootBroadcast { task: Mutex::new(None), task_id: AtomicU64::new(0), wake: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Option<RootTask<M>>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the present task; helpers join this one.
    pub fn set(&self, task: RootTask<M>) {
        let mut present = self.lock();
        *present = Some(task);
        // The mutex orders the task; a helper that sees the number late only works a little
        // longer.
        self.task_id.fetch_add(1, Ordering::Relaxed);
        drop(present);
        self.wake.notify_all();
    }

    /// Wakes helpers that wait, so that they see that the search is over.
    pub fn wake(&self) {
        // Under the lock no helper is between its last test and its sleep.
        drop(self.lock());
        self.wake.notify_all();
    }

    /// The number of the present task: when it changes, the old task is over.
    pub fn task_id(&self) -> &AtomicU64 {
        &self.task_id
    }

    /// Waits for a task after number `seen`, asleep if it takes long; `None` once `is_over` returns true.
    pub fn next(&self, seen: u64, is_over: impl Fn() -> bool) -> Option<(u64, RootTask<M>)> {
        let mut polls = 0;
        while !is_over() {
            if polls < SPIN_POLLS && self.task_id.load(Ordering::Relaxed) == seen {
                polls += 1;
                std::hint::spin_loop();
                continue;
            }
            let task = self.lock();
            let id = self.task_id.load(Ordering::Relaxed);
            match &*task {
                Some(task) if id != seen => return Some((id, task.clone())),
                _ if is_over() => return None,
                _ => drop(self.wake.wait_timeout(task, IDLE_WAIT)),
            }
        }
        None
    }
}

impl<M: Clone> Default for RootBroadcast<M> {
    fn default() -> RootBroadcast<M> {
        RootBroadcast::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::{Budget, Limits, Stop};
    use super::*;
    use std::sync::mpsc;
    use std::time::Instant;

    #[test]
    fn a_new_task_ends_the_old_one() {
        let (stop, nodes, broadcast) = (Stop::new(&Limits::default()), AtomicU64::new(0), RootBroadcast::new());
        let mut budget = Budget::new(&stop, &nodes);
        let task = |depth| RootTask { moves: vec![3], window: (-5, 5), plan: IterationPlan::plies(depth) };
        broadcast.set(task(7));
        let (id, first) = broadcast.next(0, || false).expect("the task");
        budget.join_task(broadcast.task_id(), id);
        assert_eq!(first.plan.depth, 7);
        assert!(!budget.poll() && !budget.end()());
        broadcast.set(task(8));
        assert!(budget.end()() && budget.poll() && !stop.is_raised(), "only this task is over");
        let (id, second) = broadcast.next(id, || false).expect("the next task");
        budget.join_task(broadcast.task_id(), id);
        assert!(second.plan.depth == 8 && !budget.is_stopped());
        assert!(broadcast.next(id, || true).is_none());
    }

    #[test]
    fn a_helper_that_sleeps_is_woken_by_a_task_and_by_the_end() {
        const PATIENCE: Duration = Duration::from_secs(60);
        let (broadcast, over) = (RootBroadcast::new(), AtomicU64::new(0));
        let (told, heard) = mpsc::channel();
        let begun = Instant::now();
        // If the test fails, the helper must end, too.
        let is_over = || over.load(Ordering::Relaxed) == 1 || begun.elapsed() > 5 * PATIENCE;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (told, mut seen) = (told, 0);
                while let Some((id, task)) = broadcast.next(seen, is_over) {
                    seen = id;
                    told.send(task.plan.depth).expect("a listener");
                }
            });
            // Long enough for the helper to fall asleep.
            let pause = || std::thread::sleep(Duration::from_millis(5));
            for depth in 1..4 {
                pause();
                broadcast.set(RootTask { moves: vec![3], window: (-5, 5), plan: IterationPlan::plies(depth) });
                assert_eq!(heard.recv_timeout(PATIENCE), Ok(depth));
            }
            pause();
            over.store(1, Ordering::Relaxed);
            broadcast.wake();
            assert_eq!(heard.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
        });
    }
}
