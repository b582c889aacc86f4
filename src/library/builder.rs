//! The settings of an engine.

use super::searchable::{CustomGame, EngineOptions};
use flipside_core::search::evaluation::{Eval, ZeroEval};
use flipside_core::search::game::Game;
use flipside_core::search::policy::{NoPolicy, SearchPolicy};

/// Sets up an [`Engine`](crate::Engine); [`Engine::builder`](crate::Engine::builder) makes one.
///
/// ```
/// use flipside::{Engine, Limits};
/// use flipside::reversi::{Board, Reversi};
///
/// let mut engine = Engine::builder(Reversi).hash_mib(16).build()?;
/// let found = engine.search(&Board::default(), Limits::depth(6));
/// assert!(found.best_move.is_some());
/// # Ok::<(), flipside::EngineError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "`build` makes the engine"]
pub struct EngineBuilder<G> {
    game: G,
    options: EngineOptions,
}

impl<G> EngineBuilder<G> {
    pub(super) fn new(game: G) -> EngineBuilder<G> {
        EngineBuilder { game, options: EngineOptions { threads: 1, hash_mib: 64, weights: None } }
    }

    /// Threads of one search, at least 1 (the default) and at most the number of processors. With a limit of depth or
    /// nodes, one thread searches the same tree every time; several threads do not.
    #[cfg(feature = "threads")]
    pub fn threads(mut self, threads: usize) -> EngineBuilder<G> {
        self.options.threads = threads.max(1);
        self
    }

    /// Memory of the search tables in MiB, at least 1 (default 64). Memory is occupied only as it is used. `build`
    /// fails if the machine does not have it.
    pub fn hash_mib(mut self, mebibytes: usize) -> EngineBuilder<G> {
        self.options.hash_mib = mebibytes.max(1);
        self
    }

    fn with_game<H>(self, game: impl FnOnce(G) -> H) -> EngineBuilder<H> {
        EngineBuilder { game: game(self.game), options: self.options }
    }

    pub(super) fn into_parts(self) -> (G, EngineOptions) {
        (self.game, self.options)
    }

    pub(super) fn options_mut(&mut self) -> &mut EngineOptions {
        &mut self.options
    }
}

impl<G: Game> EngineBuilder<G> {
    /// Sets the evaluation of positions at the horizon of the search; without one only finished games count.
    pub fn evaluation<E: Eval<G>>(self, evaluation: E) -> EngineBuilder<CustomGame<G, E, NoPolicy>> {
        self.with_game(|game| CustomGame { game, evaluation, policy: NoPolicy })
    }

    /// Sets the search policy: move ordering, quiescence and other techniques that the game allows.
    pub fn policy<T: SearchPolicy<G, ZeroEval>>(self, policy: T) -> EngineBuilder<CustomGame<G, ZeroEval, T>> {
        self.with_game(|game| CustomGame { game, evaluation: ZeroEval, policy })
    }
}

impl<G: Game, E: Eval<G>> EngineBuilder<CustomGame<G, E, NoPolicy>> {
    /// Sets the search policy: move ordering, quiescence and other techniques that the game allows.
    pub fn policy<T: SearchPolicy<G, E>>(self, policy: T) -> EngineBuilder<CustomGame<G, E, T>> {
        self.with_game(|CustomGame { game, evaluation, .. }| CustomGame { game, evaluation, policy })
    }
}
