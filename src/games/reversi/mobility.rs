//! How free the opponent is after a move: what orders moves before anything is searched.

/// The four corners.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The number of legal placements; corners count twice.
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
