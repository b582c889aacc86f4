//! What a textbook searcher is asked for, what it answers, and who may watch.

use super::order::Order;
pub use crate::search::algorithm::Algorithm;
use crate::search::game::Game;
use crate::search::types::{Depth, Score};
use std::sync::Arc;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Whose way.
    pub algorithm: Algorithm,
    /// In which order moves are tried.
    pub order: Order,
    /// Plies; where the search deepens, the most plies.
    pub depth: Depth,
    /// True to remember positions; a hit needs the same depth.
    pub table: bool,
    /// True to search one ply deep, then two, and so on. The order `previous` always does, since it
    /// needs an iteration before, and the production search does, too.
    pub deepen: bool,
}

impl Plan {
    /// One search of this depth, without a table.
    pub fn fixed(algorithm: Algorithm, order: Order, depth: Depth) -> Plan {
        Plan { algorithm, order, depth, table: false, deepen: false }
    }
}

/// A rank of moves for the order `heuristic`: the higher, the earlier.
pub type Rank<G> = Arc<dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> i32 + Send + Sync>;

/// The position to search, and how it is judged.
pub struct Task<'a, G: Game, E> {
    /// The rules.
    pub game: &'a G,
    /// The judgement.
    pub eval: &'a E,
    /// The position.
    pub root: &'a G::Position,
    /// Only these moves are looked at there; all if empty.
    pub only: Vec<G::Move>,
    /// For the order `heuristic`.
    pub rank: Rank<G>,
}

impl<'a, G: Game, E> Task<'a, G, E> {
    /// The position with all its moves, and no ranks.
    pub fn new(game: &'a G, eval: &'a E, root: &'a G::Position) -> Task<'a, G, E> {
        Task { game, eval, root, only: Vec::new(), rank: Arc::new(|_, _| 0) }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<M> {
    /// Best play for both; its first move is the best move. Empty on a finished game and at depth 0.
    pub line: Vec<M>,
    /// The value for the side to move.
    pub score: Score,
    /// Positions entered, the root included.
    pub nodes: u64,
    /// Positions at which moves were left out.
    pub cutoffs: u64,
    /// Positions whose value was read off: finished, or at full depth.
    pub leaves: u64,
    /// Plies of the deepest finished iteration.
    pub depth: Depth,
}

impl<M: Copy> Answer<M> {
    /// The best move; none on a finished game and at depth 0.
    pub fn best(&self) -> Option<M> {
        self.line.first().copied()
    }
}

/// What is told of a search while it runs. Every default is silence.
pub trait Observer<G: Game> {
    /// False for one that hears nothing, so that nothing need be kept for it.
    const LISTENS: bool = true;
    /// A position is entered by a move (none at the root) with a window for its side to move.
    fn enter(&mut self, _position: &G::Position, _mv: Option<G::Move>, _window: (Score, Score)) {}
    /// The position entered last is left with its value for its side to move.
    fn leave(&mut self, _value: Score) {}
    /// The value of the position entered last is known from the table.
    fn recall(&mut self) {}
    /// A move of the position entered last is not looked at.
    fn prune(&mut self, _mv: G::Move) {}
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<G: Game> Observer<G> for Silent {
    const LISTENS: bool = false;
}
