//! Inputs and outputs of a search: its configuration, its position and its result.

use super::move_order::MoveOrder;
use super::techniques::{SharedHeuristics, default_techniques};
use super::window::Window;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::heuristics::NoHeuristics;
use flipside_core::search::policy::TechniqueSet;
use flipside_core::search::types::{Depth, Score, WIN, WIN_IN_MAX_PLY};
use std::sync::Arc;
use std::time::Duration;

/// Playouts of a UCT search without limits.
pub const DEFAULT_PLAYOUTS: u64 = 10_000;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchConfig {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The order in which moves are searched.
    pub order: MoveOrder,
    /// Depth in plies; with iterative deepening the greatest depth.
    pub depth: Depth,
    /// Whether a transposition table keeps values; an entry is used at the same remaining depth only.
    pub table: bool,
    /// The game's techniques that [`Algorithm::Pvs`] uses.
    pub techniques: TechniqueSet,
    /// Playouts of [`Algorithm::Uct`]; `None` for as many as the limits of the search allow.
    pub playouts: Option<u64>,
    /// Iterative deepening: depth 1, then 2, and so on up to `depth`. The order `previous` needs an earlier iteration
    /// and turns it on.
    pub deepen: bool,
    /// The window of the root, for the side to move. Minimax and UCT have none; the production search chooses its own.
    pub window: Window,
}

impl SearchConfig {
    /// One search of this depth, without a table.
    pub fn fixed(algorithm: Algorithm, order: MoveOrder, depth: Depth) -> SearchConfig {
        SearchConfig {
            algorithm,
            order,
            depth,
            table: false,
            techniques: default_techniques(),
            playouts: Some(DEFAULT_PLAYOUTS),
            deepen: false,
            window: Window::FULL,
        }
    }

    /// Whether the search uses iterative deepening.
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
    /// The game's heuristics beyond rules and evaluation.
    pub heuristics: SharedHeuristics<G>,
}

impl<'a, G: Game, E> SearchInput<'a, G, E> {
    /// The position with all its moves, and the same score for each of them.
    pub fn new(game: &'a G, eval: &'a E, root: &'a G::Position) -> SearchInput<'a, G, E> {
        SearchInput {
            game,
            eval,
            root,
            only: Vec::new(),
            scorer: Arc::new(|_, _| 0),
            heuristics: Arc::new(NoHeuristics),
        }
    }
}

impl<G: Game, E: Eval<G>> SearchInput<'_, G, E> {
    /// For the side to move, the final score of a finished game or the static evaluation of another position.
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

/// The textbook's scores do not count the plies to a win.
pub(super) fn without_mate_distance(score: Score) -> Score {
    if score.abs() >= WIN_IN_MAX_PLY { score.signum() * WIN } else { score }
}

/// One search of the root: with an aspiration window there may be several in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootSearch {
    /// Its window, for the side to move.
    pub window: (Score, Score),
    /// The value that it returned.
    pub value: Score,
    /// Positions that it entered.
    pub nodes: u64,
}

/// A finished iteration of iterative deepening.
pub struct Finished<'a, M> {
    /// The result after it; nodes, cutoffs and leaves add up all iterations so far.
    pub output: &'a SearchOutput<M>,
    /// Since the search began.
    pub time: Duration,
    /// Its searches of the root; empty for algorithms that search it once with the full window.
    pub root_searches: &'a [RootSearch],
}

impl<M: Copy> SearchOutput<M> {
    /// The best move; `None` on a finished game and at depth 0.
    pub fn best(&self) -> Option<M> {
        self.pv.first().copied()
    }
}
