//! Searches for a book: the best of some moves of a position, at a depth.

use super::entry::{Deviation, Grade, Value};
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::searcher::ReversiSearcher;
use crate::search::game::Game;
use crate::search::limits::{Limits, Stop};
use crate::search::result::{Iteration, SearchParameters};
use crate::search::types::{Certainty, Selectivity, UNIT};

/// A search that a book needs: the best of the moves that lead out of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The position.
    pub board: Board,
    /// The moves; none where the game is over.
    pub squares: Vec<u8>,
    /// Plies of the search.
    pub depth: u32,
    /// True for a search of the requested selectivity, false for a quick one.
    pub deep: bool,
}

/// Searches `squares`, moves of the position, to the depth that [`even_horizon`] makes of `plies`, or to the end of the game
/// where that is not deeper; None if the stop flag ended it or none of the moves is legal.
pub fn best_of(
    searcher: &ReversiSearcher,
    board: Board,
    squares: &[u8],
    plies: u32,
    selectivity: Selectivity,
    stop: &Stop,
) -> Option<Deviation> {
    let only: Vec<_> = Reversi::portable().moves(&board).filter(|mv| squares.contains(&mv.square)).collect();
    if only.is_empty() {
        return None;
    }
    let depth = even_horizon(board.empties(), plies).max(1);
    let limits = Limits::depth(depth);
    let parameters = SearchParameters { only, selectivity, ..SearchParameters::new(limits) };
    let result = searcher.search(&board, &parameters, stop, &mut |_| ());
    result.best.and_then(|best| deviation(board, depth, &best))
}

/// The result of a search of a position to this depth; None if it was stopped before.
pub fn deviation(board: Board, depth: u32, best: &Iteration<Placement>) -> Option<Deviation> {
    // A stopped search has not come so far; the flag is raised after any.
    let is_whole = best.certainty == Certainty::Exact || depth < board.empties() && best.depth >= depth;
    let square = best.pv.first().filter(|_| is_whole)?.square;
    let (empties, depth) = (board.empties() as u8, depth as u8);
    let (depth, selectivity, grade) = match best.certainty {
        Certainty::Exact => (empties, 100, Grade::Exact),
        Certainty::WinLossDraw | Certainty::Proven => (empties, 100, Grade::Proven),
        Certainty::Selective(percent) => (empties, percent, Grade::Searched),
        Certainty::Estimate(percent) => (depth, percent, Grade::Searched),
    };
    let score = best.score.clamp(-64 * UNIT, 64 * UNIT);
    Some(Deviation { square, value: Value { score, depth, selectivity, grade } })
}

/// Odd-even effect: the side that moves last looks better than it is. A book compares values of
/// positions at different plies, so all searches end at an even number of empty squares, one ply
/// deeper than asked if need be.
pub fn even_horizon(empties: u32, plies: u32) -> u32 {
    if plies >= empties { empties } else { plies + (empties - plies) % 2 }
}
