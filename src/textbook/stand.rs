//! A game as the textbook's searchers see it: a pass costs a ply like any other move, and an evaluation may judge finished
//! positions as they stand, in place of the rules' final score.

use super::plan::Rank;
use crate::search::game::{Eval, Game, Score, Tactics};
use crate::search::worker::Brain;
use std::sync::Arc;

/// Rules and judgement in one: `Brain` with its tactics left aside.
pub struct AsItStands<G, E, T>(Arc<Brain<G, E, T>>);

impl<G, E, T> Clone for AsItStands<G, E, T> {
    fn clone(&self) -> Self {
        AsItStands(Arc::clone(&self.0))
    }
}

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> AsItStands<G, E, T> {
    /// The game of a brain, judged by its evaluation.
    pub fn new(brain: Arc<Brain<G, E, T>>) -> Self {
        AsItStands(brain)
    }

    /// The brain behind it.
    pub fn brain(&self) -> &Brain<G, E, T> {
        &self.0
    }

    /// The ranks of the game's own tactics, for the order `heuristic`.
    pub fn rank(&self) -> Rank<Self> {
        let brain = Arc::clone(&self.0);
        Arc::new(move |position, mv| brain.tactics.order(&brain.game, position, mv))
    }
}

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Game for AsItStands<G, E, T> {
    type Position = G::Position;
    type Move = G::Move;
    const ENDS_WITHOUT_MOVES: bool = G::ENDS_WITHOUT_MOVES;

    fn start(&self) -> G::Position {
        self.0.game.start()
    }
    fn outcome(&self, position: &G::Position) -> Option<Score> {
        self.0.game.outcome(position).map(|rules| self.0.eval.finished(position, rules))
    }
    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.0.game.moves(position)
    }
    fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.0.game.play(position, mv)
    }
    fn key(&self, position: &G::Position) -> u64 {
        self.0.game.key(position)
    }
    fn code(&self, mv: G::Move) -> u16 {
        self.0.game.code(mv)
    }
}

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Eval<AsItStands<G, E, T>> for AsItStands<G, E, T> {
    type State = E::State;
    fn fresh(&self, position: &G::Position) -> E::State {
        self.0.eval.fresh(position)
    }
    fn advance(&self, state: &E::State, position: &G::Position, mv: G::Move, child: &G::Position) -> E::State {
        self.0.eval.advance(state, position, mv, child)
    }
    fn score(&self, state: &E::State, position: &G::Position) -> Score {
        self.0.eval.score(state, position)
    }
}
