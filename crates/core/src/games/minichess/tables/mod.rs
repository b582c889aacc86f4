//! Endgame tables: the distance to mate (DTM, here to the capture of a king) of every position with at most four pieces,
//! kings included.
//!
//! Positions are stored as seen by the side to move: with Black to move the board is rotated and
//! its colours exchanged, and if the mover's king stands on the right the board is mirrored. A win
//! in `n` plies is a win if the move limit leaves `n` plies or more, and a draw otherwise, so the
//! tables need no move number.

#[cfg(feature = "threads")]
pub mod build;
pub mod file;

use super::board::{Board, Piece, own_square};
use super::squares::{FILES, SQUARES, Square, Squares, mirrored};
use crate::search::types::Side;

/// The most pieces of a position in the tables.
pub const MAX_TABLE_PIECES: u32 = 4;
/// The value of positions where neither side can force the capture of a king.
pub const DRAW: u8 = u8::MAX;

/// A piece that is not a king: 0 for none, 1 to 5 pawn to queen of the mover, 6 to 10 of the other side.
pub type Extra = u8;
/// Values of [`Extra`].
const EXTRAS: usize = 11;
/// The number of material classes: unordered pairs of extras.
pub const CLASSES: usize = EXTRAS * (EXTRAS + 1) / 2;
/// Squares of the mover's king once boards are mirrored: files a to c.
const KING_SQUARES: usize = 18;

/// The pieces on the board besides the kings (the material signature), as seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialClass {
    /// The smaller one; 0 if there is at most one piece.
    first: Extra,
    /// The larger one; 0 if there is none.
    second: Extra,
}

impl MaterialClass {
    /// The class of two extras.
    pub fn new(a: Extra, b: Extra) -> MaterialClass {
        MaterialClass { first: a.min(b), second: a.max(b) }
    }

    /// Every class.
    pub fn all() -> impl Iterator<Item = MaterialClass> {
        (0..EXTRAS as Extra).flat_map(|second| (0..=second).map(move |first| MaterialClass { first, second }))
    }

    /// The index of the class, below [`CLASSES`].
    #[inline(always)]
    pub fn number(self) -> usize {
        usize::from(self.second) * (usize::from(self.second) + 1) / 2 + usize::from(self.first)
    }

    /// The class after a quiet move, seen by the other side.
    pub fn reversed(self) -> MaterialClass {
        let swap = |extra: Extra| match extra {
            0 => 0,
            1..=5 => extra + 5,
            _ => extra - 5,
        };
        MaterialClass::new(swap(self.first), swap(self.second))
    }

    /// Its extras other than 0.
    pub fn pieces(self) -> impl Iterator<Item = Extra> {
        [self.first, self.second].into_iter().filter(|&extra| extra != 0)
    }

    /// Number of pawns.
    pub fn pawns(self) -> usize {
        self.pieces().filter(|&extra| kind_of(extra) == Piece::Pawn).count()
    }

    /// Entries of the class's table, those of impossible positions included.
    pub fn size(self) -> usize {
        KING_SQUARES * SQUARES * SQUARES.pow(self.pieces().count() as u32)
    }
}

fn kind_of(extra: Extra) -> Piece {
    Piece::ALL[usize::from((extra - 1) % 5)]
}

/// The squares of a position's pieces, as the side to move sees them: its king, the other king,
/// the extras in the order of their class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TablePosition {
    class: MaterialClass,
    kings: [Square; 2],
    extras: [Square; 2],
}

impl TablePosition {
    /// The squares of a board of at most [`MAX_TABLE_PIECES`] pieces with both kings.
    #[inline(always)]
    fn of(board: &Board) -> TablePosition {
        let side = board.to_move();
        let oriented = |square| own_square(side, square);
        let king = |side: Side| oriented(board.of(side, Piece::King).trailing_zeros() as Square);
        let mut found = [(0, 0); 2];
        // Equal pieces are sorted by their squares, so that a position has one index.
        for square in Squares(board.occupied() & !board.all_of(Piece::King)) {
            let own = board.pieces(side) & super::squares::bit(square) != 0;
            let extra = 1 + board.kind_at(square) as Extra + if own { 0 } else { 5 };
            found = [found[1], (extra, oriented(square))];
        }
        found.sort_unstable();
        let [(first, a), (second, b)] = found;
        TablePosition {
            class: MaterialClass { first, second },
            kings: [king(side), king(side.other())],
            extras: [a, b],
        }
    }

    /// The index in the class's table.
    #[inline(always)]
    fn index(self) -> usize {
        let [mut king, mut other] = self.kings;
        let mut extras = self.extras;
        if usize::from(king) % FILES > FILES / 2 {
            (king, other) = (mirrored(king), mirrored(other));
            extras = extras.map(mirrored);
            if self.class.first == self.class.second && extras[0] > extras[1] {
                extras.swap(0, 1);
            }
        }
        let mut index = usize::from(king) / FILES * 3 + usize::from(king) % FILES;
        index = index * SQUARES + usize::from(other);
        if self.class.first != 0 {
            index = index * SQUARES + usize::from(extras[0]);
        }
        if self.class.second != 0 {
            index = index * SQUARES + usize::from(extras[1]);
        }
        index
    }
}

/// The tables, class by class.
pub struct EndgameTables {
    classes: Vec<Box<[u8]>>,
}

impl EndgameTables {
    /// The distance to mate: plies to the capture of a king under best play, odd for a win of the side to move, even for a
    /// loss, [`DRAW`] if neither side can force it. The move number is ignored. `None` for boards without both kings or
    /// with more than [`MAX_TABLE_PIECES`] pieces.
    #[inline(always)]
    pub fn dtm(&self, board: &Board) -> Option<u8> {
        if board.occupied().count_ones() > MAX_TABLE_PIECES || board.all_of(Piece::King).count_ones() != 2 {
            return None;
        }
        self.probe(board)
    }

    /// Not inlined, because most boards have more pieces.
    #[cold]
    fn probe(&self, board: &Board) -> Option<u8> {
        let position = TablePosition::of(board);
        self.classes.get(position.class.number())?.get(position.index()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::state_text::read_state;

    fn position(state: &str) -> TablePosition {
        TablePosition::of(&read_state(state).expect("a position"))
    }

    #[test]
    fn classes_are_numbered_without_gaps() {
        let numbers: Vec<usize> = MaterialClass::all().map(MaterialClass::number).collect();
        assert_eq!(numbers, (0..CLASSES).collect::<Vec<_>>());
        assert!(MaterialClass::all().all(|class| class.reversed().reversed() == class));
    }

    #[test]
    fn the_tables_take_27_million_bytes() {
        assert_eq!(MaterialClass::all().map(MaterialClass::size).sum::<usize>(), 540 + 10 * 16_200 + 55 * 486_000);
    }

    #[test]
    fn rotated_and_mirrored_boards_share_an_entry() {
        let white = position("9 W ...k./..r../...../...../P..../K....");
        let black = position("9 B ....k/....p/...../...../..R../.K...");
        assert_eq!((white.class, white.index()), (black.class, black.index()));
        let left = position("9 W ...k./...../.R.../...R./...../K....");
        let right = position("9 W .k.../...../...R./.R.../...../....K");
        assert_eq!((left.class, left.index()), (right.class, right.index()));
        assert_eq!(left.class.pieces().collect::<Vec<_>>(), [4, 4]);
    }
}
