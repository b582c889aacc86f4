//! Teaching the opening book a game: many short searches, which the session runs beside its loop and can end.

use flipside_core::search::limits::{Limits, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What teaches the opening book a game, to be run where its searches keep nobody waiting.
pub struct BookLearning {
    /// Ends it early.
    pub stop: Arc<LearningStop>,
    /// Does it: what was learned, in words, or why nothing can be. Needs a stack of
    /// [`flipside_support::thread_pool::STACK`] bytes.
    pub learn: Box<dyn FnOnce() -> Result<String, String> + Send>,
}

/// Ends the search under way and those that would follow.
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

    /// The stop flag of the next search: a search raises its own at its end.
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
