//! Moves of the solver with the positions after them, and their selection in order.

use crate::games::reversi::board::{Board, Placement, by_quadrant};
use arrayvec::ArrayVec;

/// A move with the position after it.
#[derive(Clone, Copy)]
pub struct SolverMove {
    /// Moves of higher rank are searched earlier.
    pub rank: i32,
    /// The square, 0..=63.
    pub square: u8,
    /// The position after the move, seen by the opponent.
    pub child: Board,
    /// The opponent's legal moves there, as a set of squares.
    pub replies: u64,
}

/// The moves of a position: at most one for each square. Games have up to 33, but a host may set
/// up a position with 35 or more.
pub type SolverMoves = ArrayVec<SolverMove, 64>;

/// The rank of the table's best move.
pub const TABLE_MOVE: i32 = 1 << 28;

/// Bonus by square: corners, then edges and the inner squares, last the squares beside corners.
pub const SQUARE_BONUS: [i8; 64] = by_quadrant(&[[18, 4, 14, 12], [4, 0, 6, 8], [14, 6, 10, 8], [12, 8, 8, 8]]);

impl SolverMove {
    /// The move itself; `board` is the position before it.
    #[inline(always)]
    pub fn placement(self, board: Board) -> Placement {
        Placement { square: self.square, flips: board.player ^ self.child.opponent ^ (1 << self.square) }
    }
}

/// One step of a selection sort: returns the move of the highest rank from `index` on; the one at
/// `index` takes its place.
#[inline(always)]
pub fn select_next(moves: &mut SolverMoves, index: usize) -> SolverMove {
    let (mut best, mut rank) = (index, moves[index].rank);
    for other in index + 1..moves.len() {
        // Branchless: the comparison cannot be predicted, and a misprediction costs more than two selections.
        let better = moves[other].rank > rank;
        best = std::hint::select_unpredictable(better, other, best);
        rank = std::hint::select_unpredictable(better, moves[other].rank, rank);
    }
    let chosen = moves[best];
    moves[best] = moves[index];
    chosen
}
