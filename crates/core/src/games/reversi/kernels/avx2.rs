//! AVX2 kernels: the four lines in parallel, in the lanes of 256 bits.

use super::tables::RAYS;
use std::arch::x86_64::*;

/// Legal moves along rows, files and both diagonals at once, by the same parallel prefix as the portable kernel.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
pub unsafe fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: the caller promises AVX2; only values are used.
    unsafe {
        let one = _mm256_set_epi64x(9, 7, 8, 1);
        let two = _mm256_set_epi64x(18, 14, 16, 2);
        let inner = 0x7e7e_7e7e_7e7e_7e7e;
        let own = _mm256_set1_epi64x(player as i64);
        let through = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), _mm256_set_epi64x(inner, inner, -1, inner));
        let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, one));
        let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, one));
        up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, one)));
        down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, one)));
        let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, one));
        let pairs_down = _mm256_srlv_epi64(pairs_up, one);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        let found = _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
        or_lanes(found) & !(player | opponent)
    }
}

/// Flips along all eight rays: towards higher bits the first square that is not the opponent's is found as the lowest
/// set bit, towards lower bits by a fill.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
pub unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64 {
    // SAFETY: the caller promises AVX2; a row of the table is two aligned vectors.
    unsafe {
        let rays = RAYS.0[square as usize & 63].as_ptr().cast::<__m256i>();
        let (up, down) = (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1)));
        let own = _mm256_set1_epi64x(player as i64);
        let other = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let open = _mm256_andnot_si256(other, up);
        let end = _mm256_and_si256(_mm256_and_si256(open, _mm256_sub_epi64(zero, open)), own);
        let below = _mm256_sub_epi64(_mm256_sub_epi64(end, _mm256_cmpeq_epi64(end, zero)), _mm256_set1_epi64x(1));
        let flipped_up = _mm256_and_si256(up, below);

        let mut open = _mm256_andnot_si256(other, down);
        let one = _mm256_set_epi64x(9, 7, 8, 1);
        open = _mm256_or_si256(open, _mm256_srlv_epi64(open, one));
        open = _mm256_or_si256(open, _mm256_srlv_epi64(open, _mm256_set_epi64x(18, 14, 16, 2)));
        open = _mm256_or_si256(open, _mm256_srlv_epi64(open, _mm256_set_epi64x(36, 28, 32, 4)));
        let end = _mm256_andnot_si256(_mm256_srlv_epi64(open, one), _mm256_and_si256(open, own));
        let run = _mm256_andnot_si256(open, down);
        let flipped_down = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), run);

        or_lanes(_mm256_or_si256(flipped_up, flipped_down))
    }
}

/// The bitwise or of the four lanes.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
pub unsafe fn or_lanes(lanes: __m256i) -> u64 {
    // SAFETY: the caller promises AVX2; only values are used.
    unsafe {
        let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }
}

/// Twice the number of discs flipped at the last empty square; see [`super::portable::count_last_flip`].
///
/// # Safety
/// The processor must have BMI2.
#[inline(always)]
pub unsafe fn count_last_flip(player: u64, square: u32) -> u32 {
    use super::tables::{DIAGONALS, LAST_FLIPS};
    let (column, row) = ((square & 7) as usize, (square >> 3) as usize);
    let [rising, falling] = DIAGONALS[(square & 63) as usize];
    let along_row = LAST_FLIPS[column][(player >> (row * 8)) as usize & 0xff];
    // SAFETY: the caller promises BMI2.
    let file = unsafe { _pext_u64(player, 0x0101_0101_0101_0101 << column) };
    let along_file = LAST_FLIPS[row & 7][file as usize & 0xff];
    let along_rising = LAST_FLIPS[column][((player & rising).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize];
    let along_falling = LAST_FLIPS[column][((player & falling).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize];
    u32::from(along_row) + u32::from(along_file) + u32::from(along_rising) + u32::from(along_falling)
}
