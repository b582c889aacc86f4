//! Parity of the four quadrants. The side that moves first into a region with an odd number of empty squares tends to
//! move last there, which is an advantage; quadrants stand in for regions.

/// The empty squares in quadrants with an odd number of them.
#[inline(always)]
pub fn odd_quadrants(empty: u64) -> u64 {
    // Folding columns, then rows, leaves the parity of a quadrant at its first square.
    let mut fold = empty ^ (empty >> 16);
    fold ^= fold >> 8;
    fold ^= fold >> 1;
    fold ^= fold >> 2;
    fold &= 0x0000_0011_0000_0011;
    empty & fold.wrapping_mul(0x0f0f_0f0f)
}
