//! The thread of an engine's searches. It starts with the engine and runs one search after the other. A search
//! therefore never fails because no thread can be started, and the threads of a stopped search have ended before the
//! next one begins.
//!
//! Without the feature `threads` a search runs on its caller's thread, and is over when [`SearchRunner::run`] returns.

#[cfg(feature = "threads")]
pub(super) use in_thread::SearchRunner;
#[cfg(not(feature = "threads"))]
pub(super) use on_caller::SearchRunner;

#[cfg(feature = "threads")]
mod in_thread {
    use super::super::dyn_engine::SearchHandle;
    use flipside_core::games::searcher_settings::OpenError;
    use flipside_core::search::limits::Stop;
    use flipside_support::thread_pool::STACK;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};

    type Job = Box<dyn FnOnce() + Send>;

    /// The search thread; it ends when this is dropped and its last search is over.
    pub(crate) struct SearchRunner {
        jobs: Sender<Job>,
    }

    impl SearchRunner {
        /// Starts the thread.
        ///
        /// # Errors
        /// The system cannot start a thread.
        pub fn start() -> Result<SearchRunner, OpenError> {
            SearchRunner::with_stack(STACK)
        }

        pub(super) fn with_stack(bytes: usize) -> Result<SearchRunner, OpenError> {
            let (jobs, inbox) = channel::<Job>();
            let work = move || {
                for job in inbox {
                    // The panic hook logs the panic; the search's `done` is dropped unsent.
                    let _ = catch_unwind(AssertUnwindSafe(job));
                }
            };
            let builder = std::thread::Builder::new().name("search".into()).stack_size(bytes);
            builder.spawn(work).map_err(|error| OpenError::Thread(error.to_string()))?;
            Ok(SearchRunner { jobs })
        }

        /// Queues a search behind the earlier ones; `stop` ends it early.
        pub fn run(&self, stop: Arc<Stop>, search: impl FnOnce() + Send + 'static) -> SearchHandle {
            let (done, ended) = channel();
            let job = move || {
                search();
                // The receiver may be gone.
                let _ = done.send(());
            };
            // The thread lives as long as this sender.
            let _ = self.jobs.send(Box::new(job));
            SearchHandle { stop, ended }
        }
    }
}

#[cfg(not(feature = "threads"))]
mod on_caller {
    use super::super::dyn_engine::SearchHandle;
    use flipside_core::games::searcher_settings::OpenError;
    use flipside_core::search::limits::Stop;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    /// Runs searches on the caller's thread.
    pub(crate) struct SearchRunner;

    impl SearchRunner {
        /// Never fails; the signature is the same as with threads.
        pub fn start() -> Result<SearchRunner, OpenError> {
            Ok(SearchRunner)
        }

        /// Runs a search to its end, or until the receiver of its reports raises `stop`.
        pub fn run(&self, stop: Arc<Stop>, search: impl FnOnce() + Send + 'static) -> SearchHandle {
            let (done, ended) = channel();
            if catch_unwind(AssertUnwindSafe(search)).is_ok() {
                // The receiver is below.
                let _ = done.send(());
            }
            SearchHandle { stop, ended }
        }
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use super::SearchRunner;
    use crate::engine::dyn_engine::SearchHandle;
    use flipside_core::games::searcher_settings::OpenError;
    use flipside_core::search::limits::Limits;
    use flipside_core::search::limits::Stop;
    use std::sync::Arc;
    use std::sync::Mutex;

    #[test]
    fn a_thread_that_cannot_be_had_is_an_error() {
        assert!(matches!(SearchRunner::with_stack(1 << 60), Err(OpenError::Thread(_))));
    }

    #[test]
    fn searches_come_one_after_the_other_even_after_a_panic() {
        let (runner, order) = (SearchRunner::start().expect("a thread"), Arc::new(Mutex::new(Vec::new())));
        let handles: Vec<SearchHandle> = (0..5)
            .map(|number| {
                let order = Arc::clone(&order);
                runner.run(Arc::new(Stop::new(&Limits::default())), move || {
                    order.lock().expect("the list").push(number);
                    assert!(number != 2, "on purpose");
                })
            })
            .collect();
        let ended: Vec<bool> = handles.into_iter().map(|handle| handle.join().is_ok()).collect();
        assert_eq!(ended, [true, true, false, true, true]);
        assert_eq!(*order.lock().expect("the list"), [0, 1, 2, 3, 4]);
    }
}
