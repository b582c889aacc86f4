//! Training of Gomoku's evaluation: self-play [`games`], their quiet positions as [`samples`], and
//! the [`fit`] of the weights to them.

pub mod fit;
pub mod games;
pub mod samples;
