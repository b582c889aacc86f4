//! An engine for hosts: GTP, NBoard, UCI, XBoard and JSON lines on standard input and output, for any game.

use super::builder::EngineBuilder;
use super::minichess::MiniChess;
use super::reversi::Reversi;
use super::searchable::{CustomGame, EngineOptions};
use flipside_core::games::names::{GameNames, MINICHESS, REVERSI};
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::evaluation::{Eval, ZeroEval};
use flipside_core::search::game::Game;
use flipside_core::search::limits::Limits;
use flipside_core::search::notation::Notation;
use flipside_core::search::policy::{NoPolicy, SearchPolicy};
use flipside_core::search::searcher::TableSearch;
use flipside_core::search::worker::SearchContext;
use flipside_host::api::command::GoLimits;
use flipside_host::api::settings::Settings;
use flipside_host::engine::dyn_engine::{DynEngine, EngineFactory};
use flipside_host::engine::engine_book::EngineBook;
use flipside_host::engine::game_engine::GameEngine;
use flipside_host::engine::registry::Registry;
use flipside_host::engine::session::{Session, SessionConfig};
use flipside_host::engine::stdio;
use flipside_host::protocol;
use std::io::{self, BufRead, BufReader, Write, stdin, stdout};
use std::sync::Arc;

/// Why an engine cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The engine cannot be opened.
    #[error(transparent)]
    Engine(#[from] OpenError),
    /// The thread that reads the input cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
}

/// A game that hosts can play: every [`Game`] with a [`Notation`], [`Reversi`] and [`MiniChess`]. Implement
/// [`Notation`], not this trait.
pub trait Servable {
    /// The name of the first game, and the opener of the engines that a host selects.
    #[doc(hidden)]
    fn factory(self) -> (&'static str, Arc<dyn EngineFactory>);
}

/// Serves a host on standard input and output until it quits or the input ends. The first line selects the protocol:
/// `uci`, `xboard`, `nboard 2`, or else GTP. `limits` apply to moves for which the host sets none.
///
/// ```no_run
/// use flipside::{Engine, Limits, serve};
/// use flipside::games::connect_four::ConnectFour;
/// use std::time::Duration;
///
/// serve(Engine::builder(ConnectFour).hash_mib(16), Limits::time(Duration::from_secs(2)))?;
/// # Ok::<(), flipside::ServeError>(())
/// ```
///
/// # Errors
/// The engine cannot be opened, or the system cannot start a thread.
pub fn serve<G: Servable>(engine: EngineBuilder<G>, limits: Limits) -> Result<(), ServeError> {
    serve_on(engine, limits, BufReader::new(stdin()), stdout().lock())
}

/// Like [`serve`], on any pair of streams. The thread that reads the input ends with the input, perhaps after this
/// returns.
///
/// ```
/// use flipside::games::connect_four::ConnectFour;
/// use flipside::{Engine, Limits, serve_on};
///
/// let mut answers = Vec::new();
/// serve_on(Engine::builder(ConnectFour), Limits::depth(4), "play x d\ngenmove o\nquit\n".as_bytes(), &mut answers)?;
/// let answers = String::from_utf8_lossy(&answers);
/// assert!(answers.lines().all(|line| line.is_empty() || line.starts_with('=')));
/// # Ok::<(), flipside::ServeError>(())
/// ```
///
/// # Errors
/// As [`serve`].
pub fn serve_on<G: Servable>(
    engine: EngineBuilder<G>,
    limits: Limits,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    let (game, EngineOptions { threads, hash_mib, weights }) = engine.into_parts();
    let (name, factory) = game.factory();
    let settings = Settings { game: name.to_string(), hash: hash_mib, threads, weights, ..Settings::default() };
    let default_limits = GoLimits {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.hard,
        mate: limits.mate,
        ..GoLimits::default()
    };
    run(
        SessionConfig {
            settings,
            is_usual_game: false,
            default_limits,
            protocol: None,
            recognize: protocol::recognize,
            factory,
        },
        input,
        output,
    )
}

/// A session between two streams, with its own reader thread.
pub(crate) fn run(
    config: SessionConfig,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    let session = Session::new(config, output)?;
    let (sender, backpressure) = session.input();
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || stdio::read(input, &sender, &backpressure))
        .map_err(ServeError::Thread)?;
    session.run();
    Ok(())
}

impl<G: Notation + Clone> Servable for G {
    fn factory(self) -> (&'static str, Arc<dyn EngineFactory>) {
        CustomGame { game: self, evaluation: ZeroEval, policy: NoPolicy }.factory()
    }
}

impl<G: Notation + Clone, E: Eval<G>, T: SearchPolicy<G, E>> Servable for CustomGame<G, E, T> {
    fn factory(self) -> (&'static str, Arc<dyn EngineFactory>) {
        let CustomGame { game, evaluation, policy } = self;
        let names = GameNames { aliases: game.aliases(), uci_variant: game.variant(), ..GameNames::plain(game.name()) };
        let context = Arc::new(SearchContext { game, eval: evaluation, policy });
        (names.name, Arc::new(OneGame { names, context }))
    }
}

impl Servable for Reversi {
    fn factory(self) -> (&'static str, Arc<dyn EngineFactory>) {
        (REVERSI.name, Arc::new(Registry))
    }
}

impl Servable for MiniChess {
    fn factory(self) -> (&'static str, Arc<dyn EngineFactory>) {
        (MINICHESS.name, Arc::new(Registry))
    }
}

/// Opens one game; the host's table size has no effect on it.
struct OneGame<G: Game, E, T> {
    names: GameNames,
    context: Arc<SearchContext<G, E, T>>,
}

impl<G: Notation + Clone, E: Eval<G>, T: SearchPolicy<G, E>> EngineFactory for OneGame<G, E, T> {
    fn games(&self) -> &[GameNames] {
        std::slice::from_ref(&self.names)
    }

    fn open(&self, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
        let game = self.names.name;
        if !settings.evaluation.eq_ignore_ascii_case("default") {
            return Err(OpenError::UnknownEvaluation { game, name: settings.evaluation.clone() });
        }
        if !settings.disabled_techniques.is_empty() {
            return Err(OpenError::UnknownTechnique { game, name: settings.disabled_techniques.clone() });
        }
        let book = EngineBook::absent(game, &settings.book)?;
        let searcher = TableSearch::new(Arc::clone(&self.context), settings.hash)?;
        Ok(Box::new(GameEngine::new(self.context.game.clone(), Arc::new(searcher), book, settings)?))
    }
}
