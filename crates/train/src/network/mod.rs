//! Training of Reversi's network evaluation: [`samples`] turns positions of games into rows and targets, [`parameters`] are
//! the weights in floating point, [`trainer`] fits them by mini-batches of back-propagation, [`validation`] tells the errors
//! by number of empty squares.

pub mod parameters;
pub mod samples;
pub mod trainer;
pub mod validation;
