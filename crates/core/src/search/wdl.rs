//! The chances of a win, a draw and a loss that a score stands for.
//!
//! An ordinal logistic model (McCullagh, 1980): a score `s` wins with probability `sigmoid((s - draw) / spread)` and
//! loses with `sigmoid((-s - draw) / spread)`. Both parameters depend on how much of the game is left, because a lead
//! grows surer towards the end.

use super::transposition_table::Bound;
use super::types::{Certainty, Score};

/// Chances in thousandths, for one side; the three add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Of a win.
    pub win: u16,
    /// Of a draw.
    pub draw: u16,
    /// Of a loss.
    pub loss: u16,
}

impl Wdl {
    /// The chances of a finished game, or of one whose result is known, with this score above a draw.
    pub fn certain(above_draw: Score) -> Wdl {
        let [win, draw, loss] = [above_draw > 0, above_draw == 0, above_draw < 0].map(|is| 1000 * u16::from(is));
        Wdl { win, draw, loss }
    }

    /// Win, draw, loss.
    pub fn array(self) -> [u16; 3] {
        [self.win, self.draw, self.loss]
    }

    /// The same for the other side.
    pub fn reversed(self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// The expected result in thousandths; a draw is half a win.
    pub fn share(self) -> u32 {
        (u32::from(self.win) + 1000 - u32::from(self.loss)) / 2
    }
}

/// The model of a game and an evaluation: its two parameters as polynomials in the part of the game that is left, from
/// 1 at the start to 0, the constant term first. They are in hundredths of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlCurve {
    /// Half the width of the scores that are most likely drawn.
    pub draw: [f64; 3],
    /// The lead above that width that wins 73 of 100 games.
    pub spread: [f64; 3],
}

impl WdlCurve {
    /// The model where this part of the game is left.
    pub fn at(&self, left: f64) -> WdlModel {
        let value = |terms: &[f64; 3]| (terms[0] + left * (terms[1] + left * terms[2])).max(1.0);
        WdlModel { draw: value(&self.draw), spread: value(&self.spread) }
    }
}

/// The model of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    draw: f64,
    spread: f64,
}

impl WdlModel {
    /// The probabilities of a win, a draw and a loss at this score above a draw.
    pub fn probabilities(&self, above_draw: Score) -> [f64; 3] {
        let sigmoid = |score: f64| 1.0 / (1.0 + ((self.draw - score) / self.spread).exp());
        let [win, loss] = [1.0, -1.0].map(|sign| sigmoid(sign * f64::from(above_draw)));
        [win, 1.0 - win - loss, loss]
    }

    /// The chances at this score above a draw. No result is certain: win and loss are at least one thousandth.
    pub fn chances(&self, above_draw: Score) -> Wdl {
        let [win, _, loss] = self.probabilities(above_draw);
        let [win, loss] = [win, loss].map(|share| (share * 1000.0).round().clamp(1.0, 999.0) as u16);
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

/// The chances of a value in a position with this model; `draw` is what a drawn game is worth to the side to move. A
/// known result is certain. `None` if the game has no model and the result is not known.
pub fn of_value(score: Score, bound: Bound, certainty: Certainty, model: Option<WdlModel>, draw: Score) -> Option<Wdl> {
    let above_draw = score - draw;
    let is_known = match certainty {
        Certainty::Exact | Certainty::Proven | Certainty::WinLossDraw => match bound {
            Bound::Exact => true,
            Bound::Lower => above_draw > 0,
            Bound::Upper => above_draw < 0,
        },
        _ => false,
    };
    if is_known { Some(Wdl::certain(above_draw)) } else { model.map(|model| model.chances(above_draw)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::types::WIN;

    const CURVE: WdlCurve = WdlCurve { draw: [50.0, 50.0, 0.0], spread: [100.0, 300.0, 100.0] };

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for left in [0.0, 0.3, 1.0] {
            let model = CURVE.at(left);
            let mut before = Wdl { win: 0, draw: 0, loss: 1000 };
            for score in (-MOST..=MOST).step_by(50) {
                let chances = model.chances(score);
                assert_eq!(chances.array().iter().sum::<u16>(), 1000, "{chances:?}");
                assert!(chances.win >= before.win && chances.loss <= before.loss, "{score}");
                assert!(chances.win > 0 && chances.loss > 0, "an estimate is never certain: {score}");
                assert_eq!(model.chances(-score), chances.reversed());
                let shares = chances.share() + chances.reversed().share();
                assert!((999..=1000).contains(&shares), "but for rounding: {shares}");
                before = chances;
            }
        }
    }

    const MOST: Score = 6_400;

    #[test]
    fn a_lead_is_surer_late_in_the_game() {
        assert!(CURVE.at(0.1).chances(300).win > CURVE.at(0.9).chances(300).win);
        let even = CURVE.at(0.5).chances(0);
        assert_eq!((even.win, even.share()), (even.loss, 500));
    }

    #[test]
    fn known_results_are_certain() {
        let model = Some(CURVE.at(0.5));
        let known = |score, bound, certainty, draw| of_value(score, bound, certainty, model, draw).map(Wdl::array);
        for certainty in [Certainty::Exact, Certainty::Proven, Certainty::WinLossDraw] {
            assert_eq!(known(200, Bound::Exact, certainty, 0), Some([1000, 0, 0]));
            assert_eq!(known(-200, Bound::Exact, certainty, 0), Some([0, 0, 1000]));
            assert_eq!(known(0, Bound::Exact, certainty, 0), Some([0, 1000, 0]));
            assert_eq!(known(-50, Bound::Exact, certainty, -50), Some([0, 1000, 0]), "a draw that the host values");
            assert_eq!(known(200, Bound::Lower, certainty, 0), Some([1000, 0, 0]));
            assert_ne!(known(0, Bound::Lower, certainty, 0), Some([0, 1000, 0]), "a draw or a win");
        }
        assert_eq!(known(2 - WIN, Bound::Exact, Certainty::Exact, 0), Some([0, 0, 1000]));
        assert_ne!(known(6_000, Bound::Exact, Certainty::Selective(99), 0), Some([1000, 0, 0]));
        assert_eq!(of_value(5, Bound::Exact, Certainty::Estimate(80), None, 0), None, "a game without a model");
        assert_eq!(of_value(5, Bound::Exact, Certainty::Exact, None, 0), Some(Wdl::certain(1)));
    }
}
