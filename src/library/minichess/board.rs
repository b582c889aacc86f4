//! A position with its rules.

use super::square::{Move, Square};
use crate::library::color::Color;
use flipside_core::games::minichess::board::{self as bits, Piece};
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::games::minichess::state_text;
use flipside_core::search::game::Game;
use flipside_core::search::types::Side;
use std::fmt::{self, Display};
use std::str::FromStr;

/// A position of MiniChess: the pieces, the side to move, and the move number.
///
/// [`Display`] writes it as FEN, and [`FromStr`] reads FEN. `{:#}` draws the board.
///
/// ```
/// use flipside::minichess::{Board, Piece};
/// use flipside::Color;
///
/// let board: Board = "kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1".parse()?;
/// assert_eq!(board, Board::default());
/// assert_eq!(board.piece_at("a6".parse()?), Some((Color::Black, Piece::King)));
/// assert_eq!(board.perft(3), Board::default().perft(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board(bits::Board);

/// An error for a text that is not a position: what was expected and what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseBoardError(String);

/// A move that the rules do not allow in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{mv} is not a legal move of {side_to_move}")]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The side to move.
    pub side_to_move: Color,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A king was captured, or the side to move has no move and loses.
    Won(Color),
    /// Black has made the 40th move.
    Drawn,
}

fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

impl Board {
    /// The start.
    pub fn new() -> Board {
        Board(MiniChess.start())
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        color(self.0.to_move())
    }

    /// The move number, from 1; at 41 the game is drawn.
    pub fn move_number(&self) -> u8 {
        self.0.number()
    }

    /// The piece on a square; `None` if it is empty.
    pub fn piece_at(&self, square: Square) -> Option<(Color, Piece)> {
        self.0.piece_at(square.index()).map(|(side, piece)| (color(side), piece))
    }

    /// The legal moves, captures first; empty when the game is over.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> {
        let moves = if self.is_over() { Vec::new() } else { MiniChess.moves(&self.0).collect() };
        moves.into_iter().map(Move::from)
    }

    /// True if the rules allow the move.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().any(|legal| legal == mv)
    }

    /// The position after a move.
    ///
    /// # Errors
    /// The rules do not allow the move.
    pub fn play(self, mv: Move) -> Result<Board, IllegalMove> {
        let illegal = IllegalMove { mv, side_to_move: self.side_to_move() };
        if self.is_over() {
            return Err(illegal);
        }
        let legal = MiniChess.moves(&self.0).find(|legal| Move::from(*legal) == mv);
        legal.map(|legal| Board(self.0.play(legal))).ok_or(illegal)
    }

    /// True if a king was captured, the 40 moves are over, or the side to move has no move.
    pub fn is_over(&self) -> bool {
        MiniChess.outcome(&self.0).is_some()
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        MiniChess.outcome(&self.0).map(|score| match score {
            0 => Outcome::Drawn,
            score if score > 0 => Outcome::Won(self.side_to_move()),
            _ => Outcome::Won(!self.side_to_move()),
        })
    }

    /// Leaves of the game tree at a depth; a game that ends early is not counted.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.is_over() {
            return 0;
        }
        MiniChess.moves(&self.0).map(|mv| Board(self.0.play(mv)).perft(depth - 1)).sum()
    }
}

impl Default for Board {
    /// [`Board::new`].
    fn default() -> Board {
        Board::new()
    }
}

impl From<Board> for bits::Board {
    fn from(board: Board) -> bits::Board {
        board.0
    }
}

/// A FEN; with `{:#}` a picture with coordinates, White's pieces in capitals.
impl Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !formatter.alternate() {
            return formatter.pad(&state_text::fen(&self.0));
        }
        for rank in (0..6).rev() {
            write!(formatter, "{}", rank + 1)?;
            for square in (0..5).filter_map(|file| Square::new(file, rank)) {
                write!(formatter, " {}", state_text::letter(&self.0, square.index()))?;
            }
            writeln!(formatter)?;
        }
        write!(formatter, "  a b c d e\n{} to move, move {}", self.side_to_move(), self.move_number())
    }
}

/// Reads a FEN. Positions that no game can reach (two kings of a side, pawns on the last rank) are refused.
impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        state_text::read_fen(text).map(Board).map_err(|error| ParseBoardError(error.0))
    }
}
