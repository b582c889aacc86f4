//! The network's training: logistic regression of results and search values by back-propagation.
//!
//! A piece's weights in a king bucket of the king are the sum of weights that all regions share and of others that
//! are the king_bucket's own, so that what is rare in a king bucket is judged as in the others.

use super::adam::Adam;
use super::quiet::{SCALE, cross_entropy};
use crate::games::minichess::board::Board;
use crate::games::minichess::evaluation::limit_scale;
use crate::games::minichess::evaluation::network::{
    INPUTS, MAX_PIECES, NEURONS, Network, OUTPUT_BUCKETS, OUTPUT_SCALE, PIECE_SQUARES, Perspective, output_bucket,
};
use crate::search::types::Side;
use crate::support::random::Random;

/// Positions between two steps.
const BATCH: usize = 8_192;
/// What a weight moves by in a step, at first; it falls to a fiftieth.
const RATE: f64 = 0.004;
/// One game in so many is kept back to see what the training is worth.
const KEPT_BACK: u32 = 20;
/// Weights beyond this do not fit into the network's integers.
const LARGEST: f32 = 1.98;

/// A position: its inputs in the view of the side to move and in the other one, and what is known of its value.
#[derive(Clone, Copy)]
struct Position {
    inputs: [[u16; MAX_PIECES]; 2],
    count: u8,
    output_bucket: u8,
    limit_scale: f32,
    target: f32,
    game: u32,
}

/// Positions of games.
#[derive(Default)]
pub struct Positions {
    list: Vec<Position>,
}

impl Positions {
    /// Adds a position of the game with this number, and the points that White is to expect there.
    pub fn add(&mut self, game: u32, board: &Board, white: f64) {
        let points = if board.to_move() == Side::First { white } else { 1.0 - white };
        self.list.push(Position { target: points as f32, game, ..seen(board) });
    }
}

/// The inputs of a board.
fn seen(board: &Board) -> Position {
    let views = [board.to_move(), board.to_move().other()].map(|side| Perspective::of(board, side));
    let inputs = views.map(|view| {
        let mut pieces = view.inputs(board);
        std::array::from_fn(|_| pieces.next().unwrap_or_default() as u16)
    });
    let limit_scale = limit_scale(board.plies_left()) as f32 / 64.0;
    Position {
        inputs,
        count: board.occupied().count_ones() as u8,
        output_bucket: output_bucket(board) as u8,
        limit_scale,
        target: 0.0,
        game: 0,
    }
}

type Layer = [f32; NEURONS];

/// Where the parts begin in a list of all weights: first come those of the inputs by king bucket, then those that the
/// regions share.
const SHARED: usize = INPUTS * NEURONS;
const BIAS: usize = SHARED + PIECE_SQUARES * NEURONS;
const LAST: usize = BIAS + NEURONS;
const LAST_BIAS: usize = LAST + OUTPUT_BUCKETS * 2 * NEURONS;
const SIZE: usize = LAST_BIAS + OUTPUT_BUCKETS;

/// Training under way.
struct Training {
    weights: Vec<f32>,
    gradient: Vec<f32>,
    adam: Adam,
}

/// What a forward pass leaves for the backward pass.
struct Pass {
    sums: [Layer; 2],
    predicted: f32,
}

impl Training {
    fn new() -> Training {
        let mut random = Random(7);
        let mut around = |spread: f32| ((random.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        let mut weights = vec![0.0; SIZE];
        for (at, weight) in weights.iter_mut().enumerate() {
            *weight = match at {
                _ if at < SHARED => 0.0,
                _ if at < BIAS => around(0.15),
                _ if at < LAST => 0.2,
                _ if at < LAST_BIAS => around(0.3),
                _ => 0.0,
            };
        }
        Training { weights, gradient: vec![0.0; SIZE], adam: Adam::new(SIZE) }
    }

    /// Where the last layer's weights for a view of the position begin.
    fn last(position: &Position, view: usize) -> usize {
        LAST + (2 * usize::from(position.output_bucket) + view) * NEURONS
    }

    /// Where the weights of the inputs begin in the list, two places for each piece.
    fn rows(position: &Position, view: usize) -> impl Iterator<Item = usize> {
        let pieces = position.inputs[view][..usize::from(position.count)].iter();
        pieces.flat_map(|&input| [usize::from(input) * NEURONS, SHARED + usize::from(input) % PIECE_SQUARES * NEURONS])
    }

    /// The network's word on a position, by the training's own numbers.
    fn forward(&self, position: &Position) -> Pass {
        let weights = &self.weights;
        let mut pass = Pass { sums: [[0.0; NEURONS]; 2], predicted: 0.0 };
        let mut logit = weights[LAST_BIAS + usize::from(position.output_bucket)];
        for view in 0..2 {
            let sums = &mut pass.sums[view];
            sums.copy_from_slice(&weights[BIAS..LAST]);
            for row in Self::rows(position, view) {
                for (sum, weight) in sums.iter_mut().zip(&weights[row..row + NEURONS]) {
                    *sum += weight;
                }
            }
            let last = &weights[Self::last(position, view)..][..NEURONS];
            logit += sums.iter().zip(last).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        let scale = f64::from(OUTPUT_SCALE) * SCALE;
        pass.predicted = 1.0 / (1.0 + (-logit * scale as f32 * position.limit_scale).exp());
        pass
    }

    /// Adds the gradient of the cross entropy at a position.
    fn learn(&mut self, position: &Position) {
        let pass = self.forward(position);
        let off = (pass.predicted - position.target) * position.limit_scale;
        let (weights, gradient) = (&self.weights, &mut self.gradient);
        gradient[LAST_BIAS + usize::from(position.output_bucket)] += off;
        for view in 0..2 {
            let mut back = [0.0; NEURONS];
            for neuron in 0..NEURONS {
                let sum = pass.sums[view][neuron];
                let cut = sum.clamp(0.0, 1.0);
                let at = Self::last(position, view) + neuron;
                gradient[at] += off * cut * cut;
                back[neuron] = if sum > 0.0 && sum < 1.0 { off * weights[at] * 2.0 * cut } else { 0.0 };
                gradient[BIAS + neuron] += back[neuron];
            }
            for row in Self::rows(position, view) {
                for (sum, value) in gradient[row..row + NEURONS].iter_mut().zip(&back) {
                    *sum += value;
                }
            }
        }
    }

    fn step(&mut self, rate: f64, positions: usize) {
        let gradients = self.gradient.iter().map(|sum| f64::from(*sum) / positions as f64);
        for (weight, change) in self.weights.iter_mut().zip(self.adam.step(rate, gradients)) {
            *weight = (*weight + change as f32).clamp(-LARGEST, LARGEST);
        }
        self.gradient.fill(0.0);
    }

    /// The network's file.
    fn bytes(&self) -> Vec<u8> {
        let weights = &self.weights;
        let shared = weights[SHARED..BIAS].iter().cycle();
        let inputs: Vec<f32> = weights[..SHARED].iter().zip(shared).map(|(own, shared)| own + shared).collect();
        Network::bytes(&inputs, &weights[BIAS..LAST], &weights[LAST..LAST_BIAS], &weights[LAST_BIAS..])
    }

    /// Mean cross entropy.
    fn error(&self, list: &[&Position]) -> f64 {
        let of = |position: &&Position| {
            cross_entropy(f64::from(self.forward(position).predicted), f64::from(position.target))
        };
        list.iter().map(of).sum::<f64>() / list.len().max(1) as f64
    }
}

/// Trains a network and returns its file; prints the error after every pass.
pub fn train(positions: &Positions, passes: usize) -> Vec<u8> {
    let mut training = Training::new();
    let (kept, mut used): (Vec<&Position>, Vec<&Position>) =
        positions.list.iter().partition(|position| position.game % KEPT_BACK == 0);
    let mut random = Random(1);
    for pass in 0..passes {
        random.shuffle(&mut used);
        let rate = RATE * (1.0 - 0.98 * pass as f64 / passes as f64);
        for batch in used.chunks(BATCH) {
            for position in batch {
                training.learn(position);
            }
            training.step(rate, batch.len());
        }
        let some = &used[..used.len().min(100_000)];
        let (own, other) = (training.error(some), training.error(&kept));
        println!("pass {}: error {own:.6}, on games kept back {other:.6}", pass + 1);
    }
    training.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::rules::MiniChess;
    use crate::search::evaluation::Eval;
    use crate::search::game::Game;

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

    /// What the file holds says of a board what training says of it, but for the rounding.
    #[test]
    fn the_engine_sees_what_training_sees() {
        let training = Training::new();
        let network = Network::read(&training.bytes()).expect("a network");
        for board in boards() {
            let score = f64::from(network.evaluate(&network.refresh(&board), &board));
            let predicted = f64::from(training.forward(&seen(&board)).predicted);
            let thought = (predicted / (1.0 - predicted)).ln() / SCALE;
            assert!((score - thought).abs() < 12.0, "{score} {thought}");
        }
    }

    /// Results that material decides are learned.
    #[test]
    fn material_is_learned() {
        let mut positions = Positions::default();
        for (number, board) in boards().iter().enumerate() {
            let pieces = |side| board.pieces(side).count_ones() as f32;
            let more = pieces(board.to_move()) - pieces(board.to_move().other());
            let target = 1.0 / (1.0 + (-more).exp());
            positions.list.push(Position { target, game: number as u32, limit_scale: 1.0, ..seen(board) });
        }
        let list: Vec<&Position> = positions.list.iter().collect();
        let mut training = Training::new();
        let before = training.error(&list);
        for _ in 0..60 {
            for position in &list {
                training.learn(position);
            }
            training.step(RATE, list.len());
        }
        let least = list.iter().map(|position| f64::from(position.target));
        let least = least.map(|target| cross_entropy(target, target)).sum::<f64>() / list.len() as f64;
        let after = training.error(&list);
        assert!(after - least < (before - least) / 4.0, "{before} {after} {least}");
    }
}
