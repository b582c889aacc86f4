//! Opens the search of a game from its settings: each built-in game defines its evaluations, techniques and tables
//! here.

use super::gomoku::chosen_weights as gomoku;
use super::gomoku::evaluation::PatternEvaluation;
use super::gomoku::policy::GomokuPolicy;
use super::gomoku::rules::Gomoku;
use super::minichess::rules::MiniChess;
use super::minichess::searcher as minichess;
use super::plain::plain_games;
use super::reversi::evaluation::ReversiEvaluation;
use super::reversi::evaluation::choice::EvaluationError;
use super::reversi::rules::Reversi;
use super::reversi::searcher::{self as reversi, SearcherOptions};
use super::reversi::small::evaluation::SmallEvaluation;
use super::reversi::small::policy::SmallPolicy;
use super::reversi::small::rules::SmallReversi;
use super::searcher_settings::{OpenError, SearcherSettings};
use crate::search::evaluation::ZeroEval;
use crate::search::notation::Notation;
use crate::search::policy::{NoPolicy, Technique};
use crate::search::searcher::{self, Searcher};
use std::sync::Arc;

/// A built-in game with its evaluations.
pub trait BuiltIn: Notation + Clone {
    /// Opens the game's search.
    ///
    /// # Errors
    /// The evaluation or technique does not exist, the weights cannot be used, or there is not enough memory.
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError>;
}

impl BuiltIn for Reversi {
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        settings.all_techniques("reversi")?;
        let evaluation =
            ReversiEvaluation::open(settings.evaluation, settings.weights).map_err(|error| match error {
                EvaluationError::Unknown(_) => settings.unknown_evaluation("reversi"),
                other => settings.weights_error(&other),
            })?;
        Ok(reversi::open(&evaluation, &SearcherOptions::sharing(settings.hash))?)
    }
}

impl BuiltIn for MiniChess {
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        let disabled = settings.disabled("minichess", &[Technique::ProbCut])?;
        let evaluation = minichess::evaluation(settings)?;
        Ok(minichess::open(evaluation, &disabled, settings.hash)?)
    }
}

impl BuiltIn for SmallReversi {
    /// The table of the search and that of the exact solver get half of the memory each.
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        let (game, name) = (*self, self.names().name);
        settings.all_techniques(name)?;
        let eval =
            SmallEvaluation::named(game, settings.evaluation).ok_or_else(|| settings.unknown_evaluation(name))?;
        settings.without_weights(|| format!("the evaluations of {name} have none"))?;
        let policy = SmallPolicy::new(game, (settings.hash - settings.hash / 2).max(1))?;
        Ok(searcher::open(game, eval, policy, (settings.hash / 2).max(1))?)
    }
}

impl BuiltIn for Gomoku {
    fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
        let (game, name) = (*self, self.names().name);
        let eval = PatternEvaluation::new(game, &gomoku::weights(settings, &game)?);
        let absent = [Technique::ProbCut, Technique::Tables, Technique::Singular, Technique::Continuation];
        let policy = GomokuPolicy::new(game, &settings.disabled(name, &absent)?);
        Ok(searcher::open(game, eval, policy, settings.hash)?)
    }
}

macro_rules! open_plain_games {
    ($($name:literal [$($alias:literal),*] => $game:path,)*) => {
        $(impl BuiltIn for $game {
            fn open(&self, settings: &SearcherSettings<'_>) -> Result<Arc<dyn Searcher<Self>>, OpenError> {
                open_plain(*self, settings)
            }
        })*
    };
}

plain_games!(open_plain_games);

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
    Ok(searcher::open(game, ZeroEval, NoPolicy, settings.hash)?)
}
