//! Sparse least squares with ridge regularisation, by conjugate gradients on the normal equations (Hestenes and
//! Stiefel, 1952). The diagonal preconditioner holds how often each weight is used.
//!
//! Minimises the squared errors of the training samples plus `ridge` times the squared distance from the start weights, so
//! that weights with few samples stay close to their start. The error on the validation samples is measured after every
//! epoch (an iteration, one pass over the samples), and the weights of the best epoch are returned (early stopping).

use super::samples::{Sample, StageSamples};
use rayon::prelude::*;

/// Parts of the samples that are summed separately, so that the sum does not depend on the number of threads.
const PARTS: usize = 8;
/// The fit ends after this many epochs without a lower validation error.
const PATIENCE: usize = 8;

/// Mean errors in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeanErrors {
    /// Mean absolute error.
    pub absolute: f64,
    /// Root mean squared error.
    pub squared: f64,
}

/// The result of a fit.
pub struct Fit {
    /// The weights in discs.
    pub weights: Vec<f32>,
    /// Validation errors before the first epoch and after each.
    pub curve: Vec<MeanErrors>,
    /// The epoch with these weights.
    pub best: usize,
}

/// Fits weights, beginning with `start`, in `max_epochs` epochs at most.
pub fn fit(samples: &StageSamples, start: &[f32], ridge: f32, max_epochs: usize) -> Fit {
    let training = &samples.training;
    let mut residuals = residuals(training, start);
    let mut validation_residuals = self::residuals(&samples.validation, start);
    let mut curve = vec![errors(&validation_residuals)];
    let mut weights = start.to_vec();
    let (mut best, mut best_weights) = (0, weights.clone());

    let scale: Vec<f32> = usage(training, start.len()).iter().map(|used| 1.0 / (used + ridge)).collect();
    let mut gradient = transposed(training, &residuals, start.len());
    let mut direction: Vec<f32> = gradient.iter().zip(&scale).map(|(g, s)| g * s).collect();
    let mut squared_norm = dot(&gradient, &direction);
    for epoch in 1..=max_epochs {
        let change: Vec<f32> = training.par_iter().map(|sample| sample.sum(&direction)).collect();
        let curvature: f64 = training.iter().zip(&change).map(|(s, &a)| f64::from(s.weight * a * a)).sum::<f64>()
            + f64::from(ridge) * dot(&direction, &direction);
        if curvature <= 0.0 {
            break;
        }
        let step = (squared_norm / curvature) as f32;
        weights.iter_mut().zip(&direction).for_each(|(weight, d)| *weight += step * d);
        residuals.iter_mut().zip(&change).for_each(|(residual, a)| *residual -= step * a);
        let validation_change = samples.validation.iter().map(|sample| sample.sum(&direction));
        validation_residuals.iter_mut().zip(validation_change).for_each(|(residual, a)| *residual -= step * a);
        curve.push(errors(&validation_residuals));
        if curve[epoch].squared < curve[best].squared {
            best = epoch;
            best_weights.clone_from(&weights);
        } else if epoch >= best + PATIENCE {
            break;
        }
        gradient = transposed(training, &residuals, start.len());
        for (index, g) in gradient.iter_mut().enumerate() {
            *g -= ridge * (weights[index] - start[index]);
        }
        let preconditioned: Vec<f32> = gradient.iter().zip(&scale).map(|(g, s)| g * s).collect();
        let next = dot(&gradient, &preconditioned);
        let conjugation = (next / squared_norm) as f32;
        direction.iter_mut().zip(&preconditioned).for_each(|(d, s)| *d = s + conjugation * *d);
        squared_norm = next;
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
                sample.weight_indices().for_each(|index| sums[index] += value);
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
pub fn errors(residuals: &[f32]) -> MeanErrors {
    let count = residuals.len().max(1) as f64;
    let absolute = residuals.iter().map(|&r| f64::from(r.abs())).sum::<f64>() / count;
    let squared = residuals.iter().map(|&r| f64::from(r) * f64::from(r)).sum::<f64>() / count;
    MeanErrors { absolute, squared: squared.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Sampler;
    use super::*;
    use flipside_core::games::reversi::board::Board;
    use flipside_core::games::reversi::evaluation::pattern::weights::STAGE_WEIGHTS;
    use flipside_support::random::Random;

    /// Corners and the squares diagonal to them.
    const FEW: u64 = 0x8142_0000_0000_4281;

    /// Positions with discs on few squares, so that configurations repeat.
    fn samples(count: usize, value: impl Fn(Board) -> f32) -> Vec<Sample> {
        let (sampler, mut random) = (Sampler::new(), Random(1));
        let mut sample = || {
            let player = random.bits() & FEW;
            let board = Board { player, opponent: random.bits() & FEW & !player };
            sampler.sample(board, 1.0, value(board))
        };
        (0..count).map(|_| sample()).collect()
    }

    /// The number of corners is a sum of pattern weights, so that the fit can be exact.
    #[test]
    fn a_sum_of_pattern_weights_is_fitted() {
        let corners = |set: u64| (set & flipside_core::games::reversi::board::CORNERS).count_ones() as f32;
        let mut all = samples(3000, |board| 5.0 * (corners(board.player) - corners(board.opponent)));
        let validation = all.split_off(2500);
        let samples = StageSamples { training: all, validation };
        let fit = fit(&samples, &vec![0.0; STAGE_WEIGHTS], 0.1, 40);
        assert!(fit.curve[0].squared > 4.0, "{:?}", fit.curve);
        assert!(fit.curve[fit.best].squared < 0.1 * fit.curve[0].squared, "{:?}", fit.curve);
        let kept = errors(&residuals(&samples.validation, &fit.weights));
        assert!((kept.squared - fit.curve[fit.best].squared).abs() < 0.05, "{kept:?}");
    }

    #[test]
    fn a_strong_ridge_keeps_the_start() {
        let samples = StageSamples { training: samples(50, |_| 9.0), validation: samples(5, |_| 9.0) };
        let start = vec![0.25; STAGE_WEIGHTS];
        let fit = fit(&samples, &start, 1e9, 5);
        assert!(fit.weights.iter().all(|weight| (weight - 0.25).abs() < 1e-3));
    }
}
