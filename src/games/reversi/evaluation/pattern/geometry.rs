//! The patterns of the learned evaluation: shapes on the board in all their symmetries, and their
//! incremental indices.
//!
//! The squares of a pattern are digits of a number in base three, balanced: the mover's disc counts
//! 1, the opponent's -1, an empty square 0. Seen by the other side every index changes its sign, so
//! that a move is one addition for the disc placed, one for each disc turned, and a negation, in all
//! patterns at once. The family of shapes is that of Michael Buro's Logistello.

use crate::games::reversi::board::{Board, PASS, Placement};

/// Patterns on the board.
pub const PATTERNS: usize = 46;
/// PatternIndices kept side by side: the patterns, filled up to whole vectors.
pub const LANES: usize = 48;
/// Shapes; the patterns of a shape share their weights.
pub const SHAPES: usize = 11;
/// The most squares of a shape.
pub const MOST_SQUARES: usize = 10;

/// Squares of each shape at one of its places, from a1 (0) to h8 (63).
const SQUARES: [&[u8]; SHAPES] = [
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// A shape with its weights' place in a stage.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of squares.
    pub size: usize,
    /// Configurations: three to the power of `size`.
    pub configurations: usize,
    /// Where the weights of configuration 0 (all squares empty) are.
    pub offset: usize,
    /// For each digit the digit that a reflection onto itself turns it into; the identity for
    /// shapes without one.
    pub mirror: [usize; MOST_SQUARES],
}

/// Everything about the patterns that is known before the first game.
pub struct Geometry {
    /// The shapes.
    pub shapes: [Shape; SHAPES],
    /// The shape of each pattern.
    pub shape_of: [usize; PATTERNS],
    /// What a disc on a square adds to each index.
    pub steps: [[i16; LANES]; 64],
    /// Weights of all shapes in one stage.
    pub weights: usize,
}

/// The geometry, worked out by the compiler.
pub static GEOMETRY: Geometry = geometry();
/// Weights of all shapes in one stage.
pub const PATTERN_WEIGHTS: usize = geometry().weights;
/// Where the weights of each pattern's configuration 0 are.
pub const OFFSETS: [i32; PATTERNS] = offsets();

/// A square after one of the eight symmetries of the board.
const fn turned(square: u8, symmetry: usize) -> u8 {
    let (mut column, mut row) = (square % 8, square / 8);
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 { column * 8 + row } else { row * 8 + column }
}

const fn set_of(squares: &[u8], symmetry: usize) -> u64 {
    let (mut set, mut digit) = (0, 0);
    while digit < squares.len() {
        set |= 1 << turned(squares[digit], symmetry);
        digit += 1;
    }
    set
}

/// How a reflection that maps the shape onto itself moves its digits.
const fn mirror_of(squares: &[u8]) -> [usize; MOST_SQUARES] {
    let mut mirror = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let mut symmetry = 1;
    while symmetry < 8 {
        if set_of(squares, symmetry) == set_of(squares, 0) && turned(squares[0], symmetry) != squares[0]
            || set_of(squares, symmetry) == set_of(squares, 0) && turned(squares[1], symmetry) != squares[1]
        {
            let mut digit = 0;
            while digit < squares.len() {
                let mut other = 0;
                while squares[other] != turned(squares[digit], symmetry) {
                    other += 1;
                }
                mirror[digit] = other;
                digit += 1;
            }
            return mirror;
        }
        symmetry += 1;
    }
    mirror
}

const fn geometry() -> Geometry {
    let nothing = Shape { size: 0, configurations: 0, offset: 0, mirror: [0; MOST_SQUARES] };
    let mut all = Geometry { shapes: [nothing; SHAPES], shape_of: [0; PATTERNS], steps: [[0; LANES]; 64], weights: 0 };
    let (mut shape, mut pattern) = (0, 0);
    while shape < SHAPES {
        let squares = SQUARES[shape];
        let configurations = 3usize.pow(squares.len() as u32);
        all.shapes[shape] = Shape {
            size: squares.len(),
            configurations,
            offset: all.weights + configurations / 2,
            mirror: mirror_of(squares),
        };
        all.weights += configurations;
        let mut seen = [0u64; 8];
        let mut symmetry = 0;
        while symmetry < 8 {
            let set = set_of(squares, symmetry);
            let (mut earlier, mut known) = (0, false);
            while earlier < symmetry {
                known |= seen[earlier] == set;
                earlier += 1;
            }
            seen[symmetry] = set;
            if !known {
                all.shape_of[pattern] = shape;
                let mut digit = 0;
                while digit < squares.len() {
                    all.steps[turned(squares[digit], symmetry) as usize][pattern] = 3i16.pow(digit as u32);
                    digit += 1;
                }
                pattern += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(pattern == PATTERNS, "every place of every shape is a pattern");
    all
}

const fn offsets() -> [i32; PATTERNS] {
    let all = geometry();
    let mut offsets = [0; PATTERNS];
    let mut pattern = 0;
    while pattern < PATTERNS {
        offsets[pattern] = all.shapes[all.shape_of[pattern]].offset as i32;
        pattern += 1;
    }
    offsets
}

impl Shape {
    /// The index of the mirrored configuration.
    pub fn mirrored(&self, index: i32) -> i32 {
        let half = (self.configurations / 2) as i32;
        let mut rest = index + half;
        let mut turned = -half;
        for digit in 0..self.size {
            turned += rest % 3 * 3i32.pow(self.mirror[digit] as u32);
            rest /= 3;
        }
        turned
    }

    /// Of a configuration and its mirror image, the one that has the weight of both.
    pub fn representative(&self, index: i32) -> i32 {
        index.min(self.mirrored(index))
    }
}

/// The indices of all patterns, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct PatternIndices(pub [i16; LANES]);

impl PatternIndices {
    /// The indices of a position, from nothing.
    pub fn of(board: Board) -> PatternIndices {
        let mut indices = [0i16; LANES];
        for (square, steps) in GEOMETRY.steps.iter().enumerate() {
            let sign = (board.player >> square & 1) as i16 - (board.opponent >> square & 1) as i16;
            for (index, step) in indices.iter_mut().zip(steps) {
                *index += sign * step;
            }
        }
        PatternIndices(indices)
    }

    /// The indices after a move, for the opponent. Written for the compiler to make vectors of,
    /// as wide as the level of the recursion that calls it.
    #[inline(always)]
    pub fn after(&self, mv: Placement) -> PatternIndices {
        let mut indices = self.0;
        if mv.square != PASS {
            let placed = &GEOMETRY.steps[usize::from(mv.square & 63)];
            let mut turned = [0i16; LANES];
            let mut flips = mv.flips;
            while flips != 0 {
                let steps = &GEOMETRY.steps[flips.trailing_zeros() as usize & 63];
                flips &= flips - 1;
                for lane in 0..LANES {
                    turned[lane] = turned[lane].wrapping_add(steps[lane]);
                }
            }
            for lane in 0..LANES {
                indices[lane] = indices[lane].wrapping_add(placed[lane]).wrapping_add(turned[lane] << 1);
            }
        }
        for index in &mut indices {
            *index = index.wrapping_neg();
        }
        PatternIndices(indices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::kernels::portable;
    use crate::support::random::Random;

    /// Every position of some random games, with the move that follows.
    pub fn random_moves(games: u64) -> Vec<(Board, Placement)> {
        let mut moves = Vec::new();
        for seed in 0..games {
            let mut random = Random(seed);
            let mut board = Board::START;
            loop {
                let places = portable::moves(board.player, board.opponent);
                let mv = if places != 0 {
                    let squares: Vec<u8> = (0..64).filter(|square| places >> square & 1 != 0).collect();
                    let square = squares[random.below(squares.len())];
                    Placement { square, flips: portable::flips(board.player, board.opponent, u32::from(square)) }
                } else if portable::moves(board.opponent, board.player) != 0 {
                    Placement::PASS
                } else {
                    break;
                };
                moves.push((board, mv));
                board = board.after(mv);
            }
        }
        moves
    }

    #[test]
    fn indices_are_carried_along_every_move() {
        let moves = random_moves(20);
        assert!(moves.iter().any(|(_, mv)| mv.square == PASS));
        for (board, mv) in moves {
            assert_eq!(PatternIndices::of(board).after(mv), PatternIndices::of(board.after(mv)));
            assert_eq!(PatternIndices::of(board).after(Placement::PASS), PatternIndices::of(board.passed()));
        }
    }

    #[test]
    fn shapes_cover_the_board_in_all_their_places() {
        let mut places = [0; SHAPES];
        for shape in GEOMETRY.shape_of {
            places[shape] += 1;
        }
        assert_eq!(places, [4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        for (square, steps) in GEOMETRY.steps.iter().enumerate() {
            assert!(steps.iter().filter(|&&step| step != 0).count() >= 3, "square {square}");
            assert_eq!(steps[PATTERNS..], [0; LANES - PATTERNS]);
        }
        assert_eq!(GEOMETRY.shapes.iter().map(|shape| shape.configurations).sum::<usize>(), PATTERN_WEIGHTS);
    }

    /// A position and its mirror images have the same configurations, up to the mirror images of
    /// those, in each shape.
    #[test]
    fn symmetric_positions_share_their_weights() {
        let (board, _) = random_moves(1)[30];
        let used = |board: Board| {
            let indices = PatternIndices::of(board);
            let mut used: Vec<(usize, i32)> = (0..PATTERNS)
                .map(|pattern| {
                    let shape = GEOMETRY.shape_of[pattern];
                    (shape, GEOMETRY.shapes[shape].representative(i32::from(indices.0[pattern])))
                })
                .collect();
            used.sort_unstable();
            used
        };
        let map = |set: u64, symmetry| {
            (0..64).filter(|square| set >> square & 1 != 0).fold(0, |all, square| all | 1 << turned(square, symmetry))
        };
        for symmetry in 0..8 {
            let image = Board { player: map(board.player, symmetry), opponent: map(board.opponent, symmetry) };
            assert_eq!(used(image), used(board), "symmetry {symmetry}");
        }
    }
}
