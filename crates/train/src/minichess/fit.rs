//! Texel's tuning method: logistic regression of game results on the terms of the evaluation.
//!
//! After Peter Österlund, "Texel's tuning method" (2014), with the gradient in closed form, and regularised towards the
//! start weights, so that the weight of a rare term stays close to its start.

use super::adam::Adam;
use super::epoch::{EpochReport, OnEpoch};
use super::quiet::{SIGMOID_SCALE, cross_entropy};
use super::samples::{TermSample, TermSamples};
use super::validation::is_validation;
use flipside_core::games::minichess::evaluation::terms::TERMS;
use flipside_core::games::minichess::evaluation::weights::TermWeights;
use flipside_support::random::Random;
use std::io;

/// Positions of a batch, after which the weights take a step.
const BATCH: usize = 4_096;
/// Learning rate in hundredths a step; it falls linearly to a twentieth.
const LEARNING_RATE: f64 = 4.0;
/// Standard deviation of the normal prior around the start weights, in hundredths.
const PRIOR_SIGMA: f64 = 25.0;
/// Positions of a game are correlated: this many count as one independent sample.
const CORRELATED_POSITIONS: f64 = 8.0;

/// The state of a fit.
struct Tuner {
    values: Vec<f64>,
    start: Vec<f64>,
    gradient: Vec<f64>,
    adam: Adam,
    /// Strength of the prior for each position.
    prior: f64,
}

/// Fits the weights, beginning with `start`; reports the errors every ten epochs.
///
/// # Errors
/// The report cannot be written.
pub fn fit(samples: &TermSamples, start: &TermWeights, epochs: usize, on_epoch: OnEpoch) -> io::Result<TermWeights> {
    let values: Vec<f64> = start.pairs.iter().flatten().map(|&value| f64::from(value)).collect();
    let prior = CORRELATED_POSITIONS / (PRIOR_SIGMA * PRIOR_SIGMA * samples.list.len().max(1) as f64);
    let mut tuner =
        Tuner { start: values.clone(), values, gradient: vec![0.0; 2 * TERMS], adam: Adam::new(2 * TERMS), prior };
    let (validation, mut training): (Vec<&TermSample>, Vec<&TermSample>) =
        samples.list.iter().partition(|sample| is_validation(sample.game));
    let mut random = Random(1);
    let report = |tuner: &Tuner, training: &[&TermSample], epoch| {
        let (error, validation_error) = (tuner.error(samples, training), tuner.error(samples, &validation));
        EpochReport { epoch, error, validation_error }
    };
    on_epoch(report(&tuner, &training, 0))?;
    for epoch in 0..epochs {
        random.shuffle(&mut training);
        let rate = LEARNING_RATE * (1.0 - 0.95 * epoch as f64 / epochs as f64);
        for batch in training.chunks(BATCH) {
            for sample in batch {
                tuner.add_gradient(samples, sample);
            }
            tuner.step(rate, batch.len());
        }
        if epoch % 10 == 9 || epoch + 1 == epochs {
            on_epoch(report(&tuner, &training, epoch + 1))?;
        }
    }
    let rounded = |value: &f64| value.round().clamp(-4_000.0, 4_000.0) as i16;
    Ok(TermWeights { pairs: tuner.values.chunks(2).map(|pair| [rounded(&pair[0]), rounded(&pair[1])]).collect() })
}

impl Tuner {
    /// White's expected points by the present weights.
    fn predict(&self, samples: &TermSamples, sample: &TermSample) -> f64 {
        let phase = f64::from(sample.phase);
        let mut sum = 0.0;
        for &(index, count) in &samples.terms[sample.terms.0 as usize..sample.terms.1 as usize] {
            let at = 2 * usize::from(index);
            sum += f64::from(count) * (self.values[at] * phase + self.values[at + 1] * (1.0 - phase));
        }
        1.0 / (1.0 + (-sum * f64::from(sample.limit_scale) * SIGMOID_SCALE).exp())
    }

    /// Adds the gradient of the cross entropy at a position.
    fn add_gradient(&mut self, samples: &TermSamples, sample: &TermSample) {
        let error =
            (self.predict(samples, sample) - f64::from(sample.target)) * SIGMOID_SCALE * f64::from(sample.limit_scale);
        let phase = f64::from(sample.phase);
        for &(index, count) in &samples.terms[sample.terms.0 as usize..sample.terms.1 as usize] {
            let at = 2 * usize::from(index);
            self.gradient[at] += error * f64::from(count) * phase;
            self.gradient[at + 1] += error * f64::from(count) * (1.0 - phase);
        }
    }

    /// One step of Adam with the mean gradient of a batch, and of the prior.
    fn step(&mut self, rate: f64, positions: usize) {
        let prior = self.values.iter().zip(&self.start).map(|(value, start)| self.prior * (value - start));
        let gradients = self.gradient.iter().zip(prior).map(|(sum, prior)| sum / positions as f64 + prior);
        let gradients: Vec<f64> = gradients.collect();
        for (value, change) in self.values.iter_mut().zip(self.adam.step(rate, gradients.into_iter())) {
            *value += change;
        }
        self.gradient.fill(0.0);
    }

    /// Mean cross entropy.
    fn error(&self, samples: &TermSamples, list: &[&TermSample]) -> f64 {
        let loss = |sample: &&TermSample| cross_entropy(self.predict(samples, sample), f64::from(sample.target));
        list.iter().map(loss).sum::<f64>() / list.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The targets follow from two known weights, which the fit finds.
    #[test]
    fn known_weights_are_recovered() {
        let mut samples = TermSamples::default();
        let mut random = Random(5);
        for game in 0..20_000_u32 {
            let counts = [random.below(5) as i16 - 2, random.below(5) as i16 - 2];
            let phase = random.below(17) as f32 / 16.0;
            let score = f32::from(counts[0]) * (80.0 * phase + 20.0 * (1.0 - phase)) + f32::from(counts[1]) * 50.0;
            let first = samples.terms.len() as u32;
            samples.terms.extend([(3, counts[0]), (7, counts[1])]);
            let target = 1.0 / (1.0 + (-score * SIGMOID_SCALE as f32).exp());
            samples.list.push(TermSample { terms: (first, first + 2), phase, limit_scale: 1.0, target, game });
        }
        let mut start = TermWeights::zero();
        (start.pairs[3], start.pairs[7]) = ([65, 30], [40, 60]);
        let fitted = fit(&samples, &start, 40, &mut |_| Ok(())).expect("nothing is written");
        for (index, [full, empty]) in [(3, [80, 20]), (7, [50, 50])] {
            let [a, b] = fitted.pairs[index];
            assert!((a - full).abs() <= 4 && (b - empty).abs() <= 4, "{index}: {a} {b}");
        }
        assert_eq!(fitted.pairs[4], [0, 0], "a term that never occurs stays");
    }
}
