//! The rules of Reversi for the search, compiled for a processor level.

use super::board::{Board, PASS, Placement};
use super::kernels::Kernels;
use crate::search::game::Game;
use crate::search::level::{Base, Supported};
use crate::search::types::{Depth, Score, UNIT};
use arrayvec::ArrayVec;

/// Reversi on 8x8 for a processor level, with the proof that the processor has the level's features.
#[derive(Debug)]
pub struct Reversi<K: Kernels = Base>(Supported<K>);

impl<K: Kernels> Clone for Reversi<K> {
    fn clone(&self) -> Self {
        Reversi(self.0)
    }
}

impl Reversi<Base> {
    /// The rules for any processor.
    pub fn portable() -> Reversi<Base> {
        Reversi(Supported::BASE)
    }
}

impl<K: Kernels> Reversi<K> {
    /// The rules, compiled for a processor level.
    pub fn new(level: Supported<K>) -> Reversi<K> {
        Reversi(level)
    }

    /// The processor level.
    pub fn level(&self) -> Supported<K> {
        self.0
    }

    /// Runs `job`, compiled for the processor level as far as it is inlined here: mark closures `#[inline(always)]`.
    #[inline(always)]
    pub fn inside<R>(&self, job: impl FnOnce() -> R) -> R {
        self.0.inside(job)
    }

    /// Legal moves as a set of squares.
    #[inline(always)]
    pub fn placements(&self, board: Board) -> u64 {
        // SAFETY: this value holds the proof that the processor has the level's features.
        unsafe { K::moves(board.player, board.opponent) }
    }

    /// The discs that a disc on the empty square flips.
    #[inline(always)]
    pub fn flips(&self, board: Board, square: u8) -> u64 {
        // SAFETY: this value holds the proof that the processor has the level's features.
        unsafe { K::flips(board.player, board.opponent, u32::from(square)) }
    }
}

/// The moves of a set of squares, in reading order, each made when it is asked for; a forced pass
/// if the set is empty.
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
    type MoveList<T: Clone> = ArrayVec<T, 64>;
    const MOVE_CODES: usize = 65;
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
