//! What the first thread of a search is doing at the root, so that the others can do it with it.
//!
//! A helper that deepened by itself would search with other windows, and bounds of other windows
//! are of little use to the first thread. So all search the same moves with the same window, and
//! [`SearchingTable`](super::abdada::SearchingTable) sees to it that they take different ones.

use super::types::{Effort, Score};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A search of moves of the root.
#[derive(Clone)]
pub struct RootTask<M> {
    /// The moves, in the order in which to try them.
    pub moves: Vec<M>,
    /// The window.
    pub window: (Score, Score),
    /// Plies, and how much may be cut.
    pub effort: Effort,
}

/// The present task and its number.
pub struct RootBroadcast<M> {
    task: Mutex<Option<RootTask<M>>>,
    step: AtomicU64,
}

impl<M: Clone> RootBroadcast<M> {
    /// No task yet.
    pub fn new() -> RootBroadcast<M> {
        RootBroadcast { task: Mutex::new(None), step: AtomicU64::new(0) }
    }

    /// Ends the present task; this one is there for all to take.
    pub fn set(&self, task: RootTask<M>) {
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        // The mutex orders the task; whoever sees the number late only works a little longer.
        self.step.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts tasks: whoever sees it change has nothing more to do at the old one.
    pub fn step(&self) -> &AtomicU64 {
        &self.step
    }

    /// Waits for a task after number `seen`; `None` once `is_over` says so.
    pub fn next(&self, seen: u64, is_over: impl Fn() -> bool) -> Option<(u64, RootTask<M>)> {
        let mut looks = 0_u32;
        while !is_over() {
            let step = self.step.load(Ordering::Relaxed);
            if step != seen
                && let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).clone()
            {
                return Some((step, task));
            }
            looks += 1;
            if looks.is_multiple_of(256) { std::thread::yield_now() } else { std::hint::spin_loop() }
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
    fn a_new_task_calls_off_the_old_one() {
        let (stop, nodes, broadcast) = (Stop::new(&Limits::default()), AtomicU64::new(0), RootBroadcast::new());
        let mut budget = Budget::new(&stop, &nodes);
        let task = |depth| RootTask { moves: vec![3], window: (-5, 5), effort: Effort::plies(depth) };
        broadcast.set(task(7));
        let (step, first) = broadcast.next(0, || false).expect("the task");
        budget.take_up(broadcast.step(), step);
        assert_eq!(first.effort.depth, 7);
        assert!(!budget.poll() && !budget.end()());
        broadcast.set(task(8));
        assert!(budget.end()() && budget.poll() && !stop.is_raised(), "only this task is over");
        let (step, second) = broadcast.next(step, || false).expect("the next task");
        budget.take_up(broadcast.step(), step);
        assert!(second.effort.depth == 8 && !budget.is_stopped());
        assert!(broadcast.next(step, || true).is_none());
    }
}
