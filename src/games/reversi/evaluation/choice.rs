//! An evaluation by its name, and code that is compiled for whichever it is.

use super::learned::packed::{self, WeightsError};
use super::learned::weights::Weights;
use super::learned::{Learned, open_weights};
use super::plain::PlainEvaluation;
use super::staged::{Staged, StagedError};
use crate::games::names;
use crate::games::reversi::board::Reversi;
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::probcut::Statistics;
use crate::games::reversi::{ForLevel, at_best_level};
use crate::search::evaluation::Eval;
use std::path::Path;
use std::sync::Arc;

/// An evaluation of Reversi, chosen by name.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// By formula.
    Plain(PlainEvaluation),
    /// By the stage-weighted sum of formulas.
    Staged(Arc<Staged>),
    /// By these weights.
    Learned(Arc<Weights>),
}

/// Why there is no such evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// No evaluation has that name.
    #[error("Reversi has no evaluation '{0}': one of {names}", names = Evaluation::NAMES.join(", "))]
    Unknown(String),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The weights of the stage-weighted sum cannot be used.
    #[error(transparent)]
    Staged(#[from] StagedError),
    /// A formula was asked for, and a file of weights as well.
    #[error("evaluation '{0}' has no weights to load")]
    NoWeights(String),
}

impl Evaluation {
    /// The names, the default first.
    pub const NAMES: &'static [&'static str] = names::REVERSI.evaluations;

    /// The evaluation of that name in any case (`default` is the first), with weights from the file
    /// if there is one.
    ///
    /// # Errors
    /// There is no such evaluation, or the weights cannot be used.
    pub fn open(name: &str, weights: Option<&Path>) -> Result<Evaluation, EvaluationError> {
        if name.eq_ignore_ascii_case("default") || name.eq_ignore_ascii_case("learned") {
            return Ok(Evaluation::Learned(open_weights(weights)?));
        }
        if name.eq_ignore_ascii_case("weighted") {
            let staged = weights.map_or_else(|| Ok(Staged::built_in()), Staged::open)?;
            return Ok(Evaluation::Staged(Arc::new(staged)));
        }
        let plain = PlainEvaluation::named(name).ok_or_else(|| EvaluationError::Unknown(name.to_string()))?;
        if weights.is_some() {
            return Err(EvaluationError::NoWeights(name.to_string()));
        }
        Ok(Evaluation::Plain(plain))
    }

    /// What makes it different from others: its name, and the checksum of its weights if it has any.
    pub fn identity(&self) -> String {
        match self {
            Evaluation::Plain(plain) => plain.name().to_string(),
            Evaluation::Staged(staged) => staged.identity(),
            Evaluation::Learned(weights) => format!("learned {}", packed::identity(weights)),
        }
    }
}

/// Something to do with an evaluation, compiled for the processor's level.
pub trait WithEvaluation {
    /// What comes of it.
    type Output;
    /// Does it. `statistics` are what ProbCut may bet on.
    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        statistics: Option<&Statistics>,
    ) -> Self::Output;
}

/// Does the job with the evaluation at the best level of this processor.
pub fn with_evaluation<J: WithEvaluation>(evaluation: &Evaluation, job: J) -> J::Output {
    at_best_level(Opened { evaluation, job })
}

struct Opened<'a, J> {
    evaluation: &'a Evaluation,
    job: J,
}

impl<J: WithEvaluation> ForLevel for Opened<'_, J> {
    type Output = J::Output;

    fn run<K: Kernels>(self, game: Reversi<K>) -> J::Output {
        match self.evaluation {
            Evaluation::Plain(plain) => self.job.run(game, *plain, None),
            Evaluation::Staged(staged) => self.job.run(game, Arc::clone(staged), None),
            Evaluation::Learned(weights) => {
                let eval = Learned::new(&game, Arc::clone(weights));
                self.job.run(game, eval, Some(&weights.statistics))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_opens_and_others_are_refused() {
        for name in Evaluation::NAMES {
            let evaluation = Evaluation::open(name, None).expect("a known name");
            assert!(evaluation.identity().starts_with(name), "{name}");
        }
        assert_eq!(Evaluation::NAMES.len(), 2 + PlainEvaluation::NAMES.len());
        assert_eq!(Evaluation::open("nonsense", None).err(), Some(EvaluationError::Unknown("nonsense".into())));
        let file = Some(Path::new("/nowhere"));
        assert!(matches!(Evaluation::open("learned", file), Err(EvaluationError::Weights(_))));
        assert!(matches!(Evaluation::open("weighted", file), Err(EvaluationError::Staged(_))));
        assert_eq!(Evaluation::open("discs", file).err(), Some(EvaluationError::NoWeights("discs".into())));
    }
}
