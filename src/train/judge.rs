//! Which evaluation a step of training uses.

use crate::games::reversi::evaluation::ReversiEvaluation;
use clap::Args;
use std::path::PathBuf;

/// The words for an evaluation.
#[derive(Args, Clone, Debug)]
pub struct Judge {
    /// The evaluation
    #[arg(long, value_name = "NAME", default_value = "learned")]
    evaluation: String,
    /// File of its weights (default: those in the program)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl Judge {
    /// Opens it.
    ///
    /// # Errors
    /// There is no such evaluation, or its weights cannot be used.
    pub fn open(&self) -> anyhow::Result<ReversiEvaluation> {
        Ok(ReversiEvaluation::open(&self.evaluation, self.weights.as_deref())?)
    }
}
