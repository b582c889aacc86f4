//! What the solver's split points are made of.

use super::moves::SolverMove;
use crate::games::reversi::board::Board;
use crate::search::types::Selectivity;
use crate::search::{split_point, split_pool};

/// What a helper has to know of a position.
pub struct SolverNode {
    /// The position.
    pub board: Board,
    /// Its empty squares.
    pub empties: u32,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
}

/// A split point of the solver.
pub type SplitPoint = split_point::SplitPoint<SolverNode, SolverMove>;
/// The solver's split points.
pub type SplitPool = split_pool::SplitPool<SolverNode, SolverMove>;
