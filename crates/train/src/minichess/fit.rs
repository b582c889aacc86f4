//! The fit of the tapered weights.

use super::quiet::SIGMOID_SCALE;
use crate::epoch::OnEpoch;
use crate::logistic::{self, FitSettings, Samples};
use flipside_core::games::minichess::evaluation::weights::TermWeights;
use std::io;

/// Learning rate in hundredths a step.
const LEARNING_RATE: f64 = 4.0;
/// Standard deviation of the normal prior around the start weights, in hundredths.
const PRIOR_SIGMA: f64 = 25.0;

/// Fits the weights, beginning with `start`.
///
/// # Errors
/// The report cannot be written.
pub fn fit(samples: &Samples, start: &TermWeights, epochs: usize, on_epoch: OnEpoch) -> io::Result<TermWeights> {
    let values: Vec<f64> = start.pairs.iter().flatten().map(|&value| f64::from(value)).collect();
    let settings = FitSettings { sigmoid_scale: SIGMOID_SCALE, rate: LEARNING_RATE, prior_sigma: PRIOR_SIGMA, epochs };
    let fitted = logistic::fit(samples, &values, settings, on_epoch)?;
    let rounded = |value: &f64| value.round().clamp(-4_000.0, 4_000.0) as i16;
    Ok(TermWeights { pairs: fitted.chunks(2).map(|pair| [rounded(&pair[0]), rounded(&pair[1])]).collect() })
}
