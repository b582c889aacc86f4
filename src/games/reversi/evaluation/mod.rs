//! Judging a position of Reversi.

pub mod choice;
pub mod features;
pub mod learned;
pub mod plain;
pub mod staged;

pub use choice::{Evaluation, WithEvaluation, with_evaluation};
pub use learned::Learned;
pub use plain::PlainEvaluation;
