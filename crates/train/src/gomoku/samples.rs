//! Positions as features of the fit: how many points of each kind either side has.

use super::fit::SIGMOID_SCALE;
use crate::logistic::Samples;
use crate::played_game::PlayedGame;
use anyhow::Context;
use flipside_core::games::gomoku::kinds::kind;
use flipside_core::games::gomoku::position::Position;
use flipside_core::games::gomoku::rule::{FIRST, SECOND};
use flipside_core::games::gomoku::rules::Gomoku;
use flipside_core::games::gomoku::weights::PatternWeights;
use flipside_core::search::game::Game;
use flipside_core::search::notation::{Notation, Style};

/// The features of a position, for the side to move: the factors of the
/// [weights](PatternWeights::to_vec).
pub fn features(game: &Gomoku, position: &Position) -> Vec<(u16, f32)> {
    let own = position.to_move();
    let mut factors = [0_i16; PatternWeights::COUNT];
    factors[0] = 1;
    factors[1] = i16::from(!position.threats(1 - own).open_fours.is_empty());
    for point in 0..game.points() {
        for player in [FIRST, SECOND] {
            let index = PatternWeights::index_of(kind(position.patterns(player, point)));
            let is_counted = !game.is_forbidden(position, player, point);
            match player == own {
                true => factors[index] += i16::from(is_counted),
                false => factors[index + 1] -= i16::from(is_counted),
            }
        }
    }
    let present = factors.iter().enumerate().filter(|(_, factor)| **factor != 0);
    present.map(|(index, &factor)| (index as u16, f32::from(factor))).collect()
}

/// Whether a static evaluation is asked for: nobody makes five next, and the side to move no open
/// four.
fn is_quiet(position: &Position) -> bool {
    let own = position.to_move();
    let (threats, against) = (position.threats(own), position.threats(1 - own));
    threats.fives.is_empty() && threats.open_fours.is_empty() && against.fives.is_empty()
}

/// Adds the quiet positions of a game after its random plies. `lambda` is the share of the game's
/// result in the target; the rest is the value of the search.
///
/// # Errors
/// A move is not legal.
pub fn add(samples: &mut Samples, game: &Gomoku, number: u32, played: &PlayedGame, lambda: f64) -> anyhow::Result<()> {
    let mut position = game.start();
    for (ply, (text, value)) in played.moves.iter().enumerate() {
        let mv = game.read_move(&position, text, Style::Uci).with_context(|| format!("{text} is not legal"))?;
        if ply >= played.random && is_quiet(&position) {
            let own = position.to_move();
            let halves = if own == FIRST { played.halves } else { 2 - played.halves };
            let expected = 1.0 / (1.0 + (-f64::from(*value) * SIGMOID_SCALE).exp());
            let target = lambda * f64::from(halves) / 2.0 + (1.0 - lambda) * expected;
            samples.add(number, features(game, &position), target);
        }
        position = game.play(&position, mv);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::gomoku::evaluation::PatternEvaluation;
    use flipside_core::search::evaluation::Eval;

    /// The fit predicts the engine's evaluation.
    #[test]
    fn samples_evaluate_as_the_engine_does() {
        let weights = PatternWeights::by_hand();
        let values: Vec<f64> = weights.to_vec().into_iter().map(f64::from).collect();
        for name in ["gomoku", "gomoku-20x20-exactly-five", "gomoku-renju"] {
            let game = Gomoku::named(name).expect("a game");
            let eval = PatternEvaluation::new(game, &weights);
            // An open three is made and answered.
            let line = "2 1 h8=0 g9=-12 j9=20 g7=-5 k10=99 l11=0 h9=3";
            let played = PlayedGame::read(line).expect("a game");
            let mut samples = Samples::default();
            add(&mut samples, &game, 3, &played, 1.0).expect("legal moves");
            assert_eq!(samples.list.len(), 6);
            let mut position = game.start();
            for (ply, (text, _)) in played.moves.iter().enumerate() {
                if ply > 0 {
                    let sample = samples.list[ply - 1];
                    let score = eval.evaluate(&eval.refresh(&position), &position);
                    let sum = samples.evaluate(&values, &sample) / 10.0;
                    assert!((sum - f64::from(score)).abs() < 2.0, "{name}, ply {ply}: {sum} {score}");
                    assert_eq!((sample.target, sample.game), ([1.0, 0.0][ply % 2], 3));
                }
                let mv = game.read_move(&position, text, Style::Uci).expect("a legal move");
                position = game.play(&position, mv);
            }
        }
    }
}
