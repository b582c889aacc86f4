//! The textbook's features of a Reversi position: whole numbers, for the side to move, each the
//! mover's count less the opponent's.

use crate::games::reversi::board::Board;
use crate::games::reversi::kernels::portable::moves;
use crate::games::reversi::mobility::{CORNERS, neighbours};

const EDGES: [u64; 4] = [0xff, 0xff << 56, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080];
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

/// Empty squares beside the other side's discs: where moves may appear.
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

/// Discs that can never be turned, as far as corners, edges and their neighbourhood prove it.
pub fn stability(board: Board) -> i32 {
    difference(board, |own, other| stable(own, other).count_ones() as i32)
}

/// Own discs that are safe along all four lines: on each line the disc has the board's edge, or a
/// stable own disc, on one side, or the line is full. Grown from the corners until nothing changes.
pub fn stable(own: u64, other: u64) -> u64 {
    let filled = own | other;
    let full = [full_rows(filled), full_columns(filled), full_diagonals(filled, 9), full_diagonals(filled, 7)];
    let mut stable = 0;
    loop {
        let safe = |shift: u32, up_edge: u64, down_edge: u64, full: u64| {
            (stable << shift & !down_edge) | (stable >> shift & !up_edge) | up_edge | down_edge | full
        };
        let left = EDGES[2];
        let right = EDGES[3];
        let (top, bottom) = (EDGES[0], EDGES[1]);
        let rows = safe(1, right, left, full[0]);
        let columns = safe(8, bottom, top, full[1]);
        let falling = safe(9, right | bottom, left | top, full[2]);
        let rising = safe(7, left | bottom, right | top, full[3]);
        let grown = own & rows & columns & falling & rising;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

fn full_rows(filled: u64) -> u64 {
    let halves = filled & filled >> 1;
    let quarters = halves & halves >> 2;
    (quarters & quarters >> 4 & EDGES[2]) * 0xff
}

fn full_columns(filled: u64) -> u64 {
    let halves = filled & filled.rotate_left(8);
    let quarters = halves & halves.rotate_left(16);
    quarters & quarters.rotate_left(32)
}

/// Squares whose whole diagonal is filled. `step` is 9 for falling diagonals, 7 for rising ones.
fn full_diagonals(filled: u64, step: u32) -> u64 {
    let (up_edge, down_edge) =
        if step == 9 { (EDGES[3] | EDGES[1], EDGES[2] | EDGES[0]) } else { (EDGES[2] | EDGES[1], EDGES[3] | EDGES[0]) };
    let mut gaps = !filled;
    for _ in 0..7 {
        gaps |= (gaps & !up_edge) << step | (gaps & !down_edge) >> step;
    }
    !gaps
}

/// Weights of squares with the squares that have them: corners are worth most, what gives them away costs.
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

/// The sum of the weights of the squares held. Squares around a taken corner weigh nothing: what
/// they gave away is gone.
pub fn positional(board: Board) -> i32 {
    let settled =
        CORNER_REGIONS.iter().filter(|(corner, ..)| board.empty() & corner == 0).fold(0, |set, (_, x, c)| set | x | c);
    difference(board, |own, _| {
        let open = own & !settled;
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
        assert_eq!(stable(corner.player, corner.opponent).count_ones(), 6);
        assert_eq!(stable(corner.opponent, corner.player).count_ones(), 1);
        let loose = board("-XXXXXX-XXXXXXXX-----------------------------------------------O X");
        assert_eq!(stable(loose.player, loose.opponent), 0);
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
    fn full_lines_are_found() {
        for line in 0..8 {
            let (row, column) = (0xff << (8 * line), EDGES[2] << line);
            assert_eq!((full_rows(row), full_columns(column)), (row, column));
            assert_eq!((full_rows(!0 ^ 1 << (8 * line)), full_columns(!0 ^ 1 << line)), (!row, !column));
        }
    }

    #[test]
    fn all_discs_of_a_full_board_are_stable() {
        let (own, other) = (0x1234_5678_9abc_def0, !0x1234_5678_9abc_def0);
        assert_eq!(stable(own, other), own);
        assert_eq!(full_diagonals(!0, 9), !0);
        assert_eq!(full_diagonals(!(1 << 27), 9).count_ones(), 64 - 8);
        assert_eq!(full_diagonals(!(1 << 27), 7).count_ones(), 64 - 7);
    }
}
