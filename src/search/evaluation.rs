//! Static evaluation of a position, with an accumulator kept on the search stack.

use super::game::Game;
use super::types::{MAX_EVAL, Score};

/// Static evaluation with an accumulator (pattern indices, material, a network's first layer) that is updated move by move.
pub trait Eval<G: Game>: Send + Sync + 'static {
    /// What is carried along a line of play.
    type Accumulator: Clone + Send;
    /// The accumulator of a position, computed from scratch.
    fn refresh(&self, position: &G::Position) -> Self::Accumulator;
    /// The accumulator after a move.
    fn update(
        &self,
        accumulator: &Self::Accumulator,
        position: &G::Position,
        mv: G::Move,
        child: &G::Position,
    ) -> Self::Accumulator;
    /// The accumulator after a null move, which leads to the position `passed`.
    #[inline(always)]
    fn pass(&self, _accumulator: &Self::Accumulator, passed: &G::Position) -> Self::Accumulator {
        self.refresh(passed)
    }
    /// The value for the side to move in hundredths. What is beyond [`MAX_EVAL`] counts as that.
    fn evaluate(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score;
    /// [`Eval::evaluate`] within [`MAX_EVAL`]: what searches call, so that no evaluation, whatever its weights, can pass
    /// for a proven win.
    #[inline(always)]
    fn static_eval(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score {
        self.evaluate(accumulator, position).clamp(-MAX_EVAL, MAX_EVAL)
    }
    /// Lazy evaluation: as [`Eval::static_eval`], but where a cheap estimate lies so far outside the window that the value
    /// hardly lies inside, the estimate is enough.
    #[inline(always)]
    fn static_eval_within(
        &self,
        accumulator: &Self::Accumulator,
        position: &G::Position,
        _window: (Score, Score),
    ) -> Score {
        self.static_eval(accumulator, position)
    }
    /// An estimate to order moves by, cheaper than [`Eval::static_eval`] where the evaluation has one.
    #[inline(always)]
    fn ordering_eval(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score {
        self.static_eval(accumulator, position)
    }
    /// [`Eval::ordering_eval`] of a position that hardly comes again, as in the endgame solver: nothing is kept of it in a cache.
    #[inline(always)]
    fn ordering_eval_once(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score {
        self.ordering_eval(accumulator, position)
    }
    /// What a finished position counts for the textbook's searchers: the final score by the rules, unless the evaluation
    /// values the end like any other position. The production search keeps to the rules.
    fn finished(&self, _position: &G::Position, rules: Score) -> Score {
        rules
    }
}

/// No evaluation: every unfinished position counts 0.
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
