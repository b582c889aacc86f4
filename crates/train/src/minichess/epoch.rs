//! What a fit reports as it goes on.

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

/// Hears of epochs.
pub type OnEpoch<'a> = &'a mut dyn FnMut(EpochReport) -> io::Result<()>;
