//! The evaluations without a network as one: terms by the phase of the game, or material alone.

use super::material::MaterialEvaluation;
use super::tapered::{TaperedAccumulator, TaperedEvaluation};
use crate::games::minichess::board::{Board, Move};
use crate::games::minichess::rules::MiniChess;
use crate::search::evaluation::Eval;
use crate::search::types::Score;

/// An evaluation that people can read.
#[derive(Clone)]
pub enum PlainEvaluation {
    /// Terms, weighted by the phase of the game.
    Tapered(TaperedEvaluation),
    /// Material alone.
    Material(MaterialEvaluation),
}

impl Eval<MiniChess> for PlainEvaluation {
    /// That of the terms; material needs none.
    type Accumulator = Option<TaperedAccumulator>;

    fn refresh(&self, board: &Board) -> Self::Accumulator {
        match self {
            PlainEvaluation::Tapered(tapered) => Some(tapered.refresh(board)),
            PlainEvaluation::Material(_) => None,
        }
    }

    #[inline(always)]
    fn update(&self, sums: &Self::Accumulator, board: &Board, mv: Move, child: &Board) -> Self::Accumulator {
        match (self, sums) {
            (PlainEvaluation::Tapered(tapered), Some(sums)) => Some(tapered.update(sums, board, mv, child)),
            _ => None,
        }
    }

    #[inline(always)]
    fn pass(&self, sums: &Self::Accumulator, passed: &Board) -> Self::Accumulator {
        match (self, sums) {
            (PlainEvaluation::Tapered(tapered), Some(sums)) => Some(tapered.pass(sums, passed)),
            _ => None,
        }
    }

    #[inline(always)]
    fn evaluate(&self, sums: &Self::Accumulator, board: &Board) -> Score {
        match (self, sums) {
            (PlainEvaluation::Tapered(tapered), Some(sums)) => tapered.evaluate(sums, board),
            (PlainEvaluation::Tapered(tapered), None) => tapered.evaluate(&tapered.refresh(board), board),
            (PlainEvaluation::Material(material), _) => material.value(board),
        }
    }
}
