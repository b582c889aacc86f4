//! Checks an evaluation over random games: the incrementally updated accumulator is that of the
//! position, and exchanging the colours does not change the score.

use crate::games::minichess::board::{Board, Move};
use crate::games::minichess::rules::MiniChess;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::types::MAX_EVAL;
use flipside_support::random::Random;

/// Plays random games. `by_limit` is the part of the evaluation that depends on the plies left, which differ by one
/// between a board and the same board with colours exchanged: scores are compared where it is equal for both.
pub fn check_random_games<E: Eval<MiniChess, Accumulator: PartialEq + std::fmt::Debug>, H: PartialEq>(
    evaluation: &E,
    by_limit: impl Fn(&Board) -> H,
) {
    let mut random = Random(11);
    for _ in 0..40 {
        let mut board = MiniChess.start();
        let mut state = evaluation.refresh(&board);
        while MiniChess.outcome(&board).is_none() {
            let moves: Vec<Move> = MiniChess.moves(&board).collect();
            let mv = moves[random.below(moves.len())];
            let child = MiniChess.play(&board, mv);
            state = evaluation.update(&state, &board, mv, &child);
            board = child;
            assert_eq!(state, evaluation.refresh(&board));
            let score = evaluation.static_eval(&state, &board);
            assert!(score.abs() <= MAX_EVAL);
            let exchanged = board.colour_flipped();
            let opposite = evaluation.static_eval(&evaluation.refresh(&exchanged), &exchanged);
            if by_limit(&board) == by_limit(&exchanged) {
                assert_eq!(score, opposite, "{board:?}");
            }
        }
    }
}
