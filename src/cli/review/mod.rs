//! The analysis of positions and the verdicts on moves, shared by `flipside analyze` and the review of `flipside play`.
//!
//! A position has one verdict. Every analysis starts with empty tables, from the one image that stands for all symmetric
//! ones, and within limits that count positions, never time: what was analysed before, the machine's load and the side of
//! the board on which a game was played cannot change it.

mod analyser;
mod canonical;
mod effort;
mod noise;
mod position_analysis;
mod verdict;

pub use analyser::Analyser;
pub use effort::{DEFAULT_HASH, Effort};
pub use position_analysis::{MoveValue, PositionAnalysis};
pub use verdict::{Assessment, Verdict};
