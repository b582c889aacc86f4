//! Reversi.

pub mod board;
pub mod evaluation;
pub mod kernels;
pub mod mobility;
pub mod notation;
pub mod obf;
pub mod policy;
pub mod probcut;
pub mod solver;

use crate::search::level::{Base, LevelName};
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};
use board::Reversi;
use kernels::Kernels;

/// Something to do with the game compiled for whatever level the processor has.
pub trait ForLevel {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<K: Kernels>(self, game: Reversi<K>) -> Self::Output;
}

/// Does the job at the best level of this processor: the one place where a level is chosen.
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
