//! NEON kernels, which every aarch64 processor has: both ways along a line in parallel, in the
//! lanes of 128 bits.

use super::portable::{NOT_A_OR_H, gathered_file};
use super::tables::{DIAGONALS, LAST_FLIPS};
use std::arch::aarch64::*;

/// Legal moves by the same parallel prefix as the portable kernel.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: NEON is a feature of every aarch64 target; only values are used.
    unsafe {
        let own = vdupq_n_u64(player);
        let (all, inner) = (vdupq_n_u64(opponent), vdupq_n_u64(opponent & NOT_A_OR_H));
        let ends = |through, shift| vshlq_u64(runs(own, through, shift), both_ways(shift));
        let straight = vorrq_u64(ends(inner, 1), ends(all, 8));
        let diagonal = vorrq_u64(ends(inner, 7), ends(inner, 9));
        or_lanes(vorrq_u64(straight, diagonal)) & !(player | opponent)
    }
}

/// Discs flipped by a disc on `square`: runs that one of the player's discs closes.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: u32) -> u64 {
    // SAFETY: NEON is a feature of every aarch64 target; only values are used.
    unsafe {
        let own = vdupq_n_u64(player);
        let disc = vdupq_n_u64(1 << (square & 63));
        let (all, inner) = (vdupq_n_u64(opponent), vdupq_n_u64(opponent & NOT_A_OR_H));
        let closed = |through, shift| {
            let run = runs(disc, through, shift);
            vandq_u64(run, vtstq_u64(vshlq_u64(run, both_ways(shift)), own))
        };
        let straight = vorrq_u64(closed(inner, 1), closed(all, 8));
        let diagonal = vorrq_u64(closed(inner, 7), closed(inner, 9));
        or_lanes(vorrq_u64(straight, diagonal))
    }
}

/// See [`super::portable::count_last_flip`]. One horizontal sum gathers both diagonals: sixteen
/// bits for each rank hold the rising one in the low byte and the falling one in the high byte,
/// and no two discs of a diagonal share a file.
#[inline(always)]
pub fn count_last_flip(player: u64, square: u32) -> u32 {
    let (column, row) = ((square & 7) as usize, (square >> 3 & 7) as usize);
    // SAFETY: NEON is a feature of every aarch64 target; the table's entry is a vector of sixteen bytes.
    let diagonals = unsafe {
        let ranks = vcombine_u8(vcreate_u8(player), vcreate_u8(player));
        let masks = vld1q_u8(DIAGONAL_PAIRS[(square & 63) as usize].as_ptr());
        vaddvq_u16(vreinterpretq_u16_u8(vandq_u8(vzip1q_u8(ranks, ranks), masks)))
    };
    let [rising, falling] = diagonals.to_le_bytes();
    let lines_by_column = &LAST_FLIPS[column];
    let along_row = lines_by_column[(player >> (row * 8)) as usize & 0xff];
    let along_file = LAST_FLIPS[row][gathered_file(player, column)];
    let along_diagonals = [rising, falling].map(|line| u32::from(lines_by_column[usize::from(line)]));
    u32::from(along_row) + u32::from(along_file) + along_diagonals[0] + along_diagonals[1]
}

/// The diagonals through each square, rank by rank: of the rising one, of the falling one.
static DIAGONAL_PAIRS: [[u8; 16]; 64] = {
    let mut pairs = [[0; 16]; 64];
    let mut at = 0;
    while at < 64 * 16 {
        let (square, rank, diagonal) = (at / 16, at / 2 % 8, at % 2);
        pairs[square][at % 16] = DIAGONALS[square][diagonal].to_le_bytes()[rank];
        at += 1;
    }
    pairs
};

/// The runs of `through` that begin beside `start`: towards higher bits in the first lane, towards lower ones in the
/// second.
///
/// # Safety
/// The processor must have NEON.
#[inline(always)]
unsafe fn runs(start: uint64x2_t, through: uint64x2_t, shift: i64) -> uint64x2_t {
    // SAFETY: the caller promises NEON; only values are used.
    unsafe {
        let (one, two) = (both_ways(shift), both_ways(2 * shift));
        let mut run = vandq_u64(through, vshlq_u64(start, one));
        run = vorrq_u64(run, vandq_u64(through, vshlq_u64(run, one)));
        let pairs = vandq_u64(through, vshlq_u64(through, one));
        run = vorrq_u64(run, vandq_u64(pairs, vshlq_u64(run, two)));
        vorrq_u64(run, vandq_u64(pairs, vshlq_u64(run, two)))
    }
}

/// A shift to the left in the first lane, to the right in the second.
///
/// # Safety
/// The processor must have NEON.
#[inline(always)]
unsafe fn both_ways(shift: i64) -> int64x2_t {
    // SAFETY: the caller promises NEON; only values are used.
    unsafe { vcombine_s64(vdup_n_s64(shift), vdup_n_s64(-shift)) }
}

/// The bitwise or of the two lanes.
///
/// # Safety
/// The processor must have NEON.
#[inline(always)]
unsafe fn or_lanes(lanes: uint64x2_t) -> u64 {
    // SAFETY: the caller promises NEON; only values are used.
    unsafe { vgetq_lane_u64::<0>(lanes) | vgetq_lane_u64::<1>(lanes) }
}
