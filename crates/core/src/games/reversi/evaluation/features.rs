//! The textbook's features of a Reversi position: whole numbers for the side to move, each the mover's count minus the
//! opponent's.

use crate::games::reversi::board::{Board, CORNERS};
use crate::games::reversi::kernels::portable::moves;
use crate::games::reversi::mobility::neighbours;
use crate::games::reversi::stability::stable_from_corners;

/// A corner, the X square diagonal to it, and the two C squares beside it on the edges.
const CORNER_REGIONS: [(u64, u64, u64); 4] = [
    (1, 1 << 9, 1 << 1 | 1 << 8),
    (1 << 7, 1 << 14, 1 << 6 | 1 << 15),
    (1 << 56, 1 << 49, 1 << 57 | 1 << 48),
    (1 << 63, 1 << 54, 1 << 62 | 1 << 55),
];

fn difference(board: Board, count: impl Fn(u64, u64) -> i32) -> i32 {
    count(board.player, board.opponent) - count(board.opponent, board.player)
}

/// Discs on the board.
pub fn discs(board: Board) -> i32 {
    difference(board, |own, _| own.count_ones() as i32)
}

/// Legal moves now.
pub fn mobility(board: Board) -> i32 {
    difference(board, |own, other| moves(own, other).count_ones() as i32)
}

/// Empty squares beside the other side's discs, where moves may appear.
pub fn potential_mobility(board: Board) -> i32 {
    difference(board, |_, other| (neighbours(other) & board.empty()).count_ones() as i32)
}

/// Corners held.
pub fn corners(board: Board) -> i32 {
    difference(board, |own, _| (own & CORNERS).count_ones() as i32)
}

/// X squares held beside an empty corner; a liability.
pub fn x_squares(board: Board) -> i32 {
    let open = CORNER_REGIONS.iter().filter(|(corner, ..)| board.empty() & corner != 0);
    let set = open.fold(0, |set, (_, x, _)| set | x);
    difference(board, |own, _| (own & set).count_ones() as i32)
}

/// C squares held beside an empty corner; a smaller liability.
pub fn c_squares(board: Board) -> i32 {
    let open = CORNER_REGIONS.iter().filter(|(corner, ..)| board.empty() & corner != 0);
    let set = open.fold(0, |set, (_, _, c)| set | c);
    difference(board, |own, _| (own & set).count_ones() as i32)
}

/// Discs that can never be flipped again, as far as [`stable_from_corners`] proves it.
pub fn stability(board: Board) -> i32 {
    difference(board, |own, other| stable_from_corners(own, other).count_ones() as i32)
}

/// Weights of squares, with the squares that have them: corners are worth most, squares that give them away cost.
const SQUARES: [(i32, u64); 9] = [
    (100, CORNERS),
    (-20, 0x4281_0000_0000_8142),
    (-40, 0x0042_0000_0000_4200),
    (12, 0x2400_8100_0081_0024),
    (6, 0x1800_0081_8100_0018),
    (-4, 0x0024_4200_0042_2400),
    (-3, 0x0018_0042_4200_1800),
    (3, 0x0000_2400_0024_0000),
    (1, 0x0000_183c_3c18_0000),
];

/// The sum of the weights of the squares held. The squares around a taken corner count 0: they
/// cannot give it away any more.
pub fn positional(board: Board) -> i32 {
    let around_taken =
        CORNER_REGIONS.iter().filter(|(corner, ..)| board.empty() & corner == 0).fold(0, |set, (_, x, c)| set | x | c);
    difference(board, |own, _| {
        let open = own & !around_taken;
        SQUARES.iter().map(|(weight, squares)| weight * (open & squares).count_ones() as i32).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;

    fn board(text: &str) -> Board {
        obf::position(text).expect("a board").0
    }

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_is_even() {
        let start = board(START);
        for feature in [discs, mobility, potential_mobility, corners, x_squares, c_squares, stability, positional] {
            assert_eq!(feature(start), 0);
        }
    }

    #[test]
    fn every_feature_changes_sign_with_the_side() {
        let black = board("XXXO----XXO---O-XO-XOX---OXXXX----OXO--O---XO-------X----------O X");
        for feature in [discs, mobility, potential_mobility, corners, x_squares, c_squares, stability, positional] {
            assert_eq!(feature(black), -feature(black.passed()));
        }
        assert_eq!(corners(black), 0);
        assert_eq!(discs(black), black.player.count_ones() as i32 - black.opponent.count_ones() as i32);
    }

    #[test]
    fn x_and_c_squares_count_only_beside_empty_corners() {
        let open = board("-X-------X-------------------------------------------------O---- X");
        assert_eq!((x_squares(open), c_squares(open)), (1, 1));
        let taken = board("XX-------X-------------------------------------------------O---- X");
        assert_eq!((x_squares(taken), c_squares(taken)), (0, 0));
    }

    #[test]
    fn stability_grows_from_corners() {
        let corner = board("XXX-----XX------X----------------------------------------------O X");
        assert_eq!(stable_from_corners(corner.player, corner.opponent).count_ones(), 6);
        assert_eq!(stable_from_corners(corner.opponent, corner.player).count_ones(), 1);
        let loose = board("-XXXXXX-XXXXXXXX-----------------------------------------------O X");
        assert_eq!(stable_from_corners(loose.player, loose.opponent), 0);
    }

    #[test]
    fn every_square_has_one_weight() {
        let (count, all) =
            SQUARES.iter().fold((0, 0), |(count, all), (_, squares)| (count + squares.count_ones(), all | squares));
        assert_eq!((count, all), (64, !0));
        // b1, a2 and b2 beside an empty corner, and c3.
        let board = board("-X------XX--------X--------------------------------------------- X");
        assert_eq!(positional(board), -20 - 20 - 40 + 3);
    }

    #[test]
    fn all_discs_of_a_full_board_are_stable() {
        let (own, other) = (0x1234_5678_9abc_def0, !0x1234_5678_9abc_def0);
        assert_eq!(stable_from_corners(own, other), own);
    }
}
