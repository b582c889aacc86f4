//! The interface through which a search reports its steps.

use crate::search::game::Game;
use crate::search::types::Score;

/// Receives the steps of a search while it runs. The default methods ignore them.
pub trait Tracer<G: Game> {
    /// False if all steps are ignored, so that the search need not record them.
    const ENABLED: bool = true;
    /// A position is entered by a move (none at the root) with a window for its side to move.
    fn enter(&mut self, _position: &G::Position, _mv: Option<G::Move>, _window: (Score, Score)) {}
    /// The position entered last is left with its value for its side to move.
    fn leave(&mut self, _value: Score) {}
    /// The value of the position entered last comes from the transposition table.
    fn table_hit(&mut self) {}
    /// A move of the position entered last is pruned by a cutoff.
    fn prune(&mut self, _mv: G::Move) {}
}

/// Ignores all steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTracer;

impl<G: Game> Tracer<G> for NoTracer {
    const ENABLED: bool = false;
}
