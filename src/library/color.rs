//! The two colours of a board game.

use std::fmt::{self, Display};
use std::ops::Not;

/// A player. Black begins in Reversi, White in MiniChess.
///
/// ```
/// use flipside::Color;
///
/// assert_eq!(!Color::Black, Color::White);
/// assert_eq!(Color::White.to_string(), "white");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The dark discs or pieces.
    Black,
    /// The light discs or pieces.
    White,
}

impl Not for Color {
    type Output = Color;

    /// The opponent.
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Display for Color {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}
