//! The task of a solve and its result.

use super::types::{INFINITE, Score, Selectivity};

/// What a solve returns. More takes longer: the score comes first, and further null windows prove the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The score alone.
    Score,
    /// The score, and as a line the move in the solver's table, which is not proven to keep the score.
    Hint,
    /// The score and a move that keeps it.
    Move,
    /// The score and a line of best play to the end of the game.
    Line,
    /// The value of every legal move, the best first, and a line of best play.
    AllMoves,
}

/// How a position is solved.
#[derive(Clone, Copy, Debug)]
pub struct SolveTask {
    /// In hundredths for the side to move; scores outside are bounds. One unit on both sides of a draw asks for win, loss or
    /// draw only (WLD).
    pub window: (Score, Score),
    /// Selectivity of the last pass.
    pub selectivity: Selectivity,
    /// Threads that share the position, at least 1.
    pub threads: usize,
    /// What the solve returns.
    pub wanted: Wanted,
    /// Whether to start with empty tables, so that the result does not depend on earlier solves.
    pub fresh: bool,
}

impl SolveTask {
    /// The exact score only, with the present tables.
    pub fn exact(threads: usize) -> SolveTask {
        let (window, selectivity) = ((-INFINITE, INFINITE), Selectivity::EXACT);
        SolveTask { window, selectivity, threads, wanted: Wanted::Score, fresh: false }
    }
}

/// The result of a solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// In hundredths for the side to move, fail-soft: at or beyond an end of the window it is a bound.
    pub score: Score,
    /// Best play of both sides, as far as requested; empty on a finished game.
    pub line: Vec<M>,
    /// If requested, the value of every legal move, the best first, equals in the game's order.
    pub moves: Vec<(M, Score)>,
    /// Positions entered, over all threads.
    pub nodes: u64,
}

/// A solver's table entry for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probed<M> {
    /// Bounds of its score, in hundredths for the side to move.
    pub bounds: (Score, Score),
    /// The best move, if known.
    pub best: Option<M>,
}
