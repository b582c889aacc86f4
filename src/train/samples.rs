//! Positions with their values, turned into the weights that they use.

use super::record::{GameReader, GameRecord, Moment};
use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::pattern::geometry::{
    GEOMETRY, OFFSETS, PATTERN_WEIGHTS, PATTERNS, PatternIndices,
};
use crate::games::reversi::evaluation::pattern::weights::{
    MOBILITIES, OTHER_MOBILITY, OWN_MOBILITY, STAGE_DISCS, STAGES, TEMPO,
};
use crate::games::reversi::kernels::portable::moves;
use std::path::PathBuf;

/// Discs before and after those of a stage from which it learns as well, with less weight the
/// farther they are: what makes the weights change smoothly from stage to stage.
pub const MARGIN: u32 = 3;
/// One game in so many is held out: fitting never sees it.
pub const HELD_OUT: u64 = 20;

/// Where samples come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// Files of games of which every value is used.
    pub games: Vec<PathBuf>,
    /// Files of games of which only exact values are used.
    pub endings: Vec<PathBuf>,
    /// Of a value that is not exact, the share that the game's result has; a search's value has the rest.
    pub result_share: f32,
}

/// A position as fitting sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// For each pattern the index of the configuration that stands for it and its mirror image.
    indices: [i16; PATTERNS],
    /// Moves of both sides, at most `MOBILITIES - 1`, and the tempo.
    counts: [u8; 3],
    /// How much the sample counts, at most 1.
    pub weight: f32,
    /// The value in discs for the side to move.
    pub target: f32,
}

impl Sample {
    /// The places in a stage of the weights that the position uses.
    #[inline(always)]
    pub fn places(&self) -> impl Iterator<Item = usize> {
        let patterns = (0..PATTERNS).map(|pattern| (OFFSETS[pattern] + i32::from(self.indices[pattern])) as usize);
        let [own, other, tempo] = self.counts.map(usize::from);
        patterns.chain([OWN_MOBILITY + own, OTHER_MOBILITY + other, TEMPO + tempo])
    }

    /// The sum of the weights that the position uses.
    #[inline(always)]
    pub fn sum(&self, weights: &[f32]) -> f32 {
        self.places().map(|place| weights[place]).sum()
    }
}

/// DeferredMoves positions into samples.
pub struct Sampler {
    /// For each place of a stage the index that stands for it.
    representatives: Vec<i16>,
}

impl Sampler {
    /// Works out which configurations are mirror images.
    pub fn new() -> Sampler {
        let mut representatives = vec![0; PATTERN_WEIGHTS];
        for shape in &GEOMETRY.shapes {
            let half = (shape.configurations / 2) as i32;
            for index in -half..=half {
                representatives[(shape.offset as i32 + index) as usize] = shape.representative(index) as i16;
            }
        }
        Sampler { representatives }
    }

    /// The sample of a position.
    pub fn sample(&self, board: Board, weight: f32, target: f32) -> Sample {
        let all = PatternIndices::of(board).0;
        let indices =
            std::array::from_fn(|pattern| self.representatives[(OFFSETS[pattern] + i32::from(all[pattern])) as usize]);
        let count = |own, other| moves(own, other).count_ones().min(MOBILITIES as u32 - 1) as u8;
        let tempo = ((64 - board.empties()) % STAGE_DISCS) as u8;
        let counts = [count(board.player, board.opponent), count(board.opponent, board.player), tempo];
        Sample { indices, counts, weight, target }
    }
}

impl Default for Sampler {
    fn default() -> Self {
        Sampler::new()
    }
}

/// Samples of a stage: those to learn from and those held out.
pub struct StageSamples {
    /// To learn from, those of the neighbourhood included.
    pub learned: Vec<Sample>,
    /// Held out, of the stage itself only.
    pub held_out: Vec<Sample>,
}

/// How much a position with so many discs counts in a stage; 0 if it is too far away.
fn weight_in(stage: usize, discs: u32) -> f32 {
    let first = 4 + STAGE_DISCS * stage as u32;
    let last = if stage + 1 == STAGES { 64 } else { first + STAGE_DISCS - 1 };
    let distance = first.saturating_sub(discs).max(discs.saturating_sub(last));
    1.0 - (distance.min(MARGIN + 1) as f32) / (MARGIN + 1) as f32
}

/// Reads all samples of a stage.
///
/// # Errors
/// A file that cannot be read.
pub fn of_stage(stage: usize, source: &Source, sampler: &Sampler) -> anyhow::Result<StageSamples> {
    let mut samples = StageSamples { learned: Vec::new(), held_out: Vec::new() };
    let files = source.games.iter().map(|path| (path, false)).chain(source.endings.iter().map(|path| (path, true)));
    for (path, only_exact) in files {
        for (number, game) in (0u64..).zip(GameReader::open(path)?) {
            let held_out = number % HELD_OUT == 0;
            let game = game?;
            for moment in game.moments() {
                let weight = weight_in(stage, 64 - moment.board.empties());
                if weight == 0.0 || held_out && weight < 1.0 || only_exact && !moment.exact {
                    continue;
                }
                let Some(target) = target(&game, &moment, source.result_share) else { continue };
                let list = if held_out { &mut samples.held_out } else { &mut samples.learned };
                list.push(sampler.sample(moment.board, weight, target));
            }
        }
    }
    Ok(samples)
}

/// The value to learn; none for moves of the opening.
fn target(game: &GameRecord, moment: &Moment, result_share: f32) -> Option<f32> {
    if moment.opening {
        return None;
    }
    if moment.exact {
        return Some(moment.value);
    }
    let result = f32::from(game.result);
    let result = if moment.first { result } else { -result };
    Some(result_share * result + (1.0 - result_share) * moment.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::evaluation::pattern::weights::{PatternWeights, STAGE_WEIGHTS, stage_of};
    use crate::games::reversi::probcut::ProbCutModel;

    #[test]
    fn a_sample_sums_what_the_evaluation_sums() {
        let sampler = Sampler::new();
        let mut random = crate::support::random::Random(5);
        let mut stage: Vec<f32> = (0..STAGE_WEIGHTS).map(|_| random.below(200) as f32 / 256.0).collect();
        for (place, &representative) in sampler.representatives.iter().enumerate() {
            let shape = GEOMETRY.shapes.iter().find(|shape| place < shape.offset + shape.configurations.div_ceil(2));
            stage[place] =
                stage[(shape.expect("every place has a shape").offset as i32 + i32::from(representative)) as usize];
        }
        let units = |value: &f32| (value * 256.0) as i16;
        let weights = PatternWeights::new(
            stage.iter().map(units).cycle().take(STAGES * STAGE_WEIGHTS).collect(),
            ProbCutModel::UNKNOWN,
        );
        let weights = weights.expect("as many as there are");
        let board = Board::START;
        let sum = sampler.sample(board, 1.0, 0.0).sum(&stage);
        let value = weights.value(&PatternIndices::of(board), board, [4, 4]);
        assert_eq!((sum * 100.0) as i32, value);
        assert_eq!(stage_of(4), 0);
    }

    #[test]
    fn stages_learn_from_their_neighbours() {
        assert_eq!(weight_in(3, 16), 1.0);
        assert_eq!(weight_in(3, 19), 1.0);
        assert_eq!([weight_in(3, 15), weight_in(3, 21), weight_in(3, 12)], [0.75, 0.5, 0.0]);
        assert_eq!(weight_in(STAGES - 1, 64), 1.0);
    }
}
