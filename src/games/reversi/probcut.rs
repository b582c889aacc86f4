//! What ProbCut knows about an evaluation: how far, and to which side, shallow searches miss.
//!
//! After Buro's ProbCut (1995) and Multi-ProbCut (1997). `flipside train probcut` measures the
//! differences between deep and shallow searches; their mean (bias) and the logarithm of their
//! standard deviation (sigma) are smooth functions of the discs on the board and of both depths,
//! so that depths that were too expensive to measure follow from those that were not.

use crate::search::policy::ProbCut;
use crate::search::types::{Depth, Score, Selectivity, UNIT};

/// Terms of the smooth functions.
pub const TERMS: usize = 6;

/// Coefficients of the terms, for values in discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// Of the logarithm of the standard deviation.
    pub sigma: [f32; TERMS],
    /// Of the mean of deep minus shallow.
    pub bias: [f32; TERMS],
}

/// Both kinds of bets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutModel {
    /// A search of some depth speaks for a deeper one.
    pub middle: ErrorModel,
    /// A search of some depth speaks for perfect play to the end.
    pub end: ErrorModel,
}

/// The terms for so many discs on the board and these depths; for perfect play `deep` is the number
/// of empty squares.
pub fn terms(discs: u32, shallow: u32, deep: u32) -> [f32; TERMS] {
    let stage = discs as f32 / 64.0;
    let (shallow, deep) = ((shallow as f32 + 1.0).ln(), (deep as f32 + 1.0).ln());
    [1.0, stage, stage * stage, shallow, deep, stage * deep]
}

impl ErrorModel {
    /// Always so many discs, to neither side.
    pub const fn constant(logarithm: f32) -> ErrorModel {
        ErrorModel { sigma: [logarithm, 0.0, 0.0, 0.0, 0.0, 0.0], bias: [0.0; TERMS] }
    }

    /// Bias and sigma in hundredths of a disc.
    pub fn at(&self, discs: u32, shallow: u32, deep: u32) -> ProbCutPair {
        let terms = terms(discs, shallow, deep);
        let sum = |coefficients: &[f32; TERMS]| coefficients.iter().zip(terms).map(|(c, t)| c * t).sum::<f32>();
        let unit = UNIT as f32;
        let sigma = (sum(&self.sigma).clamp(-1.0, 3.5).exp() * unit) as i16;
        ProbCutPair { shallow: shallow as i8, bias: (sum(&self.bias).clamp(-20.0, 20.0) * unit) as i16, sigma }
    }
}

impl ProbCutModel {
    /// For weights that nobody has measured: as wide as shallow searches by them may miss.
    pub const UNKNOWN: ProbCutModel =
        ProbCutModel { middle: ErrorModel::constant(1.8), end: ErrorModel::constant(2.1) };

    /// All coefficients in a row.
    pub fn coefficients(&self) -> [f32; 4 * TERMS] {
        let parts = [self.middle.sigma, self.middle.bias, self.end.sigma, self.end.bias];
        std::array::from_fn(|index| parts[index / TERMS][index % TERMS])
    }

    /// The probcut_model that have these coefficients.
    pub fn from_coefficients(all: [f32; 4 * TERMS]) -> ProbCutModel {
        let part = |number: usize| std::array::from_fn(|term| all[number * TERMS + term]);
        ProbCutModel {
            middle: ErrorModel { sigma: part(0), bias: part(1) },
            end: ErrorModel { sigma: part(2), bias: part(3) },
        }
    }
}

/// A bet on a shallow search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbCutPair {
    /// Plies of the shallow search.
    pub shallow: i8,
    /// Expected deep value minus shallow value in hundredths of a disc.
    pub bias: i16,
    /// Standard deviation of that in hundredths of a disc.
    pub sigma: i16,
}

impl ProbCutPair {
    /// How far outside the window the shallow value must be at this selectivity.
    #[inline(always)]
    pub fn margin(self, selectivity: Selectivity) -> Score {
        // Standard deviations, in hundredths, for 73, 87, 95, 98 and 99 percent, both sides.
        const DEVIATIONS: [i32; 5] = [110, 151, 196, 233, 258];
        self.deviations(DEVIATIONS[usize::from(selectivity.0.min(4))])
    }

    /// So many hundredths of a standard deviation.
    #[inline(always)]
    fn deviations(self, hundredths: i32) -> Score {
        hundredths * Score::from(self.sigma) / 100
    }

    /// The bet on a search to the depth `deep` in the middle game.
    ///
    /// At the least sure level, by which games are played, it is not the share of won bets that counts: found by SPSA, the
    /// evaluation alone must be surer than its probcut_model ask, searches less sure, the less the deeper they speak for,
    /// and they are not worth while unless the evaluation agrees with all of the margin.
    #[inline(always)]
    pub fn middle(self, deep: Depth, selectivity: Selectivity) -> ProbCut {
        let margin = match (selectivity, self.shallow) {
            (PLAY_SELECTIVITY, 0) => self.deviations(165),
            (PLAY_SELECTIVITY, _) => self.deviations((106 - 2 * deep).max(50)),
            _ => self.margin(selectivity),
        };
        let slack = if selectivity == PLAY_SELECTIVITY { 0 } else { margin };
        ProbCut { depth: Depth::from(self.shallow), bias: Score::from(self.bias), margin, slack }
    }
}

/// How sure bets of the middle game are unless something else is asked for.
pub const PLAY_SELECTIVITY: Selectivity = Selectivity(0);

/// Plies of the shallow search that speaks for one of `deep` plies: about half of them, as odd or
/// even as they are, because values swing from ply to ply. For one ply and for two the evaluation speaks alone.
pub fn shallow_for(deep: Depth) -> Depth {
    (deep - (deep + 3) / 4 * 2).max(0)
}

/// Up to this depth the evaluation alone bets before a shallow search does.
const STATIC_TO: Depth = 6;
const STAGES: usize = 17;
const DEPTHS: usize = 61;

/// PairTable by stage and depth.
type PairTable = Box<[[ProbCutPair; DEPTHS]; STAGES]>;

/// All bets of the middle game, worked out once.
#[derive(Clone, Debug)]
pub struct MiddlegamePairs {
    by_evaluation: PairTable,
    by_search: PairTable,
}

impl MiddlegamePairs {
    /// The bets that follow from the probcut_model.
    pub fn new(probcut_model: &ProbCutModel) -> MiddlegamePairs {
        let bets = |shallow: fn(Depth) -> Depth| {
            let mut bets = Box::new([[ProbCutPair::default(); DEPTHS]; STAGES]);
            for (stage, row) in bets.iter_mut().enumerate() {
                for (deep, bet) in row.iter_mut().enumerate() {
                    let shallow = shallow(deep as Depth) as u32;
                    *bet = probcut_model.middle.at(4 * stage as u32 + 2, shallow, deep as u32);
                }
            }
            bets
        };
        MiddlegamePairs { by_evaluation: bets(|_| 0), by_search: bets(shallow_for) }
    }

    /// The bets for a search of this depth, at least one ply, with so many discs on the board: the cheapest first.
    #[inline(always)]
    pub fn bets(&self, discs: u32, deep: Depth) -> impl Iterator<Item = ProbCutPair> + use<> {
        let (stage, place) = (discs as usize / 4 % STAGES, (deep as usize).min(DEPTHS - 1));
        let searched = self.by_search[stage][place];
        let alone = deep <= STATIC_TO && searched.shallow > 0;
        alone.then(|| self.by_evaluation[stage][place]).into_iter().chain([searched])
    }
}

/// The bets of a solver, by empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgamePairs([ProbCutPair; DEPTHS]);

impl EndgamePairs {
    /// The bets that follow from the probcut_model.
    pub fn new(probcut_model: &ProbCutModel) -> EndgamePairs {
        EndgamePairs(std::array::from_fn(|empties| {
            let empties = empties as u32;
            probcut_model.end.at(64 - empties, (empties / 6).clamp(2, 5), empties)
        }))
    }

    /// The bet with so many empty squares.
    #[inline(always)]
    pub fn bet(&self, empties: u32) -> ProbCutPair {
        self.0[(empties as usize).min(DEPTHS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_searches_are_shorter_and_of_the_same_parity() {
        for deep in 2..60 {
            let shallow = shallow_for(deep);
            assert!((0..=deep - 2).contains(&shallow) && (deep - shallow) % 2 == 0, "{deep}: {shallow}");
        }
        assert_eq!([1, 4, 8, 12, 16].map(shallow_for), [0, 2, 4, 6, 8]);
    }

    #[test]
    fn bets_follow_the_model() {
        let model = ErrorModel { sigma: [0.0, 0.0, 0.0, -1.0, 1.0, 0.0], bias: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
        let probcut_model = ProbCutModel { middle: model, end: model };
        assert_eq!(ProbCutModel::from_coefficients(probcut_model.coefficients()), probcut_model);
        // exp(ln 9 - ln 5) discs.
        let bets = |deep| MiddlegamePairs::new(&probcut_model).bets(30, deep).collect::<Vec<_>>();
        let bet = bets(8)[0];
        assert_eq!(bet, ProbCutPair { shallow: 4, bias: 100, sigma: 180 });
        assert_eq!(bets(1), [ProbCutPair { shallow: 0, bias: 100, sigma: 200 }]);
        assert_eq!(
            bets(4),
            [ProbCutPair { shallow: 0, bias: 100, sigma: 500 }, ProbCutPair { shallow: 2, bias: 100, sigma: 166 }]
        );
        assert_eq!([2, 6, 7].map(|deep| bets(deep).len()), [1, 2, 1]);
        assert_eq!(EndgamePairs::new(&probcut_model).bet(20).sigma, 525);
        assert_eq!(bet.margin(Selectivity(0)), 198);
        assert!(bet.margin(Selectivity(4)) > bet.margin(Selectivity(3)));
    }

    #[test]
    fn games_are_played_by_other_bets_than_those_of_the_statistics() {
        let bet =
            |shallow, deep, level| ProbCutPair { shallow, bias: 20, sigma: 1_000 }.middle(deep, Selectivity(level));
        assert_eq!(
            [bet(0, 2, 0), bet(4, 8, 0), bet(8, 16, 0), bet(30, 60, 0)].map(|bet| bet.margin),
            [1650, 900, 740, 500]
        );
        assert_eq!((bet(4, 8, 0).depth, bet(4, 8, 0).bias, bet(4, 8, 0).slack), (4, 20, 0));
        assert_eq!((bet(0, 2, 1).margin, bet(8, 16, 1).margin, bet(8, 16, 1).slack), (1_510, 1_510, 1_510));
    }
}
