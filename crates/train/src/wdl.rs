//! The chances that scores stand for: results of games by score and by how much of the game was left, the model that
//! fits them best, and how well it does.

use super::adam::Adam;
use super::game_file::TrainingGame;
use super::played_game::PlayedGame;
use flipside_core::games::minichess::notation as minichess;
use flipside_core::games::reversi::notation as reversi;
use flipside_core::search::types::{Score, UNIT, WIN_IN_MAX_PLY};
use flipside_core::search::wdl::{WdlCurve, WdlModel};
use std::collections::BTreeMap;

/// Scores are counted in steps of this size.
const STEP: Score = UNIT / 4;

/// The results of positions, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Empty squares or plies at the start of a game.
    length: u32,
    /// Wins, draws and losses by what is left of the game and by score.
    counts: BTreeMap<(u32, Score), [f64; 3]>,
}

impl Results {
    /// No results of Reversi.
    pub fn of_reversi() -> Results {
        Results { length: reversi::WDL_LENGTH, counts: BTreeMap::new() }
    }

    /// No results of MiniChess.
    pub fn of_minichess() -> Results {
        Results { length: minichess::WDL_LENGTH, counts: BTreeMap::new() }
    }

    /// Adds the positions of a game of Reversi whose values are estimates.
    pub fn add_reversi(&mut self, game: &TrainingGame) {
        for position in game.positions().iter().filter(|position| !position.opening && !position.exact) {
            self.add(position.board.empties(), (position.value * UNIT as f32) as Score, position.result as i32);
        }
    }

    /// Adds the positions of a game of MiniChess whose values are estimates.
    pub fn add_minichess(&mut self, game: &PlayedGame) {
        for (ply, (_, score)) in game.moves.iter().enumerate().skip(game.random) {
            let result = (i32::from(game.halves) - 1) * if ply % 2 == 0 { 1 } else { -1 };
            self.add(self.length.saturating_sub(ply as u32), *score, result);
        }
    }

    fn add(&mut self, left: u32, score: Score, result: i32) {
        if score.abs() < WIN_IN_MAX_PLY {
            let rounded = (score + score.signum() * STEP / 2) / STEP * STEP;
            self.counts.entry((left, rounded)).or_default()[(1 - result.signum()) as usize] += 1.0;
        }
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.counts.values().flatten().sum::<f64>() as u64
    }

    fn model(&self, curve: &WdlCurve, left: u32) -> WdlModel {
        curve.at(f64::from(left) / f64::from(self.length))
    }

    /// The mean negative logarithm of the probabilities that the model gives to the results.
    pub fn cost(&self, curve: &WdlCurve) -> f64 {
        let cost = |(&(left, score), counts): (&(u32, Score), &[f64; 3])| {
            let probabilities = self.model(curve, left).probabilities(score);
            counts.iter().zip(probabilities).map(|(count, share)| -count * share.max(1e-9).ln()).sum::<f64>()
        };
        self.counts.iter().map(cost).sum::<f64>() / self.counts.values().flatten().sum::<f64>().max(1.0)
    }

    /// The model that makes the results likeliest: gradient descent from a rough one.
    pub fn fit(&self) -> WdlCurve {
        const STEPS: u32 = 1_500;
        /// Hundredths of a unit.
        const RATE: f64 = 4.0;
        /// Hundredths of a unit between the two costs of a slope.
        const WIDTH: f64 = 0.5;
        let curve =
            |terms: [f64; 6]| WdlCurve { draw: [terms[0], terms[1], terms[2]], spread: [terms[3], terms[4], terms[5]] };
        let mut terms = [50.0, 0.0, 0.0, 150.0, 300.0, 0.0];
        let mut adam = Adam::new(terms.len());
        for step in 0..STEPS {
            let slope = |index: usize| {
                let cost = |change: f64| {
                    let mut changed = terms;
                    changed[index] += change;
                    self.cost(&curve(changed))
                };
                (cost(WIDTH) - cost(-WIDTH)) / (2.0 * WIDTH)
            };
            let slopes: Vec<f64> = (0..terms.len()).map(slope).collect();
            let rate = RATE * (1.0 - f64::from(step) / f64::from(STEPS));
            let changes: Vec<f64> = adam.step(rate, slopes.into_iter()).collect();
            terms.iter_mut().zip(changes).for_each(|(term, change)| *term += change);
        }
        curve(terms.map(f64::round))
    }

    /// Predicted and observed results in the parts of the game between `parts[n]` and `parts[n + 1]` of what is left,
    /// from 1 at the start to 0.
    pub fn calibration(&self, curve: &WdlCurve, parts: &[f64]) -> Vec<Calibration> {
        let mut rows: Vec<Calibration> =
            parts.windows(2).map(|part| Calibration { part: [part[0], part[1]], ..Calibration::default() }).collect();
        for (&(left, score), counts) in &self.counts {
            let share = f64::from(left) / f64::from(self.length);
            let Some(row) = rows.iter_mut().find(|row| row.part[1] < share && share <= row.part[0]) else { continue };
            row.add(self.model(curve, left).probabilities(score), counts);
        }
        rows
    }
}

/// Groups of positions with similar expected results.
const GROUPS: usize = 20;

/// What a model predicts for a part of the game, beside what happened there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// What is left of the game at the beginning and at the end of the part.
    pub part: [f64; 2],
    /// Positions.
    pub positions: f64,
    /// Sum of the predicted probabilities of win, draw and loss, and the numbers of these results.
    sums: [[f64; 3]; 2],
    /// By expected result: positions, expected results, results.
    groups: [[f64; 3]; GROUPS],
}

impl Calibration {
    fn add(&mut self, predicted: [f64; 3], counts: &[f64; 3]) {
        let positions: f64 = counts.iter().sum();
        self.positions += positions;
        for index in 0..3 {
            self.sums[0][index] += positions * predicted[index];
            self.sums[1][index] += counts[index];
        }
        let expected = predicted[0] + predicted[1] / 2.0;
        let group = &mut self.groups[((expected * GROUPS as f64) as usize).min(GROUPS - 1)];
        group[0] += positions;
        group[1] += positions * expected;
        group[2] += counts[0] + counts[1] / 2.0;
    }

    /// Predicted and observed share of won, drawn and lost games.
    pub fn shares(&self) -> [[f64; 3]; 2] {
        self.sums.map(|sums| sums.map(|sum| sum / self.positions.max(1.0)))
    }

    /// Expected and mean result of groups of at least `least` positions.
    pub fn points(&self, least: f64) -> Vec<(f64, f64)> {
        let large = self.groups.iter().filter(|[positions, ..]| *positions >= least.max(1.0));
        large.map(|[positions, expected, results]| (expected / positions, results / positions)).collect()
    }

    /// Mean difference between expected and observed result of a group, weighted by positions.
    pub fn error(&self) -> f64 {
        let sum: f64 = self.groups.iter().map(|[_, expected, results]| (expected - results).abs()).sum();
        sum / self.positions.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results as frequent as this model says.
    fn drawn_from(curve: &WdlCurve) -> Results {
        let mut results = Results::of_reversi();
        for left in (10..=50).step_by(5) {
            for score in (-2_000..=2_000).step_by(STEP as usize) {
                let probabilities = curve.at(f64::from(left) / 60.0).probabilities(score);
                results.counts.insert((left, score), probabilities.map(|share| 100.0 * share));
            }
        }
        results
    }

    #[test]
    fn the_model_behind_the_results_is_found() {
        let curve = WdlCurve { draw: [80.0, 60.0, 0.0], spread: [120.0, 400.0, -100.0] };
        let results = drawn_from(&curve);
        let fitted = results.fit();
        assert!(results.cost(&fitted) < results.cost(&curve) + 1e-4, "{fitted:?}");
        for left in [0.2, 0.5, 0.8] {
            for score in [-500, 0, 100, 900] {
                let [found, wanted] = [fitted, curve].map(|curve| curve.at(left).chances(score).share());
                assert!(found.abs_diff(wanted) <= 15, "{left} {score}: {found} {wanted}");
            }
        }
        let parts = [1.0, 0.5, 0.0];
        let calibrated = results.calibration(&curve, &parts);
        assert!(calibrated.iter().all(|part| part.positions > 0.0 && part.error() < 1e-9), "{calibrated:?}");
        let wrong = WdlCurve { draw: [80.0, 60.0, 0.0], spread: [900.0, 0.0, 0.0] };
        assert!(results.calibration(&wrong, &parts).iter().all(|part| part.error() > 0.02));
    }

    #[test]
    fn results_are_for_the_side_to_move() {
        let moves = [("a", 0), ("b", 500), ("c", -500), ("d", 30_000)].map(|(mv, score)| (mv.to_string(), score));
        let mut results = Results::of_minichess();
        results.add_minichess(&PlayedGame { halves: 0, random: 1, moves: moves.to_vec() });
        let counts: Vec<_> = results.counts.into_iter().collect();
        assert_eq!(counts, [((78, -500), [0.0, 0.0, 1.0]), ((79, 500), [1.0, 0.0, 0.0])]);
        let squares = vec![19, 18, 26];
        let mut results = Results::of_reversi();
        let game = TrainingGame { squares, values: vec![0, -5, 8], opening: 1, exact: 2, result: 4 };
        results.add_reversi(&game);
        assert_eq!(results.counts.into_iter().collect::<Vec<_>>(), [((59, -250), [0.0, 0.0, 1.0])]);
    }
}
