//! Kernels for any processor: shifts and masks on whole boards.

use super::tables::{DIAGONALS, LAST_FLIPS};

/// All squares but those of the outer files.
pub(super) const NOT_A_OR_H: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const A_FILE: u64 = 0x0101_0101_0101_0101;

/// Legal moves: parallel prefix (Kogge-Stone) over the runs of the opponent's discs, line by line.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & NOT_A_OR_H;
    let found = ends(player, inner, 1) | ends(player, opponent, 8) | ends(player, inner, 7) | ends(player, inner, 9);
    found & !(player | opponent)
}

/// The runs of `through` that begin beside `start`, towards higher and towards lower bits.
#[inline(always)]
fn runs(start: u64, through: u64, shift: u32) -> (u64, u64) {
    let mut up = through & (start << shift);
    let mut down = through & (start >> shift);
    up |= through & (up << shift);
    down |= through & (down >> shift);
    let pairs_up = through & (through << shift);
    let pairs_down = through & (through >> shift);
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    (up, down)
}

/// The squares behind the runs of `through` that begin beside the player's discs, both ways along a line.
#[inline(always)]
pub(super) fn ends(player: u64, through: u64, shift: u32) -> u64 {
    let (up, down) = runs(player, through, shift);
    (up << shift) | (down >> shift)
}

/// Discs flipped by a disc on `square`.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: u32) -> u64 {
    let inner = opponent & NOT_A_OR_H;
    let disc = 1u64 << (square & 63);
    flips_along(player, inner, disc, 1)
        | flips_along(player, opponent, disc, 8)
        | flips_along(player, inner, disc, 7)
        | flips_along(player, inner, disc, 9)
}

/// The discs flipped along a line, both ways: runs that one of the player's discs closes.
#[inline(always)]
pub(super) fn flips_along(player: u64, through: u64, disc: u64, shift: u32) -> u64 {
    let (up, down) = runs(disc, through, shift);
    let closed_up = if (up << shift) & player != 0 { up } else { 0 };
    let closed_down = if (down >> shift) & player != 0 { down } else { 0 };
    closed_up | closed_down
}

/// Twice the number of discs that a disc on `square` flips when it is the only empty square, so
/// that every disc that is not the player's is the opponent's. One table look-up for each of the
/// four lines.
#[inline(always)]
pub fn count_last_flip(player: u64, square: u32) -> u32 {
    let (column, row) = ((square & 7) as usize, (square >> 3 & 7) as usize);
    let [rising, falling] = DIAGONALS[(square & 63) as usize];
    let along_row = LAST_FLIPS[column][(player >> (row * 8)) as usize & 0xff];
    let along_file = LAST_FLIPS[row][gathered_file(player, column)];
    // Multiplication gathers a diagonal in the top byte.
    let along_rising = LAST_FLIPS[column][((player & rising).wrapping_mul(A_FILE) >> 56) as usize];
    let along_falling = LAST_FLIPS[column][((player & falling).wrapping_mul(A_FILE) >> 56) as usize];
    u32::from(along_row) + u32::from(along_file) + u32::from(along_rising) + u32::from(along_falling)
}

/// The discs on a file as a number: multiplication gathers them in the top byte, rank 1 lowest.
#[inline(always)]
pub(super) fn gathered_file(discs: u64, column: usize) -> usize {
    (((discs >> column) & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}
