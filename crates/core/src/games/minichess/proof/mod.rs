//! Proofs: whether a side can force the capture of the king within some plies, by search of all moves.
//!
//! A question names an attacker, who wants to force it, and a number of plies. The other side defends. Answers hold for
//! any move number that leaves as many plies, so a question about a position without its number answers many. A side
//! without a move has lost if a ply is left: that end counts as a ply.

pub mod certificate;
mod defence;
mod fact_file;
mod fact_table;
mod facts;
mod leaves;
mod prover;
mod question;
pub mod strategy;
mod verdict;

pub use fact_file::FactsError;
pub use leaves::Leaves;
pub use prover::Prover;
pub use verdict::{Outcome, Verdict, prove, prove_for, prove_moves};
