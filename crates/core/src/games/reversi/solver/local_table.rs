//! A small table for one thread, for five to nine empty squares, where the shared one would miss
//! the cache.

use crate::games::reversi::board::{Board, PASS};
use flipside_support::cache_line::prefetch;

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot {
    board: Board,
    lower: i8,
    upper: i8,
    best: u8,
}

/// Direct-mapped, always replaced; whole boards, exact bounds only.
pub struct LocalTable {
    slots: Box<[Slot]>,
}

/// Slots: 32 bytes each, a quarter of a mebibyte, so that other data fits beside the table in the second-level cache.
const SLOTS: usize = 1 << 13;

impl LocalTable {
    /// An empty table.
    pub fn new() -> LocalTable {
        // Every position has discs, so no probe hits an unused slot.
        let unused = Slot { board: Board { player: 0, opponent: 0 }, lower: -64, upper: 64, best: PASS };
        LocalTable { slots: vec![unused; SLOTS].into_boxed_slice() }
    }

    #[inline(always)]
    fn slot_of(board: Board) -> usize {
        // Mixes less than [`Board::hash`], but has a shorter latency.
        let mixed =
            board.player.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ board.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> (64 - SLOTS.trailing_zeros())) as usize
    }

    /// Prefetches the slot of a board that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, board: Board) {
        prefetch(&self.slots[Self::slot_of(board)]);
    }

    /// Bounds and best move; for a board that is not stored -64, 64 and [`PASS`].
    #[inline(always)]
    pub fn probe(&self, board: Board) -> (i32, i32, u8) {
        use std::hint::select_unpredictable;
        let slot = &self.slots[Self::slot_of(board)];
        // Branchless: whether a board is stored cannot be predicted.
        let hit = (slot.board.player == board.player) & (slot.board.opponent == board.opponent);
        (
            i32::from(select_unpredictable(hit, slot.lower, -64)),
            i32::from(select_unpredictable(hit, slot.upper, 64)),
            select_unpredictable(hit, slot.best, PASS),
        )
    }

    /// Stores a fail-soft score of the window `(alpha, alpha + 1)`.
    #[inline(always)]
    pub fn store(&mut self, board: Board, score: i32, alpha: i32, best: u8) {
        let slot = &mut self.slots[Self::slot_of(board)];
        if slot.board != board {
            *slot = Slot { board, lower: -64, upper: 64, best };
        }
        if score > alpha {
            slot.lower = score as i8;
            slot.best = best;
        } else {
            slot.upper = score as i8;
        }
    }
}

impl Default for LocalTable {
    fn default() -> Self {
        Self::new()
    }
}
