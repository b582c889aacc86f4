//! MiniChess behind [`Engine`](crate::Engine): the network, and the search with all its techniques.

use super::board::Board;
use super::square::Move;
use crate::games::minichess::evaluation::network::Network;
use crate::games::minichess::policy::MiniChessPolicy;
use crate::games::minichess::rules::MiniChess as Rules;
use crate::games::minichess::tables::file;
use crate::library::builder::EngineBuilder;
use crate::library::searchable::{EngineError, EngineOptions, Searchable};
use crate::library::searcher::{Searcher, TableSearch};
#[cfg(target_arch = "x86_64")]
use crate::search::level::V3;
use crate::search::level::{Level, Supported};
use crate::search::worker::SearchContext;
use crate::support::bounded_file;
use std::path::Path;
use std::sync::Arc;

/// The game of MiniChess, to open an [`Engine`](crate::Engine) for it: `Engine::new(MiniChess)`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiniChess;

impl EngineBuilder<MiniChess> {
    /// Loads the weights of the network from a file that `flipside train` made, instead of those in the library.
    pub fn weights(mut self, file: impl AsRef<Path>) -> EngineBuilder<MiniChess> {
        self.options_mut().weights = Some(file.as_ref().to_path_buf());
        self
    }
}

impl Searchable for MiniChess {
    type Board = Board;
    type Move = Move;
    type Searcher = dyn Searcher<Board, Move>;

    fn open(self, options: &EngineOptions) -> Result<Arc<Self::Searcher>, EngineError> {
        let network = match &options.weights {
            None => Network::built_in().map_err(|error| error.to_string()),
            Some(path) => bounded_file::read(path, Network::MAX_FILE_SIZE)
                .map_err(|error| error.to_string())
                .and_then(|bytes| Network::read(&bytes).map_err(|error| error.to_string())),
        };
        let file = || options.weights.clone().unwrap_or_default();
        let network = network.map_err(|reason| EngineError::Weights { file: file(), reason })?;
        #[cfg(target_arch = "x86_64")]
        if let Some(level) = Supported::<V3>::detect() {
            return at_level(level, network, options.hash_mib);
        }
        at_level(Supported::BASE, network, options.hash_mib)
    }
}

fn at_level<L: Level>(
    level: Supported<L>,
    eval: Network,
    hash_mib: usize,
) -> Result<Arc<dyn Searcher<Board, Move>>, EngineError> {
    let policy = MiniChessPolicy::new(level, &[], file::installed());
    Ok(Arc::new(TableSearch::new(SearchContext { game: Rules, eval, policy }, hash_mib)?))
}
