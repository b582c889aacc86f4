//! The opening book that an engine plays from, and how another one takes its place: the tables of the search stay.

use super::dyn_engine::BookOpening;
use crate::api::settings::BookSource;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::game::Game;
use flipside_core::search::opening_book::OpeningBook;
use std::sync::{Arc, Mutex, PoisonError};

/// A book of a game.
pub type SharedBook<G> = Arc<dyn OpeningBook<G>>;

/// Opens the book of a source; `None` if that is none.
type OpenBook<G> = dyn Fn(&BookSource) -> Result<Option<SharedBook<G>>, OpenError> + Send + Sync;

/// The place where an engine finds its book.
pub struct EngineBook<G: Game> {
    current: Arc<Mutex<Option<SharedBook<G>>>>,
    open: Arc<OpenBook<G>>,
}

impl<G: Game> EngineBook<G> {
    /// The book of a source, opened like this, as those that follow it will be.
    ///
    /// # Errors
    /// The book cannot be used.
    pub fn open(
        source: &BookSource,
        open: impl Fn(&BookSource) -> Result<Option<SharedBook<G>>, OpenError> + Send + Sync + 'static,
    ) -> Result<EngineBook<G>, OpenError> {
        Ok(EngineBook { current: Arc::new(Mutex::new(open(source)?)), open: Arc::new(open) })
    }

    /// The book of a game that has none.
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

    /// Puts the book of another source in its place; if that cannot be used, this one stays.
    pub(super) fn opening(&self, source: BookSource) -> BookOpening {
        let (current, open) = (Arc::clone(&self.current), Arc::clone(&self.open));
        Box::new(move || {
            let book = open(&source)?;
            *current.lock().unwrap_or_else(PoisonError::into_inner) = book;
            Ok(())
        })
    }
}
