//! The scale of an evaluation near the draw by the move limit.

/// Evaluations are scaled down from this many plies before the limit on.
const FULL_SCALE_PLIES: u32 = 24;

/// The scale of an evaluation with this many plies to the limit, in sixty-fourths: 16 to 64. An
/// advantage is worth less the fewer plies are left to win with it.
#[inline(always)]
pub fn limit_scale(plies_left: u32) -> i32 {
    16 + 2 * plies_left.min(FULL_SCALE_PLIES) as i32
}
