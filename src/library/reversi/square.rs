//! Squares and moves.

use flipside_core::games::reversi::board::{PASS, Placement};
use std::fmt::{self, Display};
use std::str::FromStr;

/// A square of the board. Row 1 is at the top, as on Othello boards.
///
/// ```
/// use flipside::reversi::Square;
///
/// let square: Square = "D3".parse()?;
/// assert_eq!((square.column(), square.row()), (3, 2));
/// assert_eq!(square.to_string(), "d3");
/// assert_eq!(Square::all().count(), 64);
/// # Ok::<(), flipside::reversi::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// An error for a text that is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square from a1 to h8, saw '{0}'")]
pub struct ParseSquareError(String);

impl Square {
    /// The square in this column and row, both from 0 to 7; `None` outside the board.
    pub fn new(column: u8, row: u8) -> Option<Square> {
        (column < 8 && row < 8).then(|| Square(8 * row + column))
    }

    /// The square with this index in reading order: a1 is 0, b1 is 1, h8 is 63.
    pub fn from_index(index: u8) -> Option<Square> {
        (index < 64).then_some(Square(index))
    }

    /// Every square in reading order.
    pub fn all() -> impl ExactSizeIterator<Item = Square> {
        (0..64_u8).map(Square)
    }

    /// The index, 0 to 63, in reading order.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The column, 0 for a to 7 for h.
    pub fn column(self) -> u8 {
        self.0 % 8
    }

    /// The row, 0 for the top row, whose name is 1.
    pub fn row(self) -> u8 {
        self.0 / 8
    }
}

/// Writes the square in lower case, such as `d3`.
impl Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.column(), b'1' + self.row()].map(char::from);
        formatter.pad(&String::from_iter(name))
    }
}

/// Reads a square in upper or lower case.
impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [column, row] => Square::new(column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1')),
            _ => None,
        }
        .ok_or_else(|| ParseSquareError(text.to_string()))
    }
}

/// A move. A player who cannot place a disc has one move, the pass.
///
/// ```
/// use flipside::reversi::Move;
///
/// let mv: Move = "f5".parse()?;
/// assert_eq!(mv.square().map(|square| square.index()), Some(37));
/// assert_eq!("pass".parse(), Ok(Move::Pass));
/// # Ok::<(), flipside::reversi::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Place a disc on this square.
    Place(Square),
    /// Pass the turn to the opponent.
    Pass,
}

/// An error for a text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square from a1 to h8 or 'pass', saw '{0}'")]
pub struct ParseMoveError(String);

impl Move {
    /// The square of the disc; `None` for a pass.
    pub fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Place(square)
    }
}

impl From<Placement> for Move {
    fn from(placement: Placement) -> Move {
        if placement.square == PASS { Move::Pass } else { Move::Place(Square(placement.square)) }
    }
}

/// Writes the move in lower case: `d3` or `pass`.
impl Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(formatter),
            Move::Pass => formatter.pad("pass"),
        }
    }
}

/// Reads a move in upper or lower case; `pa`, `ps` and `--` are also passes.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        if ["pass", "pa", "ps", "--"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(Move::Pass);
        }
        text.parse().map(Move::Place).map_err(|_| ParseMoveError(text.to_string()))
    }
}
