//! Static exchange evaluation: the material balance of a capture after both sides have recaptured on its square, each
//! with its cheapest attacker, for as long as it pays.

use super::board::{Board, Move, Piece};
use super::squares::{FIRST_RANK, LAST_RANK, Set, bit};
use crate::search::types::Score;

/// Piece values in exchanges, in hundredths of a pawn; a king is worth the game.
pub const PIECE_VALUE: [Score; 6] = [100, 320, 340, 500, 950, 20_000];

/// Gain of a promotion, in hundredths of a pawn.
pub const PROMOTION_GAIN: Score = PIECE_VALUE[Piece::Queen as usize] - PIECE_VALUE[Piece::Pawn as usize];

/// The longest exchange: no square has more attackers.
const LONGEST: usize = 20;

/// The value of a captured piece, 0 without one.
#[inline(always)]
pub fn captured_value(captured: Option<Piece>) -> Score {
    match captured {
        Some(kind) => PIECE_VALUE[kind as usize],
        None => 0,
    }
}

/// The material that a move wins immediately, in hundredths of a pawn.
#[inline(always)]
pub fn capture_gain(mv: Move) -> Score {
    captured_value(mv.captured) + if mv.promotes() { PROMOTION_GAIN } else { 0 }
}

/// The balance of the exchange that begins with a move, for its side, in hundredths of a pawn. A bishop's step attacks
/// nothing; a pawn's capture on the last rank promotes; a king recaptures last, and only where it cannot be captured.
#[inline(always)]
pub fn see(board: &Board, mv: Move) -> Score {
    let edge = bit(mv.to) & (FIRST_RANK | LAST_RANK) != 0;
    let mut gains = [0; LONGEST];
    let mut occupied = board.occupied() & !bit(mv.from) | bit(mv.to);
    gains[0] = capture_gain(mv);
    let mut on_square = mv.arrives;
    let mut side = mv.side.other();
    let mut last = 0;
    while last + 1 < LONGEST {
        let attackers = board.attackers(mv.to, occupied) & occupied & board.pieces(side);
        if attackers == 0 {
            break;
        }
        let (kind, piece) = cheapest(board, attackers);
        last += 1;
        let promotes = kind == Piece::Pawn && edge;
        gains[last] = PIECE_VALUE[on_square as usize] - gains[last - 1] + if promotes { PROMOTION_GAIN } else { 0 };
        if gains[last].max(-gains[last - 1]) < 0 {
            break;
        }
        on_square = if promotes { Piece::Queen } else { kind };
        occupied &= !piece;
        side = side.other();
    }
    // Minimax backwards: a side stops where continuing would lose.
    for index in (1..=last).rev() {
        gains[index - 1] = -gains[index].max(-gains[index - 1]);
    }
    gains[0]
}

/// The cheapest of some pieces, at least one: its kind and its square.
#[inline(always)]
fn cheapest(board: &Board, pieces: Set) -> (Piece, Set) {
    // Branchless: the kind is hard to predict.
    let present = Piece::ALL.map(|kind| u32::from(pieces & board.all_of(kind) != 0) << kind as u32);
    let lowest = present.into_iter().fold(0, |all, one| all | one).trailing_zeros() as usize;
    let kind = Piece::ALL[lowest % Piece::ALL.len()];
    let own = pieces & board.all_of(kind);
    (kind, own & own.wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::rules::MiniChess;
    use crate::games::minichess::state_text::read_state;
    use crate::search::notation::{Notation, Style};

    fn balance(state: &str, mv: &str) -> Score {
        let board = read_state(state).expect("a position");
        let mv = MiniChess.read_move(&board, mv, Style::Plain).expect("a legal move");
        see(&board, mv)
    }

    #[test]
    fn exchanges_by_hand() {
        assert_eq!(balance("9 W k..../..p../...../..R../...../....K", "c3-c5"), 100);
        assert_eq!(balance("9 W k..../..p../.p.../..R../...../....K", "c3-c5"), 100);
        assert_eq!(balance("9 W k..../.np../...../..R../...../....K", "c3-c5"), 100);
        assert_eq!(balance("9 W k..r./..pr./...../..R../...../....K", "c3-c5"), 100 - 500);
        assert_eq!(balance("9 W k.r../..p../...../..R../..Q../..R.K", "c3-c5"), 100);
        assert_eq!(balance("9 W k.r../..q../...../..R../...../....K", "c3-c5"), 950 - 500);
    }

    #[test]
    fn a_bishop_guards_on_diagonals_only() {
        assert_eq!(balance("9 W k..../.bp../...../..R../...../....K", "c3-c5"), 100);
        assert_eq!(balance("9 W k..b./..p../...../..R../...../....K", "c3-c5"), 100 - 500);
    }

    #[test]
    fn a_king_takes_back_only_where_it_is_safe() {
        assert_eq!(balance("9 W .k.../..p../...../..R../...../....K", "c3-c5"), 100 - 500);
        assert_eq!(balance("9 W .k.../..p../...../..R../..R../....K", "c3-c5"), 100);
    }

    #[test]
    fn pawns_become_queens_in_exchanges() {
        assert_eq!(balance("9 W ..r../.P.../...../k..../...../....K", "b5-c6"), 500 + PROMOTION_GAIN);
        assert_eq!(balance("9 W ..r.r/.P.../...../k..../...../....K", "b5-c6"), 500 + PROMOTION_GAIN - 950);
        assert_eq!(balance("9 W r..../.P.../...../k..../...../....K", "b5-b6"), PROMOTION_GAIN - 950);
    }
}
