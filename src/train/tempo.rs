//! What it is worth to be on the move at the horizon.
//!
//! Whoever makes the last move of a search picks, among leaves that are all a little misjudged, the one
//! that flatters him: values of odd depths are too good for the side to move at the root, those of
//! even depths too bad. Both shrink to one if being on the move at a leaf is worth half of that swing,
//! which is measured here and added to the tempo of the weights.

use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::pattern::weights::PatternWeights;
use crate::search::types::{Score, UNIT};

/// Depths that the swing is measured between: this one, and one ply less and more.
pub const DEPTH: usize = 4;
/// Discs farther away from which a measured swing counts half.
const NEAR: f64 = 4.0;

/// The swing around a leaf with so many discs: what odd depths find more than even ones, in discs.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    discs: u32,
    swing: f64,
}

impl Swing {
    /// From a position and its values at depths from 0 on, in discs; the mean of two odd depths against the even one
    /// between them, so that what a deeper search knows better cancels out.
    pub fn of(board: Board, values: &[f64]) -> Option<Swing> {
        let &[shorter, even, longer] = values.get(DEPTH - 1..=DEPTH + 1)?.as_array()?;
        Some(Swing { discs: 64 - board.empties() + DEPTH as u32, swing: (shorter + longer) / 2.0 - even })
    }
}

/// The weights with the tempo that takes the swing away.
pub fn balanced(weights: &PatternWeights, swings: &[Swing]) -> PatternWeights {
    weights.with_tempo(|discs| {
        let near = |swing: &Swing| 1.0 / (1.0 + (f64::from(swing.discs.abs_diff(discs)) / NEAR).powi(2));
        let total: f64 = swings.iter().map(near).sum();
        let sum: f64 = swings.iter().map(|swing| near(swing) * swing.swing).sum();
        if total > 0.0 { (sum / total / 2.0 * f64::from(UNIT)).round() as Score } else { 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::evaluation::pattern::geometry::PatternIndices;
    use crate::games::reversi::evaluation::pattern::weights::{STAGE_WEIGHTS, STAGES};
    use crate::games::reversi::probcut::ProbCutModel;

    #[test]
    fn half_of_the_swing_goes_to_the_side_to_move() {
        let nothing =
            PatternWeights::new(vec![0; STAGES * STAGE_WEIGHTS], ProbCutModel::UNKNOWN).expect("as many as there are");
        let value = |weights: &PatternWeights| weights.value(&PatternIndices::of(Board::START), Board::START, [4, 4]);
        let swing = Swing::of(Board::START, &[0.0, 0.0, 0.0, 3.0, -1.0, 2.0]).expect("deep enough");
        assert_eq!((swing.discs, swing.swing), (8, 3.5));
        assert_eq!(value(&balanced(&nothing, &[swing])), 175);
        assert_eq!(balanced(&nothing, &[]), nothing);
        assert!(Swing::of(Board::START, &[0.0; DEPTH]).is_none());
    }
}
