//! Positions as text, as test collections write them: 64 squares and the side to move.

use super::board::Board;
use crate::search::game::PositionError;
use nom::{
    IResult, Parser,
    character::complete::{one_of, space0},
    combinator::{all_consuming, map},
    multi::count,
    sequence::{delimited, preceded},
};

/// One square: black, white, or nothing.
fn square(input: &str) -> IResult<&str, Option<bool>> {
    map(preceded(space0, one_of("XxBb*OoWw-.")), |symbol| match symbol {
        'X' | 'x' | 'B' | 'b' | '*' => Some(true),
        'O' | 'o' | 'W' | 'w' => Some(false),
        _ => None,
    })
    .parse(input)
}

/// 64 squares, a1 b1 … h8, and the side to move.
fn board(input: &str) -> IResult<&str, (Vec<Option<bool>>, bool)> {
    let side = map(delimited(space0, one_of("XxBb*OoWw"), space0), |symbol| "XxBb*".contains(symbol));
    (count(square, 64), side).parse(input)
}

/// Reads a board and whether black is to move.
pub fn position(text: &str) -> Result<(Board, bool), PositionError> {
    let expected = || PositionError(format!("expected 64 of X, O and -, then X or O to move, saw '{text}'"));
    let (_, (squares, black_moves)) = all_consuming(board).parse(text.trim()).map_err(|_| expected())?;
    let discs = |black: bool| -> u64 {
        squares.iter().enumerate().filter(|(_, disc)| **disc == Some(black)).map(|(at, _)| 1 << at).sum()
    };
    Ok((Board { player: discs(black_moves), opponent: discs(!black_moves) }, black_moves))
}
