//! The sequential probability ratio test (SPRT): play only as many games as the decision needs.
//!
//! Wald's test for hypotheses about the mean of a distribution of few outcomes (three for single games, five for pairs with
//! colours swapped), whose other parameters are estimated: the generalised likelihood ratio, as Michel Van den Bergh
//! describes it for chess engines.

use super::elo::{NELO_PER_SIGMA, expected_score};
use std::str::FromStr;

/// Count of outcomes that were not seen, so that no probability is zero.
const UNSEEN: f64 = 1e-3;

/// The Elo scale of the two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Logistic Elo: the expected score.
    Logistic,
    /// Normalised Elo: the expected score in standard deviations of a game. It determines how many games a test takes,
    /// whatever the share of draws.
    Normalised,
}

/// A test of two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The lower hypothesis: an improvement too small to keep.
    pub elo0: f64,
    /// The upper hypothesis: an improvement worth keeping.
    pub elo1: f64,
    /// Chance of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Chance of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// The scale of both.
    pub model: Model,
}

/// What a test decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// More games are needed.
    Open,
    /// The lower hypothesis is accepted.
    Lower,
    /// The upper hypothesis is accepted.
    Upper,
}

impl Decision {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Open => "undecided",
            Decision::Lower => "elo0 accepted",
            Decision::Upper => "elo1 accepted",
        }
    }
}

impl Sprt {
    /// Wald's bounds: the log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision for a log-likelihood ratio.
    pub fn decide(&self, ratio: f64) -> Decision {
        let (lower, upper) = self.bounds();
        match ratio {
            ratio if ratio <= lower => Decision::Lower,
            ratio if ratio >= upper => Decision::Upper,
            _ => Decision::Open,
        }
    }

    /// The logarithm of the generalised likelihood ratio. `counts` are the outcomes from the worst to
    /// the best, evenly spaced in score: three for games, five for pairs of games.
    pub fn log_likelihood_ratio(&self, counts: &[u64]) -> f64 {
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return 0.0;
        }
        let weights: Vec<f64> = counts.iter().map(|&count| if count == 0 { UNSEEN } else { count as f64 }).collect();
        let sum: f64 = weights.iter().sum();
        let last = (counts.len() - 1) as f64;
        let seen: Vec<(f64, f64)> =
            weights.iter().enumerate().map(|(index, weight)| (index as f64 / last, weight / sum)).collect();
        let fit = |elo| match self.model {
            Model::Logistic => with_mean(&seen, expected_score(elo)),
            // A pair is the mean of two games, so its deviation is smaller by the root of 2.
            Model::Normalised => {
                with_t_value(&seen, elo / NELO_PER_SIGMA * if counts.len() > 3 { 2f64.sqrt() } else { 1.0 })
            }
        };
        let (lower, upper) = (fit(self.elo0), fit(self.elo1));
        let gain: f64 =
            seen.iter().zip(lower.iter().zip(&upper)).map(|((_, p), (low, high))| p * (high / low).ln()).sum();
        sum * gain
    }
}

/// The likeliest distribution with this mean: by Lagrange's rule each probability is divided by `1 + x (value - mean)`,
/// where `x` makes the mean right.
fn with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let shifted: Vec<(f64, f64)> = seen.iter().map(|(value, p)| (value - mean, *p)).collect();
    centred(&shifted)
}

/// The likeliest distribution in which the weighted sum of the values is zero.
fn centred(values: &[(f64, f64)]) -> Vec<f64> {
    let least = values.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return values.iter().map(|(_, p)| *p).collect();
    }
    // All divisors are positive strictly between these two, and the sum falls throughout that interval.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = (low + high) / 2.0;
        let slope: f64 = values.iter().map(|(value, p)| p * value / (1.0 + x * value)).sum();
        if slope > 0.0 { low = x } else { high = x }
    }
    let x = (low + high) / 2.0;
    values.iter().map(|(value, p)| p / (1.0 + x * value)).collect()
}

/// The likeliest distribution whose mean is `t` of its own standard deviations above one half. The deviation depends on
/// the distribution, so it is replaced by its tangent until the iteration settles.
fn with_t_value(seen: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut fitted: Vec<f64> = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..50 {
        let mean: f64 = seen.iter().zip(&fitted).map(|((value, _), p)| value * p).sum();
        let variance: f64 = seen.iter().zip(&fitted).map(|((value, _), p)| (value - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let tangent: Vec<(f64, f64)> = seen
            .iter()
            .map(|(value, p)| {
                let share = deviation / 2.0 * (1.0 + ((value - mean) / deviation).powi(2));
                (value - 0.5 - t * share, *p)
            })
            .collect();
        let next = centred(&tangent);
        let change = next.iter().zip(&fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-10 {
            break;
        }
    }
    fitted
}

impl FromStr for Sprt {
    type Err = String;

    /// `elo0=0,elo1=5` with `alpha`, `beta` (0.05) and `model=logistic|normalised` (normalised).
    fn from_str(text: &str) -> Result<Sprt, String> {
        let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised };
        for setting in text.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) =
                setting.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, saw '{setting}'"))?;
            let number =
                || value.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(format!("bad number in '{setting}'"));
            match name {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = match value {
                        "logistic" => Model::Logistic,
                        "normalised" | "normalized" => Model::Normalised,
                        _ => return Err(format!("expected logistic or normalised, saw '{value}'")),
                    }
                }
                _ => return Err(format!("expected elo0, elo1, alpha, beta or model, saw '{name}'")),
            }
        }
        let probability = |x: f64| x > 0.0 && x < 0.5;
        if sprt.elo0 >= sprt.elo1 || !probability(sprt.alpha) || !probability(sprt.beta) {
            return Err("elo0 must be below elo1, alpha and beta between 0 and 0.5".into());
        }
        Ok(sprt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(text: &str) -> Sprt {
        text.parse().expect("a test")
    }

    /// The bound of 2.94 that engine testers know.
    #[test]
    fn the_bounds_are_walds() {
        let (lower, upper) = sprt("elo0=0,elo1=2").bounds();
        assert!((upper - 2.944_439).abs() < 1e-6 && (lower + 2.944_439).abs() < 1e-6);
        let (lower, upper) = sprt("alpha=0.05,beta=0.1").bounds();
        assert!((lower - -2.251_292).abs() < 1e-6 && (upper - 2.890_372).abs() < 1e-6);
    }

    /// With two outcomes the mean is the whole distribution, and the test is Wald's binomial one:
    /// w ln(p1/p0) + l ln((1-p1)/(1-p0)).
    #[test]
    fn without_draws_it_is_walds_binomial_test() {
        let test = sprt("elo0=-10,elo1=30,model=logistic");
        let (p0, p1) = (expected_score(-10.0), expected_score(30.0));
        for (losses, wins) in [(40u64, 60u64), (500, 480), (1, 1)] {
            let exact = wins as f64 * (p1 / p0).ln() + losses as f64 * ((1.0 - p1) / (1.0 - p0)).ln();
            assert!((test.log_likelihood_ratio(&[losses, 0, wins]) - exact).abs() < 1e-3);
        }
    }

    /// For small differences both scales agree with the normal approximation
    /// N (m1 - m0)(2 m - m0 - m1) / (2 variance).
    #[test]
    fn small_differences_follow_the_normal_approximation() {
        let counts = [400u64, 2400, 4200, 2560, 440];
        let total = 10_000.0;
        let mean: f64 = (0..5).map(|i| i as f64 / 4.0 * counts[i] as f64).sum::<f64>() / total;
        let variance: f64 = (0..5).map(|i| (i as f64 / 4.0 - mean).powi(2) * counts[i] as f64).sum::<f64>() / total;
        let approximation = |m0: f64, m1: f64| total * (m1 - m0) * (2.0 * mean - m0 - m1) / (2.0 * variance);
        let logistic = sprt("elo0=0,elo1=4,model=logistic").log_likelihood_ratio(&counts);
        let expected = approximation(0.5, expected_score(4.0));
        assert!((logistic - expected).abs() < 0.02 * expected.abs(), "{logistic} {expected}");
        let normalised = sprt("elo0=0,elo1=4").log_likelihood_ratio(&counts);
        let expected = approximation(0.5, 0.5 + 4.0 / NELO_PER_SIGMA * (2.0 * variance).sqrt());
        assert!((normalised - expected).abs() < 0.02 * expected.abs(), "{normalised} {expected}");
    }

    #[test]
    fn the_fitted_distribution_has_the_mean_and_t_value_asked_for() {
        let seen = [(0.0, 0.1), (0.25, 0.3), (0.5, 0.2), (0.75, 0.25), (1.0, 0.15)];
        let mean = |p: &[f64]| seen.iter().zip(p).map(|((v, _), p)| v * p).sum::<f64>();
        let fitted = with_mean(&seen, 0.6);
        assert!((mean(&fitted) - 0.6).abs() < 1e-9 && (fitted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let fitted = with_t_value(&seen, 0.3);
        let centre = mean(&fitted);
        let variance: f64 = seen.iter().zip(&fitted).map(|((v, _), p)| (v - centre).powi(2) * p).sum();
        assert!(((centre - 0.5) / variance.sqrt() - 0.3).abs() < 1e-6);
    }

    #[test]
    fn decisions_and_bad_texts() {
        let test = sprt("elo0=0,elo1=50");
        assert_eq!(test.decide(test.log_likelihood_ratio(&[0, 0, 10, 60, 30])), Decision::Upper);
        assert_eq!(test.decide(test.log_likelihood_ratio(&[30, 60, 10, 0, 0])), Decision::Lower);
        assert_eq!(test.decide(test.log_likelihood_ratio(&[0; 5])), Decision::Open);
        assert!("elo0=5,elo1=0".parse::<Sprt>().is_err());
        assert!("alpha=2".parse::<Sprt>().is_err());
        assert!("elo2=1".parse::<Sprt>().is_err());
    }
}
