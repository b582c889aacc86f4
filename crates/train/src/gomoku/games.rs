//! Self-play of Gomoku for training.

use crate::self_player::{SelfPlayTerms, SelfPlayer};
use flipside_core::games::gomoku::evaluation::PatternEvaluation;
use flipside_core::games::gomoku::policy::GomokuPolicy;
use flipside_core::games::gomoku::position::Position;
use flipside_core::games::gomoku::rules::{Gomoku, Point};
use flipside_core::games::gomoku::weights::PatternWeights;
use flipside_core::search::game::Game;
use flipside_core::search::searcher;
use flipside_core::search::types::UNIT;

/// Points a side of the middle where openings are played.
const MIDDLE: usize = 7;

const TERMS: SelfPlayTerms<Gomoku> = SelfPlayTerms {
    random_plies: [3, 8],
    random_moves: near_the_middle,
    max_opening_score: UNIT,
    adjudication_score: 60 * UNIT,
    // A win by threats is played out: its positions have values, too.
    decided_plies: 3,
};

/// A player that searches `nodes` nodes for each move by these weights.
pub fn player(game: Gomoku, weights: &PatternWeights, nodes: u64) -> SelfPlayer<Gomoku> {
    let (eval, policy) = (PatternEvaluation::new(game, weights), GomokuPolicy::new(game, &[]));
    let searcher = searcher::open(game, eval, policy, 1).expect("a small table");
    SelfPlayer::new(game, searcher, nodes, TERMS)
}

fn near_the_middle(game: &Gomoku, position: &Position) -> Vec<Point> {
    let middle = (game.size() - MIDDLE) / 2..(game.size() + MIDDLE) / 2;
    let is_inside = |&point: &Point| {
        let point = usize::from(point);
        middle.contains(&(point % game.size())) && middle.contains(&(point / game.size()))
    };
    game.moves(position).filter(is_inside).collect()
}
