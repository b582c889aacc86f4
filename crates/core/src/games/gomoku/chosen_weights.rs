//! The weights that the settings choose: those of an evaluation's name, or of a file.

use super::rules::Gomoku;
use super::weights::PatternWeights;
use crate::games::searcher_settings::{OpenError, SearcherSettings};
use crate::games::weights_kind::{self, PATTERNS};
use flipside_support::bounded_file;

/// The weights that the settings ask for in a game.
///
/// # Errors
/// The evaluation does not exist, or the file of weights cannot be used.
pub fn weights(settings: &SearcherSettings<'_>, game: &Gomoku) -> Result<PatternWeights, OpenError> {
    let built_in = PatternWeights::named(settings.evaluation, game.rule());
    let built_in = built_in.ok_or_else(|| settings.unknown_evaluation(game.names().name))?;
    let Some(path) = settings.weights else { return Ok(built_in) };
    weights_kind::check(path, PATTERNS).map_err(|reason| settings.weights_error(&reason))?;
    let text = bounded_file::read_text(path, PatternWeights::MAX_FILE_SIZE);
    let text = text.map_err(|error| settings.weights_error(&error))?;
    PatternWeights::read(&text).map_err(|reason| settings.weights_error(&reason))
}
