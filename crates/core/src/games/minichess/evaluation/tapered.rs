//! The evaluation by weighted terms: a tapered evaluation, blended between weights for full and for empty boards by game
//! phase.

use super::limit::limit_scale;
use super::terms::{TERMS, TermSink, count, count_piece_squares, piece_square};
use super::weights::{TermWeights, TermWeightsError};
use crate::games::minichess::board::{Board, Move, Piece};
use crate::games::minichess::rules::MiniChess;
use crate::search::evaluation::Eval;
use crate::search::types::{Score, Side};

/// Contribution of each piece to the game phase: knight and bishop 1, rook 2, queen 4.
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The phase of the start position.
pub const MAX_PHASE: i32 = 16;

/// The evaluation with its weights, packed.
#[derive(Clone, Debug)]
pub struct TaperedEvaluation {
    /// Both weights of a term in one word: that for empty boards shifted by thirty-two bits, plus that for full boards, so
    /// that one addition adds both. The sums of sixteen-bit weights over the terms of a board are far from overflowing.
    packed: Box<[i64; TERMS]>,
}

/// Piece-square terms and phase, updated move by move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaperedAccumulator {
    /// The sum of the piece-square terms for White, packed.
    piece_squares: i64,
    phase: i32,
}

/// Sums weights of terms, for White.
struct Sum<'a> {
    packed: &'a [i64; TERMS],
    total: i64,
}

impl TermSink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Side, index: usize, count: i32) {
        let value = self.packed[index] * i64::from(count);
        self.total += if side == Side::First { value } else { -value };
    }
}

impl TaperedEvaluation {
    /// The built-in evaluation of weighted terms of that name.
    ///
    /// # Errors
    /// As [`TermWeights::tuned`].
    pub fn named(name: &str) -> Option<Result<TaperedEvaluation, TermWeightsError>> {
        match name {
            "tuned" => Some(TermWeights::tuned().map(|weights| TaperedEvaluation::new(&weights))),
            "by-hand" => Some(Ok(TaperedEvaluation::new(&TermWeights::by_hand()))),
            _ => None,
        }
    }

    /// An evaluation with these weights.
    pub fn new(weights: &TermWeights) -> TaperedEvaluation {
        let mut packed = Box::new([0; TERMS]);
        for (word, [full, empty]) in packed.iter_mut().zip(&weights.pairs) {
            *word = (i64::from(*empty) << 32) + i64::from(*full);
        }
        TaperedEvaluation { packed }
    }
}

/// The two halves of a packed sum: for a full board and for an empty one.
#[inline(always)]
fn halves(packed: i64) -> (Score, Score) {
    let full = packed as i32;
    (full, ((packed - i64::from(full)) >> 32) as i32)
}

/// The game phase: the share of the weights for full boards in sixteenths, more than 16 after promotions.
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let sum = |kind: Piece| PHASE_WEIGHTS[kind as usize] * board.all_of(kind).count_ones() as i32;
    Piece::ALL.into_iter().map(sum).sum()
}

impl Eval<MiniChess> for TaperedEvaluation {
    type Accumulator = TaperedAccumulator;

    fn refresh(&self, board: &Board) -> TaperedAccumulator {
        let mut sum = Sum { packed: &self.packed, total: 0 };
        count_piece_squares(board, &mut sum);
        TaperedAccumulator { piece_squares: sum.total, phase: phase(board) }
    }

    #[inline(always)]
    fn update(&self, state: &TaperedAccumulator, _: &Board, mv: Move, _: &Board) -> TaperedAccumulator {
        let mut sum = Sum { packed: &self.packed, total: state.piece_squares };
        let mut phase = state.phase;
        sum.add(mv.side, piece_square(mv.side, mv.piece, mv.from), -1);
        sum.add(mv.side, piece_square(mv.side, mv.arrives, mv.to), 1);
        phase += PHASE_WEIGHTS[mv.arrives as usize] - PHASE_WEIGHTS[mv.piece as usize];
        if let Some(captured) = mv.captured {
            let side = mv.side.other();
            sum.add(side, piece_square(side, captured, mv.to), -1);
            phase -= PHASE_WEIGHTS[captured as usize];
        }
        TaperedAccumulator { piece_squares: sum.total, phase }
    }

    /// A null move changes neither pieces nor phase.
    #[inline(always)]
    fn pass(&self, state: &TaperedAccumulator, _: &Board) -> TaperedAccumulator {
        *state
    }

    #[inline(always)]
    fn evaluate(&self, state: &TaperedAccumulator, board: &Board) -> Score {
        let mut sum = Sum { packed: &self.packed, total: state.piece_squares };
        count(board, &mut sum);
        let (full, empty) = halves(sum.total);
        let share = state.phase.min(MAX_PHASE);
        let white = (full * share + empty * (MAX_PHASE - share)) / MAX_PHASE;
        let score = if board.to_move() == Side::First { white } else { -white };
        score * limit_scale(board.plies_left()) / 64
    }
}

#[cfg(test)]
mod tests {
    use super::super::consistency::check_random_games;
    use super::*;
    use crate::games::minichess::state_text::read_state;
    use crate::search::types::UNIT;

    fn score(state: &str) -> Score {
        let board = read_state(state).expect("a position");
        let evaluation = TaperedEvaluation::new(&TermWeights::by_hand());
        evaluation.evaluate(&evaluation.refresh(&board), &board)
    }

    #[test]
    fn packed_sums_unpack() {
        for (full, empty) in [(0, 0), (-1, 1), (1, -1), (-3_000, -3_000), (3_200_000, -3_200_000)] {
            assert_eq!(halves((i64::from(empty) << 32) + i64::from(full)), (full, empty));
        }
    }

    #[test]
    fn scores_depend_neither_on_the_line_of_play_nor_on_colours() {
        check_random_games(&TaperedEvaluation::new(&TermWeights::tuned().expect("weights")), |board| {
            limit_scale(board.plies_left())
        });
    }

    /// Hostile weights: no sum overflows (a debug build would panic), and no score passes for a win.
    #[test]
    fn no_weights_reach_the_scores_of_wins() {
        for pair in [[i16::MAX; 2], [i16::MIN; 2], [i16::MAX, i16::MIN]] {
            let weights = TermWeights { pairs: vec![pair; TERMS] };
            check_random_games(&TaperedEvaluation::new(&weights), |board| limit_scale(board.plies_left()));
        }
    }

    #[test]
    fn material_counts_less_near_the_limit() {
        let early = score("5 W k..../ppp../...../...../PPP../R...K");
        assert!(early > 4 * UNIT, "{early}");
        let late = score("40 W k..../ppp../...../...../PPP../R...K");
        assert!(late > 0 && late < early / 2, "{late} {early}");
        assert!(score("5 B k..../ppp../...../...../PPP../R...K") < -4 * UNIT);
    }
}
