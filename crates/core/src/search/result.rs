//! A search request at the root, and its result.

use super::limits::Limits;
use super::transposition_table::Bound;
use super::types::{Certainty, Depth, Score, Selectivity};
use std::time::Duration;

/// A search to make.
#[derive(Clone, Debug)]
pub struct SearchParameters<M> {
    /// When the search must end.
    pub limits: Limits,
    /// Principal variations to search, at least 1.
    pub multipv: usize,
    /// Search only these root moves; all if empty.
    pub only: Vec<M>,
    /// Threads to start, at least 1; [`thread_pool::useful`](flipside_support::thread_pool::useful)
    /// says how many pay.
    pub threads: usize,
    /// What a drawn game is worth to the side to move in hundredths, within a unit of zero.
    pub draw: Score,
    /// Selectivity of ProbCut; where the limits set a depth, that of the last iteration.
    pub selectivity: Selectivity,
}

impl<M> SearchParameters<M> {
    /// One principal variation of all moves by one thread.
    pub fn new(limits: Limits) -> SearchParameters<M> {
        SearchParameters { limits, multipv: 1, only: Vec::new(), threads: 1, draw: 0, selectivity: Selectivity::PLAY }
    }
}

/// A finished iteration of one principal variation.
#[derive(Clone, Debug)]
pub struct Iteration<M> {
    /// 1 for the best variation.
    pub rank: usize,
    /// Variations searched.
    pub multipv: usize,
    /// Plies of the iteration.
    pub depth: Depth,
    /// Deepest ply reached in it.
    pub seldepth: usize,
    /// For the side to move at the root, in hundredths.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: Bound,
    /// The certainty of the score.
    pub certainty: Certainty,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Thousandths of the transposition table in use.
    pub hashfull: u32,
    /// The principal variation; its first move is the move to make.
    pub pv: Vec<M>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The best move with the expected variation after it; empty only if no move is legal.
    pub pv: Vec<M>,
    /// The last iteration of the best variation.
    pub best: Option<Iteration<M>>,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}
