//! NEON: eight neurons side by side in 128 bits. Results are those of [`super::portable`].

use super::portable::NEURONS;
use std::arch::aarch64::*;

/// Neurons of a vector.
const LANES: usize = 8;
const _: () = assert!(NEURONS.is_multiple_of(LANES), "whole vectors");

/// See [`super::portable::add`].
#[inline(always)]
pub fn add(sums: &mut [i16; NEURONS], column: &[i16; NEURONS]) {
    for (sum, column) in sums.as_chunks_mut().0.iter_mut().zip(column.as_chunks().0) {
        // SAFETY: NEON is a feature of every aarch64 target; only values are used.
        store(sum, unsafe { vaddq_s16(load(sum), load(column)) });
    }
}

/// See [`super::portable::subtract`].
#[inline(always)]
pub fn subtract(sums: &mut [i16; NEURONS], column: &[i16; NEURONS]) {
    for (sum, column) in sums.as_chunks_mut().0.iter_mut().zip(column.as_chunks().0) {
        // SAFETY: NEON is a feature of every aarch64 target; only values are used.
        store(sum, unsafe { vsubq_s16(load(sum), load(column)) });
    }
}

/// See [`super::portable::exchange`].
#[inline(always)]
pub fn exchange(sums: &mut [i16; NEURONS], removed: &[i16; NEURONS], added: &[i16; NEURONS]) {
    let columns = removed.as_chunks().0.iter().zip(added.as_chunks().0);
    for (sum, (removed, added)) in sums.as_chunks_mut().0.iter_mut().zip(columns) {
        // SAFETY: NEON is a feature of every aarch64 target; only values are used.
        store(sum, unsafe { vaddq_s16(vsubq_s16(load(sum), load(removed)), load(added)) });
    }
}

/// See [`super::portable::screlu_dot`]: widening multiply-accumulate, in two chains to hide the
/// latency.
#[inline(always)]
pub fn screlu_dot(sums: &[i16; NEURONS], weights: &[i16; NEURONS], one: i16) -> i32 {
    // SAFETY: NEON is a feature of every aarch64 target; only values are used.
    unsafe {
        let (mut low, mut high) = (vdupq_n_s32(0), vdupq_n_s32(0));
        for (sum, weight) in sums.as_chunks().0.iter().zip(weights.as_chunks().0) {
            let clipped = vminq_s16(vmaxq_s16(load(sum), vdupq_n_s16(0)), vdupq_n_s16(one));
            let weighted = vmulq_s16(clipped, load(weight));
            low = vmlal_s16(low, vget_low_s16(weighted), vget_low_s16(clipped));
            high = vmlal_high_s16(high, weighted, clipped);
        }
        vaddvq_s32(vaddq_s32(low, high))
    }
}

#[inline(always)]
fn load(values: &[i16; LANES]) -> int16x8_t {
    // SAFETY: NEON is a feature of every aarch64 target; the reference is to eight values, and no alignment is needed.
    unsafe { vld1q_s16(values.as_ptr()) }
}

#[inline(always)]
fn store(values: &mut [i16; LANES], vector: int16x8_t) {
    // SAFETY: as for `load`.
    unsafe { vst1q_s16(values.as_mut_ptr(), vector) };
}
