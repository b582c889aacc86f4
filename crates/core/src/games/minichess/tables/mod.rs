//! Endgame tables: the distance to mate (DTM, here to the capture of a king) of every position with at most four pieces,
//! kings included, and of positions with five pieces of chosen materials.
//!
//! Positions are stored as seen by the side to move: with Black to move the board is rotated and
//! its colours exchanged, and if the mover's king stands on the right the board is mirrored. A win
//! in `n` plies is a win if the move limit leaves `n` plies or more, and a draw otherwise, so the
//! tables need no move number.

#[cfg(feature = "threads")]
pub mod build;
pub mod check;
mod error;
pub mod file;
pub mod five;
mod material;

pub use error::TablesError;
pub use material::{CLASSES, MaterialClass};

use super::board::{Board, Piece};
use five::FiveTables;
use material::TablePosition;

/// The most pieces of a position in the tables of all materials.
const COMPLETE: u32 = 4;
/// The most pieces of a position in any table.
const MAX_TABLE_PIECES: u32 = 5;
/// Longer wins do not fit into a game: they are draws.
const LONGEST: u8 = 80;
/// The value of positions where neither side can force the capture of a king.
pub const DRAW: u8 = u8::MAX;

/// The tables, class by class.
pub struct EndgameTables {
    classes: Vec<Box<[u8]>>,
    five: Option<FiveTables>,
}

impl EndgameTables {
    /// The distance to mate: plies to the capture of a king under best play, odd for a win of the side to move, even for a
    /// loss, [`DRAW`] if neither side can force it. The move number is ignored. `None` for boards without both kings, and
    /// for material that the tables do not have.
    #[inline(always)]
    pub fn dtm(&self, board: &Board) -> Option<u8> {
        if board.occupied().count_ones() > MAX_TABLE_PIECES || board.all_of(Piece::King).count_ones() != 2 {
            return None;
        }
        self.probe(board)
    }

    /// The materials of five pieces that the tables have, each once.
    pub fn five(&self) -> impl Iterator<Item = MaterialClass> {
        self.five.iter().flat_map(FiveTables::materials)
    }

    /// Not inlined, because most boards have more pieces.
    #[cold]
    fn probe(&self, board: &Board) -> Option<u8> {
        if board.occupied().count_ones() > COMPLETE {
            return self.five.as_ref()?.dtm(board);
        }
        let position = TablePosition::of(board);
        self.classes.get(position.class.number())?.get(position.index()).copied()
    }
}
