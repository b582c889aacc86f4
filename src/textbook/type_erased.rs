//! A type-erased adapter from a [`SearchContext`] to a game with its evaluation.
//!
//! The textbook's algorithms are compiled once for the positions and moves of a game, not once for each of its
//! evaluations and processor levels. In the adapted game a pass costs a ply like any other move, and an evaluation may
//! replace the final score of a finished game ([`Eval::finished`]).

use super::techniques::{GameTechniques, SharedTechniques};
use super::types::{MoveScorer, SearchInput};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::policy::{SearchPolicy, Technique};
use crate::search::technique::{CaptureSearch, MoveClasses, NullMove, ProbCut, ProbCutTest};
use crate::search::types::{Depth, Score, Selectivity};
use crate::search::worker::SearchContext;
use std::fmt::Debug;
use std::sync::Arc;

/// ProbCut's tests are looked for up to this depth.
const PROBCUT_DEPTHS: Depth = 16;

/// What the algorithms need of a [`SearchContext`]: positions `P`, moves `M`, accumulators `S` of the evaluation.
trait ErasedContext<P, M, S>: GameTechniques<P, M> {
    fn start(&self) -> P;
    fn outcome(&self, position: &P) -> Option<Score>;
    fn moves(&self, position: &P) -> Vec<M>;
    fn play(&self, position: &P, mv: M) -> P;
    fn key(&self, position: &P) -> u64;
    fn code(&self, mv: M) -> u16;
    fn score_move(&self, position: &P, mv: M) -> i32;
    fn refresh(&self, position: &P) -> S;
    fn update(&self, accumulator: &S, position: &P, mv: M, child: &P) -> S;
    fn evaluate(&self, accumulator: &S, position: &P) -> Score;
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> ErasedContext<G::Position, G::Move, E::Accumulator>
    for SearchContext<G, E, T>
{
    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn outcome(&self, position: &G::Position) -> Option<Score> {
        self.game.outcome(position).map(|rules| self.eval.finished(position, rules))
    }
    fn moves(&self, position: &G::Position) -> Vec<G::Move> {
        self.game.moves(position).collect()
    }
    fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.game.play(position, mv)
    }
    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }
    fn code(&self, mv: G::Move) -> u16 {
        self.game.code(mv)
    }
    fn score_move(&self, position: &G::Position, mv: G::Move) -> i32 {
        self.policy.score_move(&self.game, position, mv)
    }
    fn refresh(&self, position: &G::Position) -> E::Accumulator {
        self.eval.refresh(position)
    }
    fn update(
        &self,
        accumulator: &E::Accumulator,
        position: &G::Position,
        mv: G::Move,
        child: &G::Position,
    ) -> E::Accumulator {
        self.eval.update(accumulator, position, mv, child)
    }
    fn evaluate(&self, accumulator: &E::Accumulator, position: &G::Position) -> Score {
        self.eval.static_eval(accumulator, position)
    }
}

/// The techniques of the context's policy.
impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> GameTechniques<G::Position, G::Move> for SearchContext<G, E, T> {
    fn offers(&self, technique: Technique) -> bool {
        match technique {
            Technique::Aspiration | Technique::Reductions => true,
            Technique::Quiescence => self.policy.captures().is_some(),
            Technique::CheckExtensions => self.policy.captures().is_some() && T::MARGINS.check_extensions,
            Technique::NullMove => self.policy.null_move().is_some(),
            // Only what was measured has tests, at some depths.
            Technique::ProbCut => {
                (1..=PROBCUT_DEPTHS).any(|depth| !self.probcut_tests(&self.game.start(), depth).is_empty())
            }
            _ => false,
        }
    }
    fn move_class(&self, position: &G::Position, mv: G::Move) -> Option<u8> {
        self.policy.move_classes().map(|classes| classes.class(position, mv))
    }
    fn is_noisy(&self, position: &G::Position, mv: G::Move) -> bool {
        self.policy.captures().is_some_and(|captures| captures.is_noisy(position, mv))
    }
    fn see_ge(&self, position: &G::Position, mv: G::Move, threshold: Score) -> bool {
        self.policy.captures().is_none_or(|captures| captures.see_ge(&self.game, position, mv, threshold))
    }
    fn capture_gain(&self, position: &G::Position, mv: G::Move) -> Score {
        self.policy.captures().map_or(0, |captures| captures.capture_gain(position, mv))
    }
    fn in_check(&self, position: &G::Position) -> bool {
        self.policy.captures().is_some_and(|captures| captures.in_check(position))
    }
    fn null_move(&self, position: &G::Position) -> Option<G::Position> {
        self.policy.null_move()?.null_move(position)
    }
    fn null_move_reduction(&self, depth: Depth, above_beta: Score) -> Depth {
        self.policy.null_move().map_or(0, |null_move| null_move.reduction(depth, above_beta))
    }
    fn null_move_min_depth(&self) -> Depth {
        self.policy.null_move().map_or(Depth::MAX, NullMove::min_depth)
    }
    fn probcut_tests(&self, position: &G::Position, depth: Depth) -> Vec<ProbCutTest> {
        let Some(probcut) = self.policy.probcut() else { return Vec::new() };
        probcut.tests(position, depth, Selectivity::PLAY).collect()
    }
}

/// The game and the evaluation of a [`SearchContext`]; its policy remains as a scorer of moves and as
/// [`GameTechniques`].
pub struct ErasedGame<P, M, S>(Arc<dyn ErasedContext<P, M, S>>);

impl<P, M, S> Clone for ErasedGame<P, M, S> {
    fn clone(&self) -> Self {
        ErasedGame(Arc::clone(&self.0))
    }
}

impl<P: 'static, M: 'static, S: 'static> ErasedGame<P, M, S> {
    /// Adapts a context.
    pub fn new<G, E, T>(context: Arc<SearchContext<G, E, T>>) -> Self
    where
        G: Game<Position = P, Move = M>,
        E: Eval<G, Accumulator = S>,
        T: SearchPolicy<G, E>,
    {
        ErasedGame(context)
    }
}

impl<P, M, S> ErasedGame<P, M, S>
where
    Self: Game<Position = P, Move = M>,
    P: 'static,
    M: 'static,
    S: 'static,
{
    /// A position with all that the game offers.
    pub fn input<'a>(&'a self, root: &'a P) -> SearchInput<'a, Self, Self> {
        SearchInput { scorer: self.scorer(), techniques: self.techniques(), ..SearchInput::new(self, self, root) }
    }

    /// The techniques of the game's own policy.
    pub fn techniques(&self) -> SharedTechniques<Self> {
        let context: Arc<dyn ErasedContext<P, M, S>> = Arc::clone(&self.0);
        context
    }

    /// The move ordering of the game's own policy, for the order `heuristic`.
    pub fn scorer(&self) -> MoveScorer<Self> {
        let context = Arc::clone(&self.0);
        Arc::new(move |position, mv| context.score_move(position, mv))
    }
}

impl<P, M, S> Game for ErasedGame<P, M, S>
where
    P: Clone + Send + Sync + PartialEq + Debug + 'static,
    M: Copy + Send + Sync + PartialEq + Debug + 'static,
    S: 'static,
{
    type Position = P;
    type Move = M;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> P {
        self.0.start()
    }
    fn outcome(&self, position: &P) -> Option<Score> {
        self.0.outcome(position)
    }
    fn moves(&self, position: &P) -> impl Iterator<Item = M> {
        self.0.moves(position).into_iter()
    }
    fn play(&self, position: &P, mv: M) -> P {
        self.0.play(position, mv)
    }
    fn key(&self, position: &P) -> u64 {
        self.0.key(position)
    }
    fn code(&self, mv: M) -> u16 {
        self.0.code(mv)
    }
}

impl<P, M, S: Clone + Send + 'static> Eval<ErasedGame<P, M, S>> for ErasedGame<P, M, S>
where
    Self: Game<Position = P, Move = M>,
{
    type Accumulator = S;

    fn refresh(&self, position: &P) -> S {
        self.0.refresh(position)
    }
    fn update(&self, accumulator: &S, position: &P, mv: M, child: &P) -> S {
        self.0.update(accumulator, position, mv, child)
    }
    fn evaluate(&self, accumulator: &S, position: &P) -> Score {
        self.0.evaluate(accumulator, position)
    }
}
