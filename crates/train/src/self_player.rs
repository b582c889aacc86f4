//! A player that plays both sides of games for training, from balanced random openings.

use super::played_game::PlayedGame;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::{Notation, Style};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::searcher::Searcher;
use flipside_core::search::types::{Score, WIN};
use flipside_support::random::Random;
use std::sync::Arc;

/// How the games of a game begin and end.
pub struct SelfPlayTerms<G: Notation> {
    /// Least and greatest number of random plies at the beginning.
    pub random_plies: [usize; 2],
    /// The moves that a random ply is drawn from.
    pub random_moves: fn(&G, &G::Position) -> Vec<G::Move>,
    /// Openings that a short search gives a higher score to either side are drawn again.
    pub max_opening_score: Score,
    /// A game is adjudicated once the searches of both sides agree on at least this score for four
    /// plies...
    pub adjudication_score: Score,
    /// ... or one proves a win or a loss within this many plies.
    pub decided_plies: Score,
}

/// Plies that a score for the adjudication lasts.
const ADJUDICATION_PLIES: usize = 4;

/// A player of both sides.
pub struct SelfPlayer<G: Notation> {
    game: G,
    searcher: Arc<dyn Searcher<G>>,
    nodes: u64,
    terms: SelfPlayTerms<G>,
}

impl<G: Notation> SelfPlayer<G> {
    /// A player that searches `nodes` nodes for each move.
    pub fn new(game: G, searcher: Arc<dyn Searcher<G>>, nodes: u64, terms: SelfPlayTerms<G>) -> SelfPlayer<G> {
        SelfPlayer { game, searcher, nodes, terms }
    }

    /// Plays the game with this number.
    pub fn play(&mut self, seed: u64, number: usize) -> PlayedGame {
        self.searcher.clear();
        let mut random = Random(seed ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95));
        random.bits();
        let (mut position, mut moves) = self.opening(&mut random);
        let plies = moves.len();
        let mut winning_plies = [0; 2];
        let halves = loop {
            let side = moves.len() % 2;
            if let Some(score) = self.game.outcome(&position) {
                break points(side, score);
            }
            let (mv, value) = self.search(&position, self.nodes);
            if value.abs() >= WIN - self.terms.decided_plies {
                break points(side, value);
            }
            let winner = usize::from(value < 0) ^ side;
            winning_plies = if value.abs() < self.terms.adjudication_score {
                [0; 2]
            } else {
                [(winning_plies[0] + 1) * (1 - winner), (winning_plies[1] + 1) * winner]
            };
            if let Some(winner) = winning_plies.iter().position(|&plies| plies >= ADJUDICATION_PLIES) {
                break if winner == 0 { 2 } else { 0 };
            }
            moves.push((self.game.show_move(&position, mv, Style::Uci), value));
            position = self.game.play(&position, mv);
        };
        PlayedGame { halves, random: plies, moves }
    }

    /// A balanced opening of random plies.
    fn opening(&mut self, random: &mut Random) -> (G::Position, Vec<(String, Score)>) {
        let [least, most] = self.terms.random_plies;
        loop {
            let mut position = self.game.start();
            let mut moves = Vec::new();
            for _ in 0..least + random.below(most + 1 - least) {
                let some = (self.terms.random_moves)(&self.game, &position);
                if some.is_empty() {
                    break;
                }
                let mv = some[random.below(some.len())];
                moves.push((self.game.show_move(&position, mv, Style::Uci), 0));
                position = self.game.play(&position, mv);
            }
            let is_open = self.game.outcome(&position).is_none();
            if is_open && self.search(&position, self.nodes / 2).1.abs() <= self.terms.max_opening_score {
                return (position, moves);
            }
        }
    }

    fn search(&self, position: &G::Position, nodes: u64) -> (G::Move, Score) {
        let limits = Limits { nodes: Some(nodes.max(100)), ..Limits::default() };
        let stop = Stop::new(&limits);
        let found = self.searcher.search(position, &SearchParameters::new(limits), &stop, &mut |_| ());
        (found.pv[0], found.best.map_or(0, |best| best.score))
    }
}

/// Half points of the first player if the side to move, 0 for the first player, has this score.
fn points(side: usize, score: Score) -> u8 {
    match score {
        0 => 1,
        score if (score > 0) == (side == 0) => 2,
        _ => 0,
    }
}
