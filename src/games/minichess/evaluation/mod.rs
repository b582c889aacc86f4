//! Judgement of a MiniChess position: weighted terms, blended between full and empty boards, and
//! less sure of themselves the nearer the draw at move 41 comes.

pub mod network;
pub mod terms;
pub mod weights;

use super::board::{Board, Move, Piece};
use super::rules::MiniChess;
use crate::games::names;
use crate::search::evaluation::Eval;
use crate::search::types::{Score, Side};
use terms::{TERMS, TermSink, count, count_piece_squares, piece_square};
use weights::{TermWeights, TermWeightsError};

/// How full the board is by its pieces: knight and bishop 1, rook 2, queen 4.
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Fullness of the start position.
pub const MAX_PHASE: i32 = 16;
/// From so many plies before the draw on, advantages count less and less.
const FULL_SCALE_PLIES: u32 = 24;

/// Weights ready for use.
#[derive(Clone, Debug)]
pub struct TaperedEvaluation {
    /// Both weights of a term in one word: the empty board's shifted by sixteen bits, plus the full
    /// board's, so that one addition adds both.
    packed: Box<[i32; TERMS]>,
}

/// Places and phase, kept along a line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaperedAccumulator {
    /// For White, packed.
    places: i32,
    phase: i32,
}

/// Adds weights up, for White.
struct Sum<'a> {
    packed: &'a [i32; TERMS],
    total: i32,
}

impl TermSink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Side, index: usize, count: i32) {
        let value = self.packed[index] * count;
        self.total += if side == Side::First { value } else { -value };
    }
}

impl TaperedEvaluation {
    /// The names of the built-in evaluations, the network's among them.
    pub const NAMES: &'static [&'static str] = names::MINICHESS.evaluations;

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
            *word = (i32::from(*empty) << 16) + i32::from(*full);
        }
        TaperedEvaluation { packed }
    }
}

/// The two halves of a packed sum: for a full board and for an empty one.
#[inline(always)]
fn halves(packed: i32) -> (Score, Score) {
    let full = packed as i16;
    (Score::from(full), (packed - i32::from(full)) >> 16)
}

/// The share of the full board's weights in sixteenths.
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let sum = |kind: Piece| PHASE_WEIGHTS[kind as usize] * board.all_of(kind).count_ones() as i32;
    Piece::ALL.into_iter().map(sum).sum()
}

/// What remains of an advantage with so many plies to the draw, in sixty-fourths.
#[inline(always)]
pub fn limit_scale(plies_left: u32) -> i32 {
    16 + 2 * plies_left.min(FULL_SCALE_PLIES) as i32
}

impl Eval<MiniChess> for TaperedEvaluation {
    type Accumulator = TaperedAccumulator;

    fn refresh(&self, board: &Board) -> TaperedAccumulator {
        let mut sum = Sum { packed: &self.packed, total: 0 };
        count_piece_squares(board, &mut sum);
        TaperedAccumulator { places: sum.total, phase: phase(board) }
    }

    #[inline(always)]
    fn update(&self, state: &TaperedAccumulator, _: &Board, mv: Move, _: &Board) -> TaperedAccumulator {
        let mut sum = Sum { packed: &self.packed, total: state.places };
        let mut phase = state.phase;
        sum.add(mv.side, piece_square(mv.side, mv.kind, mv.from), -1);
        sum.add(mv.side, piece_square(mv.side, mv.arrives, mv.to), 1);
        phase += PHASE_WEIGHTS[mv.arrives as usize] - PHASE_WEIGHTS[mv.kind as usize];
        if let Some(taken) = mv.taken {
            let side = mv.side.other();
            sum.add(side, piece_square(side, taken, mv.to), -1);
            phase -= PHASE_WEIGHTS[taken as usize];
        }
        TaperedAccumulator { places: sum.total, phase }
    }

    /// Nothing has moved.
    #[inline(always)]
    fn pass(&self, state: &TaperedAccumulator, _: &Board) -> TaperedAccumulator {
        *state
    }

    #[inline(always)]
    fn evaluate(&self, state: &TaperedAccumulator, board: &Board) -> Score {
        let mut sum = Sum { packed: &self.packed, total: state.places };
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
    use super::*;
    use crate::games::minichess::state_text::read_state;
    use crate::search::game::Game;
    use crate::search::types::{UNIT, WIN_IN_MAX_PLY};

    fn score(state: &str) -> Score {
        let board = read_state(state).expect("a position");
        let evaluation = TaperedEvaluation::new(&TermWeights::by_hand());
        evaluation.evaluate(&evaluation.refresh(&board), &board)
    }

    #[test]
    fn halves_come_apart_again() {
        for (full, empty) in [(0, 0), (-1, 1), (1, -1), (-3_000, -3_000), (32_000, -32_000)] {
            assert_eq!(halves((empty << 16) + full), (full, empty));
        }
    }

    #[test]
    fn scores_do_not_depend_on_the_way_or_on_colours() {
        look_at_random_games(&TaperedEvaluation::new(&TermWeights::tuned().expect("weights")), |board| {
            limit_scale(board.plies_left())
        });
    }

    /// Random games: the memory kept along the line is that of the position, and turning the board
    /// around with its colours turns nothing for the side to move where `hurry` stays the same, that is, what
    /// the evaluation makes of the plies left.
    pub fn look_at_random_games<E: Eval<MiniChess, Accumulator: PartialEq + std::fmt::Debug>, H: PartialEq>(
        evaluation: &E,
        hurry: impl Fn(&Board) -> H,
    ) {
        let mut random = 11_u64;
        for _ in 0..40 {
            let mut board = MiniChess.start();
            let mut state = evaluation.refresh(&board);
            while MiniChess.outcome(&board).is_none() {
                let moves: Vec<Move> = MiniChess.moves(&board).collect();
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = moves[(random >> 33) as usize % moves.len()];
                let child = MiniChess.play(&board, mv);
                state = evaluation.update(&state, &board, mv, &child);
                board = child;
                assert_eq!(state, evaluation.refresh(&board));
                let score = evaluation.evaluate(&state, &board);
                assert!(score.abs() < WIN_IN_MAX_PLY);
                let turned = board.turned();
                let opposite = evaluation.evaluate(&evaluation.refresh(&turned), &turned);
                // The two differ by a ply in what is left.
                if hurry(&board) == hurry(&turned) {
                    assert_eq!(score, opposite, "{board:?}");
                }
            }
        }
    }

    #[test]
    fn material_leads_and_the_limit_calms() {
        let early = score("5 W k..../ppp../...../...../PPP../R...K");
        assert!(early > 4 * UNIT, "{early}");
        let late = score("40 W k..../ppp../...../...../PPP../R...K");
        assert!(late > 0 && late < early / 2, "{late} {early}");
        assert!(score("5 B k..../ppp../...../...../PPP../R...K") < -4 * UNIT);
    }
}
