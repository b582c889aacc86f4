//! What a search takes and returns: its configuration, its input and its output.

use super::move_order::MoveOrder;
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::types::{Depth, Score, WIN};
use std::sync::Arc;

/// The window of a root: from a loss to a win.
pub(super) const FULL_WINDOW: (Score, Score) = (-WIN, WIN);

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchConfig {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// In which order moves are searched.
    pub order: MoveOrder,
    /// Depth in plies; with iterative deepening the greatest depth.
    pub depth: Depth,
    /// Whether a transposition table keeps values; an entry is used at the same remaining depth only.
    pub table: bool,
    /// Iterative deepening: depth 1, then 2, and so on up to `depth`. The order `previous` needs an earlier iteration
    /// and turns it on.
    pub deepen: bool,
}

impl SearchConfig {
    /// One search of this depth, without a table.
    pub fn fixed(algorithm: Algorithm, order: MoveOrder, depth: Depth) -> SearchConfig {
        SearchConfig { algorithm, order, depth, table: false, deepen: false }
    }

    /// Whether the search is one of iterative deepening.
    pub(super) fn deepens(&self) -> bool {
        self.deepen || self.order == MoveOrder::Previous
    }
}

/// The heuristic score of a move for the order `heuristic`: moves with higher scores are searched earlier.
pub type MoveScorer<G> = Arc<dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> i32 + Send + Sync>;

/// What to search: a position with its rules and evaluation.
pub struct SearchInput<'a, G: Game, E> {
    /// The rules.
    pub game: &'a G,
    /// The evaluation of leaves.
    pub eval: &'a E,
    /// The position.
    pub root: &'a G::Position,
    /// The root moves to search; all of them if empty.
    pub only: Vec<G::Move>,
    /// The game's own move ordering, for the order `heuristic`.
    pub scorer: MoveScorer<G>,
}

impl<'a, G: Game, E> SearchInput<'a, G, E> {
    /// The position with all its moves, and the same score for each of them.
    pub fn new(game: &'a G, eval: &'a E, root: &'a G::Position) -> SearchInput<'a, G, E> {
        SearchInput { game, eval, root, only: Vec::new(), scorer: Arc::new(|_, _| 0) }
    }
}

impl<G: Game, E: Eval<G>> SearchInput<'_, G, E> {
    /// The final score of a finished game, the static evaluation of any other position, for the side to move.
    pub fn static_value(&self, position: &G::Position) -> Score {
        self.game.outcome(position).unwrap_or_else(|| self.eval.evaluate(&self.eval.refresh(position), position))
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOutput<M> {
    /// Principal variation: best play for both sides. Empty on a finished game and at depth 0.
    pub pv: Vec<M>,
    /// The value for the side to move, in hundredths of a unit.
    pub score: Score,
    /// Positions entered, the root included.
    pub nodes: u64,
    /// Beta cutoffs that left moves unsearched.
    pub cutoffs: u64,
    /// Positions that were not searched further: finished games, and positions at depth 0.
    pub leaves: u64,
    /// Plies of the deepest finished iteration.
    pub depth: Depth,
}

impl<M: Copy> SearchOutput<M> {
    /// The best move; none on a finished game and at depth 0.
    pub fn best(&self) -> Option<M> {
        self.pv.first().copied()
    }
}
