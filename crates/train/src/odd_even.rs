//! Correction of the odd-even effect.
//!
//! The side that makes the last move of a search chooses, among leaves with evaluation errors, the one whose error favours
//! it. Values of odd depths are therefore too high for the side to move at the root, those of even depths too low. They agree
//! if the evaluation gives half of the difference to the side to move at a leaf: this module measures the difference and adds
//! that half to the tempo weights.

use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::pattern::weights::PatternWeights;
use flipside_core::search::types::{Score, UNIT};

/// The even depth of the measurement; the odd depths are one ply less and one more.
pub const EVEN_DEPTH: usize = 4;
/// At this distance in discs a measurement has half of its weight.
const HALF_WEIGHT_DISTANCE: f64 = 4.0;

/// The odd-even effect at a position: how much higher the values of odd depths are.
#[derive(Clone, Copy, Debug)]
pub struct OddEvenEffect {
    /// Discs on the board at the leaves.
    discs: u32,
    /// Value of odd depths less that of the even depth, in discs.
    difference: f64,
}

impl OddEvenEffect {
    /// Measures the effect from the values of a position at depths from 0 on, in discs: the mean of two odd depths less
    /// the even depth between them, so that the gain of accuracy with depth cancels out. `None` if there are too few
    /// depths.
    pub fn of(board: Board, values: &[f64]) -> Option<OddEvenEffect> {
        let &[shorter, even, longer] = values.get(EVEN_DEPTH - 1..=EVEN_DEPTH + 1)?.as_array()?;
        Some(OddEvenEffect {
            discs: 64 - board.empties() + EVEN_DEPTH as u32,
            difference: (shorter + longer) / 2.0 - even,
        })
    }
}

/// The weights with tempo weights that cancel the effect.
pub fn corrected(weights: &PatternWeights, effects: &[OddEvenEffect]) -> PatternWeights {
    weights.with_tempo(|discs| {
        let weight = |effect: &OddEvenEffect| {
            1.0 / (1.0 + (f64::from(effect.discs.abs_diff(discs)) / HALF_WEIGHT_DISTANCE).powi(2))
        };
        let total: f64 = effects.iter().map(weight).sum();
        let sum: f64 = effects.iter().map(|effect| weight(effect) * effect.difference).sum();
        if total > 0.0 { (sum / total / 2.0 * f64::from(UNIT)).round() as Score } else { 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::evaluation::pattern::geometry::PatternIndices;
    use flipside_core::games::reversi::evaluation::pattern::weights::{STAGE_WEIGHTS, STAGES};
    use flipside_core::games::reversi::probcut::ProbCutModel;

    #[test]
    fn half_of_the_difference_goes_to_the_side_to_move() {
        let nothing =
            PatternWeights::new(vec![0; STAGES * STAGE_WEIGHTS], ProbCutModel::UNKNOWN).expect("as many as there are");
        let value = |weights: &PatternWeights| weights.value(&PatternIndices::of(Board::START), Board::START, [4, 4]);
        let effect = OddEvenEffect::of(Board::START, &[0.0, 0.0, 0.0, 3.0, -1.0, 2.0]).expect("deep enough");
        assert_eq!((effect.discs, effect.difference), (8, 3.5));
        assert_eq!(value(&corrected(&nothing, &[effect])), 175);
        assert_eq!(corrected(&nothing, &[]), nothing);
        assert!(OddEvenEffect::of(Board::START, &[0.0; EVEN_DEPTH]).is_none());
    }
}
