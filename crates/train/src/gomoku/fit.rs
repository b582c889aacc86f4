//! The fit of the weights of line patterns.

use crate::epoch::OnEpoch;
use crate::logistic::{self, FitSettings, Samples};
use flipside_core::games::gomoku::weights::{PatternWeights, TENTHS};
use std::io;

/// Scale of the sigmoid that turns scores in hundredths into expected points. Fitted to games of
/// the weights by hand, so that the fitted weights have their unit.
pub const SIGMOID_SCALE: f64 = 0.0070;
/// Learning rate in tenths of hundredths a step.
const LEARNING_RATE: f64 = 10.0;
/// Standard deviation of the normal prior around the start weights, in tenths of hundredths.
const PRIOR_SIGMA: f64 = 500.0;

/// Fits the weights, beginning with `start`.
///
/// # Errors
/// The report cannot be written.
pub fn fit(samples: &Samples, start: &PatternWeights, epochs: usize, on_epoch: OnEpoch) -> io::Result<PatternWeights> {
    let values: Vec<f64> = start.to_vec().into_iter().map(f64::from).collect();
    let sigmoid_scale = SIGMOID_SCALE / f64::from(TENTHS);
    let settings = FitSettings { sigmoid_scale, rate: LEARNING_RATE, prior_sigma: PRIOR_SIGMA, epochs };
    let fitted = logistic::fit(samples, &values, settings, on_epoch)?;
    let rounded: Vec<i16> = fitted.iter().map(|value| value.round().clamp(-9_999.0, 9_999.0) as i16).collect();
    Ok(PatternWeights::of_slice(&rounded).unwrap_or_else(|| start.clone()))
}
