//! What a defender can answer without a search: near the end of a proof most positions have a safe move that is easy to see.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::{all_moves, attacks, attacks_king_after, pawn_steps};
use super::super::squares::{KING, Set, Square, Squares, bit, screens};
use super::facts::{Facts, UNKNOWN};
use crate::search::types::Side;

/// The defender has a safe move and another after that.
pub const THREE_PLIES: Facts = Facts { win: UNKNOWN, hold: 3 };

/// The attacker, who cannot take the king, does not win in this many plies, as the defender has a move whatever the attacker
/// moves: of the king to a free neighbour, or of one of two movers or pawns. A move stops at most one of these: it takes the
/// piece, or it blocks the pawn.
pub fn while_it_can_move(board: &Board, defender: Side) -> u8 {
    let is_free = board.king(defender).is_some_and(|king| neighbours(board, defender, king) != 0);
    let steps = pawn_steps(board, defender).count_ones();
    let has_two = || steps > 1 || steps + movers(board, defender).count_ones() > 1;
    if is_free || has_two() { 2 } else { 1 }
}

/// The squares beside a side's king that it may step to or take.
fn neighbours(board: &Board, side: Side, king: Square) -> Set {
    KING[usize::from(king)] & !board.pieces(side)
}

/// The pieces of a side, pawns and king apart, that can move whatever the other side moves, unless it takes them: the first
/// square of a ray stays in reach, because it is empty, or the piece on it can be taken.
fn movers(board: &Board, side: Side) -> Set {
    let own = board.pieces(side);
    let pieces = Squares(own & !board.all_of(Piece::Pawn) & !board.all_of(Piece::King));
    let can_move = |&from: &Square| attacks(side, board.kind_at(from), from, board.occupied()) & !own != 0;
    pieces.filter(can_move).fold(0, |set, from| set | bit(from))
}

/// True if the defender, after the safe move of one of these movers and any move of the attacker, still has a move: the same
/// piece can return, or the attacker took it and there is another; or the king has a neighbour left.
fn keep_moving(board: &Board, defender: Side, king: Square, movers: Set) -> bool {
    movers.count_ones() > 1 || neighbours(board, defender, king).count_ones() > 1
}

/// True if one of these pieces of a side that is not in check may leave its square: it shields its king from no slider.
fn one_is_not_pinned(board: &Board, side: Side, king: Square, movers: Set) -> bool {
    let attackers = |from: Square| board.attackers(king, board.occupied() & !bit(from)) & board.pieces(side.other());
    movers & !screens(king) != 0 || Squares(movers).any(|from| attackers(from) == 0)
}

/// What is known of a position in which the defender moves and has some move, from one move that leaves its king safe. It
/// tries the cheapest to find first: of a piece that shields nothing, then of the king.
pub fn after_best_move(board: &Board) -> Facts {
    let side = board.to_move();
    let Some(king) = board.king(side) else { return Facts { win: 0, hold: 0 } };
    let occupied = board.occupied();
    let enemies = board.pieces(side.other());
    if board.attackers(king, occupied) & enemies == 0 {
        let movers = movers(board, side);
        if keep_moving(board, side, king, movers) && one_is_not_pinned(board, side, king, movers) {
            return THREE_PLIES;
        }
    }
    // The square that the king leaves is a free neighbour of the next one.
    let is_safe = |to: Square| board.attackers(to, occupied & !bit(king)) & enemies & !bit(to) == 0;
    if Squares(neighbours(board, side, king)).any(is_safe) {
        return THREE_PLIES;
    }
    let mut facts = Facts { win: 2, hold: 1 };
    for mv in all_moves(board) {
        let next = board.play(mv);
        if !next.attacks_king(side.other()) {
            facts = Facts { win: UNKNOWN, hold: facts.hold.max(1 + while_it_can_move(&next, side)) };
        }
    }
    facts
}

/// The defender's answers to the moves that give no check.
pub struct Answers<'a> {
    board: &'a Board,
    king: Square,
    movers: Set,
}

impl Answers<'_> {
    /// The answers in a position in which the attacker moves and cannot take the king; `None` without a king.
    pub fn new(board: &Board) -> Option<Answers<'_>> {
        let side = board.to_move().other();
        Some(Answers { board, king: board.king(side)?, movers: movers(board, side) })
    }

    /// True if the attacker's move gives no check and the defender has a mover's safe answer: [`THREE_PLIES`] holds after
    /// the move.
    pub fn exist(&self, mv: Move) -> bool {
        let movers = self.movers & !bit(mv.to);
        movers != 0
            && keep_moving(self.board, mv.side.other(), self.king, movers)
            && !attacks_king_after(self.board, mv)
            && one_is_not_pinned(&self.board.play(mv), mv.side.other(), self.king, movers)
    }
}

#[cfg(test)]
mod tests {
    use super::super::certificate;
    use super::super::question::Question;
    use super::*;
    use crate::games::minichess::movegen::can_move;
    use crate::games::minichess::rules::MiniChess;
    use crate::search::game::Game;
    use flipside_support::random::Random;

    /// Whether the attacker forces the end of the game in its favour, by plain search of all moves.
    fn ends(board: &Board, attacker: Side, plies: u32) -> bool {
        let attacker_moves = board.to_move() == attacker;
        if let Some(score) = MiniChess.outcome(board) {
            let needs_ply = board.all_of(Piece::King).count_ones() == 2;
            return score != 0 && (score > 0) == attacker_moves && (plies > 0 || !needs_ply);
        }
        let ends_after = |mv| ends(&board.play(mv), attacker, plies - 1);
        plies > 0
            && if attacker_moves {
                MiniChess.moves(board).any(ends_after)
            } else {
                MiniChess.moves(board).all(ends_after)
            }
    }

    /// What is seen without a search, or by that of a certificate, is what plain search finds, in positions of random games.
    #[test]
    fn what_is_seen_is_true() {
        let mut random = Random(29);
        let (mut seen, mut decided, mut moving, mut answered, mut forced) = (0, 0, 0, 0, 0);
        for _ in 0..150 {
            let mut board = MiniChess.start();
            while MiniChess.outcome(&board).is_none() && board.plies_left() > 4 {
                let (mover, waiting) = (board.to_move(), board.to_move().other());
                for (attacker, plies) in [(mover, 1), (mover, 2), (waiting, 2), (waiting, 3)] {
                    let answer = Question::new(&board, attacker, plies).settled(None).answer(plies as u8);
                    let is_right = answer.is_none_or(|answer| answer == ends(&board, attacker, plies));
                    assert!(is_right, "{attacker:?} {plies} {answer:?} {board:?}");
                    seen += u32::from(answer.is_some());
                    decided += u32::from(answer == Some(true));
                }
                let longest = if board.occupied().count_ones() < 14 { certificate::BY_RULES } else { 3 };
                let of_mover = (0..=longest).map(|plies| (mover, plies));
                for (attacker, plies) in of_mover.chain((0..=3).map(|plies| (waiting, plies))) {
                    let found = certificate::ends(&board, attacker, plies);
                    assert_eq!(found, ends(&board, attacker, plies), "{attacker:?} {plies} {board:?}");
                    forced += u32::from(found);
                }
                let moves = all_moves(&board);
                if !board.attacks_king(mover) && while_it_can_move(&board, waiting) == 2 {
                    assert!(moves.iter().all(|&mv| can_move(&board.play(mv))), "{board:?}");
                    moving += 1;
                }
                if let Some(answers) = Answers::new(&board).filter(|_| !board.attacks_king(mover)) {
                    for &mv in moves.iter().filter(|mv| answers.exist(**mv)) {
                        assert!(!ends(&board.play(mv), mover, 3), "{mv:?} {board:?}");
                        answered += 1;
                    }
                }
                board = board.play(moves[random.below(moves.len())]);
            }
        }
        assert!(
            seen > 4_000 && decided > 200 && moving > 1_000 && answered > 4_000 && forced > 300,
            "{seen} {decided} {moving} {answered} {forced}"
        );
    }
}
