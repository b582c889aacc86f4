//! The loops for any processor, written to be vectorised by the compiler.

/// Neurons of the hidden layer for one perspective.
pub const NEURONS: usize = 128;

/// Adds a column of weights to the sums: an input appears. Sums wrap around.
#[inline(always)]
pub fn add(sums: &mut [i16; NEURONS], column: &[i16; NEURONS]) {
    for (sum, value) in sums.iter_mut().zip(column) {
        *sum = sum.wrapping_add(*value);
    }
}

/// Subtracts a column of weights from the sums: an input goes. Sums wrap around.
#[inline(always)]
pub fn subtract(sums: &mut [i16; NEURONS], column: &[i16; NEURONS]) {
    for (sum, value) in sums.iter_mut().zip(column) {
        *sum = sum.wrapping_sub(*value);
    }
}

/// Subtracts one column of weights and adds another, in one pass: an input moves. Sums wrap around.
#[inline(always)]
pub fn exchange(sums: &mut [i16; NEURONS], removed: &[i16; NEURONS], added: &[i16; NEURONS]) {
    for (sum, (removed, added)) in sums.iter_mut().zip(removed.iter().zip(added)) {
        *sum = sum.wrapping_sub(*removed).wrapping_add(*added);
    }
}

/// Squared clipped ReLU and its dot product with the weights: the total of `clamp(sum, 0, one)²` times weight, in thirty-two
/// bits, where `one` times any weight must keep to sixteen.
#[inline(always)]
pub fn screlu_dot(sums: &[i16; NEURONS], weights: &[i16; NEURONS], one: i16) -> i32 {
    let mut total = 0;
    for (sum, weight) in sums.iter().zip(weights) {
        let clipped = (*sum).clamp(0, one);
        total += i32::from(clipped.wrapping_mul(*weight)) * i32::from(clipped);
    }
    total
}
