//! Kernels for any processor: shifts and masks on whole boards.

use super::tables::{DIAGONALS, LAST_FLIPS};

const NOT_A_OR_H: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const A_FILE: u64 = 0x0101_0101_0101_0101;

/// Legal moves: parallel prefix over the runs of opponent discs, direction by direction.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & NOT_A_OR_H;
    let found = runs(player, inner, 1) | runs(player, opponent, 8) | runs(player, inner, 7) | runs(player, inner, 9);
    found & !(player | opponent)
}

/// The squares behind runs of `through` that start at the player's discs, both ways along a line.
#[inline(always)]
fn runs(player: u64, through: u64, shift: u32) -> u64 {
    let mut up = through & (player << shift);
    let mut down = through & (player >> shift);
    up |= through & (up << shift);
    down |= through & (down >> shift);
    let pairs_up = through & (through << shift);
    let pairs_down = through & (through >> shift);
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    (up << shift) | (down >> shift)
}

/// Discs turned by a disc on `square`.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: u32) -> u64 {
    let inner = opponent & NOT_A_OR_H;
    let disc = 1u64 << square;
    line(player, inner, disc, 1)
        | line(player, opponent, disc, 8)
        | line(player, inner, disc, 7)
        | line(player, inner, disc, 9)
}

#[inline(always)]
fn line(player: u64, through: u64, disc: u64, shift: u32) -> u64 {
    let mut up = through & (disc << shift);
    let mut down = through & (disc >> shift);
    up |= through & (up << shift);
    down |= through & (down >> shift);
    let pairs_up = through & (through << shift);
    let pairs_down = through & (through >> shift);
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    let closed_up = if (up << shift) & player != 0 { up } else { 0 };
    let closed_down = if (down >> shift) & player != 0 { down } else { 0 };
    closed_up | closed_down
}

/// Twice the discs that a disc on `square` turns when it is the last empty one, so that every
/// other disc not the player's is the opponent's.
#[inline(always)]
pub fn count_last_flip(player: u64, square: u32) -> u32 {
    let (column, row) = ((square & 7) as usize, (square >> 3 & 7) as usize);
    let [rising, falling] = DIAGONALS[(square & 63) as usize];
    // Multiplications gather a column or a diagonal in the top byte.
    let file = ((player >> column) & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let along_row = LAST_FLIPS[column][(player >> (row * 8)) as usize & 0xff];
    let along_file = LAST_FLIPS[row][file as usize];
    let along_rising = LAST_FLIPS[column][((player & rising).wrapping_mul(A_FILE) >> 56) as usize];
    let along_falling = LAST_FLIPS[column][((player & falling).wrapping_mul(A_FILE) >> 56) as usize];
    u32::from(along_row) + u32::from(along_file) + u32::from(along_rising) + u32::from(along_falling)
}
