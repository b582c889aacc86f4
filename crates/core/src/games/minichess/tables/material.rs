//! Materials, and where a position stands in the table of its material.

use super::super::board::{Board, Piece, own_square};
use super::super::squares::{FILES, SQUARES, Square, Squares, bit, mirrored};
use crate::search::types::Side;

/// The most pieces besides the kings.
pub const MAX_EXTRAS: usize = 3;
/// A piece that is not a king: 0 for none, 1 to 5 pawn to queen of the mover, 6 to 10 of the other side.
pub type Extra = u8;
/// Values of [`Extra`].
const EXTRAS: usize = 11;
/// The number of material classes of at most four pieces: unordered pairs of extras.
pub const CLASSES: usize = EXTRAS * (EXTRAS + 1) / 2;
/// Squares of the mover's king once boards are mirrored: files a to c.
const KING_SQUARES: usize = 18;

/// The pieces on the board besides the kings (the material signature), as seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialClass {
    /// In ascending order, after zeros where there are fewer.
    pub(super) extras: [Extra; MAX_EXTRAS],
}

impl MaterialClass {
    /// The class of these extras, in any order; 0 for none.
    pub fn new(mut extras: [Extra; MAX_EXTRAS]) -> MaterialClass {
        extras.sort_unstable();
        MaterialClass { extras }
    }

    /// Every class of at most four pieces.
    pub fn all() -> impl Iterator<Item = MaterialClass> {
        let pairs = (0..EXTRAS as Extra).flat_map(|second| (0..=second).map(move |first| [0, first, second]));
        pairs.map(|extras| MaterialClass { extras })
    }

    /// Every class of five pieces.
    pub fn five() -> impl Iterator<Item = MaterialClass> {
        let extras = || 1..EXTRAS as Extra;
        let triples = extras().flat_map(move |a| extras().flat_map(move |b| extras().map(move |c| [a, b, c])));
        triples.filter(|[a, b, c]| a <= b && b <= c).map(|extras| MaterialClass { extras })
    }

    /// The index of a class of at most four pieces, below [`CLASSES`].
    #[inline(always)]
    pub fn number(self) -> usize {
        let [_, first, second] = self.extras.map(usize::from);
        second * (second + 1) / 2 + first
    }

    /// The class after a quiet move, seen by the other side.
    pub fn reversed(self) -> MaterialClass {
        MaterialClass::new(self.extras.map(|extra| match extra {
            0 => 0,
            1..=5 => extra + 5,
            _ => extra - 5,
        }))
    }

    /// The class or its reverse, whichever is the smaller: they are made and kept together.
    pub fn pair(self) -> MaterialClass {
        self.min(self.reversed())
    }

    /// The classes that a pawn's promotion leads to.
    pub fn promotions(self) -> impl Iterator<Item = MaterialClass> {
        (0..MAX_EXTRAS).filter_map(move |index| {
            let mut extras = self.extras;
            let is_pawn = extras[index] != 0 && kind_of(extras[index]) == Piece::Pawn;
            extras[index] += 4;
            is_pawn.then(|| MaterialClass::new(extras))
        })
    }

    /// The name, the side to move first: `KQPvKR`.
    pub fn name(self) -> String {
        let of = |own: bool| -> String {
            let pieces = self.pieces().collect::<Vec<_>>().into_iter().rev().filter(|&extra| (extra <= 5) == own);
            ['K'].into_iter().chain(pieces.map(|extra| kind_of(extra).letter().to_ascii_uppercase())).collect()
        };
        format!("{}v{}", of(true), of(false))
    }

    /// The class of a name as [`name`](Self::name) writes it, in any case and order.
    pub fn of_name(name: &str) -> Option<MaterialClass> {
        let name = name.to_ascii_lowercase();
        let sides = name.split_once('v')?;
        let mut extras = Vec::new();
        for (side, offset) in [(sides.0, 0), (sides.1, 5)] {
            for letter in side.strip_prefix('k')?.chars() {
                extras.push(1 + offset + Piece::of_letter(letter).filter(|&kind| kind != Piece::King)? as Extra);
            }
        }
        extras.resize(extras.len().max(MAX_EXTRAS), 0);
        Some(MaterialClass::new(extras.try_into().ok()?))
    }

    /// Its extras other than 0.
    pub fn pieces(self) -> impl Iterator<Item = Extra> {
        self.extras.into_iter().filter(|&extra| extra != 0)
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

/// The kind of an extra other than 0.
pub fn kind_of(extra: Extra) -> Piece {
    Piece::ALL[usize::from((extra - 1) % 5)]
}

/// The squares of a position's pieces: the mover's king, the other king, the extras in the order of their class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TablePosition {
    pub class: MaterialClass,
    pub kings: [Square; 2],
    pub extras: [Square; MAX_EXTRAS],
}

impl TablePosition {
    /// The squares of a board as the tables have it: mirrored if the mover's king stands on the right.
    #[inline(always)]
    pub fn of(board: &Board) -> TablePosition {
        let side = board.to_move();
        let king = own_square(side, board.of(side, Piece::King).trailing_zeros() as Square);
        TablePosition::seen(board, usize::from(king) % FILES > FILES / 2)
    }

    /// The squares of a board of at most [`MAX_EXTRAS`] pieces besides the kings with both kings, as the side to move sees
    /// them, or mirrored.
    #[inline(always)]
    pub fn seen(board: &Board, is_mirrored: bool) -> TablePosition {
        let side = board.to_move();
        let oriented = |square| {
            let square = own_square(side, square);
            if is_mirrored { mirrored(square) } else { square }
        };
        let king = |side: Side| oriented(board.of(side, Piece::King).trailing_zeros() as Square);
        let mut found = [(0, 0); MAX_EXTRAS];
        // Equal pieces are sorted by their squares, so that a position has one index.
        for square in Squares(board.occupied() & !board.all_of(Piece::King)) {
            let own = board.pieces(side) & bit(square) != 0;
            let extra = 1 + board.kind_at(square) as Extra + if own { 0 } else { 5 };
            found = [found[1], found[2], (extra, oriented(square))];
        }
        found.sort_unstable();
        let [a, b, c] = found;
        TablePosition {
            class: MaterialClass { extras: [a.0, b.0, c.0] },
            kings: [king(side), king(side.other())],
            extras: [a.1, b.1, c.1],
        }
    }

    /// The index in the class's table.
    #[inline(always)]
    pub fn index(self) -> usize {
        let king = usize::from(self.kings[0]);
        self.index_of_king(king / FILES * 3 + king % FILES)
    }

    /// The index with this number for the mover's king.
    #[inline(always)]
    pub fn index_of_king(self, king: usize) -> usize {
        let mut index = king * SQUARES + usize::from(self.kings[1]);
        for (extra, square) in self.class.extras.into_iter().zip(self.extras) {
            if extra != 0 {
                index = index * SQUARES + usize::from(square);
            }
        }
        index
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
    fn classes_of_five_pieces_have_names() {
        assert_eq!(MaterialClass::five().count(), 220);
        for class in MaterialClass::five() {
            assert_eq!(MaterialClass::of_name(&class.name()), Some(class), "{}", class.name());
        }
        let named = |name: &str| MaterialClass::of_name(name).map(MaterialClass::name);
        assert_eq!(named("krqvkn"), Some("KQRvKN".into()));
        assert_eq!([named("KQRRvKN"), named("KQKR"), named("KvKK"), named("QvK")], [None, None, None, None]);
        let pawn = MaterialClass::of_name("KPNvKP").expect("a class");
        assert_eq!(pawn.promotions().map(MaterialClass::name).collect::<Vec<_>>(), ["KQNvKP", "KNPvKQ"]);
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
