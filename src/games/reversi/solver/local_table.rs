//! A small table of one thread for the middling depths, where the shared one would miss the cache.

use super::super::board::{Board, PASS};

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot {
    board: Board,
    lower: i8,
    upper: i8,
    best: u8,
}

/// Direct-mapped, always overwritten; whole boards, exact bounds only.
pub struct LocalTable {
    slots: Box<[Slot]>,
}

/// Slots: 32 bytes each, so that the table leaves room in the second-level cache.
const SLOTS: usize = 1 << 13;

impl LocalTable {
    /// An empty table.
    pub fn new() -> LocalTable {
        // No position has an empty board, so that no probe hits an unused slot.
        let unused = Slot { board: Board { player: 0, opponent: 0 }, lower: -64, upper: 64, best: PASS };
        LocalTable { slots: vec![unused; SLOTS].into_boxed_slice() }
    }

    #[inline(always)]
    fn place(board: Board) -> usize {
        // Less mixing than [`Board::hash`], but sooner.
        let mixed =
            board.player.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ board.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> (64 - SLOTS.trailing_zeros())) as usize
    }

    /// Bounds and best move; nothing to speak of where the board is not known.
    #[inline(always)]
    pub fn probe(&self, board: Board) -> (i32, i32, u8) {
        use std::hint::select_unpredictable;
        let slot = &self.slots[Self::place(board)];
        // No jump: whether a board is known cannot be foreseen.
        let known = (slot.board.player == board.player) & (slot.board.opponent == board.opponent);
        (
            i32::from(select_unpredictable(known, slot.lower, -64)),
            i32::from(select_unpredictable(known, slot.upper, 64)),
            select_unpredictable(known, slot.best, PASS),
        )
    }

    /// Remembers a fail-soft score of the window `(alpha, alpha + 1)`.
    #[inline(always)]
    pub fn store(&mut self, board: Board, score: i32, alpha: i32, best: u8) {
        let slot = &mut self.slots[Self::place(board)];
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
