//! The parts of a game that an engine needs: its rules and its search.

use super::analysis::Analysis;
use flipside_core::games::open::BuiltIn;
use flipside_core::games::searcher_settings::{OpenError, SearcherSettings};
use flipside_core::search::evaluation::{Eval, ZeroEval};
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::policy::{NoPolicy, SearchPolicy};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::searcher::{self, Searcher};
use flipside_core::search::types::Certainty;
use flipside_support::memory::MemoryError;
use flipside_support::thread_pool;
use std::path::PathBuf;
use std::sync::Arc;

/// Why an engine cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The file of weights cannot be used.
    #[error("cannot use the weights {file}: {reason}", file = file.display())]
    Weights {
        /// The file.
        file: PathBuf,
        /// The fault in the file.
        reason: String,
    },
    /// The memory does not suffice: see [`EngineBuilder::hash_mib`](super::EngineBuilder::hash_mib).
    #[error("cannot allocate the tables")]
    Memory(#[from] MemoryError),
}

/// The settings of [`EngineBuilder`](super::EngineBuilder).
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Threads of one search, at least 1.
    pub(super) threads: usize,
    /// Memory of the tables in MiB.
    pub(super) hash_mib: usize,
    /// Weights to load instead of the built-in ones.
    pub(super) weights: Option<PathBuf>,
}

/// A game that an [`Engine`](super::Engine) can search: every [`Game`], [`Reversi`](super::reversi::Reversi) and
/// [`MiniChess`](super::minichess::MiniChess). Implement [`Game`], not this trait.
pub trait Searchable: Send + Sync + 'static {
    /// A position.
    type Board: Clone + Send + Sync + 'static;
    /// A move.
    type Move: Copy + Send + Sync + 'static + From<<Self::Rules as Game>::Move>;
    /// The rules that the search uses.
    #[doc(hidden)]
    type Rules: Game<Position: From<Self::Board>>;

    /// Opens the search behind an engine.
    #[doc(hidden)]
    fn open(self, options: &EngineOptions) -> Result<Arc<dyn Searcher<Self::Rules>>, EngineError>;
}

/// Opens the search of a built-in game with its best evaluation.
pub(super) fn open_built_in<G: BuiltIn>(
    game: &G,
    options: &EngineOptions,
) -> Result<Arc<dyn Searcher<G>>, EngineError> {
    let (weights, hash) = (options.weights.as_deref(), options.hash_mib);
    let settings = SearcherSettings { weights, hash, ..SearcherSettings::SMALL };
    game.open(&settings).map_err(|error| match error {
        OpenError::Memory(error) => EngineError::Memory(error),
        OpenError::Weights { reason, .. } => {
            // Both errors name the file.
            let file = options.weights.clone().unwrap_or_default();
            let reason = reason.strip_prefix(&format!("{}: ", file.display())).unwrap_or(&reason).to_string();
            EngineError::Weights { file, reason }
        }
        other => EngineError::Weights { file: options.weights.clone().unwrap_or_default(), reason: other.to_string() },
    })
}

/// A game with an evaluation and a search policy of its own; [`EngineBuilder::evaluation`](super::EngineBuilder::evaluation)
/// makes one.
#[derive(Clone, Debug)]
pub struct CustomGame<G, E, T> {
    pub(super) game: G,
    pub(super) evaluation: E,
    pub(super) policy: T,
}

impl<G: Game> Searchable for G {
    type Board = G::Position;
    type Move = G::Move;
    type Rules = G;

    fn open(self, options: &EngineOptions) -> Result<Arc<dyn Searcher<G>>, EngineError> {
        CustomGame { game: self, evaluation: ZeroEval, policy: NoPolicy }.open(options)
    }
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Searchable for CustomGame<G, E, T> {
    type Board = G::Position;
    type Move = G::Move;
    type Rules = G;

    fn open(self, options: &EngineOptions) -> Result<Arc<dyn Searcher<G>>, EngineError> {
        let CustomGame { game, evaluation, policy } = self;
        Ok(searcher::open(game, evaluation, policy, options.hash_mib)?)
    }
}

/// Searches a board on the calling thread; `report` is called with every finished iteration.
pub(super) fn search<G: Searchable>(
    searcher: &dyn Searcher<G::Rules>,
    board: &G::Board,
    limits: Limits,
    threads: usize,
    stop: &Stop,
    report: &mut dyn FnMut(Analysis<G::Move>),
) -> Analysis<G::Move> {
    let root = <G::Rules as Game>::Position::from(board.clone());
    let parameters = SearchParameters { threads: thread_pool::useful(threads), ..SearchParameters::new(limits) };
    let result = searcher.search(&root, &parameters, stop, &mut |iteration| report(Analysis::of(iteration)));
    Analysis::of_result(result, || match searcher.outcome(&root) {
        Some(score) => (score, Certainty::Exact),
        None => (searcher.static_eval(&root), Certainty::Estimate(100)),
    })
}
