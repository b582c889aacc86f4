//! The evidence of many games about the strength of two players.
//!
//! All results are in the view of the first player of a pairing. Elo means the logistic scale (400 points for odds of ten to
//! one) unless it is called normalised (nElo).

pub mod elo;
pub mod pairing_results;
pub mod sprt;
