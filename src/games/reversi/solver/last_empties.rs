//! The last four empty squares, without move generation: null windows, quadrant parity, and at the
//! last disc a count instead of a move.
//!
//! All scores are discs for the side to move, all windows `(alpha, alpha + 1)`.

use super::super::board::Board;
use super::super::kernels::{Kernels, tables::NEIGHBOURS};
use super::fastest_first::FastestFirst;

/// Less than any score: no move so far.
const NONE: i32 = -65;

/// The empty squares in quadrants with an odd number of them: whoever moves there first tends to
/// move there last.
#[inline(always)]
pub fn odd_quadrants(empty: u64) -> u64 {
    // Folding columns, then rows, leaves the parity of a quadrant at its first square.
    let mut fold = empty ^ (empty >> 16);
    fold ^= fold >> 8;
    fold ^= fold >> 1;
    fold ^= fold >> 2;
    fold &= 0x0000_0011_0000_0011;
    empty & fold.wrapping_mul(0x0f0f_0f0f)
}

/// Takes the lowest square out of a set.
#[inline(always)]
fn take(set: &mut u64) -> u32 {
    let square = set.trailing_zeros();
    *set &= set.wrapping_sub(1);
    square
}

/// A cheap test before the flips: a move needs an opponent's disc beside it.
#[inline(always)]
fn touches(discs: u64, square: u32) -> bool {
    discs & NEIGHBOURS[(square & 63) as usize] != 0
}

/// Three squares, first those that are alone in their quadrants.
#[inline(always)]
fn by_parity(mut squares: u64) -> [u32; 3] {
    let first = odd_quadrants(squares).trailing_zeros();
    squares &= !(1 << first);
    [first, take(&mut squares), squares.trailing_zeros()]
}

impl<K: Kernels> FastestFirst<'_, '_, K> {
    /// Four empty squares with the mover's legal placements; [`Kernels::four`] compiles it for a level.
    #[inline(always)]
    pub fn four_body(&mut self, board: Board, moves: u64, alpha: i32) -> i32 {
        self.budget.nodes += 1;
        if moves == 0 {
            return self.pass_or_end(board, |deep, passed, replies| {
                // SAFETY: whoever made `self` promised that the processor has the level's features.
                unsafe { K::four(deep, passed, replies, -alpha - 1) }
            });
        }
        let empty = board.empty();
        let odd = odd_quadrants(empty);
        let mut best = NONE;
        for mut set in [moves & odd, moves & !odd] {
            while set != 0 {
                let square = take(&mut set);
                let child = board.after(self.placement(board, square));
                let score = -self.three(child, -alpha - 1, by_parity(empty & !(1 << square)));
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
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
        // A pass: the opponent wants the least.
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

    /// One empty square: no move is made, its discs are counted.
    #[inline(always)]
    fn one(&mut self, player: u64, alpha: i32, square: u32) -> i32 {
        self.budget.nodes += 1;
        let own = player.count_ones() as i32;
        // SAFETY: whoever made `self` promised that the processor has the level's features.
        let flipped = unsafe { K::count_last_flip(player, square) } as i32;
        if flipped > 0 {
            return 2 * own + flipped - 62;
        }
        // If the opponent cannot move either, the empty square goes to the winner; 63 discs are never a draw.
        let unmoved = if own > 31 { 2 * own - 62 } else { 2 * own - 64 };
        if unmoved <= alpha {
            return unmoved;
        }
        let other = !player & !(1 << square);
        // SAFETY: as above.
        let lost = unsafe { K::count_last_flip(other, square) } as i32;
        if lost > 0 { 2 * own - lost - 64 } else { unmoved }
    }

    /// The board after a placement by `mover`, seen by the other side, if it turns anything.
    #[inline(always)]
    fn placed(&self, mover: u64, other: u64, square: u32) -> Option<Board> {
        if !touches(other, square) {
            return None;
        }
        // SAFETY: whoever made `self` promised that the processor has the level's features.
        let flips = unsafe { K::flips(mover, other, square) };
        (flips != 0).then(|| Board { player: other ^ flips, opponent: mover ^ flips ^ (1 << square) })
    }
}
