//! Static evaluation of a position, with an accumulator kept on the search stack.

use super::game::Game;
use super::types::{MAX_EVAL, Score};

/// Static evaluation with an accumulator (pattern indices, material, a network's first layer) that is updated move by move.
pub trait Eval<G: Game>: Send + Sync + 'static {
    /// The accumulator of a position.
    type Accumulator: Clone + Send;
    /// A search by this many threads begins.
    fn new_search(&self, _threads: usize) {}
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
    /// The value for the side to move in hundredths; [`Eval::static_eval`] clamps it to
    /// ±[`MAX_EVAL`].
    fn evaluate(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score;
    /// [`Eval::evaluate`] clamped to ±[`MAX_EVAL`]. Searches call this form, so that no weights
    /// can produce the score of a proven win.
    #[inline(always)]
    fn static_eval(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score {
        self.evaluate(accumulator, position).clamp(-MAX_EVAL, MAX_EVAL)
    }
    /// Lazy evaluation: [`Eval::static_eval`], or a cheap estimate where it is so far outside the
    /// window that the value is hardly inside.
    #[inline(always)]
    fn static_eval_within(
        &self,
        accumulator: &Self::Accumulator,
        position: &G::Position,
        _window: (Score, Score),
    ) -> Score {
        self.static_eval(accumulator, position)
    }
    /// Asks the processor to fetch what a cache has on a position that will be evaluated soon.
    #[inline(always)]
    fn prefetch(&self, _position: &G::Position) {}
    /// [`Eval::static_eval_within`] without a cache, for positions that hardly occur again, as in
    /// the endgame solver.
    #[inline(always)]
    fn static_eval_within_once(
        &self,
        accumulator: &Self::Accumulator,
        position: &G::Position,
        window: (Score, Score),
    ) -> Score {
        self.static_eval_within(accumulator, position, window)
    }
    /// An estimate to order moves by, cheaper than [`Eval::static_eval`] where the evaluation has one.
    #[inline(always)]
    fn ordering_eval(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score {
        self.static_eval(accumulator, position)
    }
    /// [`Eval::ordering_eval`] without a cache.
    #[inline(always)]
    fn ordering_eval_once(&self, accumulator: &Self::Accumulator, position: &G::Position) -> Score {
        self.ordering_eval(accumulator, position)
    }
    /// The value of a finished position for the textbook's searchers: the final score by the rules. An evaluation may replace
    /// it only by another count of the same result. The production search always uses the rules.
    fn finished(&self, _position: &G::Position, rules: Score) -> Score {
        rules
    }
}

/// Evaluates every unfinished position as 0.
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
