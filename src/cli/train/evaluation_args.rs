//! The evaluation that a step of training uses.

use clap::Args;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use std::path::PathBuf;

/// Arguments that choose an evaluation of Reversi.
#[derive(Args, Clone, Debug)]
pub struct EvaluationArgs {
    /// Evaluation function
    #[arg(long, value_name = "NAME", default_value = "linear")]
    evaluation: String,
    /// File of its weights (default: the built-in weights)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl EvaluationArgs {
    /// Opens the evaluation.
    ///
    /// # Errors
    /// The evaluation is unknown, or its weights cannot be used.
    pub fn open(&self) -> anyhow::Result<ReversiEvaluation> {
        Ok(ReversiEvaluation::open(&self.evaluation, self.weights.as_deref())?)
    }
}
