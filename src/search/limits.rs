//! When a search must end: the stop flag that others raise, and the budget that it keeps itself.

use super::types::Selectivity;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock and at the stop flag. At a few million nodes a second
/// that is well under a millisecond.
pub const CHECK_EVERY: u64 = 1024;
/// So many times as often a helper looks whether its task is over: short iterations have a few hundred nodes.
const HELPER_LOOKS: u64 = 16;

/// What a search may use. Everything absent is unlimited.
///
/// ```
/// use flipside::Limits;
/// use std::time::Duration;
///
/// let limits = Limits { nodes: Some(1_000_000), ..Limits::time(Duration::from_secs(1)) };
/// assert_eq!((limits.depth, limits.nodes), (None, Some(1_000_000)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Plies at most.
    pub depth: Option<u32>,
    /// Positions at most, over all threads. One thread keeps to it exactly.
    pub nodes: Option<u64>,
    /// After this long no new iteration is worth starting.
    pub soft: Option<Duration>,
    /// After this long the search ends wherever it is.
    pub hard: Option<Duration>,
    /// Stop once a win within this many moves is proven.
    pub mate: Option<u32>,
}

impl Limits {
    /// So many plies at most.
    pub fn depth(plies: u32) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// So many positions at most, over all threads.
    pub fn nodes(positions: u64) -> Limits {
        Limits { nodes: Some(positions), ..Limits::default() }
    }

    /// So long at most. The search uses all of it unless it has nothing more to learn.
    pub fn time(time: Duration) -> Limits {
        Limits { hard: Some(time), ..Limits::default() }
    }
}

/// The end of one search, shared by its threads and the session: raised once, never lowered.
#[derive(Debug)]
pub struct Stop {
    raised: AtomicBool,
    start: Instant,
    /// Milliseconds after `start` at which the search ends; `u64::MAX` for never. Kept in an
    /// atomic so that a ponder hit can start the clock of a search under way.
    hard: AtomicU64,
    soft: AtomicU64,
    nodes: Option<u64>,
}

impl Stop {
    /// A flag for a search that starts now.
    pub fn new(limits: &Limits) -> Stop {
        let stop = Stop {
            raised: AtomicBool::new(false),
            start: Instant::now(),
            hard: AtomicU64::new(u64::MAX),
            soft: AtomicU64::new(u64::MAX),
            nodes: limits.nodes,
        };
        stop.set_time(limits.soft, limits.hard);
        stop
    }

    /// Sets the time bounds, counted from now.
    pub fn set_time(&self, soft: Option<Duration>, hard: Option<Duration>) {
        let from_start =
            |bound: Option<Duration>| bound.map_or(u64::MAX, |bound| (self.start.elapsed() + bound).as_micros() as u64);
        self.soft.store(from_start(soft), Ordering::Relaxed);
        self.hard.store(from_start(hard), Ordering::Relaxed);
    }

    /// Ends the search at the next look.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// True once the search is over, whoever ended it.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The soft bound, if there is one, counted from the start of the search.
    pub fn soft(&self) -> Option<Duration> {
        let soft = self.soft.load(Ordering::Relaxed);
        (soft != u64::MAX).then(|| Duration::from_micros(soft))
    }

    /// The hard bound, if there is one, counted from the start of the search.
    pub fn hard(&self) -> Option<Duration> {
        let hard = self.hard.load(Ordering::Relaxed);
        (hard != u64::MAX).then(|| Duration::from_micros(hard))
    }

    fn late(&self) -> bool {
        let hard = self.hard.load(Ordering::Relaxed);
        hard != u64::MAX && self.start.elapsed().as_micros() as u64 >= hard
    }
}

/// One thread's count of nodes and its info of the [`Stop`].
#[derive(Debug)]
pub struct Budget<'a> {
    stop: &'a Stop,
    /// Positions entered by this thread.
    pub nodes: u64,
    /// Positions entered by the other threads, as far as known.
    next_poll: u64,
    shared: &'a AtomicU64,
    reported: u64,
    stopped: bool,
    /// How much the present step may cut.
    pub selectivity: Selectivity,
    /// True for a thread that comes to a solver to help there, not for a score.
    pub helper: bool,
    /// What a helper works at: it ends when the number is no longer this.
    task: Option<(&'a AtomicU64, u64)>,
}

impl<'a> Budget<'a> {
    /// A fresh budget. `shared` sums the nodes of all threads of one search.
    pub fn new(stop: &'a Stop, shared: &'a AtomicU64) -> Budget<'a> {
        let mut budget = Budget {
            stop,
            nodes: 0,
            next_poll: 0,
            shared,
            reported: 0,
            stopped: false,
            selectivity: Selectivity::EXACT,
            helper: false,
            task: None,
        };
        budget.plan();
        budget
    }

    /// Counts a position entered; true when the search must end now.
    #[inline(always)]
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll() } else { self.stopped }
    }

    /// True once the search must end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Takes up the task of this number of `tasks`.
    pub fn take_up(&mut self, tasks: &'a AtomicU64, number: u64) {
        self.task = Some((tasks, number));
        self.stopped = false;
    }

    /// True if nobody waits for the results but for what they leave in the table.
    pub fn is_helper(&self) -> bool {
        self.task.is_some()
    }

    /// Tells, without counting nodes, when the work of this thread is over: the search ends, or nobody waits for
    /// the task any more.
    pub fn end(&self) -> impl Fn() -> bool + use<'a> {
        let (stop, task) = (self.stop, self.task);
        move || stop.is_raised() || task.is_some_and(|(tasks, number)| tasks.load(Ordering::Relaxed) != number)
    }

    /// The flag that this budget watches.
    pub fn stop(&self) -> &'a Stop {
        self.stop
    }

    /// Where all threads of the search sum their nodes.
    pub fn shared(&self) -> &'a AtomicU64 {
        self.shared
    }

    /// Nodes of all threads so far; exact for this one.
    pub fn total(&self) -> u64 {
        self.shared.load(Ordering::Relaxed) - self.reported + self.nodes
    }

    /// Adds what this thread has not yet added to the shared sum.
    pub fn report(&mut self) {
        self.shared.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    /// Looks at the clock and the stop flag; true when the search must end now.
    #[cold]
    pub fn poll(&mut self) -> bool {
        self.report();
        if self.stop.is_raised() || self.stop.late() || self.stop.nodes.is_some_and(|limit| self.total() >= limit) {
            self.stop.raise();
            self.stopped = true;
        }
        self.stopped |= self.end()();
        self.plan();
        self.stopped
    }

    /// The next look comes after [`CHECK_EVERY`] nodes, or earlier at the node limit and where the end of a task must
    /// not be missed.
    fn plan(&mut self) {
        let left = self.stop.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.total()));
        let every = if self.task.is_some() { CHECK_EVERY / HELPER_LOOKS } else { CHECK_EVERY };
        self.next_poll = self.nodes + left.clamp(1, every);
    }
}

impl Drop for Budget<'_> {
    fn drop(&mut self) {
        self.report();
    }
}
