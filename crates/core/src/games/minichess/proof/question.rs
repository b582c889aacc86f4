//! The questions that proofs ask, and what the rules answer at once.

use super::super::board::{Board, Move};
use super::super::movegen::{all_moves, can_move};
use super::super::tables::{DRAW, EndgameTables};
use super::defence::{after_best_move, while_it_can_move};
use super::facts::{Facts, UNKNOWN};
use crate::search::types::Side;

/// Whether `attacker` can force the end of the game in its favour within `plies` plies.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub board: Board,
    pub attacker: Side,
    pub plies: u8,
}

impl Question {
    pub fn new(board: &Board, attacker: Side, plies: u32) -> Question {
        Question { board: *board, attacker, plies: plies.min(u32::from(u8::MAX)) as u8 }
    }

    pub fn attacker_moves(&self) -> bool {
        self.board.to_move() == self.attacker
    }

    /// The same question after a move.
    pub fn after(&self, mv: Move) -> Question {
        Question { board: self.board.play(mv), plies: self.plies.saturating_sub(1), ..*self }
    }

    /// All moves, and the same question after each.
    pub fn moves(&self) -> Vec<(Move, Question)> {
        self.after_each(&all_moves(&self.board)).collect()
    }

    /// These moves, and the same question after each.
    pub fn after_each<'a>(&'a self, moves: &'a [Move]) -> impl Iterator<Item = (Move, Question)> + 'a {
        moves.iter().map(|&mv| (mv, self.after(mv)))
    }

    /// True if it takes no longer to answer than to look up: the search keeps no such questions in the table.
    pub fn is_shallow(&self) -> bool {
        is_shallow(self.plies, self.attacker_moves())
    }

    /// True if every move leads to a shallow question.
    pub fn leads_to_shallow_ones(&self) -> bool {
        is_shallow(self.plies.saturating_sub(1), !self.attacker_moves())
    }

    /// What an answer to it says of its position.
    pub fn answered(&self, forces: bool) -> Facts {
        match forces {
            true => Facts { win: self.plies, hold: 0 },
            false => Facts { win: UNKNOWN, hold: self.plies },
        }
    }

    /// What is known without a search.
    pub fn settled(&self, tables: Option<&EndgameTables>) -> Facts {
        let board = &self.board;
        let (attacker_moves, defender) = (self.attacker_moves(), self.attacker.other());
        if board.king(board.to_move()).is_none() {
            return if attacker_moves { Facts::HELD } else { Facts { win: 0, hold: 0 } };
        }
        if board.plies_left() == 0 {
            return Facts::NONE;
        }
        if board.attacks_king(board.to_move()) {
            return if attacker_moves { Facts { win: 1, hold: 0 } } else { Facts::HELD };
        }
        if let Some(plies) = tables.and_then(|tables| tables.dtm(board)) {
            let attacker_wins = plies != DRAW && (plies % 2 == 1) == attacker_moves;
            return if attacker_wins { Facts { win: plies, hold: plies.saturating_sub(1) } } else { Facts::HELD };
        }
        match attacker_moves {
            true => Facts { win: UNKNOWN, hold: while_it_can_move(board, defender) },
            false if !can_move(board) => Facts { win: 1, hold: 0 },
            false if self.plies <= 1 => Facts { win: UNKNOWN, hold: 1 },
            false => after_best_move(board),
        }
    }
}

fn is_shallow(plies: u8, attacker_moves: bool) -> bool {
    plies <= if attacker_moves { 4 } else { 5 }
}
