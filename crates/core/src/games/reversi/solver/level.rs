//! The solver's entry points by processor level. Each recursion goes through one of them, so that the whole recursion,
//! with the kernels inlined, is compiled for the level's instructions.

use super::thread::{EvaluationOrdered, FastestFirst};
use crate::games::reversi::board::Board;
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::level::{Base, for_each_level};
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};

/// A processor level with the solver's recursions compiled for it.
pub trait SolverLevel: Kernels {
    /// [`FastestFirst::last_four_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn last_four(thread: &mut FastestFirst<'_, '_, Self>, board: Board, moves: u64, alpha: i32) -> i32;
    /// [`FastestFirst::fastest_first_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn fastest_first(
        thread: &mut FastestFirst<'_, '_, Self>,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
    ) -> i32;
    /// [`EvaluationOrdered::evaluation_ordered_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn evaluation_ordered<E: Eval<Reversi<Self>>>(
        thread: &mut EvaluationOrdered<'_, '_, Self, E>,
        board: Board,
        state: &E::Accumulator,
        alpha: i32,
        empties: u32,
    ) -> i32;
    /// [`EvaluationOrdered::shallow_search_body`].
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn shallow_search<E: Eval<Reversi<Self>>>(
        thread: &mut EvaluationOrdered<'_, '_, Self, E>,
        board: Board,
        moves: u64,
        state: &E::Accumulator,
        window: (i32, i32),
        depth: u32,
    ) -> i32;
}

/// Implements [`SolverLevel`] for a level by compiling the bodies with its features.
macro_rules! solver_level {
    ($level:ident, $name:literal, [$($feature:tt),*]) => {
        impl SolverLevel for $level {
            $(#[target_feature(enable = $feature)])*
            unsafe fn last_four(thread: &mut FastestFirst<'_, '_, Self>, board: Board, moves: u64, alpha: i32) -> i32 {
                thread.last_four_body(board, moves, alpha)
            }

            $(#[target_feature(enable = $feature)])*
            unsafe fn fastest_first(
                thread: &mut FastestFirst<'_, '_, Self>,
                board: Board,
                moves: u64,
                alpha: i32,
                empties: u32,
            ) -> i32 {
                thread.fastest_first_body(board, moves, alpha, empties)
            }

            $(#[target_feature(enable = $feature)])*
            unsafe fn evaluation_ordered<E: Eval<Reversi<Self>>>(
                thread: &mut EvaluationOrdered<'_, '_, Self, E>,
                board: Board,
                state: &E::Accumulator,
                alpha: i32,
                empties: u32,
            ) -> i32 {
                thread.evaluation_ordered_body(board, state, alpha, empties)
            }

            $(#[target_feature(enable = $feature)])*
            unsafe fn shallow_search<E: Eval<Reversi<Self>>>(
                thread: &mut EvaluationOrdered<'_, '_, Self, E>,
                board: Board,
                moves: u64,
                state: &E::Accumulator,
                window: (i32, i32),
                depth: u32,
            ) -> i32 {
                thread.shallow_search_body(board, moves, state, window, depth)
            }
        }
    };
}

for_each_level!(solver_level);
