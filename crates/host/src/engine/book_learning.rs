//! Adding a game to the opening book: many short searches, which the session runs beside its loop and can end.

use flipside_core::search::limits::{Limits, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The work of adding a game to the opening book, to be run outside the session's loop.
pub struct BookLearning {
    /// Ends the learning early.
    pub stop: Arc<LearningStop>,
    /// Runs the learning. Returns what was learned, in words, or why nothing can be. Needs a stack of
    /// [`flipside_support::thread_pool::STACK`] bytes.
    pub learn: Box<dyn FnOnce() -> Result<String, String> + Send>,
}

/// Ends the search under way and those after it.
#[derive(Debug, Default)]
pub struct LearningStop {
    raised: AtomicBool,
    search: Mutex<Option<Arc<Stop>>>,
}

impl LearningStop {
    /// Ends the learning.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::SeqCst);
        if let Some(stop) = &*self.search.lock().unwrap_or_else(PoisonError::into_inner) {
            stop.raise();
        }
    }

    /// The stop flag of the next search. Each needs its own, because a search raises its flag when it ends.
    pub(super) fn next_search(&self) -> Arc<Stop> {
        let stop = Arc::new(Stop::new(&Limits::default()));
        *self.search.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&stop));
        if self.raised.load(Ordering::SeqCst) {
            stop.raise();
        }
        stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_under_way_ends_and_none_begins_after_it() {
        let learning = LearningStop::default();
        let [first, second] = [learning.next_search(), learning.next_search()];
        learning.raise();
        assert!(!first.is_raised() && second.is_raised() && learning.next_search().is_raised());
    }
}
