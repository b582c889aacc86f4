//! The textbook's evaluations by name, and their stage-weighted sum.

use super::features;
use crate::games::reversi::board::{Board, Placement, Reversi};
use crate::games::reversi::kernels::Kernels;
use crate::search::game::{Eval, Score, UNIT};

/// No position is worth more than a wipe-out: 64 discs.
const MOST: Score = 64 * UNIT;

/// An evaluation without memory, chosen by name when a room opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainEvaluation {
    /// Discs, each worth one.
    Discs,
    /// Legal moves, each worth a disc.
    Mobility,
    /// Corners, each worth ten discs.
    Corners,
    /// Weights of the squares held, ten to a disc.
    Positional,
    /// Empty squares beside the other's discs, two to a disc.
    PotentialMobility,
    /// Stable discs, each worth one.
    Stability,
    /// All of them, weighted by the stage of the game.
    Weighted,
}

use PlainEvaluation::*;

impl PlainEvaluation {
    /// The names, in the order of the textbook.
    pub const NAMES: &'static [&'static str] =
        &["discs", "mobility", "corners", "positional", "potential-mobility", "stability", "weighted"];

    /// The evaluation of that name, in any case.
    pub fn named(name: &str) -> Option<PlainEvaluation> {
        let all = [Discs, Mobility, Corners, Positional, PotentialMobility, Stability, Weighted];
        let index = Self::NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        all.get(index).copied()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }

    /// The value for the side to move in hundredths of a disc, within ±6400.
    pub fn value(self, board: Board) -> Score {
        let value = match self {
            Discs => features::discs(board) * UNIT,
            Mobility => features::mobility(board) * UNIT,
            Corners => features::corners(board) * 10 * UNIT,
            Positional => features::positional(board) * UNIT / 10,
            PotentialMobility => features::potential_mobility(board) * UNIT / 2,
            Stability => features::stability(board) * UNIT,
            Weighted => weighted(board),
        };
        value.clamp(-MOST, MOST)
    }
}

/// Hundredths of a disc for one unit of each feature.
#[derive(Clone, Copy)]
struct Weights {
    discs: i32,
    mobility: i32,
    potential: i32,
    corners: i32,
    x_squares: i32,
    c_squares: i32,
    stability: i32,
    positional: i32,
}

/// Discs on the board at which the weights below hold; between them they change evenly.
const STAGES: [i32; 4] = [12, 32, 48, 64];
const WEIGHTS: [Weights; 4] = [
    Weights {
        discs: -25,
        mobility: 110,
        potential: 55,
        corners: 900,
        x_squares: -350,
        c_squares: -120,
        stability: 60,
        positional: 2,
    },
    Weights {
        discs: -20,
        mobility: 130,
        potential: 60,
        corners: 800,
        x_squares: -300,
        c_squares: -110,
        stability: 90,
        positional: 2,
    },
    Weights {
        discs: 0,
        mobility: 110,
        potential: 45,
        corners: 500,
        x_squares: -150,
        c_squares: -70,
        stability: 110,
        positional: 1,
    },
    Weights {
        discs: 100,
        mobility: 20,
        potential: 10,
        corners: 100,
        x_squares: 0,
        c_squares: 0,
        stability: 40,
        positional: 0,
    },
];

/// The stage-weighted sum of the features. Who has no disc has lost them all.
fn weighted(board: Board) -> Score {
    if board.player == 0 {
        return -MOST;
    }
    if board.opponent == 0 {
        return MOST;
    }
    let filled = (64 - board.empties() as i32).max(STAGES[0]);
    let stage = STAGES[1..].iter().position(|&end| filled <= end).unwrap_or(2);
    let (low, high) = (WEIGHTS[stage], WEIGHTS[stage + 1]);
    let (from, to) = (STAGES[stage], STAGES[stage + 1]);
    let mix = |pick: fn(&Weights) -> i32| (pick(&low) * (to - filled) + pick(&high) * (filled - from)) / (to - from);
    mix(|w| w.discs) * features::discs(board)
        + mix(|w| w.mobility) * features::mobility(board)
        + mix(|w| w.potential) * features::potential_mobility(board)
        + mix(|w| w.corners) * features::corners(board)
        + mix(|w| w.x_squares) * features::x_squares(board)
        + mix(|w| w.c_squares) * features::c_squares(board)
        + mix(|w| w.stability) * features::stability(board)
        + mix(|w| w.positional) * features::positional(board)
}

impl<K: Kernels> Eval<Reversi<K>> for PlainEvaluation {
    type State = ();

    fn fresh(&self, _: &Board) {}

    #[inline(always)]
    fn advance(&self, (): &(), _: &Board, _: Placement, _: &Board) {}

    #[inline(always)]
    fn score(&self, (): &(), board: &Board) -> Score {
        self.value(*board)
    }

    /// As it stands: empty squares are not given away.
    fn finished(&self, board: &Board, _rules: Score) -> Score {
        self.value(*board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;

    #[test]
    fn every_name_is_an_evaluation_of_its_own() {
        let (board, _) =
            obf::position("XXXO----XXO---O-XO-XOX---OXXXX----OXO--O---XO-------X----------O X").expect("a board");
        let mut values: Vec<_> = PlainEvaluation::NAMES
            .iter()
            .map(|name| PlainEvaluation::named(name).expect("a known name").value(board))
            .collect();
        values.dedup();
        assert!(values.len() > 4, "{values:?}");
        assert_eq!(PlainEvaluation::named("WEIGHTED"), Some(Weighted));
        assert_eq!(PlainEvaluation::named("nonsense"), None);
    }

    #[test]
    fn values_change_sign_with_the_side() {
        for board in [Board::START, Board { player: 0x0000_3c18_1020_0000, opponent: 0x0000_0024_2c10_1000 }] {
            for name in PlainEvaluation::NAMES {
                let evaluation = PlainEvaluation::named(name).expect("a known name");
                assert_eq!(evaluation.value(board), -evaluation.value(board.passed()), "{name}");
            }
        }
    }

    #[test]
    fn a_wipe_out_is_worth_all_squares() {
        assert_eq!(Weighted.value(Board { player: 7, opponent: 0 }), MOST);
        assert_eq!(Weighted.value(Board { player: 0, opponent: 7 }), -MOST);
    }
}
