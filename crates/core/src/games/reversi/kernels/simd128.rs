//! WebAssembly's SIMD128 kernels: the board and its mirror image (rank 1 and rank 8 exchanged) in
//! parallel, in the lanes of 128 bits. All lanes shift alike, and a shift of the image towards
//! higher ranks is one of the board towards lower ranks. Along a rank, and for the last flip (four
//! table look-ups), the scalar kernel works.

pub use super::portable::count_last_flip;
use super::portable::{self, NOT_A_OR_H};
use std::arch::wasm32::*;

/// Legal moves by the same parallel prefix as the portable kernel.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let own = with_mirror(player);
    let (all, inner) = (with_mirror(opponent), with_mirror(opponent & NOT_A_OR_H));
    let mut ends = u64x2_shl(runs::<8, 16>(own, all), 8);
    ends = v128_or(ends, u64x2_shl(runs::<7, 14>(own, inner), 7));
    ends = v128_or(ends, u64x2_shl(runs::<9, 18>(own, inner), 9));
    (or_lanes(ends) | portable::ends(player, opponent & NOT_A_OR_H, 1)) & !(player | opponent)
}

/// Discs flipped by a disc on `square`: runs that one of the player's discs closes.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: u32) -> u64 {
    let disc = 1u64 << (square & 63);
    let (own, start) = (with_mirror(player), with_mirror(disc));
    let (all, inner) = (with_mirror(opponent), with_mirror(opponent & NOT_A_OR_H));
    let mut flipped = closed::<8, 16>(own, all, start);
    flipped = v128_or(flipped, closed::<7, 14>(own, inner, start));
    flipped = v128_or(flipped, closed::<9, 18>(own, inner, start));
    or_lanes(flipped) | portable::flips_along(player, opponent & NOT_A_OR_H, disc, 1)
}

/// The board in the first lane, its mirror image in the second.
#[inline(always)]
fn with_mirror(squares: u64) -> v128 {
    let both = u64x2_splat(squares);
    u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8>(both, both)
}

/// The bitwise or of the board and the flipped mirror image.
#[inline(always)]
fn or_lanes(lanes: v128) -> u64 {
    u64x2_extract_lane::<0>(lanes) | u64x2_extract_lane::<1>(lanes).swap_bytes()
}

/// The runs of `through` that begin beside `start`, towards higher bits of both lanes. `DOUBLE` is twice the shift.
#[inline(always)]
fn runs<const SHIFT: u32, const DOUBLE: u32>(start: v128, through: v128) -> v128 {
    let mut run = v128_and(through, u64x2_shl(start, SHIFT));
    run = v128_or(run, v128_and(through, u64x2_shl(run, SHIFT)));
    let pairs = v128_and(through, u64x2_shl(through, SHIFT));
    run = v128_or(run, v128_and(pairs, u64x2_shl(run, DOUBLE)));
    v128_or(run, v128_and(pairs, u64x2_shl(run, DOUBLE)))
}

/// The runs that begin beside `start` and end beside one of the player's discs.
#[inline(always)]
fn closed<const SHIFT: u32, const DOUBLE: u32>(own: v128, through: v128, start: v128) -> v128 {
    let run = runs::<SHIFT, DOUBLE>(start, through);
    let end = v128_and(u64x2_shl(run, SHIFT), own);
    v128_and(run, u64x2_ne(end, u64x2_splat(0)))
}
