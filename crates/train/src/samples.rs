//! Regression samples: positions as the indices of the pattern weights whose sum is their value.

use super::game_file::ResultShare;
use super::training_games::TrainingGames;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::pattern::geometry::{self, OFFSETS, PATTERNS, PatternIndices};
use flipside_core::games::reversi::evaluation::pattern::weights::{
    MOBILITIES, OTHER_MOBILITY, OWN_MOBILITY, STAGE_DISCS, STAGES, TEMPO,
};
use flipside_core::games::reversi::kernels::portable::moves;

/// A stage is also fitted to positions with up to this many discs fewer or more, with falling weight, so that the
/// weights change smoothly from stage to stage.
pub const NEIGHBOUR_DISCS: u32 = 3;
/// One game in this many belongs to the validation set, which the fit does not see.
pub const VALIDATION_INTERVAL: u64 = 20;

/// The sources of samples.
#[derive(Clone, Debug)]
pub struct SampleSources {
    /// Games whose values are all used.
    pub games: Vec<TrainingGames>,
    /// Games whose exact values alone are used.
    pub endings: Vec<TrainingGames>,
    /// What positions without an exact value learn from the results of their games.
    pub results: ResultShare,
}

impl SampleSources {
    /// All lists of games, and whether their exact values alone are used.
    pub fn lists(&self) -> impl Iterator<Item = (&TrainingGames, bool)> {
        let (games, endings) = (self.games.iter(), self.endings.iter());
        games.map(|list| (list, false)).chain(endings.map(|list| (list, true)))
    }
}

/// A position of the fit.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// For each pattern the index of its configuration, the same for mirror images.
    indices: [i16; PATTERNS],
    /// Mobility of the side to move and of the opponent, at most `MOBILITIES - 1`, and the index of the tempo weight.
    counts: [u8; 3],
    /// Weight of the sample, at most 1.
    pub weight: f32,
    /// Target value in discs for the side to move.
    pub target: f32,
}

impl Sample {
    /// The indices of the weights that the position uses, within the weights of a stage.
    #[inline(always)]
    pub fn weight_indices(&self) -> impl Iterator<Item = usize> {
        let patterns = (0..PATTERNS).map(|pattern| (OFFSETS[pattern] + i32::from(self.indices[pattern])) as usize);
        let [own, other, tempo] = self.counts.map(usize::from);
        patterns.chain([OWN_MOBILITY + own, OTHER_MOBILITY + other, TEMPO + tempo])
    }

    /// The sum of the weights that the position uses.
    #[inline(always)]
    pub fn sum(&self, weights: &[f32]) -> f32 {
        self.weight_indices().map(|index| weights[index]).sum()
    }
}

/// Places of a position: its patterns and both numbers of moves.
pub const PLACES: usize = PATTERNS + 2;

/// The numbers of moves of the side to move and of its opponent.
pub fn move_counts(board: Board) -> [u32; 2] {
    [moves(board.player, board.opponent).count_ones(), moves(board.opponent, board.player).count_ones()]
}

/// Makes samples of positions.
pub struct Sampler {
    /// For each configuration the one whose weight it shares: itself or its mirror image.
    representatives: Vec<u32>,
}

impl Sampler {
    /// Finds the mirror images of all configurations.
    pub fn new() -> Sampler {
        Sampler { representatives: geometry::representatives() }
    }

    /// The configuration whose weights this one shares.
    pub fn representative(&self, place: usize) -> usize {
        self.representatives.get(place).map_or(place, |&representative| representative as usize)
    }

    /// The places, within a stage, of the weights that a position uses: one for each pattern, the same for mirror images,
    /// and those of the numbers of moves of the side to move and of its opponent.
    #[inline(always)]
    pub fn places(&self, board: Board) -> [u32; PLACES] {
        let indices = PatternIndices::of(board).0;
        let [own, other] = move_counts(board).map(|count| count.min(MOBILITIES as u32 - 1));
        let mut places = [0; PLACES];
        for pattern in 0..PATTERNS {
            places[pattern] = self.representatives[(OFFSETS[pattern] + i32::from(indices[pattern])) as usize];
        }
        places[PATTERNS] = OWN_MOBILITY as u32 + own;
        places[PATTERNS + 1] = OTHER_MOBILITY as u32 + other;
        places
    }

    /// The sample of a position.
    pub fn sample(&self, board: Board, weight: f32, target: f32) -> Sample {
        let places = self.places(board);
        let indices = std::array::from_fn(|pattern| (places[pattern] as i32 - OFFSETS[pattern]) as i16);
        let count = |side: usize, first: usize| (places[PATTERNS + side] as usize - first) as u8;
        let tempo = ((64 - board.empties()) % STAGE_DISCS) as u8;
        let counts = [count(0, OWN_MOBILITY), count(1, OTHER_MOBILITY), tempo];
        Sample { indices, counts, weight, target }
    }
}

impl Default for Sampler {
    fn default() -> Self {
        Sampler::new()
    }
}

/// The samples of a stage.
pub struct StageSamples {
    /// The training set, neighbouring stages included.
    pub training: Vec<Sample>,
    /// The validation set, of the stage itself only.
    pub validation: Vec<Sample>,
}

/// Weight of a position with this many discs in the fit of a stage; 0 if it is too far away.
fn weight_in(stage: usize, discs: u32) -> f32 {
    let first = 4 + STAGE_DISCS * stage as u32;
    let last = if stage + 1 == STAGES { 64 } else { first + STAGE_DISCS - 1 };
    let distance = first.saturating_sub(discs).max(discs.saturating_sub(last));
    1.0 - (distance.min(NEIGHBOUR_DISCS + 1) as f32) / (NEIGHBOUR_DISCS + 1) as f32
}

/// Reads all samples of a stage.
///
/// # Errors
/// A file cannot be read.
pub fn of_stage(stage: usize, sources: &SampleSources, sampler: &Sampler) -> anyhow::Result<StageSamples> {
    let mut samples = StageSamples { training: Vec::new(), validation: Vec::new() };
    for (list, only_exact) in sources.lists() {
        for (number, positions) in (0u64..).zip(list.positions()?) {
            let is_validation = number % VALIDATION_INTERVAL == 0;
            for position in positions? {
                let weight = weight_in(stage, 64 - position.board.empties());
                if weight == 0.0 || is_validation && weight < 1.0 || only_exact && !position.exact {
                    continue;
                }
                let Some(target) = position.target(&sources.results) else { continue };
                let list = if is_validation { &mut samples.validation } else { &mut samples.training };
                list.push(sampler.sample(position.board, weight, target));
            }
        }
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::evaluation::pattern::weights::{PatternWeights, STAGE_WEIGHTS, stage_of};
    use flipside_core::games::reversi::probcut::ProbCutModel;

    #[test]
    fn a_sample_sums_what_the_evaluation_sums() {
        let sampler = Sampler::new();
        let mut random = flipside_support::random::Random(5);
        let mut stage: Vec<f32> = (0..STAGE_WEIGHTS).map(|_| random.below(200) as f32 / 256.0).collect();
        for (index, &representative) in sampler.representatives.iter().enumerate() {
            stage[index] = stage[representative as usize];
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
    fn stages_are_fitted_to_their_neighbours_too() {
        assert_eq!(weight_in(3, 16), 1.0);
        assert_eq!(weight_in(3, 19), 1.0);
        assert_eq!([weight_in(3, 15), weight_in(3, 21), weight_in(3, 12)], [0.75, 0.5, 0.0]);
        assert_eq!(weight_in(STAGES - 1, 64), 1.0);
    }
}
