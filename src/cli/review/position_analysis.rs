//! The result of the analysis of a position.

use super::canonical::CanonicalPosition;
use super::verdict::{Assessment, Thresholds, Verdict};
use flipside_core::search::types::{Certainty, Score};

/// The value of a legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// The move.
    pub mv: u16,
    /// In hundredths, for the side to move.
    pub score: Score,
    /// The certainty of the score.
    pub certainty: Certainty,
}

/// The values of all legal moves of a position, from one search with equal effort for each.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAnalysis {
    /// The moves, the best first; never empty.
    pub moves: Vec<MoveValue>,
    /// Principal variation, which begins with the best move.
    pub pv: Vec<u16>,
    /// Plies searched.
    pub depth: u32,
    /// Positions entered.
    pub nodes: u64,
    /// The losses at which the verdict changes.
    pub thresholds: Thresholds,
}

impl PositionAnalysis {
    /// The best move; other moves may be equally good.
    pub fn best(&self) -> &MoveValue {
        &self.moves[0]
    }

    /// The loss of a move; `None` if the move is not legal.
    pub fn assess(&self, played: u16) -> Option<Assessment> {
        let value = self.moves.iter().find(|value| value.mv == played)?;
        let loss = self.best().score - value.score;
        let is_certain = |value: &MoveValue| matches!(value.certainty, Certainty::Exact | Certainty::Proven);
        let are_certain = is_certain(self.best()) && is_certain(value);
        Some(Assessment { loss, verdict: Verdict::of(loss, are_certain, &self.thresholds) })
    }

    /// The same analysis for a symmetric position.
    pub(super) fn turned_back(&self, position: &CanonicalPosition) -> PositionAnalysis {
        let turned = |value: &MoveValue| MoveValue { mv: position.original_move(value.mv), ..*value };
        PositionAnalysis {
            moves: self.moves.iter().map(turned).collect(),
            pv: self.pv.iter().map(|&mv| position.original_move(mv)).collect(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysis(certainty: Certainty) -> PositionAnalysis {
        let value = |(mv, score): (u16, Score)| MoveValue { mv, score, certainty };
        PositionAnalysis {
            moves: [(19, 150), (26, 150), (37, 90), (44, -250)].map(value).to_vec(),
            pv: vec![19],
            depth: 9,
            nodes: 1,
            thresholds: Thresholds { noise: 100, mistake: 300, blunder: 800 },
        }
    }

    #[test]
    fn a_move_is_judged_by_what_it_cost() {
        let assessed =
            |certainty, mv| analysis(certainty).assess(mv).map(|assessment| (assessment.loss, assessment.verdict));
        let estimate = Certainty::Estimate(80);
        assert_eq!(assessed(estimate, 19), Some((0, Verdict::Best)));
        assert_eq!(assessed(estimate, 26), Some((0, Verdict::Best)));
        assert_eq!(assessed(estimate, 37), Some((60, Verdict::Equal)));
        assert_eq!(assessed(Certainty::Exact, 37), Some((60, Verdict::Inaccuracy)), "exact scores have no noise");
        assert_eq!(assessed(Certainty::Proven, 37), Some((60, Verdict::Inaccuracy)), "nor have proven ones");
        assert_eq!(assessed(estimate, 44), Some((400, Verdict::Mistake)));
        assert_eq!(assessed(estimate, 0), None);
    }
}
