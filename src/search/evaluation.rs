//! Static evaluation of a position, with an accumulator kept on the search stack.

use super::game::Game;
use super::types::Score;

/// Judgement of a position, with a histories (pattern indices, material) kept on the search stack.
pub trait Eval<G: Game>: Send + Sync + 'static {
    /// What is carried along a line of play.
    type Accumulator: Clone + Send;
    /// The histories for a position that comes from nowhere.
    fn refresh(&self, position: &G::Position) -> Self::Accumulator;
    /// The histories after a move.
    fn update(
        &self,
        state: &Self::Accumulator,
        position: &G::Position,
        mv: G::Move,
        child: &G::Position,
    ) -> Self::Accumulator;
    /// The histories after a pass, which leads to the position `passed`.
    #[inline(always)]
    fn pass(&self, _state: &Self::Accumulator, passed: &G::Position) -> Self::Accumulator {
        self.refresh(passed)
    }
    /// The value for the side to move, strictly inside the win band.
    fn evaluate(&self, state: &Self::Accumulator, position: &G::Position) -> Score;
    /// What a finished position counts for the textbook's searchers: the final score by the rules, unless the evaluation
    /// judges the end like any other position. The production search keeps to the rules.
    fn finished(&self, _position: &G::Position, rules: Score) -> Score {
        rules
    }
}

/// The judgement of those who have none: every unfinished position is worth nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroEval;

impl<G: Game> Eval<G> for ZeroEval {
    type Accumulator = ();
    fn refresh(&self, _: &G::Position) {}
    fn update(&self, (): &(), _: &G::Position, _: G::Move, _: &G::Position) {}
    fn evaluate(&self, (): &(), _: &G::Position) -> Score {
        0
    }
}
