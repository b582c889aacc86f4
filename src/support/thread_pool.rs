//! The threads of one search. They share the table; the first one is believed in the end.
//!
//! Helping threads outlive a search and wait for the next one: to start a thread takes longer than a short search.
//! `rayon` keeps them, and no more: each has one job for the whole of a search, so that there is nothing to steal.
//! Without the feature `threads` every search has one thread, its caller's.

#[cfg(feature = "threads")]
pub use pool::run;

/// Bytes of stack for a search thread: the recursion keeps its move lists there.
pub const STACK: usize = 16 << 20;

/// Runs `main` on this thread, and nothing beside it: this build knows no other threads.
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

    /// Helpers that no search has at present. Searches side by side have helpers of their own.
    static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());
    /// Looks for the end of the helpers' work before the thread goes to sleep over it.
    const LOOKS: u32 = 1 << 14;

    /// Runs `main` on this thread and `help(n)` on `threads - 1` others, n counting from 1; returns
    /// when all have ended. A helper that panics is logged and forgotten: its work was advice.
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
            let mut looks = 0;
            while left.load(Ordering::Acquire) > 0 && looks < LOOKS {
                looks += 1;
                std::hint::spin_loop();
            }
        });
        let mut idle = idle();
        // Helpers of another number belong to settings that are no more.
        idle.retain(|other| other.current_num_threads() == helpers);
        idle.push(pool);
    }

    fn idle() -> MutexGuard<'static, Vec<ThreadPool>> {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many helpers; none if the system has no threads to give.
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
    fn a_helper_that_panics_is_forgotten() {
        let mut done = 0;
        for _ in 0..2 {
            run(2, &|_| panic!("on purpose"), &mut || done += 1);
        }
        assert_eq!(done, 2);
    }
}
