//! Balance of an evaluation: what being to move is worth at a leaf, for odd and even numbers of empty squares.
//!
//! Two effects shift the values of searches. The side that makes the last move of a search chooses, among leaves with
//! evaluation errors, the one whose error favours it (odd-even effect): values of odd depths are too high for the side to
//! move at the root, those of even depths too low. And an evaluation may misjudge who gains from the last empty square
//! (parity), which shifts all values of positions with an odd number of empty squares one way and those of the others the
//! other way; labels by searches pass that on from generation to generation. Both are errors of the side to move at the
//! leaves: the first is the same for both parities, the second differs in sign. This module measures the first by
//! differences between depths, at any stage of the game, and the second against exact scores. It finds what corrects both,
//! for each number of discs.

use flipside_core::games::reversi::board::Board;
use flipside_core::search::types::{Score, UNIT};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// At this distance in discs a measurement has half of its weight.
const HALF_WEIGHT_DISTANCE: f64 = 4.0;

/// The error of a search, as one of the evaluation at its leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafError {
    /// Discs on the board at the leaves.
    discs: u32,
    /// What the side to move at the leaves is worth more than the evaluation says, in discs.
    missing: f64,
}

impl LeafError {
    /// Measures the errors of searches to these depths: from the exact score of a position and its values at depths from 0 on,
    /// in discs for its side to move. Depths without a value, and those that reach the last square, are left out.
    pub fn of(
        board: Board,
        exact: f64,
        values: &[f64],
        depths: RangeInclusive<usize>,
    ) -> impl Iterator<Item = LeafError> {
        let before_the_end = values.len().min(board.empties() as usize);
        depths.filter(move |&depth| depth < before_the_end).map(move |depth| {
            let missing = exact - values[depth];
            let missing = if depth.is_multiple_of(2) { missing } else { -missing };
            LeafError { discs: 64 - board.empties() + depth as u32, missing }
        })
    }

    /// Half of what each odd depth among these says more than its even neighbours: a search of an odd depth is too high by
    /// what the opponent misses at its leaves, one of an even depth too low by what the side to move misses.
    pub fn between_depths(
        board: Board,
        values: &[f64],
        depths: RangeInclusive<usize>,
    ) -> impl Iterator<Item = LeafError> {
        let before_the_end = values.len().min(board.empties() as usize);
        depths.filter(move |&depth| depth + 1 < before_the_end).map(move |depth| {
            let more = if depth.is_multiple_of(2) {
                values[depth + 1] - values[depth]
            } else {
                values[depth] - values[depth + 1]
            };
            LeafError { discs: 64 - board.empties() + depth as u32, missing: more / 2.0 }
        })
    }
}

/// What the side to move is to get in addition, in hundredths of a disc, by discs on the board. `solved` are errors against
/// exact scores, `between_depths` differences between depths.
pub fn tempo(solved: &[LeafError], between_depths: &[LeafError]) -> impl Fn(u32) -> Score {
    move |discs| {
        let by_parity = [discs, discs + 1]
            .map(|parity| mean_near(discs, solved.iter().filter(|error| error.discs % 2 == parity % 2)).unwrap_or(0.0));
        let parity = (by_parity[0] - by_parity[1]) / 2.0;
        let odd_even = mean_near(discs, between_depths.iter()).unwrap_or(0.0);
        ((parity + odd_even) * f64::from(UNIT)).round() as Score
    }
}

/// The mean of the errors, of those at leaves with about as many discs above all.
fn mean_near<'a>(discs: u32, errors: impl Iterator<Item = &'a LeafError>) -> Option<f64> {
    let near = errors.map(|error| {
        let distance = f64::from(error.discs.abs_diff(discs)) / HALF_WEIGHT_DISTANCE;
        (1.0 / (1.0 + distance * distance), error.missing)
    });
    let (total, sum) =
        near.fold((0.0, 0.0), |(total, sum), (weight, missing)| (total + weight, sum + weight * missing));
    (total > 0.0).then(|| sum / total)
}

/// The errors at the leaves with a number of discs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LeafErrorClass {
    /// Discs on the board at the leaves.
    pub discs: u32,
    /// Searches that were compared with exact scores.
    pub searches: usize,
    /// Mean of what the side to move at the leaves is worth more than the evaluation says, in discs.
    pub missing: f64,
}

/// The mean errors by discs at the leaves.
pub fn classes(errors: &[LeafError]) -> Vec<LeafErrorClass> {
    let mut sums = BTreeMap::<u32, (usize, f64)>::new();
    for error in errors {
        let (count, sum) = sums.entry(error.discs).or_default();
        (*count, *sum) = (*count + 1, *sum + error.missing);
    }
    let class = |(discs, (searches, sum))| LeafErrorClass { discs, searches, missing: sum / searches as f64 };
    sums.into_iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::evaluation::pattern::geometry::PatternIndices;
    use flipside_core::games::reversi::evaluation::pattern::weights::{PatternWeights, STAGE_WEIGHTS, STAGES};
    use flipside_core::games::reversi::probcut::ProbCutModel;

    #[test]
    fn the_side_to_move_at_the_leaves_gets_what_it_misses() {
        let nothing =
            PatternWeights::new(vec![0; STAGES * STAGE_WEIGHTS], ProbCutModel::UNKNOWN).expect("as many as there are");
        let value = |weights: &PatternWeights| weights.value(&PatternIndices::of(Board::START), Board::START, [4, 4]);
        let errors: Vec<_> = LeafError::of(Board::START, 2.0, &[0.0, 0.5, 3.0, 1.0, 1.0], 2..=9).collect();
        let error = |discs, missing| LeafError { discs, missing };
        assert_eq!(errors, [error(6, -1.0), error(7, -1.0), error(8, 1.0)]);
        // For four discs the errors at 6 and 8 discs have the weights 4/5 and 1/2; that at 7 discs is of the other parity.
        assert_eq!(tempo(&errors, &[])(4), (-23 + 100) / 2);
        let between: Vec<_> = LeafError::between_depths(Board::START, &[0.0, 0.5, 3.0, 1.0, 1.0], 2..=9).collect();
        assert_eq!(between, [error(6, -1.0), error(7, 0.0)]);
        assert_eq!(tempo(&[], &between[..1])(4), -100);
        assert_eq!(value(&nothing.with_tempo(tempo(&[], &between[..1]))), -100);
        assert_eq!(nothing.with_tempo(tempo(&[], &[])), nothing);
        let class = |discs, searches, missing| LeafErrorClass { discs, searches, missing };
        let all = [errors[0], error(6, 2.0), errors[2]];
        assert_eq!(classes(&all), [class(6, 2, 0.5), class(8, 1, 1.0)]);
    }

    #[test]
    fn a_search_to_the_last_square_has_no_leaves() {
        let last_two = Board { player: !7, opponent: 4 };
        assert_eq!(last_two.empties(), 2);
        assert_eq!(LeafError::of(last_two, 0.0, &[0.0; 5], 0..=4).count(), 2);
    }
}
