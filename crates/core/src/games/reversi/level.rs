//! Dispatch by processor level.

use super::rules::Reversi;
use super::solver::level::SolverLevel;
#[cfg(target_arch = "x86_64")]
use crate::search::level::{Supported, V3, V4};

/// A job with the rules, compiled once for each processor level.
pub trait ForLevel {
    /// The job's result.
    type Output;
    /// Runs the job.
    fn run<K: SolverLevel>(self, game: Reversi<K>) -> Self::Output;
}

/// Runs the job at the best level of this processor.
pub fn at_best_level<J: ForLevel>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(level) = Supported::<V4>::detect() {
            return job.run(Reversi::new(level));
        }
        if let Some(level) = Supported::<V3>::detect() {
            return job.run(Reversi::new(level));
        }
    }
    job.run(Reversi::portable())
}
