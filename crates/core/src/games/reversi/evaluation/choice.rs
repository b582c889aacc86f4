//! Selects an evaluation by its name.

use super::network::file::{self, NetworkFileError};
use super::network::open_network;
use super::network::weights::PatternNetwork;
use super::pattern::open_weights;
use super::pattern::weights::PatternWeights;
use super::pattern::weights_file::{self, PatternWeightsError};
use super::plain::PlainEvaluation;
use super::single_feature::SingleFeature;
use super::stage_weighted::{StageWeighted, StageWeightsError};
use crate::games::names;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::weights_kind::{self, LINEAR, REVERSI_NETWORK, WEIGHTED, WeightsKind, WrongKind};
use flipside_support::file_fault::FileFault;
use std::path::Path;
use std::sync::Arc;

/// An evaluation of Reversi, selected by name.
#[derive(Clone, Debug)]
pub enum ReversiEvaluation {
    /// Features of the board, without trained weights.
    Plain(PlainEvaluation),
    /// The linear pattern evaluation with these weights.
    Pattern(Arc<PatternWeights>),
    /// The linear evaluation, corrected by this network.
    Network(Arc<PatternNetwork>),
}

/// Why an evaluation cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// No evaluation has that name.
    #[error("Reversi has no evaluation '{0}': one of {names}", names = ReversiEvaluation::NAMES.join(", "))]
    Unknown(String),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] PatternWeightsError),
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// The weights of the stage-weighted sum cannot be used.
    #[error(transparent)]
    StageWeighted(#[from] StageWeightsError),
    /// The file of weights is for another evaluation.
    #[error("{0}")]
    WrongKind(WrongKind),
    /// A file of weights for an evaluation without weights.
    #[error(
        "the evaluation '{0}' has no weights to load: --weights goes with --evaluation network, linear or weighted"
    )]
    NoWeights(String),
}

impl FileFault for EvaluationError {
    fn without_content(&self) -> String {
        match self {
            EvaluationError::Weights(error) => error.without_content(),
            EvaluationError::Network(error) => error.without_content(),
            EvaluationError::StageWeighted(error) => error.without_content(),
            EvaluationError::WrongKind(error) => error.without_content(),
            EvaluationError::Unknown(_) | EvaluationError::NoWeights(_) => self.to_string(),
        }
    }
}

impl ReversiEvaluation {
    /// The names, the default first.
    pub const NAMES: &'static [&'static str] = names::REVERSI.evaluations;

    /// The evaluation of this name in any case, with weights from the file if there is one. `default` is the first
    /// evaluation, or the one that reads the file; `learned` is an older name of `linear`.
    ///
    /// # Errors
    /// The evaluation does not exist, or the weights cannot be used.
    pub fn open(name: &str, weights: Option<&Path>) -> Result<ReversiEvaluation, EvaluationError> {
        let name = if name.eq_ignore_ascii_case("default") { Self::default_name(weights) } else { name };
        if name.eq_ignore_ascii_case("network") {
            check_kind(weights, REVERSI_NETWORK)?;
            return Ok(ReversiEvaluation::Network(open_network(weights)?));
        }
        if name.eq_ignore_ascii_case("linear") || name.eq_ignore_ascii_case("learned") {
            check_kind(weights, LINEAR)?;
            return Ok(ReversiEvaluation::Pattern(open_weights(weights)?));
        }
        if name.eq_ignore_ascii_case("weighted") {
            check_kind(weights, WEIGHTED)?;
            let stage_weighted = weights.map_or_else(|| Ok(StageWeighted::built_in()), StageWeighted::open)?;
            return Ok(ReversiEvaluation::Plain(PlainEvaluation::StageWeighted(Arc::new(stage_weighted))));
        }
        let feature = SingleFeature::named(name).ok_or_else(|| EvaluationError::Unknown(name.to_string()))?;
        if weights.is_some() {
            return Err(EvaluationError::NoWeights(name.to_string()));
        }
        Ok(ReversiEvaluation::Plain(PlainEvaluation::SingleFeature(feature)))
    }

    /// The first evaluation, or the one that reads the given file of weights.
    fn default_name(weights: Option<&Path>) -> &'static str {
        let kind = weights.and_then(weights_kind::of_file).filter(|kind| kind.game == LINEAR.game);
        kind.map_or(Self::NAMES[0], |kind| kind.evaluation)
    }

    /// The measured errors of its searches, if they were measured.
    pub fn probcut_model(&self) -> Option<&ProbCutModel> {
        match self {
            ReversiEvaluation::Plain(_) => None,
            ReversiEvaluation::Pattern(weights) => Some(&weights.probcut_model),
            ReversiEvaluation::Network(network) => Some(&network.probcut_model),
        }
    }

    /// Its identity for files of answers and games: its name, and the checksum of its weights if it has any.
    pub fn identity(&self) -> String {
        match self {
            ReversiEvaluation::Plain(PlainEvaluation::SingleFeature(feature)) => feature.name().to_string(),
            ReversiEvaluation::Plain(PlainEvaluation::StageWeighted(stage_weighted)) => stage_weighted.identity(),
            ReversiEvaluation::Pattern(weights) => format!("linear {}", weights_file::identity(weights)),
            ReversiEvaluation::Network(network) => format!("network {}", file::identity(network)),
        }
    }
}

fn check_kind(weights: Option<&Path>, wanted: WeightsKind) -> Result<(), EvaluationError> {
    weights.map_or(Ok(()), |path| weights_kind::check(path, wanted)).map_err(EvaluationError::WrongKind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_opens_and_others_are_refused() {
        for name in ReversiEvaluation::NAMES {
            let evaluation = ReversiEvaluation::open(name, None).expect("a known name");
            assert!(evaluation.identity().starts_with(name), "{name}");
        }
        let learned = 2 + usize::from(cfg!(feature = "network"));
        assert_eq!(ReversiEvaluation::NAMES.len(), learned + SingleFeature::NAMES.len());
        assert_eq!(ReversiEvaluation::open("nonsense", None).err(), Some(EvaluationError::Unknown("nonsense".into())));
        let file = Some(Path::new("/nowhere"));
        assert!(matches!(ReversiEvaluation::open("linear", file), Err(EvaluationError::Weights(_))));
        assert!(matches!(ReversiEvaluation::open("weighted", file), Err(EvaluationError::StageWeighted(_))));
        assert_eq!(ReversiEvaluation::open("discs", file).err(), Some(EvaluationError::NoWeights("discs".into())));
    }
}
