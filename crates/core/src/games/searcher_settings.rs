//! The settings for opening the search of a game, and the reasons why it cannot be opened.

use super::names;
use crate::search::policy::Technique;
use flipside_support::file_fault::FileFault;
use flipside_support::memory::MemoryError;
use std::path::Path;

/// The settings for opening a search.
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

/// Why an engine cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The game does not exist.
    #[error("unknown game '{name}': one of {}", known.join(", "))]
    UnknownGame {
        /// The requested name.
        name: String,
        /// The games' own names.
        known: Vec<&'static str>,
    },
    /// The game has no such evaluation.
    #[error("{game} has no evaluation '{name}': one of {}", evaluations_of(game).join(", "))]
    UnknownEvaluation {
        /// The game.
        game: &'static str,
        /// The requested name.
        name: String,
    },
    /// The game's search has no such technique to disable.
    #[error("{game} has no technique '{name}' to disable")]
    UnknownTechnique {
        /// The game.
        game: &'static str,
        /// The requested name.
        name: String,
    },
    /// The weights could not be used.
    #[error("cannot use the weights: {reason}")]
    Weights {
        /// What is wrong with them; may quote the file.
        reason: String,
        /// The same without anything that the file holds.
        reason_for_host: String,
    },
    /// The opening book could not be used: the file and the reason.
    #[error("cannot use the book {file}: {reason}")]
    Book {
        /// The requested file.
        file: String,
        /// What is wrong with it; may quote the file.
        reason: String,
        /// The same without anything that the file holds.
        reason_for_host: String,
    },
    /// The game has no opening books.
    #[error("{game} has no opening book, saw '{file}'")]
    NoBook {
        /// The game.
        game: &'static str,
        /// The requested file.
        file: String,
    },
    /// The memory does not suffice for tables of the size in the option `Hash`.
    #[error("Hash is too large: {0}")]
    Memory(#[from] MemoryError),
    /// The system cannot start a thread for the searches; holds the reason.
    #[error("no thread for the searches: {0}")]
    Thread(String),
}

impl FileFault for OpenError {
    fn without_content(&self) -> String {
        match self {
            OpenError::Weights { reason_for_host, .. } => format!("cannot use the weights: {reason_for_host}"),
            OpenError::Book { file, reason_for_host, .. } => format!("cannot use the book {file}: {reason_for_host}"),
            other => other.to_string(),
        }
    }
}

/// The names that `--evaluation` takes in a game.
fn evaluations_of(game: &str) -> Vec<&'static str> {
    let known = names::find(game).map_or(&[][..], |game| game.evaluations);
    std::iter::once("default").chain(known.iter().copied()).collect()
}

impl SearcherSettings<'_> {
    pub(super) fn unknown_evaluation(&self, game: &'static str) -> OpenError {
        OpenError::UnknownEvaluation { game, name: self.evaluation.to_string() }
    }

    /// Weights that cannot be used: where they are, and why.
    pub(super) fn weights_error(&self, fault: &dyn FileFault) -> OpenError {
        let place = self.weights.map(|path| path.display().to_string());
        // A file that cannot be read is named already.
        let placed = |reason: String| match place.as_ref().filter(|place| !reason.starts_with(place.as_str())) {
            Some(place) => format!("{place}: {reason}"),
            None => reason,
        };
        OpenError::Weights { reason: placed(fault.to_string()), reason_for_host: placed(fault.without_content()) }
    }

    /// Refuses a file of weights for an evaluation without weights, which `whose` names.
    pub(super) fn without_weights(&self, whose: impl FnOnce() -> String) -> Result<(), OpenError> {
        let refused = |reason: String| OpenError::Weights { reason_for_host: reason.clone(), reason };
        self.weights.map_or(Ok(()), |_| Err(refused(whose())))
    }

    /// The disabled techniques of a game that has all techniques but `absent`.
    pub(super) fn disabled(&self, game: &'static str, absent: &[Technique]) -> Result<Vec<Technique>, OpenError> {
        let words = self.disabled_techniques.split(',').map(str::trim).filter(|word| !word.is_empty());
        let technique = |word: &str| {
            let mut known = Technique::NAMES.iter().filter(|(_, technique)| !absent.contains(technique));
            let technique = known.find(|(name, _)| *name == word).map(|(_, technique)| *technique);
            technique.ok_or_else(|| OpenError::UnknownTechnique { game, name: word.to_string() })
        };
        words.map(technique).collect()
    }

    /// Refuses disabled techniques in a game whose techniques cannot be disabled.
    pub(super) fn all_techniques(&self, game: &'static str) -> Result<(), OpenError> {
        let name = self.disabled_techniques;
        if name.is_empty() { Ok(()) } else { Err(OpenError::UnknownTechnique { game, name: name.to_string() }) }
    }
}
