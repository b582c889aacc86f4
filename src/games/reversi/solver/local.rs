//! A small table of one thread for the middling depths, where the shared one would miss the cache.

use super::super::board::{Board, PASS};

#[derive(Clone, Copy)]
struct Slot {
    board: Board,
    lower: i8,
    upper: i8,
    best: u8,
}

/// Direct-mapped, always overwritten; whole boards, exact bounds only.
pub struct Local {
    slots: Box<[Slot]>,
}

/// Slots: 24 bytes each, so that the table leaves room in the second-level cache.
const SLOTS: usize = 1 << 14;

impl Local {
    /// An empty table.
    pub fn new() -> Local {
        // No position has an empty board, so that no probe hits an unused slot.
        let unused = Slot { board: Board { player: 0, opponent: 0 }, lower: -64, upper: 64, best: PASS };
        Local { slots: vec![unused; SLOTS].into_boxed_slice() }
    }

    #[inline(always)]
    fn place(board: Board) -> usize {
        (board.hash() >> 20) as usize & (SLOTS - 1)
    }

    /// Bounds and best move, if known.
    #[inline(always)]
    pub fn probe(&self, board: Board) -> Option<(i32, i32, u8)> {
        let slot = &self.slots[Self::place(board)];
        (slot.board == board).then_some((i32::from(slot.lower), i32::from(slot.upper), slot.best))
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

impl Default for Local {
    fn default() -> Self {
        Self::new()
    }
}
