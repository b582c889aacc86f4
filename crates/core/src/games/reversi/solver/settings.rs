//! Thresholds and weights of the solver.

use crate::games::reversi::probcut::{EndgamePairs, ProbCutModel};
use crate::search::types::Selectivity;

/// Empty squares from which a selective solve prepares an exact one.
pub const SELECTIVE_FROM: u32 = 18;

/// Selectivities of the passes that prepare an exact solve, the most selective first.
const SELECTIVE_PASSES: [Selectivity; 2] = [Selectivity::BOLDEST, Selectivity::from_percent(95)];

/// The pass after one of this selectivity, which prepares it by filling the table with good first
/// moves; none after the exact one.
pub fn next_pass(selectivity: Selectivity) -> Option<Selectivity> {
    let next = SELECTIVE_PASSES.into_iter().find(|&pass| pass > selectivity);
    (selectivity < Selectivity::EXACT).then_some(next.unwrap_or(Selectivity::EXACT))
}

/// Thresholds and weights of the recursion, found by sweeps (`benches/sweep.rs`). None of them can change an exact
/// score.
#[derive(Clone, Copy, Debug)]
pub struct SolverSettings {
    /// Empty squares from which moves are ordered by the evaluation.
    pub evaluation_from: u32,
    /// Empty squares from which the shared table is used instead of the thread's own; at least 5.
    pub shared_from: u32,
    /// Empty squares of a root from which helping threads are called, and from which positions are shared with those
    /// that are idle; at least `evaluation_from`.
    pub split_from: u32,
    /// Empty squares from which they are shared if many threads are idle...
    pub split_small_from: u32,
    /// ... and from which they are offered even if no thread is idle.
    pub offer_from: u32,
    /// The least `alpha` in discs, with no empty squares, for which a stability cutoff is tried...
    pub stability_base: i32,
    /// ... and quarters of a disc more for each empty square.
    pub stability_slope: i32,
    /// Fastest first: cost of each legal reply of the opponent.
    pub reply_weight: i32,
    /// Fastest first: cost of each empty square beside the mover's discs.
    pub open_weight: i32,
    /// Bonus of a move in a quadrant with an odd number of empty squares.
    pub parity_bonus: i32,
    /// Weight of a fastest-first point beside a quarter of a hundredth of a disc of evaluation.
    pub speed_weight: i32,
    /// Bonus of the table's second move.
    pub second_bonus: i32,
    /// Empty squares from which the ordering search is one ply deep...
    pub sort_from: u32,
    /// ... and one ply deeper for this many more.
    pub sort_step: u32,
    /// Discs outside the window that the ordering search still tells apart.
    pub sort_window: i32,
    /// Most plies of the ordering search.
    pub sort_most: u32,
    /// Empty squares from which it takes the value of a leaf instead of an estimate.
    pub value_from: u32,
    /// Selective passes before the requested one: their selectivity, and the empty squares from which they pay.
    pub passes: [(Selectivity, u32); 2],
    /// Half width, in discs, of the aspiration window around the previous pass's score.
    pub root_width: i32,
    /// ProbCut of the selective passes.
    pub probcut: EndgamePairs,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings {
            evaluation_from: 12,
            shared_from: 10,
            split_from: 12,
            split_small_from: 11,
            offer_from: 14,
            stability_base: -6,
            stability_slope: 6,
            reply_weight: 48,
            open_weight: 4,
            parity_bonus: 12,
            speed_weight: 20,
            second_bonus: 400,
            sort_from: 16,
            sort_step: 4,
            sort_window: 24,
            sort_most: 4,
            value_from: 16,
            passes: [(SELECTIVE_PASSES[0], SELECTIVE_FROM), (SELECTIVE_PASSES[1], 24)],
            root_width: 1,
            probcut: EndgamePairs::new(&ProbCutModel::UNKNOWN),
        }
    }
}

impl SolverSettings {
    /// Plies of the ordering search.
    #[inline(always)]
    pub fn sort_depth(&self, empties: u32) -> u32 {
        if empties < self.sort_from { 0 } else { (1 + (empties - self.sort_from) / self.sort_step).min(self.sort_most) }
    }

    /// Selectivities of the passes before one of `target`.
    pub fn passes(&self, empties: u32, target: Selectivity) -> impl Iterator<Item = Selectivity> {
        let pays = move |&(selectivity, from): &(Selectivity, u32)| empties >= from && selectivity < target;
        self.passes.into_iter().filter(pays).map(|(selectivity, _)| selectivity)
    }

    /// The same thresholds with the ProbCut pairs of an evaluation, if its errors were measured.
    pub fn with_probcut(self, model: Option<&ProbCutModel>) -> SolverSettings {
        SolverSettings { probcut: model.map_or(self.probcut, EndgamePairs::new), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_lead_to_the_exact_one() {
        let after =
            Selectivity::PERCENT.map(|percent| next_pass(Selectivity::from_percent(percent)).map(Selectivity::percent));
        assert_eq!(after, [Some(95), Some(95), Some(95), Some(100), Some(100), Some(100), None]);
        let passes = |empties| -> Vec<u8> {
            SolverSettings::default().passes(empties, Selectivity::EXACT).map(Selectivity::percent).collect()
        };
        assert_eq!([17, 18, 24].map(passes), [vec![], vec![73], vec![73, 95]]);
        assert_eq!(SolverSettings::default().passes(30, Selectivity::from_percent(95)).count(), 1);
    }
}
