//! The state of one thread of a solve. The recursions are methods of these two types:
//! [`fastest_first`](super::fastest_first) and [`last_empties`](super::last_empties) of the first,
//! [`evaluation_ordered`](super::evaluation_ordered) and [`root`](super::root) of the second.

use super::local_table::LocalTable;
use super::moves::SolverMove;
use super::settings::SolverSettings;
use super::split_node::SolverNode;
use super::table::SolverTable;
use crate::games::reversi::board::{Board, Placement, pop_lowest};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::stability::Stability;
use crate::search::evaluation::Eval;
use crate::search::level::Supported;
use crate::search::limits::Budget;
use crate::search::split_pool::SplitThread;
use crate::search::types::Selectivity;

/// The state of the recursions without an evaluation: fastest-first ordering, then the last four empty squares.
pub struct FastestFirst<'a, 'b, K> {
    /// Nodes so far, and the end of the search.
    pub budget: &'a mut Budget<'b>,
    /// The table that all threads share.
    pub table: &'a SolverTable,
    /// Thresholds.
    pub settings: SolverSettings,
    /// This thread's small table.
    pub local: LocalTable,
    /// Tables of stable edges.
    pub stability: Stability,
    /// The proof that the recursions, compiled for the level, can run on this processor.
    _level: Supported<K>,
}

impl<'a, 'b, K: Kernels> FastestFirst<'a, 'b, K> {
    /// The state of one thread.
    pub fn new(
        level: Supported<K>,
        budget: &'a mut Budget<'b>,
        table: &'a SolverTable,
        local: LocalTable,
        settings: SolverSettings,
    ) -> FastestFirst<'a, 'b, K> {
        FastestFirst { budget, table, local, settings, stability: Stability::new(), _level: level }
    }

    /// Legal moves as a set of squares.
    #[inline(always)]
    pub fn placements(&self, board: Board) -> u64 {
        // SAFETY: this value holds the proof that the processor has the level's features.
        unsafe { K::moves(board.player, board.opponent) }
    }

    /// The legal move on a square.
    #[inline(always)]
    pub fn placement(&self, board: Board, square: u32) -> Placement {
        // SAFETY: this value holds the proof that the processor has the level's features.
        let flips = unsafe { K::flips(board.player, board.opponent, square) };
        Placement { square: square as u8, flips }
    }

    /// Tells `found` the square of each legal move, the position after it and the opponent's legal moves there.
    #[inline(always)]
    pub fn each_child(&self, board: Board, mut moves: u64, mut found: impl FnMut(u32, Board, u64)) {
        let after = |gained: u64| Board { player: board.opponent & !gained, opponent: board.player | gained };
        while moves & moves.wrapping_sub(1) != 0 {
            let squares = [pop_lowest(&mut moves), pop_lowest(&mut moves)];
            // SAFETY: this value holds the proof that the processor has the level's features.
            let children = unsafe { K::two_children(board.player, board.opponent, squares) };
            found(squares[0], after(children[0].0), children[0].1);
            found(squares[1], after(children[1].0), children[1].1);
        }
        if moves != 0 {
            let square = moves.trailing_zeros();
            let child = board.after(self.placement(board, square));
            found(square, child, self.placements(child));
        }
    }
}

/// The state of the recursion whose moves are ordered by an evaluation, and of the one below it.
pub struct EvaluationOrdered<'a, 'b, K: Kernels, E: Eval<Reversi<K>>> {
    /// The recursion below.
    pub inner: FastestFirst<'a, 'b, K>,
    /// For ordering and ProbCut.
    pub eval: &'a E,
    /// Selectivity of the bounds.
    pub selectivity: Selectivity,
    /// The split points of the solve, and the one below which this thread searches.
    pub split: SplitThread<'a, SolverNode, SolverMove>,
    /// Set for good once a split point's move below was aborted because a budget ran out.
    pub aborted: bool,
    /// The shallow search is one of ProbCut, not one that orders moves.
    pub in_probcut: bool,
}
