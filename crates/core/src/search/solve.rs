//! What is asked when a position is played out, and what is answered.

use super::types::{INFINITE, Score, Selectivity};

/// What a solve is asked for. More takes longer: the score comes first, and what follows is proven by further null windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The score alone.
    Score,
    /// The score, and as a line the move that the solver's table holds: whether it keeps the score is not proven.
    Hint,
    /// The score and a move that keeps it.
    Move,
    /// The score and a line of best play to the end of the game.
    Line,
    /// The value of every legal move, the best first, and a line of best play.
    AllMoves,
}

/// How a position is played out.
#[derive(Clone, Copy, Debug)]
pub struct SolveTask {
    /// In hundredths for the side to move; scores outside are bounds. One unit on both sides of a draw asks for win, loss or
    /// draw only (WLD).
    pub window: (Score, Score),
    /// Selectivity of the last pass.
    pub selectivity: Selectivity,
    /// Threads that share the position, at least 1.
    pub threads: usize,
    /// What is answered.
    pub wanted: Wanted,
    /// Start with empty tables: then nothing in the answer depends on what was solved before.
    pub fresh: bool,
}

impl SolveTask {
    /// The exact score alone, by what the tables hold.
    pub fn exact(threads: usize) -> SolveTask {
        let (window, selectivity) = ((-INFINITE, INFINITE), Selectivity::EXACT);
        SolveTask { window, selectivity, threads, wanted: Wanted::Score, fresh: false }
    }
}

/// What a solve found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// In hundredths for the side to move, fail-soft: at or beyond an end of the window it is a bound.
    pub score: Score,
    /// Best play of both sides as far as it was wanted; empty on a finished game.
    pub line: Vec<M>,
    /// The value of every legal move, the best first, equals in the game's order, if they were wanted.
    pub moves: Vec<(M, Score)>,
    /// Positions entered, over all threads.
    pub nodes: u64,
}

/// What the tables of a solver hold of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probed<M> {
    /// Bounds of its score, in hundredths for the side to move.
    pub bounds: (Score, Score),
    /// The best move, if one is known.
    pub best: Option<M>,
}
