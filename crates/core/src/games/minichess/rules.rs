//! The rules of MiniChess for the search.

use super::board::{Board, LAST_NUMBER, Move, Piece};
use super::movegen::{MAX_MOVES, Moves, all_moves, can_move};
use crate::search::game::Game;
use crate::search::types::{Score, WIN};
use arrayvec::ArrayVec;

/// MiniChess.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiniChess;

impl Game for MiniChess {
    type Position = Board;
    type Move = Move;
    type MoveList<T: Clone> = ArrayVec<T, MAX_MOVES>;
    const MOVE_CODES: usize = 1 << 11;

    fn start(&self) -> Board {
        Board::start()
    }

    /// In this order: a captured king; the draw by the move limit; no legal move, which loses.
    #[inline(always)]
    fn outcome(&self, board: &Board) -> Option<Score> {
        let side = board.to_move();
        if board.of(side, Piece::King) == 0 {
            return Some(-WIN);
        }
        if board.of(side.other(), Piece::King) == 0 {
            return Some(WIN);
        }
        if board.number() >= LAST_NUMBER {
            return Some(0);
        }
        if can_move(board) { None } else { Some(-WIN) }
    }

    #[inline(always)]
    fn moves(&self, board: &Board) -> impl Iterator<Item = Move> {
        let is_running = board.all_of(Piece::King).count_ones() == 2 && board.number() < LAST_NUMBER;
        let list = if is_running { all_moves(board) } else { Moves::new() };
        list.into_iter()
    }

    #[inline(always)]
    fn play(&self, board: &Board, mv: Move) -> Board {
        board.play(mv)
    }

    #[inline(always)]
    fn key(&self, board: &Board) -> u64 {
        board.key()
    }

    #[inline(always)]
    fn key_after(&self, board: &Board, mv: Move) -> Option<u64> {
        Some(board.key_after(mv))
    }

    /// Side, from and to: 1, 5 and 5 bits.
    #[inline(always)]
    fn code(&self, mv: Move) -> u16 {
        (mv.side as u16) << 10 | u16::from(mv.from) << 5 | u16::from(mv.to)
    }
}
