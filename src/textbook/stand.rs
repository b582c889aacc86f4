//! A game as the textbook's searchers see it: a pass costs a ply like any other move, and an evaluation may judge finished
//! positions as they stand, in place of the rules' final score.

use super::plan::Rank;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::policy::SearchPolicy;
use crate::search::types::Score;
use crate::search::worker::SearchContext;
use std::fmt::Debug;
use std::sync::Arc;

/// What a [`SearchContext`] can be asked about positions `P`, moves `M` and the evaluation's memory `S`. The textbook is compiled
/// once for these three, not for each of the judgements and processor levels behind them.
trait Judge<P, M, S>: Send + Sync {
    fn start(&self) -> P;
    fn outcome(&self, position: &P) -> Option<Score>;
    fn moves(&self, position: &P) -> Vec<M>;
    fn play(&self, position: &P, mv: M) -> P;
    fn key(&self, position: &P) -> u64;
    fn code(&self, mv: M) -> u16;
    fn rank(&self, position: &P, mv: M) -> i32;
    fn refresh(&self, position: &P) -> S;
    fn update(&self, state: &S, position: &P, mv: M, child: &P) -> S;
    fn evaluate(&self, state: &S, position: &P) -> Score;
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Judge<G::Position, G::Move, E::Accumulator>
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
    fn rank(&self, position: &G::Position, mv: G::Move) -> i32 {
        self.policy.order(&self.game, position, mv)
    }
    fn refresh(&self, position: &G::Position) -> E::Accumulator {
        self.eval.refresh(position)
    }
    fn update(
        &self,
        state: &E::Accumulator,
        position: &G::Position,
        mv: G::Move,
        child: &G::Position,
    ) -> E::Accumulator {
        self.eval.update(state, position, mv, child)
    }
    fn evaluate(&self, state: &E::Accumulator, position: &G::Position) -> Score {
        self.eval.evaluate(state, position)
    }
}

/// Rules and judgement in one: a [`SearchContext`] with its policy left aside.
pub struct AsItStands<P, M, S>(Arc<dyn Judge<P, M, S>>);

impl<P, M, S> Clone for AsItStands<P, M, S> {
    fn clone(&self) -> Self {
        AsItStands(Arc::clone(&self.0))
    }
}

impl<P: 'static, M: 'static, S: 'static> AsItStands<P, M, S> {
    /// The game of a context, judged by its evaluation.
    pub fn new<G, E, T>(context: Arc<SearchContext<G, E, T>>) -> Self
    where
        G: Game<Position = P, Move = M>,
        E: Eval<G, Accumulator = S>,
        T: SearchPolicy<G, E>,
    {
        AsItStands(context)
    }
}

impl<P, M, S> AsItStands<P, M, S>
where
    Self: Game<Position = P, Move = M>,
    P: 'static,
    M: 'static,
    S: 'static,
{
    /// The ranks of the game's own policy, for the order `heuristic`.
    pub fn rank(&self) -> Rank<Self> {
        let judge = Arc::clone(&self.0);
        Arc::new(move |position, mv| judge.rank(position, mv))
    }
}

impl<P, M, S> Game for AsItStands<P, M, S>
where
    P: Clone + Send + Sync + PartialEq + Debug + 'static,
    M: Copy + Send + Sync + PartialEq + Debug + 'static,
    S: 'static,
{
    type Position = P;
    type Move = M;

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

impl<P, M, S: Clone + Send + 'static> Eval<AsItStands<P, M, S>> for AsItStands<P, M, S>
where
    Self: Game<Position = P, Move = M>,
{
    type Accumulator = S;

    fn refresh(&self, position: &P) -> S {
        self.0.refresh(position)
    }
    fn update(&self, state: &S, position: &P, mv: M, child: &P) -> S {
        self.0.update(state, position, mv, child)
    }
    fn evaluate(&self, state: &S, position: &P) -> Score {
        self.0.evaluate(state, position)
    }
}
