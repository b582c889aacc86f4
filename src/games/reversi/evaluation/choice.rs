//! The choice of an evaluation by its name, and jobs that are compiled for each of them.

use super::network::file::{self, NetworkFileError};
use super::network::weights::PatternNetwork;
use super::network::{NetworkEvaluation, open_network};
use super::pattern::weights::PatternWeights;
use super::pattern::weights_file::{self, PatternWeightsError};
use super::pattern::{PatternEvaluation, open_weights};
use super::single_feature::SingleFeature;
use super::stage_weighted::{StageWeighted, StageWeightsError};
use crate::games::names;
use crate::games::reversi::level::{ForLevel, at_best_level};
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::weights_kind::{self, LINEAR, REVERSI_NETWORK, WEIGHTED, WeightsKind, WrongKind};
use crate::search::evaluation::Eval;
use std::path::Path;
use std::sync::Arc;

/// An evaluation of Reversi, chosen by name.
#[derive(Clone, Debug)]
pub enum ReversiEvaluation {
    /// A single feature.
    SingleFeature(SingleFeature),
    /// The sum of all features, weighted by stage.
    StageWeighted(Arc<StageWeighted>),
    /// The linear pattern evaluation with these weights.
    Pattern(Arc<PatternWeights>),
    /// The linear evaluation, corrected by this network.
    Network(Arc<PatternNetwork>),
}

/// Why there is no such evaluation.
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
    /// A file of weights for an evaluation that has none.
    #[error(
        "the evaluation '{0}' has no weights to load: --weights goes with --evaluation network, linear or weighted"
    )]
    NoWeights(String),
}

impl ReversiEvaluation {
    /// The names, the default first.
    pub const NAMES: &'static [&'static str] = names::REVERSI.evaluations;

    /// The evaluation of that name in any case (`default` is the first, or the one that reads the file of weights; `learned` an older name of `linear`), with weights
    /// from the file if there is one.
    ///
    /// # Errors
    /// There is no such evaluation, or the weights cannot be used.
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
            return Ok(ReversiEvaluation::StageWeighted(Arc::new(stage_weighted)));
        }
        let feature = SingleFeature::named(name).ok_or_else(|| EvaluationError::Unknown(name.to_string()))?;
        if weights.is_some() {
            return Err(EvaluationError::NoWeights(name.to_string()));
        }
        Ok(ReversiEvaluation::SingleFeature(feature))
    }

    /// The first evaluation; where a file of weights is given, the one that reads it.
    fn default_name(weights: Option<&Path>) -> &'static str {
        let kind = weights.and_then(weights_kind::of_file).filter(|kind| kind.game == LINEAR.game);
        kind.map_or(Self::NAMES[0], |kind| kind.evaluation)
    }

    /// Its identity for files of answers and games: its name, and the checksum of its weights if it has any.
    pub fn identity(&self) -> String {
        match self {
            ReversiEvaluation::SingleFeature(feature) => feature.name().to_string(),
            ReversiEvaluation::StageWeighted(stage_weighted) => stage_weighted.identity(),
            ReversiEvaluation::Pattern(weights) => format!("linear {}", weights_file::identity(weights)),
            ReversiEvaluation::Network(network) => format!("network {}", file::identity(network)),
        }
    }
}

fn check_kind(weights: Option<&Path>, wanted: WeightsKind) -> Result<(), EvaluationError> {
    weights.map_or(Ok(()), |path| weights_kind::check(path, wanted)).map_err(EvaluationError::WrongKind)
}

/// A job with an evaluation, compiled for each evaluation and processor level.
pub trait WithEvaluation {
    /// The job's result.
    type Output;
    /// Does the job. `probcut_model` describes the errors of the evaluation's searches, if they were measured.
    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> Self::Output;
}

/// Does the job with the evaluation at the best level of this processor.
pub fn with_evaluation<J: WithEvaluation>(evaluation: &ReversiEvaluation, job: J) -> J::Output {
    at_best_level(Opened { evaluation, job })
}

struct Opened<'a, J> {
    evaluation: &'a ReversiEvaluation,
    job: J,
}

impl<J: WithEvaluation> ForLevel for Opened<'_, J> {
    type Output = J::Output;

    fn run<K: SolverLevel>(self, game: Reversi<K>) -> J::Output {
        match self.evaluation {
            ReversiEvaluation::SingleFeature(feature) => self.job.run(game, *feature, None),
            ReversiEvaluation::StageWeighted(stage_weighted) => self.job.run(game, Arc::clone(stage_weighted), None),
            ReversiEvaluation::Pattern(weights) => {
                let eval = PatternEvaluation::new(&game, Arc::clone(weights));
                self.job.run(game, eval, Some(&weights.probcut_model))
            }
            ReversiEvaluation::Network(network) => {
                let eval = NetworkEvaluation::new(&game, Arc::clone(network));
                self.job.run(game, eval, Some(&network.probcut_model))
            }
        }
    }
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
