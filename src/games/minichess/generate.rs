//! The moves of a position, captures before quiet moves.

use super::board::{Board, Kind, Move};
use super::squares::{KING, KNIGHT, PAWN, STEP, Set, Square, Squares, bit, diagonal, rook};
use crate::search::game::{MAX_MOVES, Side};
use arrayvec::ArrayVec;

/// Every move of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Every move of a position, captures first.
#[inline(always)]
pub fn all_moves(board: &Board) -> MoveList {
    let mut list = MoveList::new();
    captures(
        board,
        #[inline(always)]
        |mv| list.push(mv),
    );
    quiet_moves(
        board,
        #[inline(always)]
        |mv| list.push(mv),
    );
    list
}

/// Squares one step ahead of a set, for its side.
#[inline(always)]
pub fn ahead(side: Side, set: Set) -> Set {
    if side == Side::First { set << 5 & super::squares::ALL } else { set >> 5 }
}

/// Squares that a man attacks, whatever stands there. Pawns: where they capture.
#[inline(always)]
pub fn attacks(side: Side, kind: Kind, from: Square, occupied: Set) -> Set {
    let index = usize::from(from);
    match kind {
        Kind::Pawn => PAWN[side.index()][index],
        Kind::Knight => KNIGHT[index],
        Kind::Bishop => diagonal(from, occupied),
        Kind::Rook => rook(from, occupied),
        Kind::Queen => diagonal(from, occupied) | rook(from, occupied),
        Kind::King => KING[index],
    }
}

/// Squares that a man may move to without capturing.
#[inline(always)]
fn quiet_targets(side: Side, kind: Kind, from: Square, occupied: Set) -> Set {
    let reached = match kind {
        Kind::Pawn => ahead(side, bit(from)),
        Kind::Bishop => diagonal(from, occupied) | STEP[usize::from(from)],
        _ => attacks(side, kind, from, occupied),
    };
    reached & !occupied
}

/// Calls `each` with all captures, a capture of the king included.
#[inline(always)]
pub fn captures(board: &Board, mut each: impl FnMut(Move)) {
    let side = board.to_move();
    let targets = board.men(side.other());
    for kind in Kind::ALL {
        for from in Squares(board.of(side, kind)) {
            for to in Squares(attacks(side, kind, from, board.occupied()) & targets) {
                each(Move { from, to, kind, taken: Some(board.kind_at(to)), side });
            }
        }
    }
}

/// Calls `each` with all moves that capture nothing.
#[inline(always)]
pub fn quiet_moves(board: &Board, mut each: impl FnMut(Move)) {
    let side = board.to_move();
    for kind in Kind::ALL {
        for from in Squares(board.of(side, kind)) {
            for to in Squares(quiet_targets(side, kind, from, board.occupied())) {
                each(Move { from, to, kind, taken: None, side });
            }
        }
    }
}

/// Calls `each` with the moves of pawns that become queens without capturing.
#[inline(always)]
pub fn quiet_promotions(board: &Board, mut each: impl FnMut(Move)) {
    let side = board.to_move();
    let goal = if side == Side::First { super::squares::LAST_RANK } else { super::squares::FIRST_RANK };
    for to in Squares(ahead(side, board.of(side, Kind::Pawn)) & goal & board.empty_squares()) {
        let from = if side == Side::First { to - 5 } else { to + 5 };
        each(Move { from, to, kind: Kind::Pawn, taken: None, side });
    }
}

/// The move of a code (side, from, to: 1, 5 and 5 bits) if it can be made here.
#[inline(always)]
pub fn decoded(board: &Board, code: u16) -> Option<Move> {
    let (from, to) = ((code >> 5 & 31) as Square, (code & 31) as Square);
    let side = board.to_move();
    if code >> 10 != side as u16 || bit(from) & board.men(side) == 0 {
        return None;
    }
    let kind = board.kind_at(from);
    let taken = if bit(to) & board.men(side.other()) != 0 { Some(board.kind_at(to)) } else { None };
    let reached = match taken {
        Some(_) => attacks(side, kind, from, board.occupied()),
        None => quiet_targets(side, kind, from, board.occupied()),
    };
    (reached & bit(to) != 0).then_some(Move { from, to, kind, taken, side })
}

/// True if the side to move can move at all. It nearly always can: the cheap signs come first.
#[inline(always)]
pub fn can_move(board: &Board) -> bool {
    let side = board.to_move();
    let steps = ahead(side, board.of(side, Kind::Pawn)) & board.empty_squares();
    let king = match board.king(side) {
        Some(king) => KING[usize::from(king)],
        None => 0,
    };
    steps | king & !board.men(side) != 0 || some_man_can_move(board)
}

#[cold]
fn some_man_can_move(board: &Board) -> bool {
    let mut some = false;
    captures(board, |_| some = true);
    quiet_moves(board, |_| some = true);
    some
}
