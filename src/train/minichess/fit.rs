//! The fit: weights whose values predict results best, by logistic regression.
//!
//! The way is Texel's (Peter Österlund, "Texel's tuning method", 2014) with the gradient in closed
//! form; the start weights pull back a little, so that
//! a term that hardly occurs stays what it was.

use super::adam::Adam;
use super::quiet::{SCALE, cross_entropy};
use super::samples::{Sample, Samples};
use crate::games::minichess::evaluation::terms::TERMS;
use crate::games::minichess::evaluation::weights::TermWeights;
use crate::support::random::Random;

/// Positions between two steps.
const BATCH: usize = 4_096;
/// Hundredths that a weight may move in a step, at first; it falls to a twentieth.
const RATE: f64 = 4.0;
/// How far from its start a weight is expected to end, in hundredths: the spread of a normal prior.
const SPREAD: f64 = 25.0;
/// Positions of a game are much alike: so many tell as much as one that stands alone.
const ALIKE: f64 = 8.0;
/// One game in so many is kept back to see what the fit is worth.
const KEPT_BACK: u32 = 20;

/// The weights as the fit moves them.
struct Moving {
    values: Vec<f64>,
    start: Vec<f64>,
    gradient: Vec<f64>,
    adam: Adam,
    /// Weight of the prior for each position.
    pull: f64,
}

/// Fits the weights; prints the error after some passes.
pub fn fit(samples: &Samples, start: &TermWeights, passes: usize) -> TermWeights {
    let values: Vec<f64> = start.pairs.iter().flatten().map(|&value| f64::from(value)).collect();
    let pull = ALIKE / (SPREAD * SPREAD * samples.list.len().max(1) as f64);
    let mut moving =
        Moving { start: values.clone(), values, gradient: vec![0.0; 2 * TERMS], adam: Adam::new(2 * TERMS), pull };
    let (kept, mut used): (Vec<&Sample>, Vec<&Sample>) =
        samples.list.iter().partition(|sample| sample.game % KEPT_BACK == 0);
    let mut random = Random(1);
    println!(
        "error before: {:.6}, on games kept back {:.6}",
        moving.error(samples, &used),
        moving.error(samples, &kept)
    );
    for pass in 0..passes {
        random.shuffle(&mut used);
        let rate = RATE * (1.0 - 0.95 * pass as f64 / passes as f64);
        for batch in used.chunks(BATCH) {
            for sample in batch {
                moving.learn(samples, sample);
            }
            moving.step(rate, batch.len());
        }
        if pass % 10 == 9 || pass + 1 == passes {
            let (own, other) = (moving.error(samples, &used), moving.error(samples, &kept));
            println!("pass {}: error {own:.6}, on games kept back {other:.6}", pass + 1);
        }
    }
    let rounded = |value: &f64| value.round().clamp(-4_000.0, 4_000.0) as i16;
    TermWeights { pairs: moving.values.chunks(2).map(|pair| [rounded(&pair[0]), rounded(&pair[1])]).collect() }
}

impl Moving {
    /// White's expected points.
    fn predicted(&self, samples: &Samples, sample: &Sample) -> f64 {
        let full = f64::from(sample.full);
        let mut sum = 0.0;
        for &(index, count) in &samples.terms[sample.terms.0 as usize..sample.terms.1 as usize] {
            let at = 2 * usize::from(index);
            sum += f64::from(count) * (self.values[at] * full + self.values[at + 1] * (1.0 - full));
        }
        1.0 / (1.0 + (-sum * f64::from(sample.limit_scale) * SCALE).exp())
    }

    /// Adds the gradient of the cross entropy at a position.
    fn learn(&mut self, samples: &Samples, sample: &Sample) {
        let off = (self.predicted(samples, sample) - f64::from(sample.target)) * SCALE * f64::from(sample.limit_scale);
        let full = f64::from(sample.full);
        for &(index, count) in &samples.terms[sample.terms.0 as usize..sample.terms.1 as usize] {
            let at = 2 * usize::from(index);
            self.gradient[at] += off * f64::from(count) * full;
            self.gradient[at + 1] += off * f64::from(count) * (1.0 - full);
        }
    }

    fn step(&mut self, rate: f64, positions: usize) {
        let pulled = self.values.iter().zip(&self.start).map(|(value, start)| self.pull * (value - start));
        let gradients = self.gradient.iter().zip(pulled).map(|(sum, pull)| sum / positions as f64 + pull);
        let gradients: Vec<f64> = gradients.collect();
        for (value, change) in self.values.iter_mut().zip(self.adam.step(rate, gradients.into_iter())) {
            *value += change;
        }
        self.gradient.fill(0.0);
    }

    /// Mean cross entropy.
    fn error(&self, samples: &Samples, list: &[&Sample]) -> f64 {
        let of = |sample: &&Sample| cross_entropy(self.predicted(samples, sample), f64::from(sample.target));
        list.iter().map(of).sum::<f64>() / list.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions whose results follow from two known weights: the fit finds them.
    #[test]
    fn known_weights_are_found_again() {
        let mut samples = Samples::default();
        let mut random = Random(5);
        for game in 0..20_000_u32 {
            let counts = [random.below(5) as i16 - 2, random.below(5) as i16 - 2];
            let full = random.below(17) as f32 / 16.0;
            let worth = f32::from(counts[0]) * (80.0 * full + 20.0 * (1.0 - full)) + f32::from(counts[1]) * 50.0;
            let first = samples.terms.len() as u32;
            samples.terms.extend([(3, counts[0]), (7, counts[1])]);
            let target = 1.0 / (1.0 + (-worth * SCALE as f32).exp());
            samples.list.push(Sample { terms: (first, first + 2), full, limit_scale: 1.0, target, game });
        }
        let mut start = TermWeights::zero();
        (start.pairs[3], start.pairs[7]) = ([65, 30], [40, 60]);
        let fitted = fit(&samples, &start, 40);
        for (index, [full, empty]) in [(3, [80, 20]), (7, [50, 50])] {
            let [a, b] = fitted.pairs[index];
            assert!((a - full).abs() <= 4 && (b - empty).abs() <= 4, "{index}: {a} {b}");
        }
        assert_eq!(fitted.pairs[4], [0, 0], "a term that never occurs stays");
    }
}
