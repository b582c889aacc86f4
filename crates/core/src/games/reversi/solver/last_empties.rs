//! The last four empty squares without move generation: each empty square is tried in the order of
//! quadrant parity, and the last disc is not played: its flips are counted.
//!
//! All scores are discs for the side to move, all windows `(alpha, alpha + 1)`.

use super::level::SolverLevel;
use super::parity::odd_quadrants;
use super::thread::FastestFirst;
use crate::games::reversi::board::{Board, pop_lowest};
use crate::games::reversi::kernels::tables::NEIGHBOURS;
use std::hint::select_unpredictable;

/// Less than any score: no move so far.
const NONE: i32 = -65;

/// A cheap test before computing flips: a legal move has a disc of the opponent beside it.
#[inline(always)]
fn touches(discs: u64, square: u32) -> bool {
    discs & NEIGHBOURS[(square & 63) as usize] != 0
}

/// Three squares, first one that is alone in its quadrant.
#[inline(always)]
fn by_parity(mut squares: u64) -> [u32; 3] {
    let first = odd_quadrants(squares).trailing_zeros();
    squares &= !(1 << first);
    [first, pop_lowest(&mut squares), squares.trailing_zeros()]
}

impl<K: SolverLevel> FastestFirst<'_, '_, K> {
    /// Four empty squares and the mover's legal moves; [`SolverLevel::last_four`] compiles it for a level.
    #[inline(always)]
    pub fn last_four_body(&mut self, board: Board, moves: u64, alpha: i32) -> i32 {
        self.budget.nodes += 1;
        if moves == 0 {
            return self.pass_or_end(board, |thread, passed, replies| {
                // SAFETY: this value holds the proof that the processor has the level's features.
                unsafe { K::last_four(thread, passed, replies, -alpha - 1) }
            });
        }
        let empty = board.empty();
        let odd = odd_quadrants(empty);
        let mut left = moves;
        let mut best = NONE;
        while left != 0 {
            // Branchless: whether an odd quadrant is left cannot be predicted.
            let square = select_unpredictable(left & odd != 0, left & odd, left).trailing_zeros();
            left &= !(1 << square);
            let child = board.after(self.placement(board, square));
            let score = -self.three(child, -alpha - 1, by_parity(empty & !(1 << square)));
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }

    #[inline(always)]
    fn three(&mut self, board: Board, alpha: i32, [a, b, c]: [u32; 3]) -> i32 {
        self.budget.nodes += 1;
        let Board { player, opponent } = board;
        let orders = [(a, [b, c]), (b, [a, c]), (c, [a, b])];
        let mut best = NONE;
        for (square, rest) in orders {
            if let Some(child) = self.placed(player, opponent, square) {
                best = best.max(-self.two(child, -alpha - 1, rest));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            return best;
        }
        let mut least = -NONE;
        for (square, rest) in orders {
            if let Some(child) = self.placed(opponent, player, square) {
                least = least.min(self.two(child, alpha, rest));
                if least <= alpha {
                    return least;
                }
            }
        }
        if least < -NONE { least } else { board.final_discs() }
    }

    #[inline(always)]
    fn two(&mut self, board: Board, alpha: i32, [a, b]: [u32; 2]) -> i32 {
        self.budget.nodes += 1;
        let Board { player, opponent } = board;
        let mut best = NONE;
        if let Some(child) = self.placed(player, opponent, a) {
            best = -self.one(child.player, -alpha - 1, b);
            if best > alpha {
                return best;
            }
        }
        if let Some(child) = self.placed(player, opponent, b) {
            return best.max(-self.one(child.player, -alpha - 1, a));
        }
        if best > NONE {
            return best;
        }
        // A pass: the opponent moves and minimises.
        let mut least = -NONE;
        if let Some(child) = self.placed(opponent, player, a) {
            least = self.one(child.player, alpha, b);
            if least <= alpha {
                return least;
            }
        }
        if let Some(child) = self.placed(opponent, player, b) {
            return least.min(self.one(child.player, alpha, a));
        }
        if least < -NONE { least } else { board.final_discs() }
    }

    /// One empty square: the score follows from the number of flips, no move is made.
    #[inline(always)]
    fn one(&mut self, player: u64, alpha: i32, square: u32) -> i32 {
        self.budget.nodes += 1;
        let own = player.count_ones() as i32;
        // SAFETY: this value holds the proof that the processor has the level's features.
        let flipped = unsafe { K::count_last_flip(player, square) } as i32;
        if flipped > 0 {
            return 2 * own + flipped - 62;
        }
        // If the opponent cannot move either, the empty square counts for the winner; 63 discs
        // cannot be a draw.
        let unmoved = if own > 31 { 2 * own - 62 } else { 2 * own - 64 };
        if unmoved <= alpha {
            return unmoved;
        }
        let other = !player & !(1 << square);
        // SAFETY: as above.
        let lost = unsafe { K::count_last_flip(other, square) } as i32;
        if lost > 0 { 2 * own - lost - 64 } else { unmoved }
    }

    /// The board after a move of `mover`, seen by the other side, if the move is legal.
    #[inline(always)]
    fn placed(&self, mover: u64, other: u64, square: u32) -> Option<Board> {
        if !touches(other, square) {
            return None;
        }
        // SAFETY: this value holds the proof that the processor has the level's features.
        let flips = unsafe { K::flips(mover, other, square) };
        (flips != 0).then(|| Board { player: other ^ flips, opponent: mover ^ flips ^ (1 << square) })
    }
}
