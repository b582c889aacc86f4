//! Positions of games as the fit sees them: how often each term stands on the board for White.

use crate::games::minichess::board::Board;
use crate::games::minichess::evaluation::terms::{TERMS, TermSink, count, count_piece_squares};
use crate::games::minichess::evaluation::{MAX_PHASE, limit_scale, phase};
use crate::search::types::Side;

/// One position.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its terms begin and end in [`Samples::terms`].
    pub terms: (u32, u32),
    /// Share of the full board's weights.
    pub full: f32,
    /// What remains of an advantage so near to the limit.
    pub limit_scale: f32,
    /// White's points that the fit shall predict, 0 to 1.
    pub target: f32,
    /// Number of the game.
    pub game: u32,
}

/// All positions of a fit.
#[derive(Default)]
pub struct Samples {
    /// The positions.
    pub list: Vec<Sample>,
    /// Terms and counts of all positions, one after the other.
    pub terms: Vec<(u16, i16)>,
}

/// Counts for White less those for Black.
struct Difference(Box<[i16; TERMS]>);

impl TermSink for Difference {
    fn add(&mut self, side: Side, index: usize, count: i32) {
        self.0[index] += if side == Side::First { count } else { -count } as i16;
    }
}

impl Samples {
    /// Adds a position of the game with this number, and the points that White is to expect there.
    pub fn add(&mut self, game: u32, board: &Board, points: f64) {
        let mut difference = Difference(Box::new([0; TERMS]));
        count_piece_squares(board, &mut difference);
        count(board, &mut difference);
        let first = self.terms.len() as u32;
        let present = difference.0.iter().enumerate().filter(|(_, count)| **count != 0);
        self.terms.extend(present.map(|(index, count)| (index as u16, *count)));
        self.list.push(Sample {
            terms: (first, self.terms.len() as u32),
            full: phase(board).min(MAX_PHASE) as f32 / MAX_PHASE as f32,
            limit_scale: limit_scale(board.plies_left()) as f32 / 64.0,
            target: points as f32,
            game,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::Played;
    use super::super::quiet::quiet_positions;
    use super::*;
    use crate::games::minichess::evaluation::TaperedEvaluation;
    use crate::games::minichess::evaluation::weights::TermWeights;
    use crate::games::minichess::rules::MiniChess;
    use crate::search::evaluation::Eval;
    use crate::search::game::Game;
    use crate::search::notation::{Notation, Style};

    /// The fit's own sum is what the engine says of the position.
    #[test]
    fn samples_are_what_the_engine_sees() {
        let line = "2 1 b2b3=0 d5d4=-12 c1b2=20 c5c4=-5 b3c4=99 e5e4=0";
        let mut samples = Samples::default();
        let game = Played::read(line).expect("a game");
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
                    sum += f32::from(*count) * (full * sample.full + empty * (1.0 - sample.full));
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
