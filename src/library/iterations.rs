//! A running search as an iterator.

use super::analysis::Analysis;
use super::searchable::{self, Searchable};
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::searcher::Searcher;
use flipside_support::thread_pool::STACK;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Builder, JoinHandle};

/// The search's thread, or the result if no thread could be started.
type ThreadOrResult<T> = Result<JoinHandle<T>, T>;

/// A running search: an iterator over its finished iterations. Dropping it ends the search.
///
/// [`Engine::iterations`](super::Engine::iterations) starts one.
#[must_use = "the search ends when this is dropped"]
pub struct Iterations<'a, G: Searchable> {
    finished: Receiver<Analysis<G::Move>>,
    stop: StopHandle,
    thread: Option<ThreadOrResult<Analysis<G::Move>>>,
    /// The borrow of the engine: an engine runs one search at a time.
    engine: PhantomData<&'a mut ()>,
}

/// Ends a search from any thread; clones end the same search.
#[derive(Clone, Debug)]
pub struct StopHandle(Arc<Stop>);

impl StopHandle {
    /// Ends the search within about a thousand positions. A second call has no effect.
    pub fn stop(&self) {
        self.0.raise();
    }
}

impl<G: Searchable> Iterations<'_, G> {
    pub(super) fn start(
        searcher: &Arc<dyn Searcher<G::Rules>>,
        board: &G::Board,
        limits: Limits,
        threads: usize,
    ) -> Self {
        let (sender, finished) = channel();
        let limits = limits.or_default_time();
        let stop = Arc::new(Stop::new(&limits));
        let (searcher, board, flag) = (Arc::clone(searcher), board.clone(), Arc::clone(&stop));
        let search = move || {
            searchable::search::<G>(&*searcher, &board, limits, threads, &flag, &mut |iteration| {
                // The receiver may be gone, which is not an error.
                let _ = sender.send(iteration);
            })
        };
        // If the system cannot start a thread, the search runs here, to its end.
        let thread = Builder::new().name("search".into()).stack_size(STACK).spawn(search.clone()).map_err(|_| search());
        Iterations { finished, stop: StopHandle(stop), thread: Some(thread), engine: PhantomData }
    }

    /// A handle that ends the search from another thread, or from the loop over this iterator.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Ends the search if it is still running, and returns its result, including what an unfinished iteration has
    /// found.
    pub fn finish(mut self) -> Analysis<G::Move> {
        self.stop.stop();
        let thread = self.thread.take().expect("the thread is taken here and in `drop` only");
        thread.map_or_else(|found| found, |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl<G: Searchable> Iterator for Iterations<'_, G> {
    type Item = Analysis<G::Move>;

    /// Waits for the next finished iteration; `None` once the search has ended.
    fn next(&mut self) -> Option<Analysis<G::Move>> {
        self.finished.recv().ok()
    }
}

impl<G: Searchable> Drop for Iterations<'_, G> {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(Ok(thread)) = self.thread.take() {
            // `finish` passes on a panic of the search; `drop` ignores it.
            let _ = thread.join();
        }
    }
}
