//! The arguments that `flipside split` and `join` share.

use clap::Args;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use std::path::PathBuf;

/// The state of a proof and its next tasks.
#[derive(Args, Debug)]
pub struct StateArgs {
    /// File with the state of the proof; it only grows
    #[arg(long, value_name = "FILE")]
    pub state: PathBuf,
    /// Most tasks to print, the best first
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub most: u32,
    /// Evaluation function that orders the moves
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub evaluation: String,
    /// File of weights for the evaluation `network`, `linear` or `weighted` (default: the built-in weights)
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

impl StateArgs {
    /// Opens the evaluation.
    ///
    /// # Errors
    /// The evaluation is unknown, or its weights cannot be used.
    pub fn open_evaluation(&self) -> anyhow::Result<ReversiEvaluation> {
        Ok(ReversiEvaluation::open(&self.evaluation, self.weights.as_deref())?)
    }
}
