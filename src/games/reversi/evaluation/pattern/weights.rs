//! The weights of the pattern evaluation, and the value that they give a position.

use super::geometry::{OFFSETS, PATTERN_WEIGHTS, PatternIndices};
use crate::games::reversi::board::Board;
use crate::games::reversi::probcut::ProbCutModel;
use crate::search::types::{Score, UNIT};

/// Stages of the game: four discs each, from the start's four discs on.
pub const STAGES: usize = 15;
/// Discs of a stage.
pub const STAGE_DISCS: u32 = 4;
/// Numbers of legal moves that have weights of their own; larger numbers count as the last.
pub const MOBILITIES: usize = 32;
/// Offset, in a stage, of the weights of the mover's number of moves.
pub const OWN_MOBILITY: usize = PATTERN_WEIGHTS;
/// Offset of those of the opponent's.
pub const OTHER_MOBILITY: usize = OWN_MOBILITY + MOBILITIES;
/// Offset of the tempo: the value of being to move, for each number of discs of the stage (odd-even effect).
pub const TEMPO: usize = OTHER_MOBILITY + MOBILITIES;
/// Weights of a stage.
pub const STAGE_WEIGHTS: usize = TEMPO + STAGE_DISCS as usize;
/// Units of a weight in a disc.
pub const WEIGHT_UNIT: i32 = 256;
/// The largest value: all 64 squares.
const MAX_VALUE: Score = 64 * UNIT;

/// All weights, unpacked: every configuration has its own.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternWeights {
    values: Box<[i16]>,
    /// The errors of shallow searches with these weights.
    pub probcut_model: ProbCutModel,
}

/// The stage of a position with a number of discs.
#[inline(always)]
pub fn stage_of(discs: u32) -> usize {
    ((discs.max(4) - 4) / STAGE_DISCS).min(STAGES as u32 - 1) as usize
}

impl PatternWeights {
    /// From the weights of all stages one after the other; `None` if there are too few or too many.
    pub fn new(values: Vec<i16>, probcut_model: ProbCutModel) -> Option<PatternWeights> {
        (values.len() == STAGES * STAGE_WEIGHTS)
            .then(|| PatternWeights { values: values.into_boxed_slice(), probcut_model })
    }

    /// The weights of a stage.
    #[inline(always)]
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.values[stage * STAGE_WEIGHTS..(stage + 1) * STAGE_WEIGHTS]
    }

    /// The same weights with a larger tempo: `more` is given the number of discs on the board and answers in hundredths
    /// of a disc.
    pub fn with_tempo(&self, more: impl Fn(u32) -> Score) -> PatternWeights {
        let mut changed = self.clone();
        for discs in 4..64 {
            let index = stage_of(discs) * STAGE_WEIGHTS + TEMPO + (discs % STAGE_DISCS) as usize;
            let value = i32::from(changed.values[index]) + more(discs) * WEIGHT_UNIT / UNIT;
            changed.values[index] = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
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
            let at = offset + i32::from(index);
            debug_assert!((0..PATTERN_WEIGHTS as i32).contains(&at));
            // SAFETY: an index is a sum of different powers of three, each times -1, 0 or 1, so it is at most half the
            // configurations away from the offset of configuration 0, which is in the middle of its shape's weights.
            sum += i32::from(unsafe { *weights.get_unchecked(at as usize) });
        }
        let capped = |count: u32| (count as usize).min(MOBILITIES - 1);
        sum += i32::from(weights[OWN_MOBILITY + capped(moves[0])]);
        sum += i32::from(weights[OTHER_MOBILITY + capped(moves[1])]);
        sum += i32::from(weights[TEMPO + (discs % STAGE_DISCS) as usize]);
        (sum * UNIT / WEIGHT_UNIT).clamp(-MAX_VALUE, MAX_VALUE)
    }
}
