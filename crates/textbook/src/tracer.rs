//! The interface through which a search reports its steps.

use flipside_core::search::game::Game;
use flipside_core::search::types::{Depth, Score};
use std::fmt;

/// A visit that is not a full search of a move. No move leads to a visit of the first two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitedBy {
    /// A null move, searched to this depth.
    NullMove(Depth),
    /// ProbCut: the parent's position itself, searched to this depth.
    ProbCut(Depth),
    /// A capture or an evasion beyond the horizon.
    Quiescence,
    /// Late-move reduction by this many plies.
    Reduction(Depth),
}

impl fmt::Display for VisitedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VisitedBy::NullMove(depth) => write!(f, "null move, depth {depth}"),
            VisitedBy::ProbCut(depth) => write!(f, "ProbCut, depth {depth}"),
            VisitedBy::Quiescence => f.write_str("quiescence"),
            VisitedBy::Reduction(plies) => write!(f, "{plies} less"),
        }
    }
}

/// Receives the steps of a search while it runs. The default methods ignore them.
pub trait Tracer<G: Game> {
    /// Whether the tracer uses the steps; if not, the search need not record them.
    const ENABLED: bool = true;
    /// The root is searched again in the same iteration: its value was not inside the window.
    fn search_again(&mut self) {}
    /// A position is entered by a move (`None` at the root) with a window for its side to move.
    fn enter(&mut self, _position: &G::Position, _mv: Option<G::Move>, _window: (Score, Score)) {}
    /// The position entered last is left with its value for its side to move.
    fn leave(&mut self, _value: Score) {}
    /// The value of the position entered last comes from the transposition table.
    fn table_hit(&mut self) {}
    /// The position entered last is visited by a technique, not by a full search of a move.
    fn visited_by(&mut self, _technique: VisitedBy) {}
    /// The value of the position entered last is the mean of `visits` playouts.
    fn sampled(&mut self, _visits: u64) {}
    /// A move of the position entered last is pruned by a cutoff.
    fn prune(&mut self, _mv: G::Move) {}
}

/// Ignores all steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTracer;

impl<G: Game> Tracer<G> for NoTracer {
    const ENABLED: bool = false;
}
