//! Bitboard kernels by processor level: legal moves, flips, and the count of the last flip. They
//! work on sets of squares: bit 0 is a1, bit 1 b1, bit 8 a2, bit 63 h8.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128;
pub mod speed;
pub mod tables;

// The features of every processor of the target.
#[cfg(target_arch = "aarch64")]
use neon as base;
#[cfg(not(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use portable as base;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as base;

use crate::search::level::{Base, Level};
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};

/// The kernels of a processor level. They are `#[inline(always)]`, so that they are compiled into
/// recursions for the level as a whole: a call through a pointer would cost more than the
/// instructions save.
pub trait Kernels: Level + Sized {
    /// The legal moves of the player as a set of squares.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn moves(player: u64, opponent: u64) -> u64;
    /// The opponent's discs that a disc on `square` (empty; modulo 64) flips; 0 if it flips none.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64;
    /// Twice the number of discs flipped by a disc on `square` when it is the only empty one.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn count_last_flip(player: u64, square: u32) -> u32;
    /// Two legal moves of a position at once: the discs that each adds to the player's (its own and those that it
    /// flips), and the opponent's legal moves after it.
    ///
    /// # Safety
    /// The processor must have the level's features.
    #[inline(always)]
    unsafe fn two_children(player: u64, opponent: u64, [first, second]: [u32; 2]) -> [(u64, u64); 2] {
        // SAFETY: the caller promises the level's features.
        unsafe {
            let first = Self::flips(player, opponent, first) | 1 << (first & 63);
            let second = Self::flips(player, opponent, second) | 1 << (second & 63);
            [
                (first, Self::moves(opponent & !first, player | first)),
                (second, Self::moves(opponent & !second, player | second)),
            ]
        }
    }
}

/// Implements [`Kernels`] for a level by its functions; a level may have no faster one for two children.
macro_rules! kernels {
    ($level:ident, $moves:path, $flips:path, $count_last_flip:path $(, $two_children:path)?) => {
        #[allow(unused_unsafe, reason = "the portable kernels are safe")]
        impl Kernels for $level {
            #[inline(always)]
            unsafe fn moves(player: u64, opponent: u64) -> u64 {
                // SAFETY: the caller promises the level's features.
                unsafe { $moves(player, opponent) }
            }

            #[inline(always)]
            unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64 {
                // SAFETY: the caller promises the level's features.
                unsafe { $flips(player, opponent, square) }
            }

            #[inline(always)]
            unsafe fn count_last_flip(player: u64, square: u32) -> u32 {
                // SAFETY: the caller promises the level's features.
                unsafe { $count_last_flip(player, square) }
            }

            $(#[inline(always)]
            unsafe fn two_children(player: u64, opponent: u64, squares: [u32; 2]) -> [(u64, u64); 2] {
                // SAFETY: the caller promises the level's features.
                unsafe { $two_children(player, opponent, squares) }
            })?
        }
    };
}

kernels!(Base, base::moves, base::flips, base::count_last_flip);
#[cfg(target_arch = "x86_64")]
kernels!(V3, avx2::moves, avx2::flips, avx2::count_last_flip);
#[cfg(target_arch = "x86_64")]
kernels!(V4, avx512::moves, avx512::flips, avx2::count_last_flip, avx512::two_children);
