//! The lines of a board, the points near a point, the keys of stones: all that depends only on the
//! board's size.

use super::pattern::{REACH, first_window, ternary};
use super::point_set::{MAX_POINTS, PointSet};
use super::rule::Rule;
use flipside_support::random::Random;
use std::sync::OnceLock;

/// The largest board.
pub const MAX_SIZE: usize = 20;
/// Rows, columns and both kinds of diagonals of the largest board.
pub const MAX_LINES: usize = 2 * MAX_SIZE + 2 * (2 * MAX_SIZE - 1);
/// Row, column, both diagonals.
pub const DIRECTIONS: usize = 4;
/// Moves are tried up to this many points beside a stone.
const NEAR: usize = 2;

/// A point's place in a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// The line.
    pub line: u8,
    /// The point's place in it, from 0.
    pub at: u8,
    /// The places off the board around the point, as part of a
    /// [window](super::pattern_table::PatternTable::number)'s number.
    pub wall: u32,
}

/// The ten points around a place of a line, five bits on each side of it.
#[inline(always)]
pub fn around(line: u32, at: usize) -> u32 {
    line >> at & 31 | line >> at >> 1 & 0x3e0
}

/// What all positions of one size share, under rules with the same edge.
pub struct Geometry {
    /// Points a side.
    pub size: usize,
    /// For each point its places in the four lines through it.
    pub places: Box<[[Place; DIRECTIONS]]>,
    /// For each line the places off the board, as bits that begin [`REACH`] places before the first.
    pub walls: [u32; MAX_LINES],
    /// From a point to the next one of a line.
    pub steps: [isize; DIRECTIONS],
    /// For each point the points near it.
    pub near: Box<[PointSet]>,
    /// For each point its distance from the edge in points.
    pub central: Box<[u8]>,
    /// Zobrist keys of the stones, by player and point.
    pub keys: Box<[[u64; MAX_POINTS]; 2]>,
    /// Zobrist key of the player to move.
    pub turn_key: u64,
}

impl Geometry {
    /// The board of 15 points a side, or of 20, for a rule.
    pub fn of(size: usize, rule: Rule) -> &'static Geometry {
        static BOARDS: [[OnceLock<Geometry>; 2]; 2] = [const { [const { OnceLock::new() }; 2] }; 2];
        let edge_blocks = !rule.blocks_fives();
        let (board, size) = if size == MAX_SIZE { (&BOARDS[1], MAX_SIZE) } else { (&BOARDS[0], 15) };
        board[usize::from(edge_blocks)].get_or_init(|| Geometry::new(size, edge_blocks))
    }

    fn new(size: usize, edge_blocks: bool) -> Geometry {
        let points = size * size;
        let diagonals = 2 * size - 1;
        let place = |point: usize| {
            let (column, row) = (point % size, point / size);
            let lines = [row, size + column, 2 * size + size - 1 + column - row, 2 * size + diagonals + column + row];
            std::array::from_fn(|direction| Place {
                line: lines[direction] as u8,
                at: if direction == 1 { row } else { column } as u8,
                wall: 0,
            })
        };
        let mut places: Box<[[Place; DIRECTIONS]]> = (0..points).map(place).collect();
        let mut walls = [u32::MAX; MAX_LINES];
        for Place { line, at, .. } in places.iter().flatten() {
            walls[usize::from(*line)] &= !(1 << (usize::from(*at) + REACH));
        }
        for place in places.iter_mut().flatten() {
            let off_board = around(walls[usize::from(place.line)], usize::from(place.at));
            place.wall = if edge_blocks { 2 * ternary(off_board) } else { first_window(off_board) };
        }
        let near = |point: usize| {
            let mut set = PointSet::EMPTY;
            for other in 0..points {
                let is_near =
                    (point % size).abs_diff(other % size) <= NEAR && (point / size).abs_diff(other / size) <= NEAR;
                set.set(other, is_near);
            }
            set
        };
        let central = |point: usize| {
            let from_edge = |place: usize| place.min(size - 1 - place);
            from_edge(point % size).min(from_edge(point / size)) as u8
        };
        let mut random = Random(0x60_40_c0 + size as u64);
        let step = size as isize;
        Geometry {
            size,
            places,
            walls,
            steps: [1, step, step + 1, 1 - step],
            near: (0..points).map(near).collect(),
            central: (0..points).map(central).collect(),
            keys: Box::new(std::array::from_fn(|_| std::array::from_fn(|_| random.bits()))),
            turn_key: random.bits(),
        }
    }
}
