//! Least squares for sparse samples by conjugate gradients (Hestenes and Stiefel 1952, in the form
//! for normal equations), preconditioned by how often each weight is used.
//!
//! The weights that minimise the squared errors of the samples plus `ridge` times the squared
//! distance from the weights at the start: what is seldom used stays close to where it was. The
//! error on held-out samples is known after every pass, and the best pass is kept.

use super::samples::{Sample, StageSamples};
use rayon::prelude::*;

/// Parts of the samples that are added up on their own, so that the sum does not depend on threads.
const PARTS: usize = 8;
/// Passes without a better held-out error before fitting ends.
const PATIENCE: usize = 8;

/// Mean errors in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Errors {
    /// Mean absolute error.
    pub absolute: f64,
    /// Root of the mean squared error.
    pub squared: f64,
}

/// What fitting came to.
pub struct Fit {
    /// The weights in discs.
    pub weights: Vec<f32>,
    /// Held-out errors before the first pass and after each.
    pub curve: Vec<Errors>,
    /// Of those, the one that was kept.
    pub best: usize,
}

/// Fits weights, from `start` on, in at most so many passes.
pub fn fit(samples: &StageSamples, start: &[f32], ridge: f32, passes: usize) -> Fit {
    let learned = &samples.learned;
    let mut residuals = residuals(learned, start);
    let mut held_out = self::residuals(&samples.held_out, start);
    let mut curve = vec![errors(&held_out)];
    let mut weights = start.to_vec();
    let (mut best, mut best_weights) = (0, weights.clone());

    let scale: Vec<f32> = usage(learned, start.len()).iter().map(|used| 1.0 / (used + ridge)).collect();
    let mut gradient = transposed(learned, &residuals, start.len());
    let mut direction: Vec<f32> = gradient.iter().zip(&scale).map(|(g, s)| g * s).collect();
    let mut progress = dot(&gradient, &direction);
    for pass in 1..=passes {
        let along: Vec<f32> = learned.par_iter().map(|sample| sample.sum(&direction)).collect();
        let curvature: f64 = learned.iter().zip(&along).map(|(s, &a)| f64::from(s.weight * a * a)).sum::<f64>()
            + f64::from(ridge) * dot(&direction, &direction);
        if curvature <= 0.0 {
            break;
        }
        let step = (progress / curvature) as f32;
        weights.iter_mut().zip(&direction).for_each(|(weight, d)| *weight += step * d);
        residuals.iter_mut().zip(&along).for_each(|(residual, a)| *residual -= step * a);
        let ahead = samples.held_out.iter().map(|sample| sample.sum(&direction));
        held_out.iter_mut().zip(ahead).for_each(|(residual, a)| *residual -= step * a);
        curve.push(errors(&held_out));
        if curve[pass].squared < curve[best].squared {
            best = pass;
            best_weights.clone_from(&weights);
        } else if pass >= best + PATIENCE {
            break;
        }
        gradient = transposed(learned, &residuals, start.len());
        for (index, g) in gradient.iter_mut().enumerate() {
            *g -= ridge * (weights[index] - start[index]);
        }
        let steepest: Vec<f32> = gradient.iter().zip(&scale).map(|(g, s)| g * s).collect();
        let next = dot(&gradient, &steepest);
        let keep = (next / progress) as f32;
        direction.iter_mut().zip(&steepest).for_each(|(d, s)| *d = s + keep * *d);
        progress = next;
    }
    Fit { weights: best_weights, curve, best }
}

fn residuals(samples: &[Sample], weights: &[f32]) -> Vec<f32> {
    samples.iter().map(|sample| sample.target - sample.sum(weights)).collect()
}

/// How often each weight is used.
fn usage(samples: &[Sample], count: usize) -> Vec<f32> {
    let ones = vec![1.0; samples.len()];
    transposed(samples, &ones, count)
}

/// For each weight the sum of the values of the samples that use it.
fn transposed(samples: &[Sample], values: &[f32], count: usize) -> Vec<f32> {
    let part = samples.len().div_ceil(PARTS).max(1);
    let sums: Vec<Vec<f32>> = samples
        .par_chunks(part)
        .zip(values.par_chunks(part))
        .map(|(samples, values)| {
            let mut sums = vec![0.0; count];
            for (sample, value) in samples.iter().zip(values) {
                let value = sample.weight * value;
                sample.places().for_each(|place| sums[place] += value);
            }
            sums
        })
        .collect();
    let mut total = vec![0.0; count];
    for part in &sums {
        total.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
    }
    total
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(&l, &r)| f64::from(l) * f64::from(r)).sum()
}

/// The errors of residuals.
pub fn errors(residuals: &[f32]) -> Errors {
    let count = residuals.len().max(1) as f64;
    let absolute = residuals.iter().map(|&r| f64::from(r.abs())).sum::<f64>() / count;
    let squared = residuals.iter().map(|&r| f64::from(r) * f64::from(r)).sum::<f64>() / count;
    Errors { absolute, squared: squared.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Sampler;
    use super::*;
    use crate::games::reversi::board::Board;
    use crate::games::reversi::evaluation::pattern::weights::STAGE_WEIGHTS;
    use crate::support::random::Random;

    /// Corners and the squares diagonal to them.
    const FEW: u64 = 0x8142_0000_0000_4281;

    /// Positions with discs on few squares, so that the same configurations come again.
    fn samples(count: usize, value: impl Fn(Board) -> f32) -> Vec<Sample> {
        let (sampler, mut random) = (Sampler::new(), Random(1));
        let mut sample = || {
            let player = random.bits() & FEW;
            let board = Board { player, opponent: random.bits() & FEW & !player };
            sampler.sample(board, 1.0, value(board))
        };
        (0..count).map(|_| sample()).collect()
    }

    /// The number of corners is a sum of pattern weights, so that it can be learned without error.
    #[test]
    fn what_patterns_can_express_is_learned() {
        let corners = |set: u64| (set & crate::games::reversi::mobility::CORNERS).count_ones() as f32;
        let mut all = samples(3000, |board| 5.0 * (corners(board.player) - corners(board.opponent)));
        let held_out = all.split_off(2500);
        let samples = StageSamples { learned: all, held_out };
        let fit = fit(&samples, &vec![0.0; STAGE_WEIGHTS], 0.1, 40);
        assert!(fit.curve[0].squared > 4.0, "{:?}", fit.curve);
        assert!(fit.curve[fit.best].squared < 0.1 * fit.curve[0].squared, "{:?}", fit.curve);
        let kept = errors(&residuals(&samples.held_out, &fit.weights));
        assert!((kept.squared - fit.curve[fit.best].squared).abs() < 0.05, "{kept:?}");
    }

    #[test]
    fn a_strong_ridge_keeps_the_start() {
        let samples = StageSamples { learned: samples(50, |_| 9.0), held_out: samples(5, |_| 9.0) };
        let start = vec![0.25; STAGE_WEIGHTS];
        let fit = fit(&samples, &start, 1e9, 5);
        assert!(fit.weights.iter().all(|weight| (weight - 0.25).abs() < 1e-3));
    }
}
