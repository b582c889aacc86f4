//! The referee's own board, against which checks test the moves of the engine.

use super::expect::{Violation, violation};
use flipside_core::search::notation::Style;
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, SetupError, Start};
use flipside_host::engine::registry;

/// Black wipes White out in nine moves: the shortest game of Reversi.
pub const SHORTEST_GAME: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

/// A board of Reversi with the referee's rules.
pub fn reversi() -> Result<Box<dyn DynEngine>, Violation> {
    open_board("reversi")
}

/// A board of a game with the referee's rules.
pub fn open_board(game: &str) -> Result<Box<dyn DynEngine>, Violation> {
    registry::rules(game).map_err(|error| Violation::new("our own rules", error.to_string()))
}

/// A board of a game at the position of this text.
pub fn board_at(game: &str, text: &str, style: Style) -> Result<Box<dyn DynEngine>, Violation> {
    let mut board = open_board(game)?;
    let set = board.set_position(Start::Text(text), &[], style, false);
    set.map_err(|error| Violation::new("our own rules", error.to_string()))?;
    Ok(board)
}

/// A board of Reversi after these moves.
pub fn board_after(moves: &str) -> Result<Box<dyn DynEngine>, Violation> {
    let mut board = reversi()?;
    moves.split_whitespace().try_for_each(|mv| play_legal(board.as_mut(), mv, Style::Plain, mv))?;
    Ok(board)
}

/// Plays a move of the side to move.
pub fn play(board: &mut dyn DynEngine, mv: &str, style: Style) -> Result<(), SetupError> {
    let played = PlayedMove::by(board.side(), mv.to_string());
    board.set_position(Start::Here, &[played], style, false)
}

/// Plays a move of the engine, which must be legal; `line` is the engine's output.
pub fn play_legal(board: &mut dyn DynEngine, mv: &str, style: Style, line: &str) -> Result<(), Violation> {
    play(board, mv, style).map_err(|_| Violation::new(format!("one of {}", board.legal_moves(style).join(" ")), line))
}

/// Checks that the engine's move is legal; `line` is the engine's output. In UCI's notation the case of letters counts.
pub fn expect_legal(board: &dyn DynEngine, mv: &str, style: Style, line: &str) -> Result<(), Violation> {
    let legal = board.legal_moves(style);
    let is_same = |own: &String| own == mv || style != Style::Uci && own.eq_ignore_ascii_case(mv);
    if legal.iter().any(is_same) { Ok(()) } else { violation(format!("one of {}", legal.join(" ")), line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_game_is_over() {
        let board = board_after(SHORTEST_GAME).expect("legal moves");
        assert!(board.outcome().is_some());
        assert_eq!(board.points(), Some([13, 0]));
    }
}
