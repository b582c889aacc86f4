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

/// Zeros before and after all weights: wherever an index of sixteen bits leads from a shape's
/// middle, there is a value to read, even for indices of no position.
const MARGIN: usize = 1 << 15;
const _: () = assert!(MARGIN >= i16::MAX as usize && MARGIN >= i16::MIN.unsigned_abs() as usize);
/// The weights of all stages between their margins.
const PADDED: usize = MARGIN + STAGES * STAGE_WEIGHTS + MARGIN;

/// All weights, unpacked: every configuration has its own.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternWeights {
    /// [`MARGIN`], then the stages one after the other, then [`MARGIN`].
    values: Box<[i16; PADDED]>,
    /// The errors of shallow searches with these weights.
    pub probcut_model: ProbCutModel,
}

/// The stage of a position by its number of discs.
#[inline(always)]
pub fn stage_of(discs: u32) -> usize {
    ((discs.max(4) - 4) / STAGE_DISCS).min(STAGES as u32 - 1) as usize
}

impl PatternWeights {
    /// From the weights of all stages one after the other; `None` if their number is wrong.
    pub fn new(values: Vec<i16>, probcut_model: ProbCutModel) -> Option<PatternWeights> {
        if values.len() != STAGES * STAGE_WEIGHTS {
            return None;
        }
        let margin = [0; MARGIN];
        let values = [&margin, values.as_slice(), &margin].concat().into_boxed_slice().try_into().ok()?;
        Some(PatternWeights { values, probcut_model })
    }

    /// The weights of a stage.
    #[inline(always)]
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.values[MARGIN..][stage * STAGE_WEIGHTS..(stage + 1) * STAGE_WEIGHTS]
    }

    /// The same weights with a larger tempo: `more` gives the addition for a number of discs on
    /// the board, in hundredths of a disc.
    pub fn with_tempo(&self, more: impl Fn(u32) -> Score) -> PatternWeights {
        let mut changed = self.clone();
        for discs in 4..64 {
            let index = MARGIN + stage_of(discs) * STAGE_WEIGHTS + TEMPO + (discs % STAGE_DISCS) as usize;
            let value = i32::from(changed.values[index]) + more(discs) * WEIGHT_UNIT / UNIT;
            changed.values[index] = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        changed
    }

    /// The value in hundredths of a disc for the side to move, which has `moves[0]` moves; its
    /// opponent has `moves[1]`.
    #[inline(always)]
    pub fn value(&self, indices: &PatternIndices, board: Board, moves: [u32; 2]) -> Score {
        let discs = 64 - board.empties();
        let stage = stage_of(discs);
        let weights = self.stage(stage);
        let mut sum = 0i32;
        for (offset, &index) in OFFSETS.iter().zip(&indices.0) {
            let at = (MARGIN + stage * STAGE_WEIGHTS) as isize + *offset as isize + isize::from(index);
            // SAFETY: the stage is one of `STAGES` and the offset one of a stage's weights, so that the sum of both is a
            // place between the margins, and no index leads further away than a margin is wide.
            sum += i32::from(unsafe { *self.values.get_unchecked(at as usize) });
        }
        let capped = |count: u32| (count as usize).min(MOBILITIES - 1);
        sum += i32::from(weights[OWN_MOBILITY + capped(moves[0])]);
        sum += i32::from(weights[OTHER_MOBILITY + capped(moves[1])]);
        sum += i32::from(weights[TEMPO + (discs % STAGE_DISCS) as usize]);
        (sum * UNIT / WEIGHT_UNIT).clamp(-MAX_VALUE, MAX_VALUE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::open_weights;
    use super::*;
    use crate::games::reversi::board::Placement;

    /// A caller of safe functions may make indices of no position; every index has a weight to
    /// read.
    #[test]
    fn indices_of_no_position_lead_to_some_weight() {
        let weights = open_weights(None).expect("the weights in the binary");
        let mut indices = PatternIndices::of(Board::START);
        let mv = Placement { square: 0, flips: u64::MAX };
        for round in 0..2_000 {
            let board = Board { player: u64::MAX >> (round % 64), opponent: 0 };
            assert!(weights.value(&indices, board, [round, 0]).abs() <= MAX_VALUE);
            indices = indices.after(mv);
        }
    }
}
