//! The arithmetic of the board, by processor level.
//!
//! Squares are bits: a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod portable;
pub mod tables;

use super::board::{Board, Reversi};
use super::solver::evaluation_ordered::EvaluationOrdered;
use super::solver::fastest_first::FastestFirst;
use crate::search::evaluation::Eval;
use crate::search::level::{Base, Level};
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};

/// What the rules and the solver need of a processor. The kernels are `#[inline(always)]`, so that
/// they melt into recursions compiled for the level; the entry points of the solver's recursions
/// are compiled for the level themselves.
pub trait Kernels: Level + Sized {
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
    /// Twice the discs turned by a disc on `square` when it is the only empty one.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn count_last_flip(player: u64, square: u32) -> u32;

    /// [`FastestFirst::four_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn four(deep: &mut FastestFirst<'_, '_, Self>, board: Board, moves: u64, alpha: i32) -> i32;
    /// [`FastestFirst::middle_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn middle(deep: &mut FastestFirst<'_, '_, Self>, board: Board, moves: u64, alpha: i32, empties: u32) -> i32;
    /// [`EvaluationOrdered::null_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn high<E: Eval<Reversi<Self>>>(
        high: &mut EvaluationOrdered<'_, '_, Self, E>,
        board: Board,
        state: &E::Accumulator,
        alpha: i32,
        empties: u32,
    ) -> i32;
    /// [`EvaluationOrdered::shallow_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn shallow<E: Eval<Reversi<Self>>>(
        high: &mut EvaluationOrdered<'_, '_, Self, E>,
        board: Board,
        state: &E::Accumulator,
        window: (i32, i32),
        depth: u32,
    ) -> i32;
}

/// Writes [`Kernels`] for a level: three kernels, and the recursions compiled for its features.
macro_rules! kernels {
    ($level:ident, $moves:path, $flips:path, $count_last_flip:path $(, $feature:meta)?) => {
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

            $(#[$feature])?
            unsafe fn four(deep: &mut FastestFirst<'_, '_, Self>, board: Board, moves: u64, alpha: i32) -> i32 {
                deep.four_body(board, moves, alpha)
            }

            $(#[$feature])?
            unsafe fn middle(
                deep: &mut FastestFirst<'_, '_, Self>,
                board: Board,
                moves: u64,
                alpha: i32,
                empties: u32,
            ) -> i32 {
                deep.middle_body(board, moves, alpha, empties)
            }

            $(#[$feature])?
            unsafe fn high<E: Eval<Reversi<Self>>>(
                high: &mut EvaluationOrdered<'_, '_, Self, E>,
                board: Board,
                state: &E::Accumulator,
                alpha: i32,
                empties: u32,
            ) -> i32 {
                high.null_body(board, state, alpha, empties)
            }

            $(#[$feature])?
            unsafe fn shallow<E: Eval<Reversi<Self>>>(
                high: &mut EvaluationOrdered<'_, '_, Self, E>,
                board: Board,
                state: &E::Accumulator,
                window: (i32, i32),
                depth: u32,
            ) -> i32 {
                high.shallow_body(board, state, window, depth)
            }
        }
    };
}

kernels!(Base, portable::moves, portable::flips, portable::count_last_flip);
#[cfg(target_arch = "x86_64")]
kernels!(
    V3,
    avx2::moves,
    avx2::flips,
    avx2::count_last_flip,
    target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")
);
#[cfg(target_arch = "x86_64")]
kernels!(
    V4,
    avx512::moves,
    avx512::flips,
    avx2::count_last_flip,
    target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")
);
