//! Endgame tables: every position with at most four pieces, kings included, with the plies to the
//! capture of a king under best play.
//!
//! EndgameTables are seen from the side to move: Black's positions are turned around with their colours,
//! and where the mover's king stands on the right the board is mirrored. A win within `n` plies is a
//! win whenever the limit leaves `n` plies or more, and a draw otherwise: the move number needs no
//! room in the tables.

#[cfg(feature = "threads")]
pub mod build;
pub mod file;

use super::board::{Board, Piece, own_square};
use super::squares::{FILES, SQUARES, Square, Squares, mirrored};
use crate::search::types::Side;

/// Most pieces of a position in the tables.
pub const MAX_PIECES: u32 = 4;
/// Neither side can force the capture of a king.
pub const DRAW: u8 = u8::MAX;

/// A piece beside the kings: 0 for none, 1 to 5 pawn to queen of the mover, 6 to 10 of the other side.
pub type Extra = u8;
/// Values of [`Extra`].
const EXTRAS: usize = 11;
/// Numbers of classes: unordered pairs of extras.
pub const CLASSES: usize = EXTRAS * (EXTRAS + 1) / 2;
/// Squares of the mover's king once boards are mirrored: files a to c.
const KING_SQUARES: usize = 18;

/// Which pieces stand on the board beside the kings, as seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The smaller one; 0 if there is at most one piece.
    first: Extra,
    /// The larger one; 0 if there is none.
    second: Extra,
}

impl Class {
    /// The class of two extras.
    pub fn new(a: Extra, b: Extra) -> Class {
        Class { first: a.min(b), second: a.max(b) }
    }

    /// Every class.
    pub fn all() -> impl Iterator<Item = Class> {
        (0..EXTRAS as Extra).flat_map(|second| (0..=second).map(move |first| Class { first, second }))
    }

    /// Its number below [`CLASSES`].
    #[inline(always)]
    pub fn number(self) -> usize {
        usize::from(self.second) * (usize::from(self.second) + 1) / 2 + usize::from(self.first)
    }

    /// The class after a quiet move: the other side is to move.
    pub fn reversed(self) -> Class {
        let swap = |extra: Extra| match extra {
            0 => 0,
            1..=5 => extra + 5,
            _ => extra - 5,
        };
        Class::new(swap(self.first), swap(self.second))
    }

    /// Its extras that are pieces.
    pub fn pieces(self) -> impl Iterator<Item = Extra> {
        [self.first, self.second].into_iter().filter(|&extra| extra != 0)
    }

    /// Number of pawns.
    pub fn pawns(self) -> usize {
        self.pieces().filter(|&extra| kind_of(extra) == Piece::Pawn).count()
    }

    /// Positions in a table of this class, those that cannot stand on a board included.
    pub fn size(self) -> usize {
        KING_SQUARES * SQUARES * SQUARES.pow(self.pieces().count() as u32)
    }
}

fn kind_of(extra: Extra) -> Piece {
    Piece::ALL[usize::from((extra - 1) % 5)]
}

/// Where the pieces of a position stand, as seen by the side to move: its king, the other king, the
/// extras in the order of their class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TablePosition {
    class: Class,
    kings: [Square; 2],
    extras: [Square; 2],
}

impl TablePosition {
    /// The placement of a board of at most [`MAX_PIECES`] pieces with both kings.
    #[inline(always)]
    fn of(board: &Board) -> TablePosition {
        let side = board.to_move();
        let turn = |square| own_square(side, square);
        let king = |side: Side| turn(board.of(side, Piece::King).trailing_zeros() as Square);
        let mut found = [(0, 0); 2];
        // Equal pieces are told apart by their squares alone, so that a position has one placement.
        for square in Squares(board.occupied() & !board.all_of(Piece::King)) {
            let own = board.pieces(side) & super::squares::bit(square) != 0;
            let extra = 1 + board.kind_at(square) as Extra + if own { 0 } else { 5 };
            found = [found[1], (extra, turn(square))];
        }
        found.sort_unstable();
        let [(first, a), (second, b)] = found;
        TablePosition { class: Class { first, second }, kings: [king(side), king(side.other())], extras: [a, b] }
    }

    /// The place in the class's table.
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
    /// Plies to the capture of a king from a board of both kings and at most [`MAX_PIECES`] pieces, an odd
    /// number for a win of the side to move, an even one for a loss; [`DRAW`] if nobody can force it.
    /// The number of the move is not looked at. `None` for other boards.
    #[inline(always)]
    pub fn dtm(&self, board: &Board) -> Option<u8> {
        if board.occupied().count_ones() > MAX_PIECES || board.all_of(Piece::King).count_ones() != 2 {
            return None;
        }
        self.look_up(board)
    }

    /// Out of the way of the many boards with more pieces.
    #[cold]
    fn look_up(&self, board: &Board) -> Option<u8> {
        let placement = TablePosition::of(board);
        self.classes.get(placement.class.number())?.get(placement.index()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::state_text::read_state;

    fn placement(state: &str) -> TablePosition {
        TablePosition::of(&read_state(state).expect("a position"))
    }

    #[test]
    fn classes_are_numbered_without_gaps() {
        let numbers: Vec<usize> = Class::all().map(Class::number).collect();
        assert_eq!(numbers, (0..CLASSES).collect::<Vec<_>>());
        assert!(Class::all().all(|class| class.reversed().reversed() == class));
    }

    #[test]
    fn the_tables_take_27_million_bytes() {
        assert_eq!(Class::all().map(Class::size).sum::<usize>(), 540 + 10 * 16_200 + 55 * 486_000);
    }

    #[test]
    fn turned_and_mirrored_boards_share_a_place() {
        let white = placement("9 W ...k./..r../...../...../P..../K....");
        let black = placement("9 B ....k/....p/...../...../..R../.K...");
        assert_eq!((white.class, white.index()), (black.class, black.index()));
        let left = placement("9 W ...k./...../.R.../...R./...../K....");
        let right = placement("9 W .k.../...../...R./.R.../...../....K");
        assert_eq!((left.class, left.index()), (right.class, right.index()));
        assert_eq!(left.class.pieces().collect::<Vec<_>>(), [4, 4]);
    }
}
