//! The scale of an evaluation near the draw by the move limit.

/// From so many plies before the limit on, evaluations are scaled down.
const FULL_SCALE_PLIES: u32 = 24;

/// What remains of an evaluation with so many plies to the limit, in sixty-fourths: 16 to 64. An advantage is worth less
/// the fewer plies are left to win with it.
#[inline(always)]
pub fn limit_scale(plies_left: u32) -> i32 {
    16 + 2 * plies_left.min(FULL_SCALE_PLIES) as i32
}
