//! A board with a side to move.

use super::square::{Move, Square};
use crate::library::color::Color;
use flipside_core::games::reversi::board as bits;
use flipside_core::games::reversi::obf;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::search::game::Game;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::str::FromStr;

/// A position of Reversi: the discs and the side to move.
///
/// [`Display`] writes it as OBF, and [`FromStr`] reads OBF: the 64 squares from a1 to h8 as `X` (black), `O` (white)
/// and `-`, a space, and the side to move. `{:#}` draws the board.
///
/// ```
/// use flipside::Color;
/// use flipside::reversi::Board;
///
/// let board: Board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse()?;
/// assert_eq!(board.side_to_move(), Color::Black);
/// assert_eq!(board.disc_count(), 50);
/// assert_eq!(board.to_string().parse(), Ok(board));
/// assert_eq!(Board::default().perft(5), 1396);
/// # Ok::<(), flipside::reversi::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The board from the side to move's point of view.
    discs: bits::Board,
    side_to_move: Color,
}

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
    /// One side has more discs.
    Won {
        /// The winner.
        winner: Color,
        /// The margin in discs, 1 to 64; empty squares count for the winner.
        discs: u32,
    },
    /// Both sides have the same number of discs.
    Drawn,
}

impl Board {
    /// The start: white discs on d4 and e5, black ones on e4 and d5, Black to move.
    pub fn new() -> Board {
        Board { discs: bits::Board::START, side_to_move: Color::Black }
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The colour of the disc on a square; `None` if it is empty.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        let on = |discs: u64| discs >> square.index() & 1 != 0;
        match (on(self.discs.player), on(self.discs.opponent)) {
            (true, _) => Some(self.side_to_move),
            (_, true) => Some(!self.side_to_move),
            _ => None,
        }
    }

    /// Number of discs of one colour.
    pub fn discs(&self, color: Color) -> u32 {
        let own = color == self.side_to_move;
        if own { self.discs.player.count_ones() } else { self.discs.opponent.count_ones() }
    }

    /// Number of discs of both colours.
    pub fn disc_count(&self) -> u32 {
        64 - self.discs.empties()
    }

    /// Number of empty squares.
    pub fn empty_count(&self) -> u32 {
        self.discs.empties()
    }

    /// The legal moves in reading order; only a pass if no disc can be placed; empty when the game is over.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> {
        let placements: Vec<bits::Placement> = Reversi::portable().moves(&self.discs).collect();
        placements.into_iter().map(Move::from)
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
        let Board { discs, side_to_move } = self;
        let legal = Reversi::portable().moves(&discs).find(|placement| Move::from(*placement) == mv);
        let placement = legal.ok_or(IllegalMove { mv, side_to_move })?;
        Ok(Board { discs: discs.after(placement), side_to_move: !side_to_move })
    }

    /// True if neither side can place a disc.
    pub fn is_over(&self) -> bool {
        Reversi::portable().outcome(&self.discs).is_some()
    }

    /// Discs of the side to move minus those of the opponent. When the game is over, empty squares count for the
    /// winner.
    pub fn score(&self) -> i32 {
        if self.is_over() {
            return self.discs.final_discs();
        }
        self.discs.player.count_ones() as i32 - self.discs.opponent.count_ones() as i32
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let score = self.discs.final_discs();
        let won = |winner| Outcome::Won { winner, discs: score.unsigned_abs() };
        self.is_over().then(|| match score.cmp(&0) {
            Ordering::Greater => won(self.side_to_move),
            Ordering::Less => won(!self.side_to_move),
            Ordering::Equal => Outcome::Drawn,
        })
    }

    /// Leaves of the game tree at a depth. A pass is a ply; a game that ends early counts as one leaf.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.is_over() {
            return 1;
        }
        let game = Reversi::portable();
        game.moves(&self.discs)
            .map(|placement| {
                let child = Board { discs: self.discs.after(placement), side_to_move: !self.side_to_move };
                child.perft(depth - 1)
            })
            .sum()
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
        board.discs
    }
}

/// One line of text; with `{:#}` a picture with coordinates, `X` for black and `O` for white.
impl Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !formatter.alternate() {
            return formatter.pad(&obf::show(self.discs, self.side_to_move == Color::Black));
        }
        writeln!(formatter, "  a b c d e f g h")?;
        for row in 0..8 {
            write!(formatter, "{}", row + 1)?;
            for square in (0..8).filter_map(|column| Square::new(column, row)) {
                let disc = match self.color_at(square) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None => '.',
                };
                write!(formatter, " {disc}")?;
            }
            writeln!(formatter)?;
        }
        write!(formatter, "{} to move", self.side_to_move)
    }
}

/// Reads what [`Display`] writes, in upper or lower case. Also accepts `*` and `B` for black, `0` and `W` for white,
/// `.` and `_` for an empty square, and the values and comments that may follow in a line of OBF.
impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        let (discs, black) = obf::position(text).map_err(|error| ParseBoardError(error.0))?;
        Ok(Board { discs, side_to_move: if black { Color::Black } else { Color::White } })
    }
}
