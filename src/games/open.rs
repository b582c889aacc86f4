//! Opens the search of a game from its settings: each built-in game says here which evaluations, techniques and tables it has.

use super::connect_four::ConnectFour;
use super::gomoku::evaluation::PatternEvaluation;
use super::gomoku::policy::GomokuPolicy;
use super::gomoku::rules::Gomoku;
use super::minichess::rules::MiniChess;
use super::minichess::searcher;
use super::names;
use super::reversi::evaluation::ReversiEvaluation;
use super::reversi::evaluation::choice::EvaluationError;
use super::reversi::rules::Reversi;
use super::reversi::searcher::{self as reversi, SearcherOptions};
use super::reversi::small::evaluation::SmallEvaluation;
use super::reversi::small::policy::SmallPolicy;
use super::reversi::small::rules::SmallReversi;
use super::tic_tac_toe::TicTacToe;
use crate::search::evaluation::{Eval, ZeroEval};
use crate::search::notation::Notation;
use crate::search::policy::{NoPolicy, SearchPolicy, Technique};
use crate::search::searcher::{Searcher, TableSearch};
use crate::search::worker::SearchContext;
use crate::support::memory::MemoryError;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// What a search is opened with.
#[derive(Clone, Copy, Debug)]
pub struct SearcherSettings<'a> {
    /// Name of the evaluation; `default` is the game's best.
    pub evaluation: &'a str,
    /// Weights to load instead of those in the binary.
    pub weights: Option<&'a Path>,
    /// MiB of all tables together.
    pub hash: usize,
    /// Search techniques to disable, separated by commas.
    pub disabled_techniques: &'a str,
}

impl SearcherSettings<'static> {
    /// The game's best evaluation with small tables.
    pub const SMALL: SearcherSettings<'static> =
        SearcherSettings { evaluation: "default", weights: None, hash: 1, disabled_techniques: "" };
}

/// Why an engine does not open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game of that name.
    #[error("unknown game '{name}': one of {}", known.join(", "))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// The games' own names.
        known: Vec<&'static str>,
    },
    /// The game has no such evaluation.
    #[error("{game} has no evaluation '{name}': one of {}", evaluations_of(game).join(", "))]
    UnknownEvaluation {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The game's search has no such technique to disable.
    #[error("{game} has no technique '{name}' to disable")]
    UnknownTechnique {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The weights could not be used: the reason.
    #[error("cannot use the weights: {0}")]
    Weights(String),
    /// The opening book could not be used: the file and the reason.
    #[error("cannot use the book {file}: {reason}")]
    Book {
        /// What was asked for.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The game has no opening books.
    #[error("{game} has no opening book, saw '{file}'")]
    NoBook {
        /// The game.
        game: &'static str,
        /// What was asked for.
        file: String,
    },
    /// There is no memory for tables of the size that the option `Hash` says.
    #[error("Hash is too large: {0}")]
    Memory(#[from] MemoryError),
    /// The system has no thread to give for the searches: the reason.
    #[error("no thread for the searches: {0}")]
    Thread(String),
}

/// The names that `--evaluation` takes in a game.
fn evaluations_of(game: &str) -> Vec<&'static str> {
    let known = names::find(game).map_or(&[][..], |game| game.evaluations);
    std::iter::once("default").chain(known.iter().copied()).collect()
}

impl SearcherSettings<'_> {
    fn unknown_evaluation(&self, game: &'static str) -> OpenError {
        OpenError::UnknownEvaluation { game, name: self.evaluation.to_string() }
    }

    /// Weights that cannot be used: where they are, and why.
    pub(super) fn weights_error(&self, reason: &dyn Display) -> OpenError {
        let reason = reason.to_string();
        let place = self.weights.map(|path| path.display().to_string());
        // A file that cannot be read is named already.
        OpenError::Weights(match place.filter(|place| !reason.starts_with(place)) {
            Some(place) => format!("{place}: {reason}"),
            None => reason,
        })
    }

    /// Refuses a file of weights; `whose` has none to load.
    pub(super) fn without_weights(&self, whose: impl FnOnce() -> String) -> Result<(), OpenError> {
        self.weights.map_or(Ok(()), |_| Err(OpenError::Weights(whose())))
    }

    /// The techniques that are disabled in a game that has all but these.
    pub(super) fn disabled(&self, game: &'static str, absent: &[Technique]) -> Result<Vec<Technique>, OpenError> {
        let words = self.disabled_techniques.split(',').map(str::trim).filter(|word| !word.is_empty());
        let technique = |word: &str| {
            let mut known = Technique::NAMES.iter().filter(|(_, technique)| !absent.contains(technique));
            let technique = known.find(|(name, _)| *name == word).map(|(_, technique)| *technique);
            technique.ok_or_else(|| OpenError::UnknownTechnique { game, name: word.to_string() })
        };
        words.map(technique).collect()
    }

    /// Refuses to disable anything in a game whose techniques cannot be disabled.
    fn all_techniques(&self, game: &'static str) -> Result<(), OpenError> {
        let name = self.disabled_techniques;
        if name.is_empty() { Ok(()) } else { Err(OpenError::UnknownTechnique { game, name: name.to_string() }) }
    }
}

/// A game of this library with its evaluations.
pub trait BuiltIn: Notation + Clone {
    /// Opens the game's search.
    ///
    /// # Errors
    /// There is no such evaluation or technique, the weights cannot be used, or there is not enough memory.
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError>;
}

impl BuiltIn for Reversi {
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        settings.all_techniques("reversi")?;
        let evaluation =
            ReversiEvaluation::open(settings.evaluation, settings.weights).map_err(|error| match error {
                EvaluationError::Unknown(name) => OpenError::UnknownEvaluation { game: "reversi", name },
                other => settings.weights_error(&other),
            })?;
        Ok(reversi::open(&evaluation, &SearcherOptions::sharing(settings.hash))?)
    }
}

impl BuiltIn for MiniChess {
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        let disabled = settings.disabled("minichess", &[Technique::ProbCut])?;
        let evaluation = searcher::evaluation(settings)?;
        searcher::open(evaluation, &disabled, settings.hash)
    }
}

impl BuiltIn for SmallReversi {
    /// The search's table and the exact solver's have half of the memory each.
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        let (game, name) = (*self, self.names().name);
        settings.all_techniques(name)?;
        let eval =
            SmallEvaluation::named(game, settings.evaluation).ok_or_else(|| settings.unknown_evaluation(name))?;
        settings.without_weights(|| format!("the evaluations of {name} have none"))?;
        let policy = SmallPolicy::new(game, (settings.hash - settings.hash / 2).max(1))?;
        table_search(game, eval, policy, (settings.hash / 2).max(1))
    }
}

impl BuiltIn for Gomoku {
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        let (game, name) = (*self, self.names().name);
        let eval =
            PatternEvaluation::named(game, settings.evaluation).ok_or_else(|| settings.unknown_evaluation(name))?;
        settings.without_weights(|| format!("the evaluations of {name} have none"))?;
        let absent = [Technique::ProbCut, Technique::Tables, Technique::Singular, Technique::Continuation];
        let policy = GomokuPolicy::new(game, eval, &settings.disabled(name, &absent)?);
        table_search(game, eval, policy, settings.hash)
    }
}

macro_rules! plain_game {
    ($game:ty) => {
        impl BuiltIn for $game {
            fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
                open_plain(*self, settings)
            }
        }
    };
}

plain_game!(TicTacToe);
plain_game!(ConnectFour);

/// A game of rules alone, without an evaluation and a policy.
fn open_plain<G: Notation + Clone>(
    game: G,
    settings: &SearcherSettings<'_>,
) -> Result<Arc<dyn Searcher<G>>, OpenError> {
    let name = game.name();
    settings.all_techniques(name)?;
    if !settings.evaluation.eq_ignore_ascii_case("default") {
        return Err(settings.unknown_evaluation(name));
    }
    settings.without_weights(|| format!("{name} has no evaluation with weights"))?;
    table_search(game, ZeroEval, NoPolicy, settings.hash)
}

/// The search of a game with its evaluation and policy.
pub(super) fn table_search<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(
    game: G,
    eval: E,
    policy: T,
    hash: usize,
) -> Result<Arc<dyn Searcher<G>>, OpenError> {
    Ok(Arc::new(TableSearch::new(Arc::new(SearchContext { game, eval, policy }), hash)?))
}
