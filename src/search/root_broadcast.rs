//! The main thread's task at the root, broadcast to the helping threads.
//!
//! A helper that deepened by itself would search with other windows, and bounds of other windows
//! are of little use to the main thread. So all search the same moves with the same window, and
//! [`SearchingTable`](super::abdada::SearchingTable) makes them take different ones.

use super::types::{IterationPlan, Score};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A search of root moves.
#[derive(Clone)]
pub struct RootTask<M> {
    /// The moves, in the order in which to try them.
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
}

impl<M: Clone> RootBroadcast<M> {
    /// No task yet.
    pub fn new() -> RootBroadcast<M> {
        RootBroadcast { task: Mutex::new(None), task_id: AtomicU64::new(0) }
    }

    /// Replaces the present task; helpers join this one.
    pub fn set(&self, task: RootTask<M>) {
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        // The mutex orders the task; a helper that sees the number late only works a little longer.
        self.task_id.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the present task: when it changes, the old task is over.
    pub fn task_id(&self) -> &AtomicU64 {
        &self.task_id
    }

    /// Waits for a task after number `seen`; `None` once `is_over` returns true.
    pub fn next(&self, seen: u64, is_over: impl Fn() -> bool) -> Option<(u64, RootTask<M>)> {
        let mut spins = 0_u32;
        while !is_over() {
            let id = self.task_id.load(Ordering::Relaxed);
            if id != seen
                && let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).clone()
            {
                return Some((id, task));
            }
            spins += 1;
            if spins.is_multiple_of(256) { std::thread::yield_now() } else { std::hint::spin_loop() }
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
}
