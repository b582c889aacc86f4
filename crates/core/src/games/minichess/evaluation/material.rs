//! Material alone, as textbooks count it: pawn 1, knight and bishop 3, rook 5, queen 9. Squares
//! and the move limit do not count.

use crate::games::minichess::board::{Board, Move, Piece};
use crate::games::minichess::rules::MiniChess;
use crate::search::evaluation::Eval;
use crate::search::types::{Score, Side, UNIT};

/// The worth of each piece in pawns, in the order of [`Piece::ALL`].
const PAWNS: [u32; 6] = [1, 3, 3, 5, 9, 0];

/// The worth of a side's pieces, in pawns.
pub fn pawns(board: &Board, side: Side) -> u32 {
    Piece::ALL.iter().map(|&kind| PAWNS[kind as usize] * board.of(side, kind).count_ones()).sum()
}

/// How the material of both sides becomes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialEvaluation {
    /// Own pawns less the opponent's.
    Difference,
    /// The difference over the sum and one, in tenths, so that every value lies between -1 and 1: a queen against a pawn
    /// is worth 8/11, which rounds to 0.7, a bare king against a pawn -1/2.
    Ratio,
}

impl MaterialEvaluation {
    /// The evaluation of that name.
    pub fn named(name: &str) -> Option<MaterialEvaluation> {
        match name {
            "material" => Some(MaterialEvaluation::Difference),
            "material-ratio" => Some(MaterialEvaluation::Ratio),
            _ => None,
        }
    }

    /// The value for the side to move, in hundredths.
    pub fn value(self, board: &Board) -> Score {
        let [own, other] = [board.to_move(), board.to_move().other()].map(|side| pawns(board, side) as Score);
        match self {
            MaterialEvaluation::Difference => (own - other) * UNIT,
            MaterialEvaluation::Ratio => {
                let tenths = 10.0 * f64::from(own - other) / f64::from(own + other + 1);
                tenths.round() as Score * (UNIT / 10)
            }
        }
    }
}

impl Eval<MiniChess> for MaterialEvaluation {
    type Accumulator = ();
    fn refresh(&self, _: &Board) {}
    fn update(&self, (): &(), _: &Board, _: Move, _: &Board) {}
    fn evaluate(&self, (): &(), board: &Board) -> Score {
        self.value(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::notation::{Notation, Style};

    #[test]
    fn material_counts_as_the_textbook_prints_it() {
        let value = |evaluation: MaterialEvaluation, text: &str| {
            let (board, _) = MiniChess.read_position(text, Style::Plain).expect("a position");
            evaluation.value(&board)
        };
        use MaterialEvaluation::{Difference, Ratio};
        let queen = "20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.";
        let no_queen = "20 W / .k... / ..... / .p... / ..... / ..... / ...K.";
        assert_eq!([value(Difference, queen), value(Difference, no_queen)], [800, -100]);
        assert_eq!([value(Ratio, queen), value(Ratio, no_queen)], [70, -50]);
        assert_eq!(value(Ratio, &queen.replace('W', "B")), -70, "for the side to move");
    }
}
