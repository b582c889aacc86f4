//! Balanced openings: random lines that favour neither side, by the score of a search.

use flipside_core::search::limits::Limits;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Side};
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside_host::engine::watch::search_and_wait;
use flipside_host::protocol::gomocup::Coordinates;
use flipside_support::random::Random;
use std::collections::HashSet;

/// Tries in a row without a new position after which the search for lines ends: small games have few lines.
const MAX_REPEATED: u32 = 10_000;

/// Boards with at least this many rows are wide: openings are played in their middle.
const WIDE_BOARD: usize = 12;
/// Half the width of the middle, in points.
const MIDDLE: usize = 3;

/// Depth of the first search that a line on a wide board must pass; each further search is two plies deeper.
const SHALLOW_DEPTH: u32 = 2;

fn size(board: &dyn DynEngine) -> usize {
    board.grid().map_or(0, |grid| grid.rows.len())
}

/// Whether most random lines on the board are far from balanced because stones far apart do not interact.
pub(super) fn is_wide(board: &dyn DynEngine) -> bool {
    size(board) >= WIDE_BOARD
}

/// The score of the side to move by a search of that depth.
fn score_at(board: &mut dyn DynEngine, depth: u32) -> Option<Score> {
    let best_move = search_and_wait(board, SearchRequest::new(Limits::depth(depth))).ok()?;
    best_move.info.map(|info| info.score)
}

/// The moves to choose from at random: on a wide board those in its middle, else all.
fn in_the_middle(board: &dyn DynEngine, moves: Vec<String>) -> Vec<String> {
    if !is_wide(board) {
        return moves;
    }
    let size = size(board);
    let middle = |number: usize| number.abs_diff(size / 2) <= MIDDLE;
    let is_in_middle =
        |mv: &String| Coordinates::of_name(mv, size).is_some_and(|at| middle(at.x) && middle(size - 1 - at.y));
    moves.into_iter().filter(is_in_middle).collect()
}

/// A source of balanced lines in an order determined by its seed.
pub struct BalancedLines {
    /// Moves of a line, in plies.
    pub plies: u32,
    /// Depth of the search that scores a line.
    pub depth: u32,
    /// Largest score of a kept line for either side, in hundredths.
    pub margin: Score,
    random: Random,
    seen: HashSet<String>,
}

impl BalancedLines {
    /// A source for these plies, depth and margin.
    pub fn new(plies: u32, depth: u32, margin: Score, seed: u64) -> BalancedLines {
        BalancedLines { plies, depth, margin, random: Random(seed), seen: HashSet::new() }
    }

    /// Excludes lines that lead to the board's position.
    pub fn exclude(&mut self, board: &dyn DynEngine) {
        self.seen.insert(board.position(Style::Plain));
    }

    /// Plays the next line on the board. Returns its score for the first player, or `None` if there are no more lines.
    pub fn next_line(&mut self, board: &mut dyn DynEngine) -> Option<Score> {
        let mut repeated = 0;
        while repeated < MAX_REPEATED {
            repeated += 1;
            if !self.random_line(board) || !self.seen.insert(board.position(Style::Plain)) {
                continue;
            }
            repeated = 0;
            // On a wide board few lines are balanced, and a shallow search recognizes most of the others.
            let is_far_off = |score: Score| score.abs() > 2 * self.margin;
            if is_wide(board)
                && (SHALLOW_DEPTH..self.depth).step_by(2).any(|depth| score_at(board, depth).is_none_or(is_far_off))
            {
                continue;
            }
            let Some(score) = score_at(board, self.depth).filter(|score| score.abs() <= self.margin) else { continue };
            return Some(if board.side() == Side::First { score } else { -score });
        }
        None
    }

    /// Plays random moves from the start; returns false if the game ended on the way.
    fn random_line(&mut self, board: &mut dyn DynEngine) -> bool {
        board.new_game();
        (0..self.plies).all(|_| {
            let moves = in_the_middle(board, board.legal_moves(Style::Plain));
            !moves.is_empty() && {
                let played = PlayedMove::by(board.side(), moves[self.random.below(moves.len())].clone());
                board.set_position(Start::Here, &[played], Style::Plain, false).is_ok()
            }
        }) && board.outcome().is_none()
    }
}
