//! Random games, for tests.

use super::board::{Board, Placement};
use super::kernels::portable;
use flipside_support::random::Random;

/// Every position of some random games, with the move that follows.
pub fn random_moves(games: u64) -> Vec<(Board, Placement)> {
    let mut moves = Vec::new();
    for seed in 0..games {
        let mut random = Random(seed);
        let mut board = Board::START;
        loop {
            let legal = portable::moves(board.player, board.opponent);
            let mv = if legal != 0 {
                let squares: Vec<u8> = (0..64).filter(|square| legal >> square & 1 != 0).collect();
                let square = squares[random.below(squares.len())];
                Placement { square, flips: portable::flips(board.player, board.opponent, u32::from(square)) }
            } else if portable::moves(board.opponent, board.player) != 0 {
                Placement::PASS
            } else {
                break;
            };
            moves.push((board, mv));
            board = board.after(mv);
        }
    }
    moves
}
