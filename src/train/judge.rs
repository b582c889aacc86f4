//! Which evaluation a step of training plays with.

use crate::games::reversi::board::Reversi;
use crate::games::reversi::evaluation::PlainEvaluation;
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::{ForLevel, at_best_level};
use crate::search::game::Eval;
use anyhow::Context;
use clap::Args;

/// The words for an evaluation.
#[derive(Args, Clone, Debug)]
pub struct Judge {
    /// Evaluation without weights of its own
    #[arg(long, value_name = "NAME", default_value = "weighted")]
    evaluation: String,
}

impl Judge {
    /// What makes this evaluation different from others.
    ///
    /// # Errors
    /// There is no such evaluation.
    pub fn identity(&self) -> anyhow::Result<String> {
        self.plain()?;
        Ok(self.evaluation.to_ascii_lowercase())
    }

    fn plain(&self) -> anyhow::Result<PlainEvaluation> {
        PlainEvaluation::named(&self.evaluation)
            .with_context(|| format!("unknown evaluation '{}': one of {:?}", self.evaluation, PlainEvaluation::NAMES))
    }
}

/// Something to do with an evaluation, compiled for whatever level the processor has.
pub trait WithJudge {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(self, game: Reversi<K>, eval: E) -> Self::Output;
}

/// Does the job with the evaluation.
///
/// # Errors
/// The evaluation cannot be opened.
pub fn with_judge<J: WithJudge>(judge: &Judge, job: J) -> anyhow::Result<J::Output> {
    let plain = judge.plain()?;
    Ok(at_best_level(Opened { plain, job }))
}

struct Opened<J> {
    plain: PlainEvaluation,
    job: J,
}

impl<J: WithJudge> ForLevel for Opened<J> {
    type Output = J::Output;

    fn run<K: Kernels>(self, game: Reversi<K>) -> J::Output {
        self.job.run(game, self.plain)
    }
}
