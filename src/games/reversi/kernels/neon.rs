//! NEON kernels, which every aarch64 processor has: both ways along a line side by side in the lanes of 128 bits.

use super::portable::NOT_A_OR_H;
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
