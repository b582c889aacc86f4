//! WebAssembly's SIMD128: eight neurons side by side in 128 bits. Results are those of [`super::portable`].

use super::portable::NEURONS;
use std::arch::wasm32::*;

/// Neurons of a vector.
const LANES: usize = 8;
const _: () = assert!(NEURONS.is_multiple_of(LANES), "whole vectors");

/// See [`super::portable::add`].
#[inline(always)]
pub fn add(sums: &mut [i16; NEURONS], column: &[i16; NEURONS]) {
    for (sum, column) in sums.as_chunks_mut().0.iter_mut().zip(column.as_chunks().0) {
        store(sum, i16x8_add(load(sum), load(column)));
    }
}

/// See [`super::portable::subtract`].
#[inline(always)]
pub fn subtract(sums: &mut [i16; NEURONS], column: &[i16; NEURONS]) {
    for (sum, column) in sums.as_chunks_mut().0.iter_mut().zip(column.as_chunks().0) {
        store(sum, i16x8_sub(load(sum), load(column)));
    }
}

/// See [`super::portable::exchange`].
#[inline(always)]
pub fn exchange(sums: &mut [i16; NEURONS], removed: &[i16; NEURONS], added: &[i16; NEURONS]) {
    let columns = removed.as_chunks().0.iter().zip(added.as_chunks().0);
    for (sum, (removed, added)) in sums.as_chunks_mut().0.iter_mut().zip(columns) {
        store(sum, i16x8_add(i16x8_sub(load(sum), load(removed)), load(added)));
    }
}

/// See [`super::portable::screlu_dot`]. The multiplication that adds pairs is why this file
/// exists: for the portable loop the compiler emits four times as many multiplications, each of
/// them slower.
#[inline(always)]
pub fn screlu_dot(sums: &[i16; NEURONS], weights: &[i16; NEURONS], one: i16) -> i32 {
    let mut totals = i32x4_splat(0);
    for (sum, weight) in sums.as_chunks().0.iter().zip(weights.as_chunks().0) {
        let clipped = i16x8_min(i16x8_max(load(sum), i16x8_splat(0)), i16x8_splat(one));
        totals = i32x4_add(totals, i32x4_dot_i16x8(i16x8_mul(clipped, load(weight)), clipped));
    }
    let pairs = i32x4_add(totals, i64x2_shuffle::<1, 0>(totals, totals));
    i32x4_extract_lane::<0>(pairs).wrapping_add(i32x4_extract_lane::<1>(pairs))
}

#[inline(always)]
fn load(values: &[i16; LANES]) -> v128 {
    // SAFETY: the reference is to eight values, the bytes of a vector, and no alignment is needed.
    unsafe { v128_load(values.as_ptr().cast()) }
}

#[inline(always)]
fn store(values: &mut [i16; LANES], vector: v128) {
    // SAFETY: as for `load`.
    unsafe { v128_store(values.as_mut_ptr().cast(), vector) };
}
