//! Texel's tuning method: logistic regression of game results on the features of a linear
//! evaluation.
//!
//! After Peter Österlund, "Texel's tuning method" (2014), with the gradient in closed form, and
//! regularised towards the start weights, so that the weight of a rare feature stays close to its
//! start.

use super::adam::Adam;
use super::epoch::{EpochReport, OnEpoch};
use super::validation::is_validation;
use flipside_support::random::Random;
use std::io;

/// Positions of a batch, after which the weights take a step.
const BATCH: usize = 4_096;
/// The learning rate falls linearly to a twentieth.
const RATE_FALL: f64 = 0.95;
/// Positions of a game are correlated: this many count as one independent sample.
const CORRELATED_POSITIONS: f64 = 8.0;

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The range of its features in [`Samples::features`].
    pub features: (u32, u32),
    /// Expected points of the side that the evaluation is for, 0 to 1.
    pub target: f32,
    /// Number of the game of the position.
    pub game: u32,
}

/// All samples of a fit.
#[derive(Default)]
pub struct Samples {
    /// The samples.
    pub list: Vec<Sample>,
    /// Indices of weights and their factors in the evaluation, one sample after the other.
    pub features: Vec<(u16, f32)>,
}

impl Samples {
    /// Adds a position of a game.
    pub fn add(&mut self, game: u32, features: impl IntoIterator<Item = (u16, f32)>, target: f64) {
        let first = self.features.len() as u32;
        self.features.extend(features);
        self.list.push(Sample { features: (first, self.features.len() as u32), target: target as f32, game });
    }

    /// The evaluation of a sample.
    pub fn evaluate(&self, values: &[f64], sample: &Sample) -> f64 {
        self.of(sample).iter().map(|&(index, factor)| f64::from(factor) * values[usize::from(index)]).sum()
    }

    fn of(&self, sample: &Sample) -> &[(u16, f32)] {
        &self.features[sample.features.0 as usize..sample.features.1 as usize]
    }
}

/// The numbers of a fit, in the unit of the weights.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Scale of the sigmoid that turns values into expected points.
    pub sigmoid_scale: f64,
    /// Learning rate a step.
    pub rate: f64,
    /// Standard deviation of the normal prior around the start weights.
    pub prior_sigma: f64,
    /// Passes over the samples.
    pub epochs: usize,
}

/// The state of a fit.
struct Tuner<'a> {
    samples: &'a Samples,
    settings: FitSettings,
    values: Vec<f64>,
    start: &'a [f64],
    gradient: Vec<f64>,
    adam: Adam,
    /// Strength of the prior for each position.
    prior: f64,
}

/// Fits the weights, beginning with `start`; reports the errors every ten epochs.
///
/// # Errors
/// The report cannot be written.
pub fn fit(samples: &Samples, start: &[f64], settings: FitSettings, on_epoch: OnEpoch) -> io::Result<Vec<f64>> {
    let prior = CORRELATED_POSITIONS / (settings.prior_sigma.powi(2) * samples.list.len().max(1) as f64);
    let (values, gradient, adam) = (start.to_vec(), vec![0.0; start.len()], Adam::new(start.len()));
    let mut tuner = Tuner { samples, settings, values, start, gradient, adam, prior };
    let (validation, mut training): (Vec<&Sample>, Vec<&Sample>) =
        samples.list.iter().partition(|sample| is_validation(sample.game));
    let mut random = Random(1);
    let report = |tuner: &Tuner, training: &[&Sample], epoch| {
        let (error, validation_error) = (tuner.error(training), tuner.error(&validation));
        EpochReport { epoch, error, validation_error }
    };
    on_epoch(report(&tuner, &training, 0))?;
    let epochs = settings.epochs;
    for epoch in 0..epochs {
        random.shuffle(&mut training);
        let rate = settings.rate * (1.0 - RATE_FALL * epoch as f64 / epochs as f64);
        for batch in training.chunks(BATCH) {
            for sample in batch {
                tuner.add_gradient(sample);
            }
            tuner.step(rate, batch.len());
        }
        if epoch % 10 == 9 || epoch + 1 == epochs {
            on_epoch(report(&tuner, &training, epoch + 1))?;
        }
    }
    Ok(tuner.values)
}

impl Tuner<'_> {
    /// Expected points by the present weights.
    fn predict(&self, sample: &Sample) -> f64 {
        1.0 / (1.0 + (-self.samples.evaluate(&self.values, sample) * self.settings.sigmoid_scale).exp())
    }

    /// Adds the gradient of the cross entropy at a position.
    fn add_gradient(&mut self, sample: &Sample) {
        let error = (self.predict(sample) - f64::from(sample.target)) * self.settings.sigmoid_scale;
        for &(index, factor) in self.samples.of(sample) {
            self.gradient[usize::from(index)] += error * f64::from(factor);
        }
    }

    /// One step of Adam with the mean gradient of a batch, and of the prior.
    fn step(&mut self, rate: f64, positions: usize) {
        let prior = self.values.iter().zip(self.start).map(|(value, start)| self.prior * (value - start));
        let gradients = self.gradient.iter().zip(prior).map(|(sum, prior)| sum / positions as f64 + prior);
        let gradients: Vec<f64> = gradients.collect();
        for (value, change) in self.values.iter_mut().zip(self.adam.step(rate, gradients.into_iter())) {
            *value += change;
        }
        self.gradient.fill(0.0);
    }

    /// Mean cross entropy.
    fn error(&self, list: &[&Sample]) -> f64 {
        let loss = |sample: &&Sample| cross_entropy(self.predict(sample), f64::from(sample.target));
        list.iter().map(loss).sum::<f64>() / list.len().max(1) as f64
    }
}

/// The loss of a prediction: its cross entropy to the target.
pub fn cross_entropy(predicted: f64, target: f64) -> f64 {
    let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
    -(target * predicted.ln() + (1.0 - target) * (1.0 - predicted).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The targets follow from known weights, which the fit finds.
    #[test]
    fn known_weights_are_recovered() {
        let settings = FitSettings { sigmoid_scale: 0.006, rate: 4.0, prior_sigma: 25.0, epochs: 40 };
        let known = [80.0, 20.0, 50.0];
        let (mut samples, mut random) = (Samples::default(), Random(5));
        for game in 0..20_000_u32 {
            let features: [(u16, f32); 3] = std::array::from_fn(|at| (at as u16, random.below(9) as f32 / 2.0 - 2.0));
            let score: f64 = features.iter().zip(known).map(|(&(_, factor), value)| f64::from(factor) * value).sum();
            samples.add(game, features, 1.0 / (1.0 + (-score * settings.sigmoid_scale).exp()));
        }
        let fitted = fit(&samples, &[65.0, 30.0, 40.0, 7.0], settings, &mut |_| Ok(())).expect("nothing is written");
        for (fitted, known) in fitted.iter().zip(known) {
            assert!((fitted - known).abs() < 4.0, "{fitted} for {known}");
        }
        assert!((fitted[3] - 7.0).abs() < 1e-9, "a feature that never occurs keeps its weight");
    }
}
