//! What `flipside join` prints beside tasks.

use serde::Serialize;

/// The result, once it is proven.
#[derive(Debug, Serialize)]
pub struct Proven {
    /// The position that was split.
    pub position: String,
    /// Best moves in lower case that are proven so.
    pub best: Vec<String>,
    /// Discs for the side to move; with `--wld` 1, 0 or -1.
    pub score: i32,
    /// `exact` or `wld`.
    pub certainty: String,
    /// Tasks that were given out.
    pub tasks: u64,
    /// Answers that were taken.
    pub answers: u64,
    /// Positions entered by the solver for the answers, and by the searches that ordered the moves.
    pub nodes: u64,
}

/// Where a proof stands, in answer to a request of a stream.
#[derive(Debug, Serialize)]
pub struct Open {
    /// Bounds of the value in discs for the side to move.
    pub bounds: (i32, i32),
    /// Tasks that were given out and are not answered.
    pub open: u64,
    /// Answers that were taken: a program whose workers bring none for long says so and ends.
    pub answers: u64,
    /// Those of them whose answers have become needless since.
    pub needless: Vec<u64>,
}
