//! The textbook's evaluations by a single feature, chosen by name.

use super::features;
use crate::games::reversi::board::Board;
use crate::search::types::{Score, UNIT};

/// The largest value: a wipe-out, 64 discs.
pub(super) const MAX_VALUE: Score = 64 * UNIT;

/// An evaluation by one feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleFeature {
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
}

use SingleFeature::*;

impl SingleFeature {
    /// The names, in the order of the textbook.
    pub const NAMES: &'static [&'static str] =
        &["discs", "mobility", "corners", "positional", "potential-mobility", "stability"];

    /// The evaluation of that name, in any case.
    pub fn named(name: &str) -> Option<SingleFeature> {
        let all = [Discs, Mobility, Corners, Positional, PotentialMobility, Stability];
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
        };
        value.clamp(-MAX_VALUE, MAX_VALUE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;

    #[test]
    fn every_name_is_an_evaluation_of_its_own() {
        let (board, _) =
            obf::position("XXXXXX--XXO---O-XO-XOX---OXXXXX---OXO--O---XO-------XX---------- X").expect("a board");
        let mut values: Vec<_> = SingleFeature::NAMES
            .iter()
            .map(|name| SingleFeature::named(name).expect("a known name").value(board))
            .collect();
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), SingleFeature::NAMES.len(), "{values:?}");
        assert_eq!(SingleFeature::named("STABILITY"), Some(Stability));
        assert_eq!(SingleFeature::named("nonsense"), None);
    }

    #[test]
    fn values_change_sign_with_the_side() {
        for board in [Board::START, Board { player: 0x0000_3c18_1020_0000, opponent: 0x0000_0024_2c10_1000 }] {
            for name in SingleFeature::NAMES {
                let evaluation = SingleFeature::named(name).expect("a known name");
                assert_eq!(evaluation.value(board), -evaluation.value(board.passed()), "{name}");
            }
        }
    }
}
