//! When a search must end: the stop flag that all its threads share, and the budget that each thread keeps.

use super::types::{Depth, MAX_DEPTH, Selectivity};
use flipside_support::cache_line::CacheLine;
use flipside_support::clock::Instant;
use flipside_support::{host_stop, virtual_processors};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Nodes between two polls of the clock and the stop flag. At a few million nodes a second
/// that is well under a millisecond.
pub const POLL_INTERVAL: u64 = 1024;
/// A helping thread polls this many times as often whether its task is over: short iterations have
/// a few hundred nodes.
const HELPER_POLLS: u64 = 16;

/// Time of a search that nothing else limits.
pub const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// What a search may use. An absent limit is unlimited; the library's `Engine` adds
/// [`Limits::or_default_time`].
///
/// ```
/// use flipside_core::search::limits::Limits;
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
    /// After this long no new iteration starts.
    pub soft: Option<Duration>,
    /// After this long the search ends at once.
    pub hard: Option<Duration>,
    /// Stop once a win within this many moves is proven.
    pub mate: Option<u32>,
}

impl Limits {
    /// Plies at most.
    pub fn depth(plies: u32) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// Positions at most, over all threads.
    pub fn nodes(positions: u64) -> Limits {
        Limits { nodes: Some(positions), ..Limits::default() }
    }

    /// This long at most. The search uses all of it unless it has nothing more to learn.
    pub fn time(time: Duration) -> Limits {
        Limits { hard: Some(time), ..Limits::default() }
    }

    /// These limits; with [`DEFAULT_TIME`] as well if none of them ends every search. A time of
    /// [`Duration::MAX`] has no end.
    pub fn or_default_time(self) -> Limits {
        let ends = self.depth.is_some() || self.nodes.is_some() || self.soft.is_some() || self.hard.is_some();
        if ends { self } else { Limits { hard: Some(DEFAULT_TIME), ..self } }
    }

    /// The depth of the last iteration, at least 1.
    pub fn max_depth(&self) -> Depth {
        let depth = self.depth.map_or(MAX_DEPTH, |plies| Depth::try_from(plies).unwrap_or(MAX_DEPTH));
        depth.clamp(1, MAX_DEPTH)
    }
}

/// How the threads of a search worked together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParallelWork {
    /// Time that threads waited for work, all of them together.
    pub idle: Duration,
    /// Positions searched for nothing, because another move caused a cutoff or another thread had found the value.
    pub discarded: u64,
    /// Split points opened.
    pub splits: u64,
    /// Times that a thread joined one.
    pub joins: u64,
}

impl ParallelWork {
    /// Adds other work.
    pub fn add(&mut self, other: ParallelWork) {
        self.idle += other.idle;
        self.discarded += other.discarded;
        self.splits += other.splits;
        self.joins += other.joins;
    }
}

/// What all threads of a search count together.
#[derive(Debug, Default)]
struct Counts {
    /// See [`Stop::entered`].
    entered: AtomicU64,
    /// See [`Stop::generated`].
    listed: AtomicU64,
}

/// The stop flag of one search and its clock, shared by its threads and the session: raised once, never lowered.
#[derive(Debug)]
pub struct Stop {
    raised: AtomicBool,
    start: Instant,
    /// Microseconds after `start` at which the search ends; `u64::MAX` for never. Kept in an
    /// atomic so that a ponder hit can start the clock of a search under way.
    hard: AtomicU64,
    soft: AtomicU64,
    /// Microseconds after `start` at which the search ends although its limits allow more; the
    /// search makes no decision by it.
    guard: u64,
    nodes: Option<u64>,
    /// Written by all threads, and so apart from the flag, which all read.
    counts: CacheLine<Counts>,
    /// See [`Stop::parallel_work`].
    parallel_work: Mutex<ParallelWork>,
}

impl Stop {
    /// A flag for a search that starts now.
    pub fn new(limits: &Limits) -> Stop {
        let stop = Stop {
            raised: AtomicBool::new(false),
            start: Instant::now(),
            hard: AtomicU64::new(u64::MAX),
            soft: AtomicU64::new(u64::MAX),
            guard: u64::MAX,
            nodes: limits.nodes,
            counts: CacheLine::default(),
            parallel_work: Mutex::default(),
        };
        stop.set_time(limits.soft, limits.hard);
        stop
    }

    /// The same flag, which also ends the search after this long: a host's guard against a search
    /// that never ends. It is not a limit: a search that ends in time is the same as without it.
    pub fn guarded(self, guard: Option<Duration>) -> Stop {
        Stop { guard: guard.map_or(u64::MAX, |guard| guard.as_micros() as u64), ..self }
    }

    /// Sets the bounds of time, counted from now.
    pub fn set_time(&self, soft: Option<Duration>, hard: Option<Duration>) {
        let microseconds = |bound| u64::try_from(self.start.elapsed().saturating_add(bound).as_micros());
        let from_start =
            |bound: Option<Duration>| bound.map_or(u64::MAX, |bound| microseconds(bound).unwrap_or(u64::MAX));
        self.soft.store(from_start(soft), Ordering::Relaxed);
        self.hard.store(from_start(hard), Ordering::Relaxed);
    }

    /// True if time or nodes will end the search.
    pub fn is_bounded(&self) -> bool {
        self.nodes.is_some() || self.hard().is_some()
    }

    /// Ends the search at the next poll.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// True once the search must end, for any reason.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || host_stop::is_requested()
    }

    /// For a search that keeps no [`Budget`]: adds positions that a thread has entered since its last call; true once the
    /// search must end.
    pub fn poll(&self, entered: u64) -> bool {
        self.report(entered);
        let is_over = self.is_over();
        if is_over {
            self.raise();
        }
        is_over
    }

    fn is_over(&self) -> bool {
        self.is_raised() || self.is_out_of_time()
    }

    fn report(&self, entered: u64) {
        self.counts.entered.fetch_add(entered, Ordering::Relaxed);
    }

    /// Positions that all threads have entered so far, less a few that none has reported yet.
    pub fn entered(&self) -> u64 {
        self.counts.entered.load(Ordering::Relaxed)
    }

    /// Positions that the endgame solver has generated so far: those that it entered, and each time that it ranked a child
    /// or looked one up in its table without entering it. Other programs count these, too.
    pub fn generated(&self) -> u64 {
        self.entered() + self.counts.listed.load(Ordering::Relaxed)
    }

    /// How the threads have worked together, as far as they have ended.
    pub fn parallel_work(&self) -> ParallelWork {
        *self.parallel_work.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn is_out_of_time(&self) -> bool {
        let end = self.hard.load(Ordering::Relaxed).min(self.guard);
        end != u64::MAX && self.start.elapsed().as_micros() as u64 >= end
    }
}

/// The remaining budget of a search, counted in positions to enter.
#[derive(Clone, Copy, Debug)]
pub struct RemainingBudget<'a> {
    /// Up to the node limit; `None` without one.
    pub nodes: Option<u64>,
    /// Up to the hard bound of time, or half as much again as the soft one if that comes first, at
    /// the pace of the search so far; `None` without a bound.
    pub time: Option<u64>,
    /// Ends it at once.
    pub stop: &'a Stop,
}

/// One thread's node count, and when it polls the [`Stop`].
#[derive(Debug)]
pub struct Budget<'a> {
    stop: &'a Stop,
    /// Positions entered by this thread.
    pub nodes: u64,
    /// Children ranked or looked up by this thread, see [`Stop::generated`].
    pub listed: u64,
    /// The node count at which the clock is polled next.
    next_poll: u64,
    shared: &'a AtomicU64,
    reported: u64,
    /// The node count at the last poll.
    polled: u64,
    /// This thread's part of the work together.
    pub parallel_work: ParallelWork,
    stopped: bool,
    /// How much ProbCut may prune in the present iteration.
    pub selectivity: Selectivity,
    /// Threads of the search.
    pub threads: usize,
    /// True for a helping thread in a solve: it joins the solver's split points and returns no score.
    pub helps_solver: bool,
    /// The helper's task, a counter and its value: the task ends when the counter moves on.
    task: Option<(&'a AtomicU64, u64)>,
}

impl<'a> Budget<'a> {
    /// A fresh budget. `shared` sums the nodes of all threads of one search.
    pub fn new(stop: &'a Stop, shared: &'a AtomicU64) -> Budget<'a> {
        let mut budget = Budget {
            stop,
            nodes: 0,
            listed: 0,
            next_poll: 0,
            shared,
            reported: 0,
            polled: 0,
            parallel_work: ParallelWork::default(),
            stopped: false,
            selectivity: Selectivity::EXACT,
            threads: 1,
            helps_solver: false,
            task: None,
        };
        budget.schedule_poll();
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

    /// Joins the task of this number, until the counter `tasks` moves on.
    pub fn join_task(&mut self, tasks: &'a AtomicU64, number: u64) {
        self.task = Some((tasks, number));
        self.stopped = false;
    }

    /// True for a helping thread: only what it stores in the transposition table counts.
    pub fn is_helper(&self) -> bool {
        self.task.is_some()
    }

    /// A test whether this thread's work is over, because the search or its task has ended; it
    /// counts no node.
    pub fn end(&self) -> impl Fn() -> bool + use<'a> {
        let (stop, task) = (self.stop, self.task);
        move || stop.is_raised() || task.is_some_and(|(tasks, number)| tasks.load(Ordering::Relaxed) != number)
    }

    /// The stop flag that this budget polls.
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

    /// Adds this thread's nodes since the last call to the shared sum.
    pub fn report(&mut self) {
        let more = self.nodes - self.reported;
        self.shared.fetch_add(more, Ordering::Relaxed);
        self.stop.report(more);
        self.stop.counts.listed.fetch_add(std::mem::take(&mut self.listed), Ordering::Relaxed);
        self.reported = self.nodes;
    }

    /// Polls the clock and the stop flag; true when the search must end now.
    #[cold]
    pub fn poll(&mut self) -> bool {
        virtual_processors::advance(self.nodes - self.polled);
        self.polled = self.nodes;
        // A helper polls often, because its task may end soon. If it reported as often, all threads would wait for the
        // cache line of the sum.
        let is_due = self.task.is_none() || self.nodes - self.reported >= POLL_INTERVAL || self.stop.nodes.is_some();
        if is_due {
            self.report();
            if self.stop.is_over() || self.stop.nodes.is_some_and(|limit| self.total() >= limit) {
                self.stop.raise();
                self.stopped = true;
            }
        }
        self.stopped |= self.end()();
        self.schedule_poll();
        self.stopped
    }

    /// The next poll comes after [`POLL_INTERVAL`] nodes, earlier at the node limit and where the
    /// end of a task must not be missed.
    fn schedule_poll(&mut self) {
        let left = self.stop.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.total()));
        let usual = if self.task.is_some() { POLL_INTERVAL / HELPER_POLLS } else { POLL_INTERVAL };
        let every = virtual_processors::poll_interval().unwrap_or(usual);
        self.next_poll = self.nodes + left.clamp(1, every);
    }
}

impl Drop for Budget<'_> {
    fn drop(&mut self) {
        self.report();
        if self.parallel_work != ParallelWork::default() {
            self.stop.parallel_work.lock().unwrap_or_else(PoisonError::into_inner).add(self.parallel_work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_end_no_search_are_given_a_time() {
        let given = |limits: Limits| limits.clone().or_default_time() != limits;
        assert!(given(Limits::default()) && given(Limits { mate: Some(3), ..Limits::default() }));
        let soft = Limits { soft: Some(Duration::from_secs(9)), ..Limits::default() };
        assert!(![soft, Limits::depth(9), Limits::nodes(9), Limits::time(Duration::MAX)].into_iter().any(given));
        assert!(Stop::new(&Limits::default().or_default_time()).is_bounded());
        assert!(!Stop::new(&Limits::time(Duration::MAX).or_default_time()).is_bounded());
    }
}
