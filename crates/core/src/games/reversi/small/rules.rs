//! The rules of Reversi on a small board.

use crate::games::names::{self, GameNames};
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::kernels::portable;
use crate::search::game::Game;
use crate::search::types::{Depth, Score, UNIT};
use arrayvec::ArrayVec;

/// Reversi on a board with this many rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallReversi {
    size: u32,
}

impl SmallReversi {
    /// Four rows of four.
    pub const FOUR: SmallReversi = SmallReversi { size: 4 };
    /// Six rows of six.
    pub const SIX: SmallReversi = SmallReversi { size: 6 };

    /// Rows and columns.
    pub const fn size(self) -> u32 {
        self.size
    }

    /// Its names.
    pub const fn names(self) -> &'static GameNames {
        if self.size == 4 { &names::REVERSI_4X4 } else { &names::REVERSI_6X6 }
    }

    /// The squares that exist.
    pub const fn mask(self) -> u64 {
        let row = (1 << self.size) - 1;
        let mut mask = 0;
        let mut index = 0;
        while index < self.size {
            mask |= row << (8 * index);
            index += 1;
        }
        mask
    }

    /// The four corners.
    pub const fn corners(self) -> u64 {
        let row = 1 | 1 << (self.size - 1);
        row | row << (8 * (self.size - 1))
    }

    /// Legal moves as a set of squares.
    pub fn placements(self, board: Board) -> u64 {
        portable::moves(board.player, board.opponent) & self.mask()
    }

    /// The empty squares.
    pub fn empty(self, board: Board) -> u64 {
        board.empty() & self.mask()
    }

    /// The number of empty squares.
    pub fn empties(self, board: Board) -> u32 {
        self.empty(board).count_ones()
    }

    /// The final disc difference for the side to move when neither side can move: empty squares count for the winner.
    pub fn final_discs(self, board: Board) -> i32 {
        board.final_discs_of((self.size() * self.size()) as i32)
    }
}

impl Game for SmallReversi {
    type Position = Board;
    type Move = Placement;
    type MoveList<T: Clone> = ArrayVec<T, 36>;
    const MOVE_CODES: usize = 65;
    const ENDS_WITHOUT_MOVES: bool = true;

    /// White on the falling diagonal of the four middle squares, black on the other, black to move.
    fn start(&self) -> Board {
        let (low, high) = (self.size / 2 - 1, self.size / 2);
        let square = |column: u32, row: u32| 1 << (8 * row + column);
        Board { player: square(high, low) | square(low, high), opponent: square(low, low) | square(high, high) }
    }

    fn outcome(&self, board: &Board) -> Option<Score> {
        let over = self.placements(*board) == 0 && self.placements(board.passed()) == 0;
        over.then(|| self.final_discs(*board) * UNIT)
    }

    fn moves(&self, board: &Board) -> impl Iterator<Item = Placement> {
        let board = *board;
        let mut squares = self.placements(board);
        let mut pass = squares == 0 && self.placements(board.passed()) != 0;
        std::iter::from_fn(move || {
            if squares == 0 {
                return std::mem::take(&mut pass).then_some(Placement::PASS);
            }
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            let flips = portable::flips(board.player, board.opponent, square);
            Some(Placement { square: square as u8, flips })
        })
    }

    fn play(&self, board: &Board, mv: Placement) -> Board {
        board.after(mv)
    }

    fn key(&self, board: &Board) -> u64 {
        board.hash()
    }

    fn code(&self, mv: Placement) -> u16 {
        u16::from(mv.square)
    }

    fn cost(&self, mv: Placement) -> Depth {
        Depth::from(mv.square != PASS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions after a move by plain rules, square by square; 1 is the side to move, -1 the other.
    fn plain_children(cells: &[i8], size: i32) -> Vec<Vec<i8>> {
        let cell = |x: i32, y: i32| {
            let inside = (0..size).contains(&x) && (0..size).contains(&y);
            if inside { cells[(y * size + x) as usize] } else { 0 }
        };
        let mut children = Vec::new();
        for square in (0..size * size).filter(|&square| cells[square as usize] == 0) {
            let mut after = cells.to_vec();
            for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
                let at = |step: i32| (square % size + step * dx, square / size + step * dy);
                let length = (1..size).take_while(|&step| cell(at(step).0, at(step).1) == -1).count() as i32;
                if length > 0 && cell(at(length + 1).0, at(length + 1).1) == 1 {
                    (1..=length).map(at).for_each(|(x, y)| after[(y * size + x) as usize] = 1);
                    after[square as usize] = 1;
                }
            }
            if after[square as usize] != 0 {
                children.push(after.iter().map(|cell| -cell).collect());
            }
        }
        children
    }

    fn plain_perft(cells: &[i8], size: i32, depth: u32) -> u64 {
        let children = plain_children(cells, size);
        let passed: Vec<i8> = cells.iter().map(|cell| -cell).collect();
        match depth {
            0 => 1,
            _ if !children.is_empty() => children.iter().map(|child| plain_perft(child, size, depth - 1)).sum(),
            _ if plain_children(&passed, size).is_empty() => 1,
            _ => plain_perft(&passed, size, depth - 1),
        }
    }

    fn perft(game: SmallReversi, board: &Board, depth: u32) -> u64 {
        if depth == 0 || game.outcome(board).is_some() {
            return 1;
        }
        game.moves(board).map(|mv| perft(game, &game.play(board, mv), depth - 1)).sum()
    }

    #[test]
    fn the_masked_kernels_count_as_plain_rules_do() {
        for (game, depth) in [(SmallReversi::FOUR, 8), (SmallReversi::SIX, 6)] {
            let (size, start) = (game.size() as i32, game.start());
            let disc = |board: u64, square: i32| (board >> (square / size * 8 + square % size) & 1) as i8;
            let cells: Vec<i8> =
                (0..size * size).map(|square| disc(start.player, square) - disc(start.opponent, square)).collect();
            for depth in 0..=depth {
                assert_eq!(perft(game, &start, depth), plain_perft(&cells, size, depth), "{size} {depth}");
            }
        }
    }

    #[test]
    fn empty_squares_count_for_the_winner() {
        let wiped_out = Board { player: 0b111, opponent: 0 };
        assert_eq!(SmallReversi::FOUR.outcome(&wiped_out), Some(16 * UNIT));
        assert_eq!(SmallReversi::SIX.outcome(&wiped_out.passed()), Some(-36 * UNIT));
        assert_eq!(SmallReversi::SIX.corners() & !SmallReversi::SIX.mask(), 0);
        assert_eq!(SmallReversi::FOUR.mask().count_ones(), 16);
    }
}
