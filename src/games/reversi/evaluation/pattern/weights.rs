//! The weights of the learned evaluation, and the value that they give a position.

use super::geometry::{OFFSETS, PATTERN_WEIGHTS, PatternIndices};
use crate::games::reversi::board::Board;
use crate::games::reversi::probcut::ProbCutModel;
use crate::search::types::{Score, UNIT};

/// Stages of the game: four discs each, from the start's four discs on.
pub const STAGES: usize = 15;
/// Discs of a stage.
pub const STAGE_DISCS: u32 = 4;
/// Numbers of moves that have a weight of their own; more count as the last.
pub const MOBILITIES: usize = 32;
/// Where a stage keeps the weights of the mover's number of moves.
pub const OWN_MOBILITY: usize = PATTERN_WEIGHTS;
/// Where it keeps those of the opponent's.
pub const OTHER_MOBILITY: usize = OWN_MOBILITY + MOBILITIES;
/// Where it keeps what each number of discs is worth to the side to move: parity and tempo.
pub const TEMPO: usize = OTHER_MOBILITY + MOBILITIES;
/// Weights of a stage.
pub const STAGE_WEIGHTS: usize = TEMPO + STAGE_DISCS as usize;
/// Units of a weight in a disc.
pub const WEIGHT_UNIT: i32 = 256;
/// No position is worth more than all squares.
const MOST: Score = 64 * UNIT;

/// All weights, ready for use: every configuration has its own place.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternWeights {
    values: Box<[i16]>,
    /// How far shallow searches by these weights miss.
    pub probcut_model: ProbCutModel,
}

/// The stage of a position with so many discs.
#[inline(always)]
pub fn stage_of(discs: u32) -> usize {
    ((discs.max(4) - 4) / STAGE_DISCS).min(STAGES as u32 - 1) as usize
}

impl PatternWeights {
    /// Weights from all stages one after the other; `None` if there are too few or too many.
    pub fn new(values: Vec<i16>, probcut_model: ProbCutModel) -> Option<PatternWeights> {
        (values.len() == STAGES * STAGE_WEIGHTS)
            .then(|| PatternWeights { values: values.into_boxed_slice(), probcut_model })
    }

    /// The weights of a stage.
    #[inline(always)]
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.values[stage * STAGE_WEIGHTS..(stage + 1) * STAGE_WEIGHTS]
    }

    /// The same weights, but that being on the move is worth more: so many hundredths of a disc for each number of
    /// discs on the board.
    pub fn with_tempo(&self, more: impl Fn(u32) -> Score) -> PatternWeights {
        let mut changed = self.clone();
        for discs in 4..64 {
            let place = stage_of(discs) * STAGE_WEIGHTS + TEMPO + (discs % STAGE_DISCS) as usize;
            let value = i32::from(changed.values[place]) + more(discs) * WEIGHT_UNIT / UNIT;
            changed.values[place] = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        changed
    }

    /// The value in hundredths of a disc for the side to move, which has `moves[0]` moves, its
    /// opponent `moves[1]`.
    #[inline(always)]
    pub fn value(&self, indices: &PatternIndices, board: Board, moves: [u32; 2]) -> Score {
        let discs = 64 - board.empties();
        let weights = self.stage(stage_of(discs));
        let mut sum = 0i32;
        for (offset, &index) in OFFSETS.iter().zip(&indices.0) {
            let place = offset + i32::from(index);
            debug_assert!((0..PATTERN_WEIGHTS as i32).contains(&place));
            // SAFETY: an index is a sum of different powers of three, each times -1, 0 or 1, so it is at
            // most half the configurations away from the offset of its shape's weights.
            sum += i32::from(unsafe { *weights.get_unchecked(place as usize) });
        }
        let capped = |count: u32| (count as usize).min(MOBILITIES - 1);
        sum += i32::from(weights[OWN_MOBILITY + capped(moves[0])]);
        sum += i32::from(weights[OTHER_MOBILITY + capped(moves[1])]);
        sum += i32::from(weights[TEMPO + (discs % STAGE_DISCS) as usize]);
        (sum * UNIT / WEIGHT_UNIT).clamp(-MOST, MOST)
    }
}
