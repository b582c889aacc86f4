//! Fits the network by mini-batches of back-propagation with steps by Adam (Kingma and Ba, 2015). Rows that no sample
//! of a batch uses take no step (lazy Adam).

use super::parameters::{BIAS, Gradient, HEAD, Parameters, SIZE};
use super::samples::NetworkSample;
use crate::samples::{PLACES, Sampler};
use flipside_core::games::reversi::evaluation::network::weights::{NetworkValues, WIDTH};
use flipside_core::search::level::BestLevel;
use flipside_support::random::Random;
use rayon::prelude::*;
use std::ops::Range;

/// Samples of a batch, after which the parameters take a step.
const BATCH: usize = 8_192;
/// Parts of a batch whose gradients are summed separately, so that the sum does not depend on the number of threads.
const PARTS: usize = 2;
/// The share of a sample's rows that do not take part in its training, drawn anew in each epoch (dropout, Srivastava and others,
/// 2014), so that no row relies on one other.
const DROPOUT: f64 = 0.1;
/// Learning rate at the beginning; it falls linearly to a hundredth.
pub const LEARNING_RATE: f32 = 0.001_5;

/// Mean errors in discs after an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EpochErrors {
    /// Root mean square on the training set; each sample is measured before its own step.
    pub training: f64,
    /// Root mean square on the validation set.
    pub validation: f64,
    /// Mean absolute error on the validation set.
    pub absolute: f64,
    /// Root mean square of the linear weights alone on the validation set.
    pub linear: f64,
}

/// The state of a fit between two epochs.
pub struct NetworkTrainer {
    parameters: Parameters,
    /// Adam's running means of the gradients and of their squares.
    mean: Vec<f32>,
    variance: Vec<f32>,
    /// Finished epochs.
    pub epoch: usize,
    /// The learning rate of the first step.
    learning_rate: f32,
    /// Whether the first layer stays as it is. Outputs for numbers of empty squares without samples then stay, too.
    pub only_outputs: bool,
    sampler: Sampler,
    gradients: [Gradient; PARTS],
}

/// Adam's factors for a step.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    mean_correction: f32,
    variance_correction: f32,
    /// The factor that turns sums of gradients into means.
    share: f32,
}

impl Step {
    /// The change of a parameter.
    #[inline(always)]
    fn change(self, mean: &mut f32, variance: &mut f32, sum: f32) -> f32 {
        let gradient = sum * self.share;
        *mean = 0.9 * *mean + 0.1 * gradient;
        *variance = 0.999 * *variance + 0.001 * gradient * gradient;
        -self.rate * (*mean * self.mean_correction) / ((*variance * self.variance_correction).sqrt() + 1e-8)
    }
}

impl NetworkTrainer {
    /// A fit that starts from these parameters with this learning rate.
    pub fn new(parameters: Parameters, learning_rate: f32) -> NetworkTrainer {
        NetworkTrainer {
            parameters,
            learning_rate,
            only_outputs: false,
            mean: vec![0.0; SIZE],
            variance: vec![0.0; SIZE],
            epoch: 0,
            sampler: Sampler::new(),
            gradients: [Gradient::zero(), Gradient::zero()],
        }
    }

    /// One pass over the training set, as one of `epochs`, in an order that depends only on the epoch.
    pub fn train(&mut self, samples: &[NetworkSample], validation: &[NetworkSample], epochs: usize) -> EpochErrors {
        let level = BestLevel::detect();
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        Random(self.epoch as u64 + 1).shuffle(&mut order);
        let batches = samples.len().div_ceil(BATCH);
        let mut squares = [0.0; PARTS];
        for (number, batch) in order.chunks(BATCH).enumerate() {
            let part_size = batch.len().div_ceil(PARTS);
            let (parameters, sampler, only_outputs) = (&self.parameters, &self.sampler, self.only_outputs);
            let epoch = self.epoch as u64;
            let parts = self.gradients.par_iter_mut().zip(batch.par_chunks(part_size)).zip(&mut squares);
            parts.for_each(|((gradient, part), squares)| {
                level.inside(
                    #[inline(always)]
                    || *squares += add_gradients(parameters, sampler, only_outputs, (samples, part, epoch), gradient),
                );
            });
            let done = self.epoch * batches + number;
            level.inside(
                #[inline(always)]
                || self.step(batch.len(), done, epochs * batches),
            );
        }
        self.epoch += 1;
        let weight: f64 = samples.iter().map(|sample| f64::from(sample.weight)).sum();
        let training = (squares.iter().sum::<f64>() / weight.max(1.0)).sqrt();
        EpochErrors { training, ..self.errors(level, validation) }
    }

    /// The integers of the network in its present state.
    pub fn quantised(&self) -> NetworkValues {
        self.parameters.quantised(&self.sampler)
    }

    /// The content of a checkpoint besides [`NetworkTrainer::epoch`].
    pub fn state(&self) -> impl Iterator<Item = f32> {
        self.parameters.0.iter().chain(&self.mean).chain(&self.variance).copied()
    }

    /// A fit resumed from a checkpoint; `None` if the state does not fit this network.
    pub fn resumed(epoch: usize, state: &[f32], learning_rate: f32) -> Option<NetworkTrainer> {
        if state.len() != 3 * SIZE {
            return None;
        }
        let parameters = Parameters(state[..SIZE].to_vec());
        let mut trainer = NetworkTrainer { epoch, ..NetworkTrainer::new(parameters, learning_rate) };
        trainer.mean.copy_from_slice(&state[SIZE..2 * SIZE]);
        trainer.variance.copy_from_slice(&state[2 * SIZE..]);
        Some(trainer)
    }

    /// Takes a step with the gradients of a batch of `samples` samples, and clears them. `done` of `all` steps came
    /// before it.
    #[inline(always)]
    fn step(&mut self, samples: usize, done: usize, all: usize) {
        let correction = |decay: f32| 1.0 / (1.0 - decay.powi((done + 1).min(1 << 20) as i32));
        let step = Step {
            rate: self.learning_rate * (1.0 - done as f32 / all as f32).max(0.01),
            mean_correction: correction(0.9),
            variance_correction: correction(0.999),
            share: 1.0 / samples as f32,
        };
        for word in 0..self.gradients[0].used.len() {
            let mut rows = self.gradients.iter_mut().fold(0, |rows, part| rows | std::mem::take(&mut part.used[word]));
            while rows != 0 {
                let row = word * 64 + rows.trailing_zeros() as usize;
                rows &= rows - 1;
                self.step_range(step, row * WIDTH..(row + 1) * WIDTH);
            }
        }
        self.step_range(step, if self.only_outputs { HEAD } else { BIAS }..SIZE);
    }

    #[inline(always)]
    fn step_range(&mut self, step: Step, range: Range<usize>) {
        // A range lies entirely within the rows or entirely after them, because their limits differ.
        let is_row = range.end <= BIAS;
        let row_limit = Parameters::limit(0);
        let [first, second] = &mut self.gradients;
        let (first, second) = (&mut first.sums[range.clone()], &mut second.sums[range.clone()]);
        let (mean, variance) = (&mut self.mean[range.clone()], &mut self.variance[range.clone()]);
        let values = &mut self.parameters.0[range.clone()];
        for at in 0..values.len() {
            let sum = first[at] + second[at];
            (first[at], second[at]) = (0.0, 0.0);
            let limit = if is_row { row_limit } else { Parameters::limit(range.start + at) };
            values[at] = (values[at] + step.change(&mut mean[at], &mut variance[at], sum)).clamp(-limit, limit);
        }
    }
}

/// Adds the gradients of the samples with these numbers in this epoch; returns the sum of their squared errors, weighted.
#[inline(always)]
fn add_gradients(
    parameters: &Parameters,
    sampler: &Sampler,
    only_outputs: bool,
    (samples, numbers, epoch): (&[NetworkSample], &[u32], u64),
    gradient: &mut Gradient,
) -> f64 {
    let mut squares = 0.0;
    for &number in numbers {
        let sample = &samples[number as usize];
        let (mut rows, empties) = (sampler.places(sample.board), sample.board.empties());
        let mut random = Random(epoch << 32 | u64::from(number));
        let kept = keep_some(&mut rows, &mut random);
        let error = parameters.add_gradient(kept, empties, (sample.target, sample.weight), only_outputs, gradient);
        squares += f64::from(sample.weight * error * error);
    }
    squares
}

/// Leaves out [`DROPOUT`] of these rows, at least not all.
#[inline(always)]
fn keep_some<'a>(rows: &'a mut [u32; PLACES], random: &mut Random) -> &'a [u32] {
    let mut kept = 0;
    for at in 0..rows.len() {
        rows[kept] = rows[at];
        kept += usize::from(random.below(1 << 10) >= (DROPOUT * 1024.0) as usize);
    }
    &rows[..kept.max(1)]
}

impl NetworkTrainer {
    /// The errors on the validation set.
    fn errors(&self, level: BestLevel, validation: &[NetworkSample]) -> EpochErrors {
        const SAMPLES_PER_PART: usize = 1 << 14;
        let sums = |samples: &[NetworkSample]| {
            let mut sums = [0.0; 3];
            for sample in samples {
                let (rows, empties) = (self.sampler.places(sample.board), sample.board.empties());
                let error = f64::from(self.parameters.correction(&rows, empties) - sample.target);
                sums[0] += error * error;
                sums[1] += error.abs();
                sums[2] += f64::from(sample.target * sample.target);
            }
            sums
        };
        let parts: Vec<[f64; 3]> = validation
            .par_chunks(SAMPLES_PER_PART)
            .map(|samples| {
                level.inside(
                    #[inline(always)]
                    || sums(samples),
                )
            })
            .collect();
        let count = validation.len().max(1) as f64;
        let [squares, absolute, linear] = [0, 1, 2].map(|at| parts.iter().map(|part| part[at]).sum::<f64>() / count);
        EpochErrors { training: 0.0, validation: squares.sqrt(), absolute, linear: linear.sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::move_counts;
    use flipside_core::games::reversi::board::{Board, CORNERS};
    use flipside_core::games::reversi::evaluation::network::weights::PatternNetwork;
    use flipside_core::games::reversi::evaluation::pattern::geometry::PatternIndices;
    use flipside_core::games::reversi::evaluation::pattern::open_weights;
    use flipside_core::games::reversi::probcut::ProbCutModel;
    use flipside_core::games::reversi::rules::Reversi;
    use flipside_core::search::game::Game;
    use flipside_core::search::types::UNIT;

    /// Positions of random games with a target that no sum of patterns expresses: a product of corner counts.
    fn samples(games: u64) -> Vec<NetworkSample> {
        let corners = |set: u64| (set & CORNERS).count_ones() as f32;
        let target = |board: Board| NetworkSample {
            board,
            target: 3.0 * corners(board.player) * corners(board.opponent),
            weight: 1.0,
        };
        (0..games).flat_map(random_game).map(target).collect()
    }

    /// The positions of a random game.
    fn random_game(seed: u64) -> Vec<Board> {
        let (mut random, mut boards, game) = (Random(seed), vec![Board::START], Reversi::portable());
        while let Some(board) = boards.last().filter(|board| game.outcome(board).is_none()) {
            let moves: Vec<_> = game.moves(board).collect();
            boards.push(board.after(moves[random.below(moves.len())]));
        }
        boards
    }

    #[test]
    fn a_tenth_of_the_rows_takes_no_part() {
        let all: [u32; PLACES] = std::array::from_fn(|place| place as u32);
        let mut random = Random(1);
        let kept: Vec<Vec<u32>> = (0..2_000).map(|_| keep_some(&mut all.clone(), &mut random).to_vec()).collect();
        assert!(kept.iter().all(|rows| rows.is_sorted_by(|row, next| row < next)));
        let of_each = |row: u32| kept.iter().filter(|rows| rows.contains(&row)).count();
        assert!(all.iter().all(|&row| (1_700..1_900).contains(&of_each(row))), "{:?}", all.map(of_each));
        // What is kept stands for all, so that sums are as large as without dropout.
        let parameters = Parameters(vec![0.001; SIZE]);
        let [whole, part] = [&all[..], &kept[0]].map(|rows| parameters.correction(rows, 30));
        assert!(kept[0].len() < PLACES && (whole - part).abs() < 1e-5, "{whole} {part}");
    }

    /// The integers evaluate as the trainer does, except for rounding; an interrupted fit continues as if
    /// uninterrupted.
    #[test]
    fn a_product_is_learned_resumed_and_quantised() {
        let (training, validation) = (samples(300), samples(20));
        let mut trainer = NetworkTrainer::new(Parameters::new(), LEARNING_RATE);
        let first = trainer.train(&training, &validation, 3);
        let state: Vec<f32> = trainer.state().collect();
        let mut resumed = NetworkTrainer::resumed(trainer.epoch, &state, LEARNING_RATE).expect("a checkpoint");
        let second = trainer.train(&training, &validation, 3);
        assert_eq!(resumed.train(&training, &validation, 3), second);
        let third = trainer.train(&training, &validation, 3);
        assert!(first.validation < first.linear && third.validation < 0.8 * third.linear, "{first:?} {third:?}");
        let linear = open_weights(None).expect("the weights in the binary");
        let network = PatternNetwork::new(&trainer.quantised(), linear, ProbCutModel::UNKNOWN).expect("within range");
        for sample in &validation {
            let (board, rows) = (sample.board, trainer.sampler.places(sample.board));
            let real = trainer.parameters.correction(&rows, board.empties());
            let whole = network.correction(&PatternIndices::of(board), board, move_counts(board)) as f32 / UNIT as f32;
            assert!((real.clamp(-20.0, 20.0) - whole).abs() < 0.6, "{real} {whole}");
        }
        assert!(NetworkTrainer::resumed(1, &[0.0; 64], LEARNING_RATE).is_none());
        let again = NetworkTrainer::new(Parameters::of(&network.values()), LEARNING_RATE);
        assert_eq!(again.quantised(), network.values(), "a fit begins where a network ends");
    }
}
