//! The arithmetic of the board, by processor level.
//!
//! Squares are bits: a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63.

pub mod portable;

use crate::search::level::{Base, Level};

/// What the rules and the solver need of a processor. Methods are `#[inline(always)]`, so that
/// they melt into recursions compiled for the level.
pub trait Kernels: Level {
    /// The squares where the player may place a disc.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn moves(player: u64, opponent: u64) -> u64;
    /// The opponent's discs that a disc on `square` (0..=63, empty) turns; 0 if it turns none.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64;
}

impl Kernels for Base {
    #[inline(always)]
    unsafe fn moves(player: u64, opponent: u64) -> u64 {
        portable::moves(player, opponent)
    }

    #[inline(always)]
    unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64 {
        portable::flips(player, opponent, square)
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Kernels, portable};
    use crate::search::level::{V3, V4};

    impl Kernels for V3 {
        #[inline(always)]
        unsafe fn moves(player: u64, opponent: u64) -> u64 {
            portable::moves(player, opponent)
        }

        #[inline(always)]
        unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64 {
            portable::flips(player, opponent, square)
        }
    }

    impl Kernels for V4 {
        #[inline(always)]
        unsafe fn moves(player: u64, opponent: u64) -> u64 {
            portable::moves(player, opponent)
        }

        #[inline(always)]
        unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64 {
            portable::flips(player, opponent, square)
        }
    }
}
