//! AVX-512 kernels: eight directions in parallel for moves; for flips, leading zeros by lane find
//! the ends of rays.

use super::avx2::or_lanes;
use super::tables::RAYS;
use std::arch::x86_64::*;

/// Legal moves in all eight directions at once, by rotations. The discs at the side of the board that a direction
/// crosses are masked out of its runs, so that no run wraps round.
///
/// # Safety
/// The processor must have AVX-512 F.
#[inline(always)]
pub unsafe fn moves(player: u64, opponent: u64) -> u64 {
    // SAFETY: the caller promises AVX-512 F; only values are used.
    unsafe {
        const COLUMNS: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        const ROWS: i64 = 0x00ff_ffff_ffff_ff00;
        const BOTH: i64 = COLUMNS & ROWS;
        let one = _mm512_set_epi64(9, 7, 8, 1, -9, -7, -8, -1);
        let two = _mm512_set_epi64(18, 14, 16, 2, -18, -14, -16, -2);
        let inner = _mm512_set_epi64(BOTH, BOTH, ROWS, COLUMNS, BOTH, BOTH, ROWS, COLUMNS);
        let through = _mm512_and_si512(_mm512_set1_epi64(opponent as i64), inner);
        let own = _mm512_set1_epi64(player as i64);
        let mut runs = _mm512_and_si512(through, _mm512_rolv_epi64(own, one));
        runs = _mm512_or_si512(runs, _mm512_and_si512(through, _mm512_rolv_epi64(runs, one)));
        let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, one));
        runs = _mm512_or_si512(runs, _mm512_and_si512(pairs, _mm512_rolv_epi64(runs, two)));
        runs = _mm512_or_si512(runs, _mm512_and_si512(pairs, _mm512_rolv_epi64(runs, two)));
        let found = _mm512_rolv_epi64(runs, one);
        let halves = _mm256_or_si256(_mm512_castsi512_si256(found), _mm512_extracti64x4_epi64::<1>(found));
        or_lanes(halves) & !(player | opponent)
    }
}

/// Flips along all eight rays.
///
/// # Safety
/// The processor must have AVX-512 F, CD and VL.
#[inline(always)]
pub unsafe fn flips(player: u64, opponent: u64, square: u32) -> u64 {
    // SAFETY: the caller promises the features; a row of the table is two aligned vectors.
    unsafe {
        let rays = RAYS.0[square as usize & 63].as_ptr().cast::<__m256i>();
        let (up, down) = (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1)));
        let own = _mm256_set1_epi64x(player as i64);
        let other = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let open = _mm256_andnot_si256(other, up);
        let end = _mm256_and_si256(_mm256_and_si256(open, _mm256_sub_epi64(zero, open)), own);
        let closed = _mm256_test_epi64_mask(end, end);
        let flipped_up = _mm256_maskz_and_epi64(closed, up, _mm256_sub_epi64(end, _mm256_set1_epi64x(1)));

        // If every square is the opponent's, the shift by 64 leaves no end.
        let open = _mm256_lzcnt_epi64(_mm256_andnot_si256(other, down));
        let end = _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), open), own);
        let above = _mm256_andnot_si256(end, _mm256_sub_epi64(zero, end));

        or_lanes(_mm256_or_si256(flipped_up, _mm256_and_si256(down, above)))
    }
}

/// The bitwise or of the four lanes of each half, in all of its lanes.
#[inline(always)]
unsafe fn or_halves(lanes: __m512i) -> __m512i {
    // SAFETY: the caller promises AVX-512 F; only values are used.
    unsafe {
        let pairs = _mm512_or_si512(lanes, _mm512_permutex_epi64::<0b01_00_11_10>(lanes));
        _mm512_or_si512(pairs, _mm512_shuffle_epi32::<0b01_00_11_10>(pairs))
    }
}

/// The first lane of each half.
#[inline(always)]
unsafe fn first_of_halves(lanes: __m512i) -> [u64; 2] {
    // SAFETY: the caller promises AVX-512 F; only values are used.
    unsafe {
        let high = _mm512_extracti64x4_epi64::<1>(lanes);
        [
            _mm_cvtsi128_si64(_mm512_castsi512_si128(lanes)) as u64,
            _mm_cvtsi128_si64(_mm256_castsi256_si128(high)) as u64,
        ]
    }
}

/// Two moves at once, each in four lanes: its square and the discs that it flips, as in [`flips`], in all lanes.
#[inline(always)]
unsafe fn two_gains(own: __m512i, other: __m512i, [first, second]: [u32; 2]) -> __m512i {
    // SAFETY: the caller promises AVX-512 F and CD; a row of the table is two aligned vectors.
    unsafe {
        let rays = |square: u32| RAYS.0[square as usize & 63].as_ptr().cast::<__m256i>();
        let both = |at: usize| {
            let low = _mm512_castsi256_si512(_mm256_load_si256(rays(first).add(at)));
            _mm512_inserti64x4::<1>(low, _mm256_load_si256(rays(second).add(at)))
        };
        let (up, down) = (both(0), both(1));
        let zero = _mm512_setzero_si512();
        let placed = _mm512_mask_set1_epi64(_mm512_set1_epi64(1 << (first & 63)), 0xf0, 1 << (second & 63));

        let open = _mm512_andnot_si512(other, up);
        let end = _mm512_and_si512(_mm512_and_si512(open, _mm512_sub_epi64(zero, open)), own);
        let below = _mm512_max_epi64(_mm512_sub_epi64(end, _mm512_set1_epi64(1)), zero);
        let flipped_up = _mm512_and_si512(up, below);
        // If every square is the opponent's, the rotation by 64 leaves h8 as the end, above which nothing lies.
        let open = _mm512_lzcnt_epi64(_mm512_andnot_si512(other, down));
        let end = _mm512_and_si512(_mm512_rorv_epi64(_mm512_set1_epi64(i64::MIN), open), own);
        let above = _mm512_andnot_si512(end, _mm512_sub_epi64(zero, end));
        let flipped = or_halves(_mm512_or_si512(flipped_up, _mm512_and_si512(down, above)));
        _mm512_or_si512(flipped, placed)
    }
}

/// The legal moves in two positions at once, each in four lanes, along the four lines as in the AVX2 kernel.
#[inline(always)]
unsafe fn two_moves(mover: __m512i, waiting: __m512i) -> __m512i {
    // SAFETY: the caller promises AVX-512 F; only values are used.
    unsafe {
        const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        let one = _mm512_set_epi64(9, 7, 8, 1, 9, 7, 8, 1);
        let two = _mm512_set_epi64(18, 14, 16, 2, 18, 14, 16, 2);
        let through = _mm512_and_si512(waiting, _mm512_set_epi64(INNER, INNER, -1, INNER, INNER, INNER, -1, INNER));
        let mut up = _mm512_and_si512(through, _mm512_sllv_epi64(mover, one));
        let mut down = _mm512_and_si512(through, _mm512_srlv_epi64(mover, one));
        up = _mm512_or_si512(up, _mm512_and_si512(through, _mm512_sllv_epi64(up, one)));
        down = _mm512_or_si512(down, _mm512_and_si512(through, _mm512_srlv_epi64(down, one)));
        let pairs_up = _mm512_and_si512(through, _mm512_sllv_epi64(through, one));
        let pairs_down = _mm512_srlv_epi64(pairs_up, one);
        up = _mm512_or_si512(up, _mm512_and_si512(pairs_up, _mm512_sllv_epi64(up, two)));
        down = _mm512_or_si512(down, _mm512_and_si512(pairs_down, _mm512_srlv_epi64(down, two)));
        up = _mm512_or_si512(up, _mm512_and_si512(pairs_up, _mm512_sllv_epi64(up, two)));
        down = _mm512_or_si512(down, _mm512_and_si512(pairs_down, _mm512_srlv_epi64(down, two)));
        let found = or_halves(_mm512_or_si512(_mm512_sllv_epi64(up, one), _mm512_srlv_epi64(down, one)));
        _mm512_andnot_si512(_mm512_or_si512(mover, waiting), found)
    }
}

/// Two moves at once: the discs that each adds to the player's, and the opponent's legal moves after it.
///
/// # Safety
/// The processor must have AVX-512 F and CD.
#[inline(always)]
pub unsafe fn two_children(player: u64, opponent: u64, squares: [u32; 2]) -> [(u64, u64); 2] {
    // SAFETY: the caller promises the features.
    unsafe {
        let (own, other) = (_mm512_set1_epi64(player as i64), _mm512_set1_epi64(opponent as i64));
        let gained = two_gains(own, other, squares);
        let replies = two_moves(_mm512_andnot_si512(gained, other), _mm512_or_si512(gained, own));
        let [[first_gained, second_gained], [first_replies, second_replies]] =
            [first_of_halves(gained), first_of_halves(replies)];
        [(first_gained, first_replies), (second_gained, second_replies)]
    }
}
