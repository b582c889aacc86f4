//! What the results of many games say about two players.
//!
//! Everything is seen from the first player of a pairing. Elo is the logistic scale (400 points for odds of ten to one)
//! unless it is called normalised (nElo).

pub mod elo;
pub mod pairing_results;
pub mod sprt;
