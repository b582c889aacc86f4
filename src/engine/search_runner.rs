//! The thread of an engine's searches. It is started with the engine and takes one search after the other: no search fails
//! for want of a thread, and however quickly searches follow each other, the threads of a stopped one have ended before
//! those of the next begin.

use super::dyn_engine::{OpenError, SearchHandle};
use crate::search::limits::Stop;
use crate::support::thread_pool::STACK;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

type Job = Box<dyn FnOnce() + Send>;

/// The thread; it ends when this is dropped and its last search is over.
pub(super) struct SearchRunner {
    jobs: Sender<Job>,
}

impl SearchRunner {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start() -> Result<SearchRunner, OpenError> {
        let (jobs, inbox) = channel::<Job>();
        let work = move || {
            for job in inbox {
                // The panic itself is logged by the hook; its search has no `done` to send.
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        };
        let builder = std::thread::Builder::new().name("search".into()).stack_size(STACK);
        builder.spawn(work).map_err(|error| OpenError::Thread(error.to_string()))?;
        Ok(SearchRunner { jobs })
    }

    /// Runs a search, which ends early by `stop`, after those before it.
    pub fn run(&self, stop: Arc<Stop>, search: impl FnOnce() + Send + 'static) -> SearchHandle {
        let (done, ended) = channel();
        let job = move || {
            search();
            // Nobody need wait for it.
            let _ = done.send(());
        };
        // The thread lives as long as this sender.
        let _ = self.jobs.send(Box::new(job));
        SearchHandle { stop, ended }
    }
}
