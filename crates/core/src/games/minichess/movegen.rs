//! Move generation: captures, quiet moves, promotions, and the legality of a transposition table
//! move.

use super::board::{Board, Move, Piece};
use super::squares::{
    ALL, FILE_A, FILE_E, FIRST_RANK, KING, KNIGHT, LAST_RANK, PAWN, SQUARES, STEP, Set, Square, Squares, bit, diagonal,
    rook, screens,
};
use crate::search::types::Side;
use arrayvec::ArrayVec;

/// The most pieces of a side: no game makes more, and [`state_text`](super::state_text) refuses
/// more.
pub const MAX_SIDE_PIECES: usize = 10;
/// The most squares that a piece reaches: a queen in the middle of an empty board.
const MAX_REACH: usize = 17;
/// More moves than any position has.
pub const MAX_MOVES: usize = MAX_SIDE_PIECES * MAX_REACH;

/// The moves of a position.
pub type Moves = ArrayVec<Move, MAX_MOVES>;

/// Every move of a position, captures first.
#[inline(always)]
pub fn all_moves(board: &Board) -> Moves {
    let mut list = Moves::new();
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

/// The number of moves of a position.
#[inline(always)]
pub fn count_moves(board: &Board) -> u32 {
    let side = board.to_move();
    let (targets, empty) = (board.pieces(side.other()), board.empty_squares());
    let pawns = board.of(side, Piece::Pawn);
    let [left, right] = pawn_attacks_each_way(side, pawns);
    let pieces = Squares(board.pieces(side) & !pawns).map(|from| {
        let kind = board.kind_at(from);
        let captures = attacks(side, kind, from, board.occupied()) & targets;
        (captures | piece_steps(side, kind, from, board.occupied()) & empty).count_ones()
    });
    let of_pawns =
        pawn_steps(board, side).count_ones() + (left & targets).count_ones() + (right & targets).count_ones();
    of_pawns + pieces.sum::<u32>()
}

/// The squares one step ahead of a set, as a side moves.
#[inline(always)]
pub fn ahead(side: Side, set: Set) -> Set {
    if side == Side::First { set << 5 & ALL } else { set >> 5 }
}

/// The empty squares that pawns of a side may step to.
#[inline(always)]
pub fn pawn_steps(board: &Board, side: Side) -> Set {
    ahead(side, board.of(side, Piece::Pawn)) & board.empty_squares()
}

/// The square one step behind a square, as a side moves.
#[inline(always)]
fn behind(side: Side, to: Square) -> Square {
    if side == Side::First { to - 5 } else { to + 5 }
}

/// The squares that a side's pawns attack. With the other side it gives the squares from which pawns attack these.
#[inline(always)]
pub fn pawn_attacks(side: Side, pawns: Set) -> Set {
    let [left, right] = pawn_attacks_each_way(side, pawns);
    left | right
}

/// The squares that a side's pawns attack on the next file to the left, and on that to the right.
#[inline(always)]
fn pawn_attacks_each_way(side: Side, pawns: Set) -> [Set; 2] {
    let forward = ahead(side, pawns);
    [(forward & !FILE_A) >> 1, (forward & !FILE_E) << 1]
}

/// The squares that a piece attacks, empty or not; those of a pawn are where it captures.
#[inline(always)]
pub fn attacks(side: Side, kind: Piece, from: Square, occupied: Set) -> Set {
    let index = usize::from(from);
    LEAPS[side.index()][kind as usize][index] | slides(kind, from, occupied)
}

/// Attacks of pieces that do not slide, by side and kind.
static LEAPS: [[[Set; SQUARES]; 6]; 2] = {
    const NONE: [Set; SQUARES] = [0; SQUARES];
    [[PAWN[0], KNIGHT, NONE, NONE, NONE, KING], [PAWN[1], KNIGHT, NONE, NONE, NONE, KING]]
};

/// Attacks of sliding pieces. Branchless, because the kind of the next piece is hard to predict.
#[inline(always)]
fn slides(kind: Piece, from: Square, occupied: Set) -> Set {
    const BISHOP_LIKE: [Set; 6] = [0, 0, ALL, 0, ALL, 0];
    const ROOK_LIKE: [Set; 6] = [0, 0, 0, ALL, ALL, 0];
    diagonal(from, occupied) & BISHOP_LIKE[kind as usize] | rook(from, occupied) & ROOK_LIKE[kind as usize]
}

/// The squares that a piece may move to without capturing.
#[inline(always)]
fn quiet_targets(side: Side, kind: Piece, from: Square, occupied: Set) -> Set {
    let reached = match kind {
        Piece::Pawn => ahead(side, bit(from)),
        _ => piece_steps(side, kind, from, occupied),
    };
    reached & !occupied
}

/// The squares that a piece other than a pawn may move to if they are empty: attacks, and the bishop's steps.
#[inline(always)]
fn piece_steps(side: Side, kind: Piece, from: Square, occupied: Set) -> Set {
    const STEPPING: [Set; 6] = [0, 0, ALL, 0, 0, 0];
    attacks(side, kind, from, occupied) | STEP[usize::from(from)] & STEPPING[kind as usize]
}

/// Calls `each` with all captures, a capture of the king included.
#[inline(always)]
pub fn captures(board: &Board, mut each: impl FnMut(Move)) {
    let side = board.to_move();
    let targets = board.pieces(side.other());
    let pawns = board.of(side, Piece::Pawn);
    for from in Squares(pawns & pawn_attacks(side.other(), targets)) {
        for to in Squares(PAWN[side.index()][usize::from(from)] & targets) {
            each(Move::new(side, Piece::Pawn, from, to, Some(board.kind_at(to))));
        }
    }
    for from in Squares(board.pieces(side) & !pawns) {
        let kind = board.kind_at(from);
        for to in Squares(attacks(side, kind, from, board.occupied()) & targets) {
            each(Move { from, to, piece: kind, arrives: kind, captured: Some(board.kind_at(to)), side });
        }
    }
}

/// Calls `each` with all moves that do not capture.
#[inline(always)]
pub fn quiet_moves(board: &Board, mut each: impl FnMut(Move)) {
    let side = board.to_move();
    let pawns = board.of(side, Piece::Pawn);
    for to in Squares(pawn_steps(board, side)) {
        each(Move::new(side, Piece::Pawn, behind(side, to), to, None));
    }
    for from in Squares(board.pieces(side) & !pawns) {
        let kind = board.kind_at(from);
        for to in Squares(piece_steps(side, kind, from, board.occupied()) & board.empty_squares()) {
            each(Move { from, to, piece: kind, arrives: kind, captured: None, side });
        }
    }
}

/// Calls `each` with promotions that do not capture.
#[inline(always)]
pub fn quiet_promotions(board: &Board, mut each: impl FnMut(Move)) {
    let side = board.to_move();
    let goal = if side == Side::First { LAST_RANK } else { FIRST_RANK };
    for to in Squares(pawn_steps(board, side) & goal) {
        each(Move::new(side, Piece::Pawn, behind(side, to), to, None));
    }
}

/// The move of a code (side, from, to: 1, 5 and 5 bits) if it is legal here.
#[inline(always)]
pub fn decode(board: &Board, code: u16) -> Option<Move> {
    let (from, to) = ((code >> 5 & 31) as Square, (code & 31) as Square);
    let side = board.to_move();
    if code >> 10 != side as u16 || bit(from) & board.pieces(side) == 0 {
        return None;
    }
    let kind = board.kind_at(from);
    let captured = if bit(to) & board.pieces(side.other()) != 0 { Some(board.kind_at(to)) } else { None };
    let reached = match captured {
        Some(_) => attacks(side, kind, from, board.occupied()),
        None => quiet_targets(side, kind, from, board.occupied()),
    };
    (reached & bit(to) != 0).then(|| Move::new(side, kind, from, to, captured))
}

/// True if the move gives check. The mover does not attack the king before it.
#[inline(always)]
pub fn attacks_king_after(board: &Board, mv: Move) -> bool {
    let Some(king) = board.king(mv.side.other()) else { return false };
    let occupied = board.occupied() & !bit(mv.from) | bit(mv.to);
    if attacks(mv.side, mv.arrives, mv.to, occupied) & bit(king) != 0 {
        return true;
    }
    // Discovered check: only if the piece may have stood between the king and a slider.
    bit(mv.from) & screens(king) != 0 && {
        let queens = board.all_of(Piece::Queen);
        let rook_like = rook(king, occupied) & (board.all_of(Piece::Rook) | queens);
        let bishop_like = diagonal(king, occupied) & (board.all_of(Piece::Bishop) | queens);
        (rook_like | bishop_like) & board.pieces(mv.side) & !bit(mv.from) != 0
    }
}

/// True if the side to move has a legal move. Nearly every position has one, so the cheap tests
/// come first.
#[inline(always)]
pub fn can_move(board: &Board) -> bool {
    let side = board.to_move();
    let steps = pawn_steps(board, side);
    let king = match board.king(side) {
        Some(king) => KING[usize::from(king)],
        None => 0,
    };
    steps | king & !board.pieces(side) != 0 || some_piece_can_move(board)
}

#[cold]
fn some_piece_can_move(board: &Board) -> bool {
    let mut some = false;
    captures(board, |_| some = true);
    quiet_moves(board, |_| some = true);
    some
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::rules::MiniChess;
    use crate::games::minichess::state_text::read_state;
    use crate::search::game::Game;
    use flipside_support::random::Random;

    /// Promotions are to queens only, so a move needs only its target square.
    #[test]
    fn no_piece_reaches_more_squares_than_a_queen_in_the_middle() {
        let reach = |kind: Piece, from: usize| {
            let ahead = if kind == Piece::Pawn { ahead(Side::First, bit(from as Square)) } else { 0 };
            let squares = attacks(Side::First, kind, from as Square, 0) | STEP[from] | ahead;
            squares.count_ones() as usize
        };
        let most = Piece::ALL.into_iter().flat_map(|kind| (0..SQUARES).map(move |from| reach(kind, from))).max();
        assert_eq!(most, Some(MAX_REACH));
    }

    #[test]
    fn moves_are_counted_and_those_that_give_check_recognised() {
        let mut random = Random(17);
        let mut seen = 0;
        for _ in 0..200 {
            let mut board = MiniChess.start();
            while MiniChess.outcome(&board).is_none() {
                let moves = all_moves(&board);
                assert_eq!(count_moves(&board) as usize, moves.len(), "{board:?}");
                let asked = !board.attacks_king(board.to_move());
                for &mv in moves.iter().filter(|_| asked) {
                    let attacks = board.play(mv).attacks_king(mv.side);
                    assert_eq!(attacks_king_after(&board, mv), attacks, "{mv:?} {board:?}");
                    seen += u32::from(attacks);
                }
                board = board.play(moves[random.below(moves.len())]);
            }
        }
        assert!(seen > 1_000, "{seen}");
    }

    #[test]
    fn pawns_attack_diagonally_ahead() {
        let board = read_state("9 W k..../p...p/...../...../P.P../....K").expect("a position");
        assert_eq!(pawn_attacks(Side::First, board.of(Side::First, Piece::Pawn)), bit(11) | bit(13));
        assert_eq!(pawn_attacks(Side::Second, board.of(Side::Second, Piece::Pawn)), bit(16) | bit(18));
    }
}
