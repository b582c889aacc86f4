//! The thread pool of searches: the caller's thread and its helpers.
//!
//! Helper threads stay after a search and wait for the next one, because starting a thread takes
//! longer than a short search. `rayon` only keeps the threads: each has one job for a whole
//! search, so nothing is stolen. Without the feature `threads` every search runs on its caller's
//! thread alone.

use std::sync::LazyLock;
use std::thread::available_parallelism;

#[cfg(feature = "threads")]
pub use pool::run;

/// Bytes of stack for a search thread: the recursion keeps its move lists there.
pub const STACK: usize = 16 << 20;

/// For tests: the number of processors to start threads for, whatever the machine has.
const VARIABLE: &str = "FLIPSIDE_PROCESSORS";

/// How often a waiting thread polls before it sleeps: a millisecond or less. A wait inside a solve is shorter, and waking
/// a thread takes as long as searching thousands of positions.
const POLLS: u32 = 20_000;

/// The processors of this process.
static PROCESSORS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));

/// The number of threads worth starting where this many are asked for: at least one, at most the
/// processors of this process. More would search less: they take turns and wait for each other.
pub fn useful(asked: usize) -> usize {
    static MOST: LazyLock<usize> = LazyLock::new(|| {
        let set = std::env::var(VARIABLE).ok().and_then(|value| value.parse().ok());
        set.unwrap_or(*PROCESSORS)
    });
    asked.clamp(1, (*MOST).max(1))
}

/// How often one of this many threads polls before it sleeps, while it waits for another one. Where threads take turns
/// on the processors, it would only keep the other one from its work.
pub fn polls(threads: usize) -> u32 {
    if threads > *PROCESSORS { 0 } else { POLLS }
}

/// Runs `main` on this thread; this build has no helper threads.
#[cfg(not(feature = "threads"))]
pub fn run(_threads: usize, _help: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
    main();
}

#[cfg(feature = "threads")]
mod pool {
    use super::STACK;
    use crate::virtual_processors;
    use rayon::{ThreadPool, ThreadPoolBuilder};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Threads that wait for a search.
    struct Helpers {
        /// As many as were asked for; the system may have granted fewer.
        wanted: usize,
        pool: ThreadPool,
    }

    /// Helpers that no search is using. Searches that run at the same time have helpers of their
    /// own.
    static IDLE: Mutex<Vec<Helpers>> = Mutex::new(Vec::new());
    /// Searches with helpers that are running.
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    /// How often the end of the helpers' work is polled before the thread goes to sleep.
    const SPINS: u32 = 1 << 14;

    /// Runs `main` on this thread and `help(n)` on `threads - 1` others, n counting from 1, or on
    /// fewer if the system grants fewer; returns when all have ended. A helper that panics is
    /// logged and ignored: its work counts only through the shared table.
    pub fn run(threads: usize, help: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
        let wanted = threads.saturating_sub(1);
        let Some(helpers) = (wanted > 0).then(|| take(wanted)).flatten() else { return main() };
        RUNNING.fetch_add(1, Ordering::Relaxed);
        let count = helpers.pool.current_num_threads();
        let left = &AtomicUsize::new(count);
        let processors = &virtual_processors::Helpers::start(count);
        helpers.pool.in_place_scope(|scope| {
            for number in 1..=count {
                scope.spawn(move |_| {
                    if let Some(processors) = processors {
                        processors.enter(number);
                    }
                    if catch_unwind(AssertUnwindSafe(|| help(number))).is_err() {
                        log::error!("a helping search thread panicked");
                    }
                    if let Some(processors) = processors {
                        processors.leave();
                    }
                    left.fetch_sub(1, Ordering::Release);
                });
            }
            main();
            if let Some(processors) = processors {
                processors.await_end();
            }
            let mut spins = 0;
            while left.load(Ordering::Acquire) > 0 && spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            }
        });
        if let Some(processors) = processors {
            processors.end();
        }
        let others = RUNNING.fetch_sub(1, Ordering::Relaxed) - 1;
        let mut idle = idle();
        idle.push(helpers);
        // Pools of another size belong to earlier settings; those beyond the number of searches
        // were for searches that overlapped.
        idle.retain(|helpers| helpers.wanted == wanted);
        idle.truncate(others + 1);
    }

    fn idle() -> MutexGuard<'static, Vec<Helpers>> {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This many helpers, or as many as the system grants; `None` if it grants none.
    fn take(wanted: usize) -> Option<Helpers> {
        let mut idle = idle();
        if let Some(found) = idle.iter().position(|helpers| helpers.wanted == wanted) {
            return Some(idle.swap_remove(found));
        }
        drop(idle);
        let named = |number| format!("search-{}", number + 1);
        let builder = |count| ThreadPoolBuilder::new().num_threads(count).stack_size(STACK).thread_name(named);
        let halves = std::iter::successors(Some(wanted), |count| Some(count / 2).filter(|&half| half > 0));
        let pool = halves.into_iter().find_map(|count| {
            builder(count).build().inspect_err(|error| log::warn!("{count} more threads for a search: {error}")).ok()
        })?;
        Some(Helpers { wanted, pool })
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn searches_inside_searches_have_helpers_of_their_own() {
        let helped = Mutex::new(Vec::new());
        let note = |number| helped.lock().expect("the list").push(number);
        let mut done = 0;
        run(3, &note, &mut || run(2, &|number| note(10 * number), &mut || done += 1));
        let mut helped = helped.into_inner().expect("the list");
        helped.sort_unstable();
        assert_eq!((done, helped), (1, vec![1, 2, 10]));
    }

    #[test]
    fn a_helper_that_panics_is_ignored() {
        let mut done = 0;
        for _ in 0..2 {
            run(2, &|_| panic!("on purpose"), &mut || done += 1);
        }
        assert_eq!(done, 2);
    }
}
