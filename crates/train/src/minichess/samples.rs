//! Positions as features of the fit: counts of evaluation terms, White's less Black's.

use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::evaluation::limit::limit_scale;
use flipside_core::games::minichess::evaluation::tapered::{MAX_PHASE, phase};
use flipside_core::games::minichess::evaluation::terms::{TERMS, TermSink, count, count_piece_squares};
use flipside_core::search::types::Side;

/// Counts of terms, White's less Black's.
struct Difference(Box<[i16; TERMS]>);

impl TermSink for Difference {
    fn add(&mut self, side: Side, index: usize, count: i32) {
        self.0[index] += if side == Side::First { count } else { -count } as i16;
    }
}

/// The features of a position: two for each term, for the full board and for the empty one.
pub fn features(board: &Board) -> Vec<(u16, f32)> {
    let mut difference = Difference(Box::new([0; TERMS]));
    count_piece_squares(board, &mut difference);
    count(board, &mut difference);
    let phase = phase(board).min(MAX_PHASE) as f32 / MAX_PHASE as f32;
    // The evaluation shrinks near the limit of moves.
    let scale = limit_scale(board.plies_left()) as f32 / 64.0;
    let present = difference.0.iter().enumerate().filter(|(_, count)| **count != 0);
    let pairs = present.map(|(index, &count)| (2 * index as u16, f32::from(count) * scale));
    pairs.flat_map(|(index, count)| [(index, count * phase), (index + 1, count * (1.0 - phase))]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::quiet::quiet_positions;
    use super::*;
    use crate::logistic::Samples;
    use crate::played_game::PlayedGame;
    use flipside_core::games::minichess::evaluation::tapered::TaperedEvaluation;
    use flipside_core::games::minichess::evaluation::weights::TermWeights;
    use flipside_core::games::minichess::rules::MiniChess;
    use flipside_core::search::evaluation::Eval;
    use flipside_core::search::game::Game;
    use flipside_core::search::notation::{Notation, Style};

    /// The fit predicts the engine's evaluation.
    #[test]
    fn samples_evaluate_as_the_engine_does() {
        let line = "2 1 b2b3=0 d5d4=-12 c1b2=20 c5c4=-5 b3c4=99 e5e4=0";
        let mut samples = Samples::default();
        let game = PlayedGame::read(line).expect("a game");
        quiet_positions(&game, 1.0, |board, points| samples.add(0, features(board), points)).expect("legal moves");
        let weights = TermWeights::by_hand();
        let values: Vec<f64> = weights.pairs.iter().flatten().map(|&value| f64::from(value)).collect();
        let evaluation = TaperedEvaluation::new(&weights);
        // The first move is random, the fifth a capture.
        assert_eq!(samples.list.len(), 4);
        let mut board = MiniChess.start();
        let mut at = 0;
        for (ply, text) in ["b2b3", "d5d4", "c1b2", "c5c4", "b3c4", "e5e4"].iter().enumerate() {
            if ply != 0 && ply != 4 {
                let sample = samples.list[at];
                at += 1;
                let score = evaluation.evaluate(&evaluation.refresh(&board), &board);
                let white = if board.to_move() == Side::First { score } else { -score };
                let sum = samples.evaluate(&values, &sample);
                assert!((sum - f64::from(white)).abs() < 3.0, "{sum} {white}");
                assert_eq!(sample.target, 1.0);
            }
            let mv = MiniChess.read_move(&board, text, Style::Uci).expect("a legal move");
            board = MiniChess.play(&board, mv);
        }
    }
}
