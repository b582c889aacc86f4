//! The textbook's evaluations as one: a single feature, or all features weighted by stage.

use super::single_feature::SingleFeature;
use super::stage_weighted::StageWeighted;
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::types::Score;
use std::sync::Arc;

/// An evaluation by features of the board, which needs no accumulator.
#[derive(Clone, Debug)]
pub enum PlainEvaluation {
    /// One feature alone.
    SingleFeature(SingleFeature),
    /// The sum of all features, weighted by stage.
    StageWeighted(Arc<StageWeighted>),
}

impl PlainEvaluation {
    /// The value for the side to move, in hundredths of a disc within ±6400.
    #[inline(always)]
    pub fn value(&self, board: Board) -> Score {
        match self {
            PlainEvaluation::SingleFeature(feature) => feature.value(board),
            PlainEvaluation::StageWeighted(stage_weighted) => stage_weighted.value(board),
        }
    }
}

impl<K: Kernels> Eval<Reversi<K>> for PlainEvaluation {
    type Accumulator = ();

    fn refresh(&self, _: &Board) {}

    #[inline(always)]
    fn update(&self, (): &(), _: &Board, _: Placement, _: &Board) {}

    #[inline(always)]
    fn evaluate(&self, (): &(), board: &Board) -> Score {
        self.value(*board)
    }

    /// The result. Only `discs` counts the discs as they stand: empty squares do not count for the winner.
    fn finished(&self, board: &Board, rules: Score) -> Score {
        match self {
            PlainEvaluation::SingleFeature(discs @ SingleFeature::Discs) => discs.value(*board),
            _ => rules,
        }
    }
}
