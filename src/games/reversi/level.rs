//! Dispatch by processor level: the one place where a level is chosen.

use super::rules::Reversi;
use super::solver::level::SolverLevel;
use crate::search::level::{Base, LevelName};
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};

/// A job with the rules, compiled once for each processor level.
pub trait ForLevel {
    /// The job's result.
    type Output;
    /// Does the job.
    fn run<K: SolverLevel>(self, game: Reversi<K>) -> Self::Output;
}

/// Does the job at the best level of this processor.
pub fn at_best_level<J: ForLevel>(job: J) -> J::Output {
    // SAFETY: `detect` has asked the processor for every feature of the level that it names.
    unsafe {
        match LevelName::detect() {
            #[cfg(target_arch = "x86_64")]
            LevelName::V4 => job.run(Reversi::<V4>::new()),
            #[cfg(target_arch = "x86_64")]
            LevelName::V3 => job.run(Reversi::<V3>::new()),
            _ => job.run(Reversi::<Base>::new()),
        }
    }
}
