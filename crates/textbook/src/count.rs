//! The size of the complete tree, for comparison with the nodes that a search visits.

use flipside_core::search::game::Game;
use flipside_core::search::types::Depth;

/// Positions of the tree down to this depth, the root included: the nodes of minimax.
pub fn positions<G: Game>(game: &G, root: &G::Position, depth: Depth) -> u64 {
    match depth {
        _ if depth <= 0 || game.outcome(root).is_some() => 1,
        1 => 1 + game.moves(root).count() as u64,
        _ => 1 + game.moves(root).map(|mv| positions(game, &game.play(root, mv), depth - 1)).sum::<u64>(),
    }
}
