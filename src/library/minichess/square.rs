//! Squares and moves.

use flipside_core::games::minichess::board as bits;
use flipside_core::games::minichess::squares::{FILES, RANKS, SQUARES};
use std::fmt::{self, Display};
use std::str::FromStr;

/// A square of the board; a1 is White's left corner, e6 the opposite one.
///
/// ```
/// use flipside::minichess::Square;
///
/// let square: Square = "c4".parse()?;
/// assert_eq!((square.file(), square.rank()), (2, 3));
/// assert_eq!(square.to_string(), "c4");
/// assert_eq!(Square::all().count(), 30);
/// # Ok::<(), flipside::minichess::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// An error for a text that is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square from a1 to e6, saw '{0}'")]
pub struct ParseSquareError(String);

impl Square {
    /// The square on this file (0 to 4) and rank (0 to 5); `None` outside the board.
    pub fn new(file: u8, rank: u8) -> Option<Square> {
        (usize::from(file) < FILES && usize::from(rank) < RANKS).then(|| Square(FILES as u8 * rank + file))
    }

    /// Every square, rank by rank from a1.
    pub fn all() -> impl ExactSizeIterator<Item = Square> {
        (0..SQUARES as u8).map(Square)
    }

    /// The index, 0 (a1) to 29 (e6), rank by rank.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The file, 0 for a to 4 for e.
    pub fn file(self) -> u8 {
        self.0 % FILES as u8
    }

    /// The rank, 0 for White's first rank to 5 for the last.
    pub fn rank(self) -> u8 {
        self.0 / FILES as u8
    }
}

/// Writes the square, such as `c4`.
impl Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.file(), b'1' + self.rank()].map(char::from);
        formatter.pad(&String::from_iter(name))
    }
}

/// Reads a square in upper or lower case.
impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file, rank] => Square::new(file.to_ascii_lowercase().wrapping_sub(b'a'), rank.wrapping_sub(b'1')),
            _ => None,
        }
        .ok_or_else(|| ParseSquareError(text.to_string()))
    }
}

/// A move from one square to another. The squares are enough: a pawn that reaches the last rank always becomes a queen.
///
/// ```
/// use flipside::minichess::Move;
///
/// let mv: Move = "b2-b3".parse()?;
/// assert_eq!((mv.from.to_string(), mv.to_string()), ("b2".to_string(), "b2b3".to_string()));
/// # Ok::<(), flipside::minichess::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it moves to.
    pub to: Square,
}

/// An error for a text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected two squares such as b2b3, saw '{0}'")]
pub struct ParseMoveError(String);

impl From<bits::Move> for Move {
    fn from(mv: bits::Move) -> Move {
        Move { from: Square(mv.from), to: Square(mv.to) }
    }
}

/// Writes the move, such as `b2b3`.
impl Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}{}", self.from, self.to))
    }
}

/// Reads `b2b3`, `b2-b3` and, for a promotion, `a5a6q`, in upper or lower case.
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let wrong = || ParseMoveError(text.to_string());
        let squares = text.strip_suffix(['q', 'Q']).unwrap_or(text);
        let (from, to) = squares.split_at_checked(2).ok_or_else(wrong)?;
        let square = |name: &str| name.parse().map_err(|_| wrong());
        Ok(Move { from: square(from)?, to: square(to.strip_prefix('-').unwrap_or(to))? })
    }
}
