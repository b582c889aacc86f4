//! Self-play of MiniChess for training.

use crate::self_player::{SelfPlayTerms, SelfPlayer};
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::games::minichess::searcher::{self, MiniChessEvaluation};
use flipside_core::search::game::Game;
use flipside_core::search::policy::Technique;
use flipside_core::search::types::{MAX_PLY, Score, UNIT};

const TERMS: SelfPlayTerms<MiniChess> = SelfPlayTerms {
    random_plies: [2, 11],
    random_moves: |game, board| game.moves(board).collect(),
    max_opening_score: 2 * UNIT,
    adjudication_score: 20 * UNIT,
    decided_plies: MAX_PLY as Score,
};

/// A player that searches `nodes` nodes for each move, without endgame tables.
pub fn player(evaluation: MiniChessEvaluation, nodes: u64) -> SelfPlayer<MiniChess> {
    let searcher = searcher::open(evaluation, &[Technique::Tables], 1).expect("a small table");
    SelfPlayer::new(MiniChess, searcher, nodes, TERMS)
}
