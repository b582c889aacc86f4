//! The eight symmetries of the board, and the canonical position that stands for all eight.

use super::board::{Board, PASS};

/// A symmetry of the square: bit 0 mirrors files, bit 1 mirrors ranks, bit 2 then swaps files and ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The eight symmetries, the identity first.
    pub const ALL: [Symmetry; 8] =
        [Symmetry(0), Symmetry(1), Symmetry(2), Symmetry(3), Symmetry(4), Symmetry(5), Symmetry(6), Symmetry(7)];

    /// The inverse symmetry.
    pub fn inverse(self) -> Symmetry {
        // After a swap the two mirrors exchange their roles.
        if self.0 & 4 == 0 { self } else { Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) }
    }

    /// A square under this symmetry; a pass stays a pass.
    pub fn square(self, square: u8) -> u8 {
        if square == PASS {
            return PASS;
        }
        let (mut file, mut rank) = (square % 8, square / 8);
        if self.0 & 1 != 0 {
            file = 7 - file;
        }
        if self.0 & 2 != 0 {
            rank = 7 - rank;
        }
        if self.0 & 4 != 0 { file * 8 + rank } else { rank * 8 + file }
    }

    /// A set of squares under this symmetry.
    pub fn squares(self, mut set: u64) -> u64 {
        if self.0 & 1 != 0 {
            // The bits of each byte in reversed order.
            set = set.reverse_bits().swap_bytes();
        }
        if self.0 & 2 != 0 {
            set = set.swap_bytes();
        }
        if self.0 & 4 != 0 { transposed(set) } else { set }
    }

    /// A position under this symmetry.
    pub fn board(self, board: Board) -> Board {
        Board { player: self.squares(board.player), opponent: self.squares(board.opponent) }
    }

    /// The canonical position: the least of the eight symmetric ones, by the mover's discs and
    /// then the opponent's, and a symmetry that leads there.
    pub fn canonical(board: Board) -> (Board, Symmetry) {
        let all = Symmetry::ALL.map(|symmetry| (symmetry.board(board), symmetry));
        let first = all[0];
        all.into_iter().fold(first, |least, next| {
            let key = |board: Board| (board.player, board.opponent);
            if key(next.0) < key(least.0) { next } else { least }
        })
    }
}

/// Files and ranks swapped: squares are exchanged within blocks of two, then four, then all eight files.
pub(super) fn transposed(set: u64) -> u64 {
    [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)].into_iter().fold(
        set,
        |set, (shift, mask)| {
            let changed = (set ^ set >> shift) & mask;
            set ^ changed ^ changed << shift
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_support::random::Random;

    #[test]
    fn sets_go_where_their_squares_go_and_back() {
        let mut random = Random(7);
        for symmetry in Symmetry::ALL {
            let set = random.bits();
            let squares = (0..64).filter(|square| set >> square & 1 != 0);
            let expected = squares.fold(0, |set, square| set | 1 << symmetry.square(square));
            assert_eq!(symmetry.squares(set), expected, "{symmetry:?}");
            assert_eq!(symmetry.inverse().squares(expected), set, "{symmetry:?}");
            assert!((0..=PASS).all(|square| symmetry.inverse().square(symmetry.square(square)) == square));
        }
    }

    #[test]
    fn eight_positions_have_one_canonical_form() {
        let mut random = Random(8);
        let player = random.bits();
        let board = Board { player, opponent: random.bits() & !player };
        let (least, _) = Symmetry::canonical(board);
        for symmetry in Symmetry::ALL {
            let (canonical, back) = Symmetry::canonical(symmetry.board(board));
            assert_eq!((canonical, back.board(symmetry.board(board))), (least, least));
        }
    }
}
