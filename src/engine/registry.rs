//! The games by name: one line a game. Opening a engine is also where the processor level is chosen.

use super::engine::DynEngine;
use super::game_engine::GameEngine;
use crate::engine::options::Settings;
use crate::games::connect_four::ConnectFour;
use crate::games::minichess::evaluation::Evaluation as ChessEvaluation;
use crate::games::minichess::evaluation::network::Network;
use crate::games::minichess::evaluation::weights::Weights;
use crate::games::minichess::policy::MiniChessPolicy;
use crate::games::minichess::rules::MiniChess;
use crate::games::minichess::tables::file;
use crate::games::reversi::board::Reversi;
use crate::games::reversi::evaluation::choice::EvaluationError;
use crate::games::reversi::evaluation::{Evaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::Statistics;
use crate::games::tic_tac_toe::TicTacToe;
use crate::search::evaluation::{Eval, ZeroEval};
use crate::search::level::{Base, Level, LevelName};
use crate::search::notation::Notation;
use crate::search::policy::{NoPolicy, SearchPolicy, Technique};
use crate::search::worker::SearchContext;

/// Why a engine does not open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game of that name.
    #[error("unknown game '{0}': one of {names}", names = NAMES.join(", "))]
    UnknownGame(String),
    /// The game has no such evaluation.
    #[error("{game} has no evaluation '{name}'")]
    UnknownEvaluation {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The game's search has no such trick to do without.
    #[error("{game} has no trick '{name}' to do without")]
    UnknownTechnique {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The weights could not be used: the reason.
    #[error("cannot use the weights: {0}")]
    Weights(String),
}

/// Names of the games, the default first.
pub const NAMES: [&str; 4] = ["reversi", "minichess", "tic-tac-toe", "connect-four"];

/// UCI names and the games behind them, the default first.
const VARIANTS: [(&str, &str); 2] = [("flipello", "reversi"), ("minichess", "minichess")];

/// Variants that XBoard can be told to draw.
const DRAWN: [&str; 1] = ["minichess"];

/// Variants that XBoard can be told to draw.
pub fn drawn_variants() -> Vec<String> {
    DRAWN.map(str::to_string).to_vec()
}

/// UCI names of the games, the default first.
pub fn variants() -> Vec<String> {
    VARIANTS.iter().map(|(variant, _)| variant.to_string()).collect()
}

/// The UCI name of a game.
pub fn variant_of(game: &str) -> Option<&'static str> {
    VARIANTS.iter().find(|(_, name)| *name == game).map(|(variant, _)| *variant)
}

/// The game behind a UCI name.
pub fn game_of_variant(variant: &str) -> Option<&'static str> {
    VARIANTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(variant)).map(|(_, game)| *game)
}

/// A game's own name for any of its names.
pub fn canonical(name: &str) -> Option<&'static str> {
    let name = match name.to_ascii_lowercase().as_str() {
        "othello" => "reversi".to_string(),
        other => other.to_string(),
    };
    NAMES.into_iter().find(|known| *known == name).or_else(|| game_of_variant(&name))
}

/// Opens the engine that the settings name, at its start position.
pub fn open(settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError> {
    let mut engine = open_game(settings)?;
    engine.value_draws(settings.contempt);
    engine.search_by(settings.algorithm);
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

/// What a engine is made of.
pub struct Parts<G, E, T> {
    /// The game, its judgement, its policy.
    pub context: SearchContext<G, E, T>,
    /// Names of the judgements to choose from.
    pub evaluations: &'static [&'static str],
    /// MiB left for the search's own table.
    pub hash: usize,
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
    let game = canonical(&settings.game).ok_or_else(|| OpenError::UnknownGame(settings.game.clone()))?;
    if game != "minichess" && !settings.without.is_empty() {
        return Err(OpenError::UnknownTechnique { game, name: settings.without.clone() });
    }
    match game {
        "reversi" => with_reversi(settings, job),
        "minichess" => with_minichess(settings, job),
        "tic-tac-toe" => without_judgement(TicTacToe, settings, job),
        "connect-four" => without_judgement(ConnectFour, settings, job),
        _ => Err(OpenError::UnknownGame(settings.game.clone())),
    }
}

fn with_reversi<J: WithContext>(settings: &Settings, job: J) -> Result<J::Output, OpenError> {
    let refused = |error| match error {
        EvaluationError::Unknown(name) => OpenError::UnknownEvaluation { game: "reversi", name },
        other => OpenError::Weights(other.to_string()),
    };
    let evaluation = Evaluation::open(&settings.evaluation, settings.weights.as_deref()).map_err(refused)?;
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

    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        statistics: Option<&Statistics>,
    ) -> Self::Output {
        let policy = ReversiPolicy::betting(&game, (self.hash - self.hash / 2).max(1), statistics);
        let context = SearchContext { game, eval, policy };
        self.job.run(Parts { context, evaluations: Evaluation::NAMES, hash: (self.hash / 2).max(1) })
    }
}

fn with_minichess<J: WithContext>(settings: &Settings, job: J) -> Result<J::Output, OpenError> {
    const GAME: &str = "minichess";
    let refused = |reason: &dyn std::fmt::Display| OpenError::Weights(reason.to_string());
    let mut without = Vec::new();
    for word in settings.without.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let trick = Technique::NAMES.iter().find(|(name, _)| *name == word).map(|(_, trick)| *trick);
        without.push(trick.ok_or_else(|| OpenError::UnknownTechnique { game: GAME, name: word.to_string() })?);
    }
    let open = OpenMiniChess { without, hash: settings.hash, job };
    if ["default", Network::NAME].contains(&settings.evaluation.as_str()) {
        let network = match &settings.weights {
            None => Network::built_in(),
            Some(path) => Network::read(&std::fs::read(path).map_err(|error| refused(&error))?),
        };
        return Ok(open.with(network.map_err(|error| refused(&error))?));
    }
    let built_in = ChessEvaluation::named(&settings.evaluation)
        .ok_or_else(|| OpenError::UnknownEvaluation { game: GAME, name: settings.evaluation.clone() })?;
    Ok(open.with(match &settings.weights {
        None => built_in.map_err(|error| refused(&error))?,
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
            ChessEvaluation::new(&Weights::read(&text).map_err(|error| refused(&error))?)
        }
    }))
}

/// Opens MiniChess for whatever level the processor has.
struct OpenMiniChess<J> {
    without: Vec<Technique>,
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
        let policy = MiniChessPolicy::<L>::new(&self.without, file::at_hand());
        let context = SearchContext { game: MiniChess, eval, policy };
        self.job.run(Parts { context, evaluations: ChessEvaluation::NAMES, hash: self.hash })
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
    Ok(job.run(Parts { context, evaluations: &[], hash: settings.hash }))
}
