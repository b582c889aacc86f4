//! The registry: opens an engine for each built-in game by name. A game of rules and notation alone is a line in
//! `games/plain.rs`; one with an evaluation or a policy is a row of [`names::GAMES`] and a line in [`with_context`].
//!
//! The game, its evaluation, its policy and the processor level are types that are known only when the settings have been
//! read. A closure cannot be generic, so each choice calls a visitor whose method is; from the outside to the inside:
//!
//! ```text
//! open ── with_context(settings, OpenEngine)       chooses the game; calls WithContext::run<Game, Eval, Policy>
//!           ├─ reversi ─── with_evaluation(OpenReversi)
//!           │                └─ at_best_level      chooses the evaluation and the kernels of the processor's level;
//!           │                                      calls WithEvaluation::run<Kernels, Eval>
//!           ├─ minichess ─ OpenMiniChess::with     chooses the evaluation, then the level of the policy
//!           └─ others ──── with_plain_game         neither evaluation nor policy
//! ```
//!
//! What comes out is a [`GameEngine`] behind the type-erased [`DynEngine`]. The command line has visitors of its own, for
//! what needs the types.

use super::dyn_engine::{DynEngine, EngineFactory, OpenError};
use super::engine_book::{EngineBook, SharedBook};
use super::game_engine::{EngineParts, GameEngine};
use crate::api::settings::{BookSource, Settings};
use crate::games::gomoku::evaluation::PatternEvaluation;
use crate::games::gomoku::policy::GomokuPolicy;
use crate::games::gomoku::rules::Gomoku;
use crate::games::minichess::evaluation::material::MaterialEvaluation;
use crate::games::minichess::evaluation::network::Network;
use crate::games::minichess::evaluation::tapered::TaperedEvaluation;
use crate::games::minichess::evaluation::weights::TermWeights;
use crate::games::minichess::policy::MiniChessPolicy;
use crate::games::minichess::rules::MiniChess;
use crate::games::minichess::tables::file;
use crate::games::names::{self, GameNames};
use crate::games::plain::plain_games;
use crate::games::reversi::book::play::PlayBook;
use crate::games::reversi::evaluation::choice::EvaluationError;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::small::evaluation::SmallEvaluation;
use crate::games::reversi::small::policy::SmallPolicy;
use crate::games::reversi::small::rules::SmallReversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::weights_kind::{self, NETWORK, TUNED};
use crate::search::evaluation::{Eval, ZeroEval};
#[cfg(target_arch = "x86_64")]
use crate::search::level::V3;
use crate::search::level::{Level, Supported};
use crate::search::notation::Notation;
use crate::search::policy::{NoPolicy, SearchPolicy, Technique};
use crate::search::worker::SearchContext;
use crate::support::bounded_file;
use std::fmt::Display;
use std::sync::Arc;

/// The factory of the built-in games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Registry;

impl EngineFactory for Registry {
    fn games(&self) -> &[GameNames] {
        names::GAMES
    }

    fn open(&self, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
        open(settings)
    }
}

/// Opens the engine that the settings name, at its start position.
///
/// # Errors
/// There is no such game or evaluation, its weights cannot be used, or there is not enough memory.
pub fn open(settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
    let mut engine = with_context(settings, OpenEngine)??;
    engine.set_contempt(settings.contempt);
    engine.set_algorithm(settings.algorithm);
    Ok(engine)
}

/// Makes an engine of any game.
struct OpenEngine;

impl WithContext for OpenEngine {
    type Output = Result<Box<dyn DynEngine>, OpenError>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        Ok(Box::new(GameEngine::new(parts)?))
    }
}

/// A visitor of a game with its evaluation and policy, whatever their types are.
pub trait WithContext {
    /// What the visit returns.
    type Output;
    /// Called with the game that the settings name.
    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output;
}

/// Calls the visitor with the game and the evaluation that the settings name.
///
/// # Errors
/// There is no such game or evaluation, its weights cannot be used, or there is not enough memory.
pub fn with_context<V: WithContext>(settings: &Settings, visitor: V) -> Result<V::Output, OpenError> {
    let unknown = || OpenError::UnknownGame { name: settings.game.clone(), known: names::games().collect() };
    let game = names::find(&settings.game).ok_or_else(unknown)?.name;
    let gomoku = Gomoku::named(game);
    if game != "minichess" && gomoku.is_none() && !settings.disabled_techniques.is_empty() {
        return Err(OpenError::UnknownTechnique { game, name: settings.disabled_techniques.clone() });
    }
    if let Some(gomoku) = gomoku {
        return with_gomoku(gomoku, settings, visitor);
    }
    macro_rules! open {
        ($($plain:literal [$($alias:literal),*] => $value:path,)*) => {
            match game {
                "reversi" => with_reversi(settings, visitor),
                "minichess" => with_minichess(settings, visitor),
                "reversi-6x6" => with_small_reversi(SmallReversi::SIX, settings, visitor),
                "reversi-4x4" => with_small_reversi(SmallReversi::FOUR, settings, visitor),
                $($plain => with_plain_game($value, settings, visitor),)*
                _ => Err(unknown()),
            }
        };
    }
    plain_games!(open)
}

fn with_reversi<V: WithContext>(settings: &Settings, visitor: V) -> Result<V::Output, OpenError> {
    let open_error = |error| match error {
        EvaluationError::Unknown(name) => OpenError::UnknownEvaluation { game: "reversi", name },
        other => weights_error(settings, &other),
    };
    let evaluation = ReversiEvaluation::open(&settings.evaluation, settings.weights.as_deref()).map_err(open_error)?;
    with_evaluation(&evaluation, OpenReversi { hash: settings.hash, book: &settings.book, visitor })
}

/// Weights that cannot be used: where they are, and why.
fn weights_error(settings: &Settings, reason: &dyn Display) -> OpenError {
    let reason = reason.to_string();
    let place = settings.weights.as_ref().map(|path| path.display().to_string());
    // A file that cannot be read is named already.
    OpenError::Weights(match place.filter(|place| !reason.starts_with(place)) {
        Some(place) => format!("{place}: {reason}"),
        None => reason,
    })
}

fn reversi_book<K: SolverLevel>(source: &BookSource) -> Result<Option<SharedBook<Reversi<K>>>, OpenError> {
    let book = match source {
        BookSource::None => return Ok(None),
        BookSource::Embedded => PlayBook::Embedded,
        BookSource::File(path) => {
            let file = path.display().to_string();
            PlayBook::open(path).map_err(|error| OpenError::Book { file, reason: error.to_string() })?
        }
    };
    Ok(Some(Arc::new(book)))
}

/// Puts Reversi together; the evaluation and the processor's level have been chosen.
struct OpenReversi<'a, V> {
    /// MiB of both tables: half is the search's, half the exact solver's.
    hash: usize,
    book: &'a BookSource,
    visitor: V,
}

impl<V: WithContext> WithEvaluation for OpenReversi<'_, V> {
    type Output = Result<V::Output, OpenError>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> Self::Output {
        let policy = ReversiPolicy::with_probcut(&game, (self.hash - self.hash / 2).max(1), probcut_model)?;
        let context = SearchContext { game, eval, policy };
        let book = EngineBook::open(self.book, reversi_book)?;
        Ok(self.visitor.run(EngineParts { context, hash: (self.hash / 2).max(1), book }))
    }
}

fn with_minichess<V: WithContext>(settings: &Settings, visitor: V) -> Result<V::Output, OpenError> {
    const GAME: &str = "minichess";
    let book = EngineBook::absent(GAME, &settings.book)?;
    let weights_error = |reason: &dyn Display| weights_error(settings, reason);
    let disabled = disabled_techniques(GAME, settings, &[Technique::ProbCut])?;
    let visit = OpenMiniChess { disabled, hash: settings.hash, book, visitor };
    let is_network = ["default", Network::NAME].contains(&settings.evaluation.as_str());
    if let Some(path) = &settings.weights {
        weights_kind::check(path, if is_network { NETWORK } else { TUNED }).map_err(|error| weights_error(&error))?;
    }
    if is_network {
        let network = match &settings.weights {
            None => Network::built_in(),
            Some(path) => {
                Network::read(&bounded_file::read(path, Network::MAX_FILE_SIZE).map_err(|error| weights_error(&error))?)
            }
        };
        return Ok(visit.with(network.map_err(|error| weights_error(&error))?));
    }
    let unknown = || OpenError::UnknownEvaluation { game: GAME, name: settings.evaluation.clone() };
    if let Some(material) = MaterialEvaluation::named(&settings.evaluation) {
        return match &settings.weights {
            None => Ok(visit.with(material)),
            Some(_) => Err(OpenError::Weights(format!("the evaluation '{}' has none", settings.evaluation))),
        };
    }
    let built_in = TaperedEvaluation::named(&settings.evaluation).ok_or_else(unknown)?;
    Ok(visit.with(match &settings.weights {
        None => built_in.map_err(|error| weights_error(&error))?,
        Some(path) => {
            let text = bounded_file::read_text(path, TermWeights::MAX_FILE_SIZE);
            let text = text.map_err(|error| weights_error(&error))?;
            TaperedEvaluation::new(&TermWeights::read(&text).map_err(|error| weights_error(&error))?)
        }
    }))
}

/// The techniques that the settings disable in a game that has all but these.
fn disabled_techniques(
    game: &'static str,
    settings: &Settings,
    absent: &[Technique],
) -> Result<Vec<Technique>, OpenError> {
    let words = settings.disabled_techniques.split(',').map(str::trim).filter(|word| !word.is_empty());
    let technique = |word: &str| {
        let mut known = Technique::NAMES.iter().filter(|(_, technique)| !absent.contains(technique));
        let technique = known.find(|(name, _)| *name == word).map(|(_, technique)| *technique);
        technique.ok_or_else(|| OpenError::UnknownTechnique { game, name: word.to_string() })
    };
    words.map(technique).collect()
}

/// Puts MiniChess together: the evaluation first, then the processor's level.
struct OpenMiniChess<V> {
    disabled: Vec<Technique>,
    hash: usize,
    book: EngineBook<MiniChess>,
    visitor: V,
}

impl<V: WithContext> OpenMiniChess<V> {
    fn with<E: Eval<MiniChess>>(self, eval: E) -> V::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(level) = Supported::<V3>::detect() {
            return self.at(level, eval);
        }
        self.at(Supported::BASE, eval)
    }

    fn at<L: Level, E: Eval<MiniChess>>(self, level: Supported<L>, eval: E) -> V::Output {
        let policy = MiniChessPolicy::new(level, &self.disabled, file::installed());
        let context = SearchContext { game: MiniChess, eval, policy };
        self.visitor.run(EngineParts { context, hash: self.hash, book: self.book })
    }
}

/// Reversi on a small board: the search's table and the exact solver's have half of the memory each.
fn with_small_reversi<V: WithContext>(
    game: SmallReversi,
    settings: &Settings,
    visitor: V,
) -> Result<V::Output, OpenError> {
    let name = game.names().name;
    let eval = SmallEvaluation::named(game, &settings.evaluation)
        .ok_or_else(|| OpenError::UnknownEvaluation { game: name, name: settings.evaluation.clone() })?;
    if settings.weights.is_some() {
        return Err(OpenError::Weights(format!("the evaluations of {name} have none")));
    }
    let book = EngineBook::absent(name, &settings.book)?;
    let policy = SmallPolicy::new(game, (settings.hash - settings.hash / 2).max(1))?;
    let context = SearchContext { game, eval, policy };
    Ok(visitor.run(EngineParts { context, hash: (settings.hash / 2).max(1), book }))
}

/// Gomoku on a board of a size, under a rule.
fn with_gomoku<V: WithContext>(game: Gomoku, settings: &Settings, visitor: V) -> Result<V::Output, OpenError> {
    let name = game.names().name;
    let eval = PatternEvaluation::named(game, &settings.evaluation)
        .ok_or_else(|| OpenError::UnknownEvaluation { game: name, name: settings.evaluation.clone() })?;
    if settings.weights.is_some() {
        return Err(OpenError::Weights(format!("the evaluations of {name} have none")));
    }
    let book = EngineBook::absent(name, &settings.book)?;
    let absent = [Technique::ProbCut, Technique::Tables, Technique::Singular, Technique::Continuation];
    let policy = GomokuPolicy::new(game, eval, &disabled_techniques(name, settings, &absent)?);
    let context = SearchContext { game, eval, policy };
    Ok(visitor.run(EngineParts { context, hash: settings.hash, book }))
}

/// A game without an evaluation and a policy.
fn with_plain_game<G: Notation, V: WithContext>(
    game: G,
    settings: &Settings,
    visitor: V,
) -> Result<V::Output, OpenError> {
    if !settings.evaluation.eq_ignore_ascii_case("default") {
        return Err(OpenError::UnknownEvaluation { game: game.name(), name: settings.evaluation.clone() });
    }
    if settings.weights.is_some() {
        return Err(OpenError::Weights(format!("{} has no evaluation with weights", game.name())));
    }
    let book = EngineBook::absent(game.name(), &settings.book)?;
    let context = SearchContext { game, eval: ZeroEval, policy: NoPolicy };
    Ok(visitor.run(EngineParts { context, hash: settings.hash, book }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_bears_the_name_of_its_row() {
        for row in names::GAMES {
            let settings = Settings { game: row.name.to_string(), hash: 1, ..Settings::default() };
            assert_eq!(open(&settings).expect("a game of the house").game(), row.name);
        }
    }
}
