//! MiniChess behind [`Engine`](crate::Engine): the network, and the search with all its techniques.

use super::board::Board;
use super::square::Move;
use crate::library::builder::EngineBuilder;
use crate::library::searchable::{EngineError, EngineOptions, Searchable, open_built_in};
use flipside_core::games::minichess::rules::MiniChess as Rules;
use flipside_core::search::searcher::Searcher;
use std::path::Path;
use std::sync::Arc;

/// The game of MiniChess, for [`Engine`](crate::Engine): `Engine::new(MiniChess)`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiniChess;

impl EngineBuilder<MiniChess> {
    /// Loads the network's weights from a file of `flipside train` instead of the built-in ones.
    pub fn weights(mut self, file: impl AsRef<Path>) -> EngineBuilder<MiniChess> {
        self.options_mut().weights = Some(file.as_ref().to_path_buf());
        self
    }
}

impl Searchable for MiniChess {
    type Board = Board;
    type Move = Move;
    type Rules = Rules;

    fn open(self, options: &EngineOptions) -> Result<Arc<dyn Searcher<Rules>>, EngineError> {
        open_built_in(&Rules, options)
    }
}
