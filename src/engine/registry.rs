//! The games by name: one line a game. Opening a engine is also where the processor level is chosen.

use super::dyn_engine::{DynEngine, EngineFactory, OpenError};
use super::game_engine::{GameEngine, Parts};
use crate::api::settings::Settings;
use crate::games::connect_four::ConnectFour;
use crate::games::minichess::evaluation::network::Network;
use crate::games::minichess::evaluation::tapered::TaperedEvaluation;
use crate::games::minichess::evaluation::weights::TermWeights;
use crate::games::minichess::policy::MiniChessPolicy;
use crate::games::minichess::rules::MiniChess;
use crate::games::minichess::tables::file;
use crate::games::names::{self, GameNames};
use crate::games::reversi::evaluation::choice::EvaluationError;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::tic_tac_toe::TicTacToe;
use crate::search::evaluation::{Eval, ZeroEval};
use crate::search::level::{Base, Level, LevelName};
use crate::search::notation::Notation;
use crate::search::policy::{NoPolicy, SearchPolicy, Technique};
use crate::search::worker::SearchContext;

/// The factory of the built-in games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Registry;

impl EngineFactory for Registry {
    fn games(&self) -> &[GameNames] {
        &names::GAMES
    }

    fn open(&self, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
        open(settings)
    }
}

/// Opens the engine that the settings name, at its start position.
///
/// # Errors
/// There is no such game or evaluation, or its weights cannot be used.
pub fn open(settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
    let mut engine = open_game(settings)?;
    engine.set_contempt(settings.contempt);
    engine.set_algorithm(settings.algorithm);
    Ok(engine)
}

fn open_game(settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
    with_context(settings, OpenEngine)
}

struct OpenEngine;

impl WithContext for OpenEngine {
    type Output = Box<dyn DynEngine>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: Parts<G, E, T>) -> Box<dyn DynEngine> {
        Box::new(GameEngine::new(parts))
    }
}

/// Something to do with a game and all that belongs to it, whatever their types are.
pub trait WithContext {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: Parts<G, E, T>) -> Self::Output;
}

/// Does the job with the game and the evaluation that the settings name.
///
/// # Errors
/// There is no such game or evaluation, or its weights cannot be used.
pub fn with_context<J: WithContext>(settings: &Settings, job: J) -> Result<J::Output, OpenError> {
    let unknown = || OpenError::UnknownGame { name: settings.game.clone(), known: names::games().collect() };
    let game = names::find(&settings.game).ok_or_else(unknown)?.name;
    if game != "minichess" && !settings.disabled_techniques.is_empty() {
        return Err(OpenError::UnknownTechnique { game, name: settings.disabled_techniques.clone() });
    }
    match game {
        "reversi" => with_reversi(settings, job),
        "minichess" => with_minichess(settings, job),
        "tic-tac-toe" => without_judgement(TicTacToe, settings, job),
        "connect-four" => without_judgement(ConnectFour, settings, job),
        _ => Err(unknown()),
    }
}

fn with_reversi<J: WithContext>(settings: &Settings, job: J) -> Result<J::Output, OpenError> {
    let refused = |error| match error {
        EvaluationError::Unknown(name) => OpenError::UnknownEvaluation { game: "reversi", name },
        other => OpenError::Weights(other.to_string()),
    };
    let evaluation = ReversiEvaluation::open(&settings.evaluation, settings.weights.as_deref()).map_err(refused)?;
    Ok(with_evaluation(&evaluation, OpenReversi { hash: settings.hash, job }))
}

/// Opens Reversi for whatever level the processor has.
struct OpenReversi<J> {
    /// MiB of both tables: the exact solver keeps one of its own.
    hash: usize,
    job: J,
}

impl<J: WithContext> WithEvaluation for OpenReversi<J> {
    type Output = J::Output;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> Self::Output {
        let policy = ReversiPolicy::with_probcut(&game, (self.hash - self.hash / 2).max(1), probcut_model);
        let context = SearchContext { game, eval, policy };
        self.job.run(Parts { context, hash: (self.hash / 2).max(1) })
    }
}

fn with_minichess<J: WithContext>(settings: &Settings, job: J) -> Result<J::Output, OpenError> {
    const GAME: &str = "minichess";
    let refused = |reason: &dyn std::fmt::Display| OpenError::Weights(reason.to_string());
    let mut disabled = Vec::new();
    for word in settings.disabled_techniques.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let technique = Technique::NAMES.iter().find(|(name, _)| *name == word).map(|(_, technique)| *technique);
        disabled.push(technique.ok_or_else(|| OpenError::UnknownTechnique { game: GAME, name: word.to_string() })?);
    }
    let open = OpenMiniChess { disabled, hash: settings.hash, job };
    if ["default", Network::NAME].contains(&settings.evaluation.as_str()) {
        let network = match &settings.weights {
            None => Network::built_in(),
            Some(path) => Network::read(&std::fs::read(path).map_err(|error| refused(&error))?),
        };
        return Ok(open.with(network.map_err(|error| refused(&error))?));
    }
    let built_in = TaperedEvaluation::named(&settings.evaluation)
        .ok_or_else(|| OpenError::UnknownEvaluation { game: GAME, name: settings.evaluation.clone() })?;
    Ok(open.with(match &settings.weights {
        None => built_in.map_err(|error| refused(&error))?,
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
            TaperedEvaluation::new(&TermWeights::read(&text).map_err(|error| refused(&error))?)
        }
    }))
}

/// Opens MiniChess for whatever level the processor has.
struct OpenMiniChess<J> {
    disabled: Vec<Technique>,
    hash: usize,
    job: J,
}

impl<J: WithContext> OpenMiniChess<J> {
    fn with<E: Eval<MiniChess>>(self, eval: E) -> J::Output {
        match LevelName::detect() {
            #[cfg(target_arch = "x86_64")]
            LevelName::V3 | LevelName::V4 => self.at::<crate::search::level::V3, E>(eval),
            _ => self.at::<Base, E>(eval),
        }
    }

    fn at<L: Level, E: Eval<MiniChess>>(self, eval: E) -> J::Output {
        let policy = MiniChessPolicy::<L>::new(&self.disabled, file::installed());
        let context = SearchContext { game: MiniChess, eval, policy };
        self.job.run(Parts { context, hash: self.hash })
    }
}

fn without_judgement<G: Notation, J: WithContext>(
    game: G,
    settings: &Settings,
    job: J,
) -> Result<J::Output, OpenError> {
    if !settings.evaluation.eq_ignore_ascii_case("default") {
        return Err(OpenError::UnknownEvaluation { game: game.name(), name: settings.evaluation.clone() });
    }
    let context = SearchContext { game, eval: ZeroEval, policy: NoPolicy };
    Ok(job.run(Parts { context, hash: settings.hash }))
}
