//! The main thread's task at the root, broadcast to the helping threads.
//!
//! A helper that deepened by itself would search other windows, and bounds of other windows are of
//! little use to the main thread. So all threads search the same moves with the same window, and
//! [`SearchingTable`](super::abdada::SearchingTable) makes them take different ones.

use super::types::{IterationPlan, Score};
use flipside_support::parker::Parker;
use flipside_support::thread_pool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    present: Mutex<Present<M>>,
    task_id: AtomicU64,
    /// How often a helper polls for the next task before it sleeps.
    polls: u32,
}

struct Present<M> {
    task: Option<RootTask<M>>,
    /// Helpers that wait for the next task.
    waiting: Vec<Arc<Parker>>,
}

impl<M> Present<M> {
    fn wake(&mut self) {
        self.waiting.drain(..).for_each(|parker| parker.signal());
    }
}

impl<M: Clone> RootBroadcast<M> {
    /// No task yet, for a search by this many threads.
    pub fn new(threads: usize) -> RootBroadcast<M> {
        let present = Mutex::new(Present { task: None, waiting: Vec::new() });
        RootBroadcast { present, task_id: AtomicU64::new(0), polls: thread_pool::polls(threads) }
    }

    fn lock(&self) -> MutexGuard<'_, Present<M>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the present task; helpers join this one.
    pub fn set(&self, task: RootTask<M>) {
        let mut present = self.lock();
        present.task = Some(task);
        // The mutex orders the task; a helper that sees the number late only works a little
        // longer.
        self.task_id.fetch_add(1, Ordering::Relaxed);
        present.wake();
    }

    /// Wakes helpers that wait, so that they see that the search is over.
    pub fn wake(&self) {
        self.lock().wake();
    }

    /// The number of the present task: when it changes, the old task is over.
    pub fn task_id(&self) -> &AtomicU64 {
        &self.task_id
    }

    /// Waits for a task after number `seen`, and adds the time to `idle`; `None` once `is_over` returns true.
    pub fn next(&self, seen: u64, idle: &mut Duration, is_over: impl Fn() -> bool) -> Option<(u64, RootTask<M>)> {
        while !is_over() {
            let mut present = self.lock();
            let id = self.task_id.load(Ordering::Relaxed);
            if let Some(task) = present.task.as_ref().filter(|_| id != seen) {
                return Some((id, task.clone()));
            }
            // Under the lock nobody signals between this test and the wait.
            if is_over() {
                break;
            }
            let parker = Parker::new();
            present.waiting.push(parker.clone());
            drop(present);
            *idle += parker.wait(self.polls, &is_over);
        }
        None
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
        let (stop, nodes, broadcast) = (Stop::new(&Limits::default()), AtomicU64::new(0), RootBroadcast::new(2));
        let mut budget = Budget::new(&stop, &nodes);
        let task = |depth| RootTask { moves: vec![3], window: (-5, 5), plan: IterationPlan::plies(depth) };
        broadcast.set(task(7));
        let (id, first) = broadcast.next(0, &mut Duration::default(), || false).expect("the task");
        budget.join_task(broadcast.task_id(), id);
        assert_eq!(first.plan.depth, 7);
        assert!(!budget.poll() && !budget.end()());
        broadcast.set(task(8));
        assert!(budget.end()() && budget.poll() && !stop.is_raised(), "only this task is over");
        let (id, second) = broadcast.next(id, &mut Duration::default(), || false).expect("the next task");
        budget.join_task(broadcast.task_id(), id);
        assert!(second.plan.depth == 8 && !budget.is_stopped());
        assert!(broadcast.next(id, &mut Duration::default(), || true).is_none());
    }

    #[test]
    fn a_helper_that_sleeps_is_woken_by_a_task_and_by_the_end() {
        const PATIENCE: Duration = Duration::from_secs(60);
        let (broadcast, over) = (RootBroadcast::new(2), AtomicU64::new(0));
        let (told, heard) = mpsc::channel();
        let begun = Instant::now();
        // If the test fails, the helper must end, too.
        let is_over = || over.load(Ordering::Relaxed) == 1 || begun.elapsed() > 5 * PATIENCE;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (told, mut seen) = (told, 0);
                while let Some((id, task)) = broadcast.next(seen, &mut Duration::default(), is_over) {
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
