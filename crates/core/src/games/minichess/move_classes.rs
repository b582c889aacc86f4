//! The order of chess books, for the textbook's order `rule`: captures, then threats, then moves forward, sideways,
//! backward.

use super::board::{Board, Move, own_rank};
use super::movegen::{attacks, attacks_king_after};
use super::policy::MiniChessPolicy;
use super::rules::MiniChess;
use super::squares::bit;
use crate::search::technique::MoveClasses;
use std::cmp::Ordering;

impl<L: Send + Sync> MoveClasses<MiniChess> for MiniChessPolicy<L> {
    /// 0 captures or promotes, 1 attacks an opposing piece from its new square or gives check, 2
    /// goes forward, 3 sideways, 4 backward.
    fn class(&self, board: &Board, mv: Move) -> u8 {
        if mv.captured.is_some() || mv.promotes() {
            return 0;
        }
        let occupied = board.occupied() & !bit(mv.from) | bit(mv.to);
        let attacked = attacks(mv.side, mv.arrives, mv.to, occupied) & board.pieces(mv.side.other());
        if attacked != 0 || attacks_king_after(board, mv) {
            return 1;
        }
        match own_rank(mv.side, mv.to).cmp(&own_rank(mv.side, mv.from)) {
            Ordering::Greater => 2,
            Ordering::Equal => 3,
            Ordering::Less => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::movegen::all_moves;
    use crate::search::level::Supported;
    use crate::search::notation::{Notation, Style};

    #[test]
    fn captures_come_first_and_retreats_last() {
        let (board, _) = MiniChess
            .read_position("20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.", Style::Plain)
            .expect("a position");
        let policy = MiniChessPolicy::new(Supported::BASE, &[], None);
        let class = |text: &str| {
            let mv = all_moves(&board).into_iter().find(|&mv| MiniChess.show_move(&board, mv, Style::Plain) == text);
            policy.class(&board, mv.unwrap_or_else(|| panic!("{text} is legal")))
        };
        assert_eq!(class("c3-b4"), 0, "takes the pawn");
        assert_eq!(class("c3-d4"), 1, "attacks the pawn, two files away on its rank");
        assert_eq!(class("c3-e5"), 2, "a step towards the other side, where nothing is attacked");
        assert_eq!(class("c3-d3"), 3);
        assert_eq!(class("c3-c1"), 4);
    }
}
