//! The lines that `flipside join` prints besides tasks.

use serde::Serialize;

/// The proven result.
#[derive(Debug, Serialize)]
pub struct Proven {
    /// The position that was split.
    pub position: String,
    /// The moves, in lower case, that are proven to be best.
    pub best: Vec<String>,
    /// Discs for the side to move; with `--wld` 1, 0 or -1.
    pub score: i32,
    /// `exact` or `wld`.
    pub certainty: String,
    /// Tasks given out.
    pub tasks: u64,
    /// Answers taken.
    pub answers: u64,
    /// Positions entered by the solver for the answers and by the searches that ordered the moves.
    pub nodes: u64,
}

/// The progress of a proof, in answer to a request of a stream.
#[derive(Debug, Serialize)]
pub struct Open {
    /// Bounds of the value in discs for the side to move.
    pub bounds: (i32, i32),
    /// Tasks given out and not yet answered.
    pub open: u64,
    /// Answers taken. A program that distributes tasks ends with a message if this number stays the same for long.
    pub answers: u64,
    /// Those of them whose answers are no longer needed.
    pub needless: Vec<u64>,
}
