//! Proofs: whether a side can force the capture of the king within some plies, by search of all moves.
//!
//! A question names an attacker, who wants to force it, and a number of plies. The other side defends. Answers hold for
//! any move number that leaves as many plies, so a question about a position without its number answers many. A side
//! without a move has lost if a ply is left: that end counts as a ply.

pub mod certificate;
mod facts;
mod prover;
mod verdict;

pub use prover::Prover;
pub use verdict::{Outcome, Verdict, prove};

use super::board::Board;
use super::squares::KING;
use super::tables::{DRAW, EndgameTables};
use crate::search::types::Side;
use facts::{Facts, UNKNOWN};

/// Whether `attacker` can force the end of the game in its favour within `plies` plies.
#[derive(Clone, Copy, Debug)]
struct Question {
    board: Board,
    attacker: Side,
    plies: u8,
}

impl Question {
    fn new(board: &Board, attacker: Side, plies: u32) -> Question {
        Question { board: *board, attacker, plies: plies.min(u32::from(u8::MAX)) as u8 }
    }

    fn attacker_moves(&self) -> bool {
        self.board.to_move() == self.attacker
    }

    /// The same question after a move.
    fn after(&self, board: Board) -> Question {
        Question { board, plies: self.plies.saturating_sub(1), ..*self }
    }

    /// What is known without a search.
    fn settled(&self, tables: Option<&EndgameTables>) -> Facts {
        let board = &self.board;
        let (attacker_moves, defender) = (self.attacker_moves(), self.attacker.other());
        if board.king(board.to_move()).is_none() {
            return if attacker_moves { Facts::HELD } else { Facts { win: 0, hold: 0 } };
        }
        if board.plies_left() == 0 {
            return Facts { win: UNKNOWN, hold: 0 };
        }
        if board.attacks_king(board.to_move()) {
            return if attacker_moves { Facts { win: 1, hold: 0 } } else { Facts::HELD };
        }
        if let Some(plies) = tables.and_then(|tables| tables.dtm(board)) {
            let attacker_wins = plies != DRAW && (plies % 2 == 1) == attacker_moves;
            return if attacker_wins { Facts { win: plies, hold: plies.saturating_sub(1) } } else { Facts::HELD };
        }
        if attacker_moves {
            // A king with a free neighbour has a move, whatever the attacker moves: the win takes three plies at least.
            let free = board.king(defender).is_some_and(|king| KING[usize::from(king)] & !board.pieces(defender) != 0);
            return Facts { win: UNKNOWN, hold: if free { 2 } else { 0 } };
        }
        if super::movegen::can_move(board) { Facts { win: UNKNOWN, hold: 1 } } else { Facts { win: 1, hold: 0 } }
    }
}
