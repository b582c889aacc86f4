//! Mobility measures for move ordering: the opponent's legal moves, and the empty squares beside
//! discs where moves may appear later (potential mobility).

use super::board::CORNERS;

/// Weighted mobility: the number of legal moves, corners counted twice.
#[inline(always)]
pub fn weighted_mobility(placements: u64) -> i32 {
    (placements.count_ones() + (placements & CORNERS).count_ones()) as i32
}

/// The squares next to the discs, whether empty or not.
#[inline(always)]
pub fn neighbours(discs: u64) -> u64 {
    let sideways = discs | (discs << 1 & 0xfefe_fefe_fefe_fefe) | (discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    sideways | sideways << 8 | sideways >> 8
}
