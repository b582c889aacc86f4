//! Training of the network: logistic regression of results and search values by back-propagation.
//!
//! Input weights are factorised: the weights of a piece on a square are the sum of weights shared by all king buckets and of
//! weights of the present bucket. A piece that is rare in a bucket is thus evaluated as in the others.

use super::quiet::SIGMOID_SCALE;
use crate::adam::Adam;
use crate::epoch::{EpochReport, OnEpoch};
use crate::logistic::cross_entropy;
use crate::validation::is_validation;
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::evaluation::limit::limit_scale;
use flipside_core::games::minichess::evaluation::network::{
    INPUTS, MAX_PIECES, NEURONS, Network, OUTPUT_BUCKETS, OUTPUT_SCALE, PIECE_SQUARES, Perspective, output_bucket,
};
use flipside_core::search::types::Side;
use flipside_support::random::Random;
use std::io;

/// Samples of a batch, after which the weights take a step.
const BATCH: usize = 8_192;
/// Learning rate; it falls linearly to a fiftieth.
const LEARNING_RATE: f64 = 0.004;
/// Weights are clipped to this, because larger ones exceed the integers of the quantised network.
const MAX_WEIGHT: f32 = 1.98;

/// A position: its inputs in the perspective of the side to move and of the other side, and its target.
#[derive(Clone, Copy)]
struct NetworkSample {
    inputs: [[u16; MAX_PIECES]; 2],
    count: u8,
    output_bucket: u8,
    limit_scale: f32,
    target: f32,
    game: u32,
}

/// The samples of a trainer.
#[derive(Default)]
pub struct NetworkSamples {
    list: Vec<NetworkSample>,
}

impl NetworkSamples {
    /// Adds a position of the game with this number, with White's expected points.
    pub fn add(&mut self, game: u32, board: &Board, white: f64) {
        let points = if board.to_move() == Side::First { white } else { 1.0 - white };
        self.list.push(NetworkSample { target: points as f32, game, ..inputs_of(board) });
    }
}

/// The inputs of a board, without a target.
fn inputs_of(board: &Board) -> NetworkSample {
    let perspectives = [board.to_move(), board.to_move().other()].map(|side| Perspective::of(board, side));
    let inputs = perspectives.map(|perspective| {
        let mut pieces = perspective.inputs(board);
        std::array::from_fn(|_| pieces.next().unwrap_or_default() as u16)
    });
    let limit_scale = limit_scale(board.plies_left()) as f32 / 64.0;
    NetworkSample {
        inputs,
        count: board.occupied().count_ones() as u8,
        output_bucket: output_bucket(board) as u8,
        limit_scale,
        target: 0.0,
        game: 0,
    }
}

type Layer = [f32; NEURONS];

/// Offsets of the parts in the list of all weights. First come the input weights by king bucket, then the shared ones,
const SHARED: usize = INPUTS * NEURONS;
/// the biases of the hidden layer,
const BIAS: usize = SHARED + PIECE_SQUARES * NEURONS;
/// the output weights by output bucket,
const LAST: usize = BIAS + NEURONS;
/// and the biases of the output.
const LAST_BIAS: usize = LAST + OUTPUT_BUCKETS * 2 * NEURONS;
/// Number of all weights.
const SIZE: usize = LAST_BIAS + OUTPUT_BUCKETS;

/// The state of a trainer.
struct NetworkTrainer {
    weights: Vec<f32>,
    gradient: Vec<f32>,
    adam: Adam,
}

/// The result of a forward pass, kept for the backward pass.
struct ForwardPass {
    sums: [Layer; 2],
    predicted: f32,
}

impl NetworkTrainer {
    fn new() -> NetworkTrainer {
        let mut random = Random(7);
        let mut uniform = |range: f32| ((random.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0) * range;
        let mut weights = vec![0.0; SIZE];
        for (at, weight) in weights.iter_mut().enumerate() {
            *weight = match at {
                _ if at < SHARED => 0.0,
                _ if at < BIAS => uniform(0.15),
                _ if at < LAST => 0.2,
                _ if at < LAST_BIAS => uniform(0.3),
                _ => 0.0,
            };
        }
        NetworkTrainer { weights, gradient: vec![0.0; SIZE], adam: Adam::new(SIZE) }
    }

    /// Offset of the output weights for a perspective of the position.
    fn output_offset(position: &NetworkSample, perspective: usize) -> usize {
        LAST + (2 * usize::from(position.output_bucket) + perspective) * NEURONS
    }

    /// Offsets of the input weights: for each piece those of its king bucket and the shared ones.
    fn input_offsets(position: &NetworkSample, perspective: usize) -> impl Iterator<Item = usize> {
        let pieces = position.inputs[perspective][..usize::from(position.count)].iter();
        pieces.flat_map(|&input| [usize::from(input) * NEURONS, SHARED + usize::from(input) % PIECE_SQUARES * NEURONS])
    }

    /// Evaluates a position with the unquantised weights.
    fn forward(&self, position: &NetworkSample) -> ForwardPass {
        let weights = &self.weights;
        let mut pass = ForwardPass { sums: [[0.0; NEURONS]; 2], predicted: 0.0 };
        let mut logit = weights[LAST_BIAS + usize::from(position.output_bucket)];
        for perspective in 0..2 {
            let sums = &mut pass.sums[perspective];
            sums.copy_from_slice(&weights[BIAS..LAST]);
            for row in Self::input_offsets(position, perspective) {
                for (sum, weight) in sums.iter_mut().zip(&weights[row..row + NEURONS]) {
                    *sum += weight;
                }
            }
            let output = &weights[Self::output_offset(position, perspective)..][..NEURONS];
            logit += sums.iter().zip(output).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        let scale = f64::from(OUTPUT_SCALE) * SIGMOID_SCALE;
        pass.predicted = 1.0 / (1.0 + (-logit * scale as f32 * position.limit_scale).exp());
        pass
    }

    /// Adds the gradient of the cross entropy at a position.
    fn add_gradient(&mut self, position: &NetworkSample) {
        let pass = self.forward(position);
        let error = (pass.predicted - position.target) * position.limit_scale;
        let (weights, gradient) = (&self.weights, &mut self.gradient);
        gradient[LAST_BIAS + usize::from(position.output_bucket)] += error;
        for perspective in 0..2 {
            let mut back = [0.0; NEURONS];
            for neuron in 0..NEURONS {
                let sum = pass.sums[perspective][neuron];
                let clipped = sum.clamp(0.0, 1.0);
                let at = Self::output_offset(position, perspective) + neuron;
                gradient[at] += error * clipped * clipped;
                back[neuron] = if sum > 0.0 && sum < 1.0 { error * weights[at] * 2.0 * clipped } else { 0.0 };
                gradient[BIAS + neuron] += back[neuron];
            }
            for row in Self::input_offsets(position, perspective) {
                for (sum, value) in gradient[row..row + NEURONS].iter_mut().zip(&back) {
                    *sum += value;
                }
            }
        }
    }

    /// One step of Adam with the mean gradient of a batch.
    fn step(&mut self, rate: f64, positions: usize) {
        let gradients = self.gradient.iter().map(|sum| f64::from(*sum) / positions as f64);
        for (weight, change) in self.weights.iter_mut().zip(self.adam.step(rate, gradients)) {
            *weight = (*weight + change as f32).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
        self.gradient.fill(0.0);
    }

    /// The file of the quantised network.
    fn bytes(&self) -> Vec<u8> {
        let weights = &self.weights;
        let shared = weights[SHARED..BIAS].iter().cycle();
        let inputs: Vec<f32> = weights[..SHARED].iter().zip(shared).map(|(own, shared)| own + shared).collect();
        Network::bytes(&inputs, &weights[BIAS..LAST], &weights[LAST..LAST_BIAS], &weights[LAST_BIAS..])
    }

    /// Mean cross entropy.
    fn error(&self, list: &[&NetworkSample]) -> f64 {
        let loss = |position: &&NetworkSample| {
            cross_entropy(f64::from(self.forward(position).predicted), f64::from(position.target))
        };
        list.iter().map(loss).sum::<f64>() / list.len().max(1) as f64
    }
}

/// Trains a network and returns its file; reports the errors after every epoch.
///
/// # Errors
/// The report cannot be written.
pub fn train(samples: &NetworkSamples, epochs: usize, on_epoch: OnEpoch) -> io::Result<Vec<u8>> {
    let mut trainer = NetworkTrainer::new();
    let (validation, mut training): (Vec<&NetworkSample>, Vec<&NetworkSample>) =
        samples.list.iter().partition(|sample| is_validation(sample.game));
    let mut random = Random(1);
    for epoch in 0..epochs {
        random.shuffle(&mut training);
        let rate = LEARNING_RATE * (1.0 - 0.98 * epoch as f64 / epochs as f64);
        for batch in training.chunks(BATCH) {
            for position in batch {
                trainer.add_gradient(position);
            }
            trainer.step(rate, batch.len());
        }
        let sample = &training[..training.len().min(100_000)];
        let (error, validation_error) = (trainer.error(sample), trainer.error(&validation));
        on_epoch(EpochReport { epoch: epoch + 1, error, validation_error })?;
    }
    Ok(trainer.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::minichess::rules::MiniChess;
    use flipside_core::search::evaluation::Eval;
    use flipside_core::search::game::Game;

    /// Boards of random games.
    fn boards() -> Vec<Board> {
        let mut random = Random(3);
        let mut boards = Vec::new();
        for _ in 0..60 {
            let mut board = MiniChess.start();
            while MiniChess.outcome(&board).is_none() {
                boards.push(board);
                let moves: Vec<_> = MiniChess.moves(&board).collect();
                board = MiniChess.play(&board, moves[random.below(moves.len())]);
            }
        }
        boards
    }

    /// The quantised network evaluates as the trainer does, except for rounding.
    #[test]
    fn the_file_evaluates_as_the_trainer_does() {
        let trainer = NetworkTrainer::new();
        let network = Network::read(&trainer.bytes()).expect("a network");
        for board in boards() {
            let score = f64::from(network.evaluate(&network.refresh(&board), &board));
            let predicted = f64::from(trainer.forward(&inputs_of(&board)).predicted);
            let expected = (predicted / (1.0 - predicted)).ln() / SIGMOID_SCALE;
            assert!((score - expected).abs() < 12.0, "{score} {expected}");
        }
    }

    /// The network learns results that depend on the material alone.
    #[test]
    fn material_is_learned() {
        let mut positions = NetworkSamples::default();
        for (number, board) in boards().iter().enumerate() {
            let pieces = |side| board.pieces(side).count_ones() as f32;
            let more = pieces(board.to_move()) - pieces(board.to_move().other());
            let target = 1.0 / (1.0 + (-more).exp());
            positions.list.push(NetworkSample { target, game: number as u32, limit_scale: 1.0, ..inputs_of(board) });
        }
        let list: Vec<&NetworkSample> = positions.list.iter().collect();
        let mut trainer = NetworkTrainer::new();
        let before = trainer.error(&list);
        for _ in 0..60 {
            for position in &list {
                trainer.add_gradient(position);
            }
            trainer.step(LEARNING_RATE, list.len());
        }
        let least = list.iter().map(|position| f64::from(position.target));
        let least = least.map(|target| cross_entropy(target, target)).sum::<f64>() / list.len() as f64;
        let after = trainer.error(&list);
        assert!(after - least < (before - least) / 4.0, "{before} {after} {least}");
    }
}
