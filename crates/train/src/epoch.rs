//! The progress reports of a fit.

use serde::Serialize;
use std::io;

/// Mean errors (cross entropies) after an epoch; epoch 0 is before the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EpochReport {
    /// The epoch, from 1.
    pub epoch: usize,
    /// On the training set.
    pub error: f64,
    /// On the validation set.
    pub validation_error: f64,
}

/// Receives the report of each epoch.
pub type OnEpoch<'a> = &'a mut dyn FnMut(EpochReport) -> io::Result<()>;
