//! Judging a position of Reversi.

pub mod features;
pub mod plain;

pub use plain::PlainEvaluation;
