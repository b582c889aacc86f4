//! The opening book that an engine plays from. Another book can replace it while the tables of the search stay.

use super::dyn_engine::BookOpening;
use crate::api::settings::BookSource;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::game::Game;
use flipside_core::search::opening_book::OpeningBook;
use std::sync::{Arc, Mutex, PoisonError};

/// A book of a game.
pub type SharedBook<G> = Arc<dyn OpeningBook<G>>;

/// Opens the book of a source; `None` if the source has no book.
type OpenBook<G> = dyn Fn(&BookSource) -> Result<Option<SharedBook<G>>, OpenError> + Send + Sync;

/// Holds an engine's book.
pub struct EngineBook<G: Game> {
    current: Arc<Mutex<Option<SharedBook<G>>>>,
    open: Arc<OpenBook<G>>,
}

impl<G: Game> EngineBook<G> {
    /// The book of a source. `open` also opens the books that replace it.
    ///
    /// # Errors
    /// The book cannot be used.
    pub fn open(
        source: &BookSource,
        open: impl Fn(&BookSource) -> Result<Option<SharedBook<G>>, OpenError> + Send + Sync + 'static,
    ) -> Result<EngineBook<G>, OpenError> {
        Ok(EngineBook { current: Arc::new(Mutex::new(open(source)?)), open: Arc::new(open) })
    }

    /// No book, for a game that has none.
    ///
    /// # Errors
    /// The source is a file.
    pub fn absent(game: &'static str, source: &BookSource) -> Result<EngineBook<G>, OpenError> {
        EngineBook::open(source, move |source| match source {
            BookSource::File(path) => Err(OpenError::NoBook { game, file: path.display().to_string() }),
            BookSource::Embedded | BookSource::None => Ok(None),
        })
    }

    /// The present book.
    pub(super) fn current(&self) -> Option<SharedBook<G>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prepares the opening of another source's book. If that book cannot be used, the present one stays.
    pub(super) fn opening(&self, source: BookSource) -> BookOpening {
        let (current, open) = (Arc::clone(&self.current), Arc::clone(&self.open));
        Box::new(move || {
            let book = open(&source)?;
            *current.lock().unwrap_or_else(PoisonError::into_inner) = book;
            Ok(())
        })
    }
}
