//! The thread pool of searches: the caller's thread and its helpers.
//!
//! Helper threads outlive a search and wait for the next one, because starting a thread takes longer than a short search.
//! `rayon` is used to keep the threads only: each has one job for a whole search, so that there is nothing to steal.
//! Without the feature `threads` every search runs on its caller's thread alone.

use std::sync::LazyLock;
use std::thread::available_parallelism;

#[cfg(feature = "threads")]
pub use pool::run;

/// Bytes of stack for a search thread: the recursion keeps its move lists there.
pub const STACK: usize = 16 << 20;

/// The threads that are worth starting where so many are asked for: at least one, and at most as many as there are
/// processors for this process. More would search less: they take turns, and wait for each other in between.
pub fn useful(asked: usize) -> usize {
    static PROCESSORS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    asked.clamp(1, *PROCESSORS)
}

/// Runs `main` on this thread; this build has no helper threads.
#[cfg(not(feature = "threads"))]
pub fn run(_threads: usize, _help: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
    main();
}

#[cfg(feature = "threads")]
mod pool {
    use super::STACK;
    use rayon::{ThreadPool, ThreadPoolBuilder};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Pools that no search uses at present. Concurrent searches have pools of their own.
    static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());
    /// How often the end of the helpers' work is polled before the thread goes to sleep.
    const SPINS: u32 = 1 << 14;

    /// Runs `main` on this thread and `help(n)` on `threads - 1` others, n counting from 1; returns
    /// when all have ended. A helper that panics is logged and ignored: its work counts only through the shared table.
    pub fn run(threads: usize, help: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
        let helpers = threads.saturating_sub(1);
        let Some(pool) = (helpers > 0).then(|| take(helpers)).flatten() else { return main() };
        let left = &AtomicUsize::new(helpers);
        pool.in_place_scope(|scope| {
            for number in 1..=helpers {
                scope.spawn(move |_| {
                    if catch_unwind(AssertUnwindSafe(|| help(number))).is_err() {
                        log::error!("a helping search thread panicked");
                    }
                    left.fetch_sub(1, Ordering::Release);
                });
            }
            main();
            let mut spins = 0;
            while left.load(Ordering::Acquire) > 0 && spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            }
        });
        let mut idle = idle();
        // Pools of another size belong to earlier settings.
        idle.retain(|other| other.current_num_threads() == helpers);
        idle.push(pool);
    }

    fn idle() -> MutexGuard<'static, Vec<ThreadPool>> {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A pool of so many helpers; `None` if the system cannot start the threads.
    fn take(helpers: usize) -> Option<ThreadPool> {
        let mut idle = idle();
        if let Some(found) = idle.iter().position(|pool| pool.current_num_threads() == helpers) {
            return Some(idle.swap_remove(found));
        }
        drop(idle);
        let named = |number| format!("search-{}", number + 1);
        let builder = ThreadPoolBuilder::new().num_threads(helpers).stack_size(STACK).thread_name(named);
        builder.build().inspect_err(|error| log::warn!("{error}")).ok()
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
