//! The analysis of positions and the verdicts on moves, shared by `flipside analyze` and the review of `flipside play`.
//!
//! A position has one verdict. Every analysis starts with empty tables and the canonical image of the position, and its
//! limits count positions, never time. So the verdict does not depend on earlier analyses, the machine's load or the
//! orientation of the board.

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
