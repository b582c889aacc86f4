//! The noise of a loss in Reversi: how much the difference between two moves changes when both are searched deeper.
//!
//! Measured on our own games (docs/experiments/reversi.md): all moves of a position searched to some depth and four plies
//! deeper. The standard deviation of the change falls with the depth and grows towards the end of the game, where more is at
//! stake in every move.

use flipside_core::search::types::{Score, UNIT};

/// The range of the noise in hundredths of a disc, which bounds the formula outside the measured depths and stages.
const RANGE: (Score, Score) = (UNIT / 2, 4 * UNIT);

/// Standard deviation of the change of a loss, in hundredths of a disc, after a search of `depth` plies in a position
/// with `empties` empty squares. The error of the regression is some tenths of a disc.
pub fn of_loss(depth: u32, empties: u32) -> Score {
    let played = f64::from(60_u32.saturating_sub(empties));
    let discs = 3.3 - f64::from(depth.max(1)).ln() + 0.045 * played;
    ((discs * f64::from(UNIT)).round() as Score).clamp(RANGE.0, RANGE.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_falls_with_depth_and_grows_with_the_game() {
        for empties in 1..60 {
            assert!(of_loss(12, empties) >= of_loss(12, empties + 1));
            for depth in 1..60 {
                assert!(of_loss(depth, empties) >= of_loss(depth + 1, empties));
            }
        }
        assert!(of_loss(60, 60) >= RANGE.0 && of_loss(0, 0) <= RANGE.1);
    }

    /// The formula is within half a disc of the measurements.
    #[test]
    fn noise_is_what_was_measured() {
        let measured =
            [(4, 45, 287), (4, 35, 332), (8, 45, 180), (8, 35, 233), (10, 55, 120), (10, 25, 251), (12, 35, 196)];
        for (depth, empties, hundredths) in measured {
            let noise = of_loss(depth, empties);
            assert!((noise - hundredths).abs() <= 50, "depth {depth}, {empties} empty: {noise}, measured {hundredths}");
        }
    }
}
