//! A game that is judged as it stands when it is over, and whose passes cost a ply, as in the textbook.

use crate::search::game::{Eval, Game, Score};

/// The wrapper: the rules of `game`, but a finished position is worth what `eval` says of it.
#[derive(Clone, Debug)]
pub struct AsItStands<G, E> {
    /// The rules.
    pub game: G,
    /// The judgement.
    pub eval: E,
}

impl<G: Game, E: Eval<G>> Game for AsItStands<G, E> {
    type Position = G::Position;
    type Move = G::Move;
    const ENDS_WITHOUT_MOVES: bool = G::ENDS_WITHOUT_MOVES;

    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn outcome(&self, position: &G::Position) -> Option<Score> {
        self.game.outcome(position).map(|_| self.eval.score(&self.eval.fresh(position), position))
    }
    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.game.moves(position)
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
}

/// The evaluation of the wrapped game, for the wrapper.
#[derive(Clone, Debug)]
pub struct Same<E>(pub E);

impl<G: Game, E: Eval<G>> Eval<AsItStands<G, E>> for Same<E> {
    type State = E::State;
    fn fresh(&self, position: &G::Position) -> E::State {
        self.0.fresh(position)
    }
    fn advance(&self, state: &E::State, position: &G::Position, mv: G::Move, child: &G::Position) -> E::State {
        self.0.advance(state, position, mv, child)
    }
    fn score(&self, state: &E::State, position: &G::Position) -> Score {
        self.0.score(state, position)
    }
}
