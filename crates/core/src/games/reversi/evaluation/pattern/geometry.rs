//! Geometry of the pattern evaluation: shapes on the board in all their symmetries, and their incremental indices.
//!
//! The squares of a pattern are digits of a number in balanced ternary: the mover's disc counts 1,
//! the opponent's -1, an empty square 0. Seen by the other side every index changes its sign, so a
//! move is one addition for the disc placed, one for each disc flipped, and a negation, in all
//! patterns at once. The family of shapes is that of Michael Buro's Logistello.

use crate::games::reversi::board::{Board, PASS, Placement};
use std::sync::LazyLock;

/// Patterns on the board: instances of the shapes.
pub const PATTERNS: usize = 46;
/// Indices in parallel: the patterns, padded to whole vectors.
pub const LANES: usize = 48;
/// Shapes; the patterns of a shape share their weights.
pub const SHAPES: usize = 11;
/// The most squares of a shape.
pub const MAX_SQUARES: usize = 10;

/// Squares of one instance of each shape, from a1 (0) to h8 (63).
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

/// A shape, and where a stage keeps its weights.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of squares.
    pub size: usize,
    /// Configurations: three to the power of `size`.
    pub configurations: usize,
    /// Offset, in a stage, of the weight of configuration 0 (all squares empty).
    pub offset: usize,
    /// For each digit the digit that a reflection of the shape onto itself maps it to; the identity for shapes without
    /// such a reflection.
    pub mirror: [usize; MAX_SQUARES],
}

/// All that follows from the shapes, computed at compile time.
pub struct Geometry {
    /// The shapes.
    pub shapes: [Shape; SHAPES],
    /// The shape of each pattern.
    pub shape_of: [usize; PATTERNS],
    /// What a disc of the mover on a square adds to each index.
    pub steps: [[i16; LANES]; 64],
    /// Weights of all shapes in one stage.
    pub weights: usize,
}

/// The geometry.
pub static GEOMETRY: Geometry = geometry();
/// Weights of all shapes in one stage.
pub const PATTERN_WEIGHTS: usize = geometry().weights;
/// Offset, in a stage, of the weight of each pattern's configuration 0.
pub const OFFSETS: [i32; PATTERNS] = offsets();

/// A square after one of the eight symmetries of the board.
const fn transformed(square: u8, symmetry: usize) -> u8 {
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
        set |= 1 << transformed(squares[digit], symmetry);
        digit += 1;
    }
    set
}

/// The permutation of digits by a reflection that maps the shape onto itself.
const fn mirror_of(squares: &[u8]) -> [usize; MAX_SQUARES] {
    let mut mirror = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let mut symmetry = 1;
    while symmetry < 8 {
        if set_of(squares, symmetry) == set_of(squares, 0) && transformed(squares[0], symmetry) != squares[0]
            || set_of(squares, symmetry) == set_of(squares, 0) && transformed(squares[1], symmetry) != squares[1]
        {
            let mut digit = 0;
            while digit < squares.len() {
                let mut other = 0;
                while squares[other] != transformed(squares[digit], symmetry) {
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
    let nothing = Shape { size: 0, configurations: 0, offset: 0, mirror: [0; MAX_SQUARES] };
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
            let (mut earlier, mut duplicate) = (0, false);
            while earlier < symmetry {
                duplicate |= seen[earlier] == set;
                earlier += 1;
            }
            seen[symmetry] = set;
            if !duplicate {
                all.shape_of[pattern] = shape;
                let mut digit = 0;
                while digit < squares.len() {
                    all.steps[transformed(squares[digit], symmetry) as usize][pattern] = 3i16.pow(digit as u32);
                    digit += 1;
                }
                pattern += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(pattern == PATTERNS, "every instance of every shape is a pattern");
    all
}

const fn offsets() -> [i32; PATTERNS] {
    let all = geometry();
    let mut offsets = [0; PATTERNS];
    let mut pattern = 0;
    while pattern < PATTERNS {
        assert!(all.shapes[all.shape_of[pattern]].offset < all.weights, "a place within a stage");
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
        let mut mirrored = -half;
        for digit in 0..self.size {
            mirrored += rest % 3 * 3i32.pow(self.mirror[digit] as u32);
            rest /= 3;
        }
        mirrored
    }

    /// Of a configuration and its mirror image, the one under which both are stored in files.
    pub fn representative(&self, index: i32) -> i32 {
        index.min(self.mirrored(index))
    }
}

/// The configurations that files store a value for: the place of each in a stage, and that of its
/// mirror image. Found once: opening an engine unpacks the files of both the linear weights and
/// the network.
pub fn stored_configurations() -> &'static [[u32; 2]] {
    static STORED: LazyLock<Vec<[u32; 2]>> = LazyLock::new(|| {
        let mut stored = Vec::new();
        for shape in &GEOMETRY.shapes {
            let half = (shape.configurations / 2) as i32;
            let place = |index: i32| (shape.offset as i32 + index) as u32;
            for index in -half..=half {
                let mirrored = shape.mirrored(index);
                if index <= mirrored {
                    stored.push([place(index), place(mirrored)]);
                }
            }
        }
        stored
    });
    &STORED
}

/// For the place of each configuration in a stage, the place of the one that is stored for it:
/// itself or its mirror image.
pub fn representatives() -> Vec<u32> {
    let mut representatives = vec![0; PATTERN_WEIGHTS];
    for &[place, mirror] in stored_configurations() {
        representatives[place as usize] = place;
        representatives[mirror as usize] = place;
    }
    representatives
}

/// The indices of all patterns, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct PatternIndices(pub [i16; LANES]);

impl PatternIndices {
    /// The indices of a position, computed from scratch.
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

    /// The indices after a move, for the opponent. Written for the compiler to vectorise, as wide
    /// as the processor level of the recursion that inlines it.
    #[inline(always)]
    pub fn after(&self, mv: Placement) -> PatternIndices {
        let mut indices = self.0;
        if mv.square != PASS {
            let placed = &GEOMETRY.steps[usize::from(mv.square & 63)];
            let mut flipped = [0i16; LANES];
            let mut flips = mv.flips;
            while flips != 0 {
                let steps = &GEOMETRY.steps[flips.trailing_zeros() as usize & 63];
                flips &= flips - 1;
                for lane in 0..LANES {
                    flipped[lane] = flipped[lane].wrapping_add(steps[lane]);
                }
            }
            for lane in 0..LANES {
                indices[lane] = indices[lane].wrapping_add(placed[lane]).wrapping_add(flipped[lane] << 1);
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
    use crate::games::reversi::random_games::random_moves;

    #[test]
    fn incremental_indices_are_those_of_the_position() {
        let moves = random_moves(20);
        assert!(moves.iter().any(|(_, mv)| mv.square == PASS));
        for (board, mv) in moves {
            assert_eq!(PatternIndices::of(board).after(mv), PatternIndices::of(board.after(mv)));
            assert_eq!(PatternIndices::of(board).after(Placement::PASS), PatternIndices::of(board.passed()));
        }
    }

    #[test]
    fn shapes_have_all_their_instances() {
        let mut instances = [0; SHAPES];
        for shape in GEOMETRY.shape_of {
            instances[shape] += 1;
        }
        assert_eq!(instances, [4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        for (square, steps) in GEOMETRY.steps.iter().enumerate() {
            assert!(steps.iter().filter(|&&step| step != 0).count() >= 3, "square {square}");
            assert_eq!(steps[PATTERNS..], [0; LANES - PATTERNS]);
        }
        assert_eq!(GEOMETRY.shapes.iter().map(|shape| shape.configurations).sum::<usize>(), PATTERN_WEIGHTS);
    }

    /// A position and its mirror images have the same configurations in each shape, up to their
    /// mirror images.
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
            (0..64)
                .filter(|square| set >> square & 1 != 0)
                .fold(0, |all, square| all | 1 << transformed(square, symmetry))
        };
        for symmetry in 0..8 {
            let image = Board { player: map(board.player, symmetry), opponent: map(board.opponent, symmetry) };
            assert_eq!(used(image), used(board), "symmetry {symmetry}");
        }
    }
}
