//! Counting the leaves of a game tree, the usual test of a move generator.

use super::room::PerftRule;
use crate::search::game::Game;

/// Leaves `depth` plies below the position. The position itself is the only leaf at depth 0.
pub fn count<G: Game>(game: &G, position: &G::Position, depth: u32, rule: PerftRule) -> u64 {
    if depth == 0 {
        return 1;
    }
    if !G::ENDS_WITHOUT_MOVES && game.outcome(position).is_some() {
        return over(rule);
    }
    let mut any = false;
    let mut leaves = 0;
    for mv in game.moves(position) {
        any = true;
        leaves += below(game, position, mv, depth, rule);
    }
    if any { leaves } else { over(rule) }
}

/// Leaves below one move of a position that is searched to `depth`.
pub fn below<G: Game>(game: &G, position: &G::Position, mv: G::Move, depth: u32, rule: PerftRule) -> u64 {
    let free = rule == PerftRule::DiscPly && game.cost(mv) == 0;
    let left = if free { depth } else { depth - 1 };
    if left == 0 { 1 } else { count(game, &game.play(position, mv), left, rule) }
}

/// What a game that is over early counts.
fn over(rule: PerftRule) -> u64 {
    u64::from(rule != PerftRule::Full)
}
