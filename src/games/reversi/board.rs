//! The rules of Reversi on two words.

use super::kernels::Kernels;
use crate::search::game::Game;
use crate::search::level::Base;
use crate::search::types::{Depth, Score, UNIT};
use std::marker::PhantomData;

/// Number of squares.
pub const SQUARES: u32 = 64;
/// The pass, as a square number.
pub const PASS: u8 = 64;

/// A position: the discs of the side to move and of its opponent. Bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The usual start: white on d4 and e5, black on e4 and d5, black to move.
    pub const START: Board = Board { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };

    /// The empty squares.
    #[inline(always)]
    pub fn empty(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// How many squares are empty.
    #[inline(always)]
    pub fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The same board seen by the opponent.
    #[inline(always)]
    pub fn passed(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// The board after a placement, seen by the opponent.
    #[inline(always)]
    pub fn after(self, mv: Placement) -> Board {
        if mv.square == PASS {
            return self.passed();
        }
        Board { player: self.opponent ^ mv.flips, opponent: self.player ^ mv.flips ^ (1 << mv.square) }
    }

    /// The final disc difference for the side to move if nobody can move any more: empty squares
    /// go to the winner.
    #[inline(always)]
    pub fn final_discs(self) -> i32 {
        let own = self.player.count_ones() as i32;
        let other = self.opponent.count_ones() as i32;
        let empties = 64 - own - other;
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => own - other + empties,
            std::cmp::Ordering::Less => own - other - empties,
            std::cmp::Ordering::Equal => 0,
        }
    }

    /// A hash of both words.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        let a = self.player.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let b = self.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let mixed = (a ^ (a >> 32)).wrapping_add(b.rotate_left(29));
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 32)
    }
}

/// A move: the square (64 for a pass) and the discs it turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// 0..=63, or [`PASS`].
    pub square: u8,
    /// The opponent's discs that are turned; 0 only for a pass.
    pub flips: u64,
}

impl Placement {
    /// The pass.
    pub const PASS: Placement = Placement { square: PASS, flips: 0 };
}

/// Reversi on 8x8, its kernels chosen by type.
#[derive(Debug)]
pub struct Reversi<K: Kernels>(PhantomData<K>);

impl<K: Kernels> Clone for Reversi<K> {
    /// Whoever has the game has the promise about the processor.
    fn clone(&self) -> Self {
        Reversi(PhantomData)
    }
}

impl Reversi<Base> {
    /// The game for any processor.
    pub fn portable() -> Reversi<Base> {
        Reversi(PhantomData)
    }
}

impl<K: Kernels> Reversi<K> {
    /// The game, compiled for a processor level.
    ///
    /// # Safety
    /// The processor must have the features of the level `K`.
    pub unsafe fn new() -> Reversi<K> {
        Reversi(PhantomData)
    }

    /// The squares where the player may place a disc.
    #[inline(always)]
    pub fn placements(&self, board: Board) -> u64 {
        // SAFETY: whoever made this value promised that the processor has the level's features.
        unsafe { K::moves(board.player, board.opponent) }
    }

    /// The discs that a disc on the empty square turns.
    #[inline(always)]
    pub fn flips(&self, board: Board, square: u8) -> u64 {
        // SAFETY: whoever made this value promised that the processor has the level's features.
        unsafe { K::flips(board.player, board.opponent, u32::from(square)) }
    }
}

/// Lazily turns a set of squares into moves, in reading order; a forced pass if there is none.
struct Placements<'a, K: Kernels> {
    game: &'a Reversi<K>,
    board: Board,
    squares: u64,
    pass: bool,
}

impl<K: Kernels> Iterator for Placements<'_, K> {
    type Item = Placement;

    #[inline(always)]
    fn next(&mut self) -> Option<Placement> {
        if self.squares != 0 {
            let square = self.squares.trailing_zeros() as u8;
            self.squares &= self.squares - 1;
            return Some(Placement { square, flips: self.game.flips(self.board, square) });
        }
        std::mem::take(&mut self.pass).then_some(Placement::PASS)
    }
}

impl<K: Kernels> Game for Reversi<K> {
    type Position = Board;
    type Move = Placement;
    const ENDS_WITHOUT_MOVES: bool = true;

    fn start(&self) -> Board {
        Board::START
    }

    #[inline(always)]
    fn outcome(&self, board: &Board) -> Option<Score> {
        let over = self.placements(*board) == 0 && self.placements(board.passed()) == 0;
        over.then(|| board.final_discs() * UNIT)
    }

    #[inline(always)]
    fn moves(&self, board: &Board) -> impl Iterator<Item = Placement> {
        let squares = self.placements(*board);
        let pass = squares == 0 && self.placements(board.passed()) != 0;
        Placements { game: self, board: *board, squares, pass }
    }

    #[inline(always)]
    fn play(&self, board: &Board, mv: Placement) -> Board {
        board.after(mv)
    }

    #[inline(always)]
    fn key(&self, board: &Board) -> u64 {
        board.hash()
    }

    #[inline(always)]
    fn code(&self, mv: Placement) -> u16 {
        u16::from(mv.square)
    }

    #[inline(always)]
    fn cost(&self, mv: Placement) -> Depth {
        Depth::from(mv.square != PASS)
    }
}
