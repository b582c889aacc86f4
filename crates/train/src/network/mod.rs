//! Training of Reversi's network evaluation: [`samples`] turns positions of games into rows and targets, [`parameters`] are
//! the weights in floating point, [`trainer`] fits them by mini-batches of back-propagation.

pub mod parameters;
pub mod samples;
pub mod trainer;
