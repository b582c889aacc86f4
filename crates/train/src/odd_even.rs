//! Correction of the odd-even effect.
//!
//! The side that makes the last move of a search chooses, among leaves with evaluation errors, the one whose error favours
//! it. Values of odd depths are therefore too high for the side to move at the root, those of even depths too low. They agree
//! if the evaluation gives half of the difference to the side to move at a leaf: this module measures the difference and
//! finds that half for each number of discs at the leaves.

use flipside_core::games::reversi::board::Board;
use flipside_core::search::types::{Score, UNIT};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// At this distance in discs a measurement has half of its weight.
const HALF_WEIGHT_DISTANCE: f64 = 4.0;
/// The least share of a correction that reaches the values of searches: a smaller one is noise.
const LEAST_SHARE: f64 = 0.3;

/// The odd-even effect at a position: how much higher the values of odd depths are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddEvenEffect {
    /// Discs on the board at the leaves.
    discs: u32,
    /// Value of odd depths less that of even depths, in discs.
    difference: f64,
}

impl OddEvenEffect {
    /// Measures the effect at these depths, from the values of a position at depths from 0 on, in discs: a depth is compared
    /// with the mean of the depths before and after it, so that the gain of accuracy with depth cancels out. Depths without
    /// both neighbours are left out.
    pub fn of(board: Board, values: &[f64], depths: RangeInclusive<usize>) -> impl Iterator<Item = OddEvenEffect> {
        depths.filter_map(move |depth| {
            let &[shorter, middle, longer] = values.get(depth.checked_sub(1)?..=depth + 1)?.as_array()?;
            let others = (shorter + longer) / 2.0 - middle;
            let difference = if depth % 2 == 0 { others } else { -others };
            Some(OddEvenEffect { discs: 64 - board.empties() + depth as u32, difference })
        })
    }
}

/// What the side to move is worth, in hundredths of a disc, by discs on the board, so that the
/// effect is cancelled if this share of a correction reaches the values of searches.
pub fn tempo(effects: &[OddEvenEffect], share: f64) -> impl Fn(u32) -> Score {
    move |discs| {
        let weight = |effect: &OddEvenEffect| {
            1.0 / (1.0 + (f64::from(effect.discs.abs_diff(discs)) / HALF_WEIGHT_DISTANCE).powi(2))
        };
        let total: f64 = effects.iter().map(weight).sum();
        let sum: f64 = effects.iter().map(|effect| weight(effect) * effect.difference).sum();
        if total > 0.0 { (sum / total / 2.0 / share * f64::from(UNIT)).round() as Score } else { 0 }
    }
}

/// The share of a correction by [`tempo`] that reached the values of searches, from the effects
/// before and after it. Selective searches cut at both parities, where the correction has opposite
/// signs, so only a part does.
pub fn share_reached(before: &[OddEvenEffect], after: &[OddEvenEffect]) -> f64 {
    let sum = |effects: &[OddEvenEffect]| effects.iter().map(|effect| effect.difference).sum::<f64>();
    (1.0 - sum(after) / sum(before)).clamp(LEAST_SHARE, 1.0)
}

/// The effect at the leaves with a number of discs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OddEvenClass {
    /// Discs on the board at the leaves.
    pub discs: u32,
    /// Comparisons of depths.
    pub comparisons: usize,
    /// Mean value of odd depths less that of even depths, in discs.
    pub difference: f64,
}

/// The mean effects by discs at the leaves.
pub fn classes(effects: &[OddEvenEffect]) -> Vec<OddEvenClass> {
    let mut sums = BTreeMap::<u32, (usize, f64)>::new();
    for effect in effects {
        let (count, sum) = sums.entry(effect.discs).or_default();
        (*count, *sum) = (*count + 1, *sum + effect.difference);
    }
    let class = |(discs, (comparisons, sum))| OddEvenClass { discs, comparisons, difference: sum / comparisons as f64 };
    sums.into_iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::evaluation::pattern::geometry::PatternIndices;
    use flipside_core::games::reversi::evaluation::pattern::weights::{PatternWeights, STAGE_WEIGHTS, STAGES};
    use flipside_core::games::reversi::probcut::ProbCutModel;

    #[test]
    fn half_of_the_difference_goes_to_the_side_to_move() {
        let nothing =
            PatternWeights::new(vec![0; STAGES * STAGE_WEIGHTS], ProbCutModel::UNKNOWN).expect("as many as there are");
        let value = |weights: &PatternWeights| weights.value(&PatternIndices::of(Board::START), Board::START, [4, 4]);
        let effects = |values: &[f64]| OddEvenEffect::of(Board::START, values, 4..=5).collect::<Vec<_>>();
        let one = effects(&[0.0, 0.0, 0.0, 3.0, -1.0, 2.0]);
        assert_eq!(one, [OddEvenEffect { discs: 8, difference: 3.5 }]);
        assert_eq!(value(&nothing.with_tempo(tempo(&one, 1.0))), 175);
        assert_eq!(value(&nothing.with_tempo(tempo(&one, 0.5))), 350);
        assert_eq!(nothing.with_tempo(tempo(&[], 1.0)), nothing);
        assert!(effects(&[0.0; 5]).is_empty());
        let two = effects(&[0.0, 0.0, 0.0, 3.0, -1.0, 2.0, 0.0]);
        assert_eq!(two[1], OddEvenEffect { discs: 9, difference: 2.5 });
        assert_eq!(share_reached(&two, &one), 1.0 - 3.5 / 6.0);
        assert_eq!([&one, &[][..]].map(|after| share_reached(&one, after)), [LEAST_SHARE, 1.0]);
        let class = |discs, difference| OddEvenClass { discs, comparisons: 1, difference };
        assert_eq!(classes(&two), [class(8, 3.5), class(9, 2.5)]);
    }
}
