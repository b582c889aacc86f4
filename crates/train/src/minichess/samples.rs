//! Samples of the fit: positions as counts of evaluation terms, White's less Black's.

use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::evaluation::limit::limit_scale;
use flipside_core::games::minichess::evaluation::tapered::{MAX_PHASE, phase};
use flipside_core::games::minichess::evaluation::terms::{TERMS, TermSink, count, count_piece_squares};
use flipside_core::search::types::Side;

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct TermSample {
    /// The range of its terms in [`TermSamples::terms`].
    pub terms: (u32, u32),
    /// Game phase: the share of the middle game weights, 1 on the full board.
    pub phase: f32,
    /// Factor by which the evaluation shrinks near the limit of moves.
    pub limit_scale: f32,
    /// Target: White's expected points, 0 to 1.
    pub target: f32,
    /// Number of the game of the position.
    pub game: u32,
}

/// All samples of a fit.
#[derive(Default)]
pub struct TermSamples {
    /// The samples.
    pub list: Vec<TermSample>,
    /// Indices and counts of the terms of all samples, one sample after the other.
    pub terms: Vec<(u16, i16)>,
}

/// Counts of terms, White's less Black's.
struct Difference(Box<[i16; TERMS]>);

impl TermSink for Difference {
    fn add(&mut self, side: Side, index: usize, count: i32) {
        self.0[index] += if side == Side::First { count } else { -count } as i16;
    }
}

impl TermSamples {
    /// Adds a position of the game with this number, with White's expected points.
    pub fn add(&mut self, game: u32, board: &Board, points: f64) {
        let mut difference = Difference(Box::new([0; TERMS]));
        count_piece_squares(board, &mut difference);
        count(board, &mut difference);
        let first = self.terms.len() as u32;
        let present = difference.0.iter().enumerate().filter(|(_, count)| **count != 0);
        self.terms.extend(present.map(|(index, count)| (index as u16, *count)));
        self.list.push(TermSample {
            terms: (first, self.terms.len() as u32),
            phase: phase(board).min(MAX_PHASE) as f32 / MAX_PHASE as f32,
            limit_scale: limit_scale(board.plies_left()) as f32 / 64.0,
            target: points as f32,
            game,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::PlayedGame;
    use super::super::quiet::quiet_positions;
    use super::*;
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
        let mut samples = TermSamples::default();
        let game = PlayedGame::read(line).expect("a game");
        quiet_positions(&game, 1.0, |board, points| samples.add(0, board, points)).expect("legal moves");
        let weights = TermWeights::by_hand();
        let evaluation = TaperedEvaluation::new(&weights);
        // The first move is random, the fifth a capture.
        assert_eq!(samples.list.len(), 4);
        let mut board = MiniChess.start();
        let mut at = 0;
        for (ply, text) in ["b2b3", "d5d4", "c1b2", "c5c4", "b3c4", "e5e4"].iter().enumerate() {
            if ply != 0 && ply != 4 {
                let sample = samples.list[at];
                at += 1;
                let mut sum = 0.0;
                for (index, count) in &samples.terms[sample.terms.0 as usize..sample.terms.1 as usize] {
                    let [full, empty] = weights.pairs[usize::from(*index)].map(f32::from);
                    sum += f32::from(*count) * (full * sample.phase + empty * (1.0 - sample.phase));
                }
                let score = evaluation.evaluate(&evaluation.refresh(&board), &board);
                let white = if board.to_move() == Side::First { score } else { -score };
                assert!((sum * sample.limit_scale - white as f32).abs() < 3.0, "{sum} {white}");
                assert_eq!(sample.target, 1.0);
            }
            let mv = MiniChess.read_move(&board, text, Style::Uci).expect("a legal move");
            board = MiniChess.play(&board, mv);
        }
    }
}
