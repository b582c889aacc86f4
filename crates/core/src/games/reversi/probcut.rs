//! ProbCut (Buro, 1995; Multi-ProbCut, 1997): how far, and to which side, values of shallow
//! searches differ from those of deep ones.
//!
//! `flipside train probcut` measures the differences between deep and shallow searches. Their mean (bias) and the
//! logarithm of their standard deviation (sigma) are modelled as smooth functions of the discs on the board and of both
//! depths, so that depths too expensive to measure are extrapolated from cheaper ones.

use crate::search::technique::ProbCutTest;
use crate::search::types::{Depth, Score, Selectivity, UNIT};

/// Terms of the two functions.
pub const TERMS: usize = 6;

/// The error of shallow searches: coefficients of the terms, for values in discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// Of the logarithm of the standard deviation.
    pub sigma: [f32; TERMS],
    /// Of the mean of deep minus shallow values.
    pub bias: [f32; TERMS],
}

/// The errors of an evaluation's searches, measured for the weights of one file and stored in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutModel {
    /// Of shallow searches as predictions of deeper ones.
    pub middlegame: ErrorModel,
    /// Of shallow searches as predictions of the exact score.
    pub endgame: ErrorModel,
}

/// The terms for a number of discs on the board and two depths; for the exact score `deep` is the number of empty
/// squares.
pub fn terms(discs: u32, shallow: u32, deep: u32) -> [f32; TERMS] {
    let stage = discs as f32 / 64.0;
    let (shallow, deep) = ((shallow as f32 + 1.0).ln(), (deep as f32 + 1.0).ln());
    [1.0, stage, stage * stage, shallow, deep, stage * deep]
}

impl ErrorModel {
    /// A standard deviation of `exp(logarithm)` discs everywhere, without bias.
    pub const fn constant(logarithm: f32) -> ErrorModel {
        ErrorModel { sigma: [logarithm, 0.0, 0.0, 0.0, 0.0, 0.0], bias: [0.0; TERMS] }
    }

    /// The pair of depths with its bias and sigma.
    pub fn at(&self, discs: u32, shallow: u32, deep: u32) -> ProbCutPair {
        let terms = terms(discs, shallow, deep);
        let sum = |coefficients: &[f32; TERMS]| coefficients.iter().zip(terms).map(|(c, t)| c * t).sum::<f32>();
        let unit = UNIT as f32;
        let sigma = (sum(&self.sigma).clamp(-1.0, 3.5).exp() * unit) as i16;
        ProbCutPair { shallow: shallow as i8, bias: (sum(&self.bias).clamp(-20.0, 20.0) * unit) as i16, sigma }
    }
}

impl ProbCutModel {
    /// For weights that were not measured: errors as large as those of any evaluation.
    pub const UNKNOWN: ProbCutModel =
        ProbCutModel { middlegame: ErrorModel::constant(1.8), endgame: ErrorModel::constant(2.1) };

    /// Bytes in a file.
    pub const BYTES: usize = 4 * 4 * TERMS;

    /// The largest coefficient of a file, far beyond measured ones: sums of terms stay finite.
    const MAX_COEFFICIENT: f32 = 1e6;

    /// The coefficients as the bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        self.coefficients().iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// The model from the bytes of a file; missing coefficients are zeros. `None` if one is beyond a million or no number.
    pub fn from_bytes(bytes: &[u8]) -> Option<ProbCutModel> {
        let (words, _) = bytes.as_chunks();
        let number = |index: usize| words.get(index).map_or(0.0, |word| f32::from_le_bytes(*word));
        let all: [f32; 4 * TERMS] = std::array::from_fn(number);
        let is_possible = all.iter().all(|number| number.abs() <= ProbCutModel::MAX_COEFFICIENT);
        is_possible.then(|| ProbCutModel::from_coefficients(all))
    }

    /// All coefficients in a row.
    pub fn coefficients(&self) -> [f32; 4 * TERMS] {
        let parts = [self.middlegame.sigma, self.middlegame.bias, self.endgame.sigma, self.endgame.bias];
        std::array::from_fn(|index| parts[index / TERMS][index % TERMS])
    }

    /// The model with these coefficients.
    pub fn from_coefficients(all: [f32; 4 * TERMS]) -> ProbCutModel {
        let part = |number: usize| std::array::from_fn(|term| all[number * TERMS + term]);
        ProbCutModel {
            middlegame: ErrorModel { sigma: part(0), bias: part(1) },
            endgame: ErrorModel { sigma: part(2), bias: part(3) },
        }
    }
}

/// A shallow search as the prediction of a deeper one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProbCutPair {
    /// Plies of the shallow search.
    pub shallow: i8,
    /// Mean of deep value minus shallow value in hundredths of a disc.
    pub bias: i16,
    /// Standard deviation of the same in hundredths of a disc.
    pub sigma: i16,
}

impl ProbCutPair {
    /// How far outside the window the shallow value must be at this selectivity, in hundredths of a disc.
    #[inline(always)]
    pub fn margin(self, selectivity: Selectivity) -> Score {
        // Two-sided confidence of 73, 80, 87, 95, 98 and 99 percent in hundredths of a standard deviation.
        const DEVIATIONS: [i32; 6] = [110, 128, 151, 196, 233, 258];
        self.deviations(DEVIATIONS[usize::from(selectivity.0).min(DEVIATIONS.len() - 1)])
    }

    /// A number of hundredths of a standard deviation.
    #[inline(always)]
    fn deviations(self, hundredths: i32) -> Score {
        hundredths * Score::from(self.sigma) / 100
    }

    /// The prediction of a search of `deep` plies in the middlegame.
    ///
    /// At [`Selectivity::PLAY`] the margins are not those of a confidence. Found by SPSA
    /// (self-play): the static evaluation needs a larger margin than its errors suggest, searches
    /// need a smaller one the deeper they predict, and a shallow search is worth its nodes only if
    /// the static evaluation is outside the window, too.
    #[inline(always)]
    pub fn middlegame(self, deep: Depth, selectivity: Selectivity) -> ProbCutTest {
        let margin = match (selectivity, self.shallow) {
            (Selectivity::PLAY, 0) => self.deviations(165),
            (Selectivity::PLAY, _) => self.deviations((106 - 2 * deep).max(50)),
            _ => self.margin(selectivity),
        };
        let slack = if selectivity == Selectivity::PLAY { 0 } else { margin };
        ProbCutTest { depth: Depth::from(self.shallow), bias: Score::from(self.bias), margin, slack }
    }
}

/// Plies of the shallow search that predicts one of `deep` plies: about half, of the same parity
/// because of the odd-even effect. For one ply and for two the static evaluation alone predicts.
pub fn shallow_for(deep: Depth) -> Depth {
    (deep - (deep + 3) / 4 * 2).max(0)
}

/// Up to this depth the static evaluation is tried before a shallow search.
const STATIC_MAX_DEPTH: Depth = 6;
const STAGES: usize = 17;
const DEPTHS: usize = 61;

/// Pairs by stage and depth.
type PairTable = Box<[[ProbCutPair; DEPTHS]; STAGES]>;

/// All pairs of the middlegame, computed once from a model.
#[derive(Clone, Debug)]
pub struct MiddlegamePairs {
    by_evaluation: PairTable,
    by_search: PairTable,
}

impl MiddlegamePairs {
    /// The pairs of a model.
    pub fn new(model: &ProbCutModel) -> MiddlegamePairs {
        let pairs = |shallow: fn(Depth) -> Depth| {
            let mut pairs = Box::new([[ProbCutPair::default(); DEPTHS]; STAGES]);
            for (stage, row) in pairs.iter_mut().enumerate() {
                for (deep, pair) in row.iter_mut().enumerate() {
                    let shallow = shallow(deep as Depth) as u32;
                    *pair = model.middlegame.at(4 * stage as u32 + 2, shallow, deep as u32);
                }
            }
            pairs
        };
        MiddlegamePairs { by_evaluation: pairs(|_| 0), by_search: pairs(shallow_for) }
    }

    /// The pairs to try at a depth of at least one ply with this number of discs on the board, the
    /// cheapest first.
    #[inline(always)]
    pub fn pairs(&self, discs: u32, deep: Depth) -> impl Iterator<Item = ProbCutPair> + use<> {
        let (stage, depth) = (discs as usize / 4 % STAGES, (deep as usize).min(DEPTHS - 1));
        let searched = self.by_search[stage][depth];
        let alone = deep <= STATIC_MAX_DEPTH && searched.shallow > 0;
        alone.then(|| self.by_evaluation[stage][depth]).into_iter().chain([searched])
    }
}

/// The pairs of the solver's selective passes, by empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgamePairs([ProbCutPair; DEPTHS]);

impl EndgamePairs {
    /// The pairs of a model.
    pub fn new(model: &ProbCutModel) -> EndgamePairs {
        EndgamePairs(std::array::from_fn(|empties| {
            let empties = empties as u32;
            model.endgame.at(64 - empties, (empties / 6).clamp(2, 5), empties)
        }))
    }

    /// The pair for a number of empty squares.
    #[inline(always)]
    pub fn pair(&self, empties: u32) -> ProbCutPair {
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
    fn pairs_follow_the_model() {
        let model = ErrorModel { sigma: [0.0, 0.0, 0.0, -1.0, 1.0, 0.0], bias: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
        let model = ProbCutModel { middlegame: model, endgame: model };
        assert_eq!(ProbCutModel::from_coefficients(model.coefficients()), model);
        assert_eq!(model.bytes().len(), ProbCutModel::BYTES);
        assert_eq!(ProbCutModel::from_bytes(&model.bytes()), Some(model));
        let most = ProbCutModel::MAX_COEFFICIENT;
        let read = |coefficient| {
            let mut all = model.coefficients();
            all[4 * TERMS - 1] = coefficient;
            ProbCutModel::from_bytes(&ProbCutModel::from_coefficients(all).bytes())
        };
        assert!([-most, 0.0, most].into_iter().all(|end| read(end).is_some()));
        for beyond in [most.next_up(), -most.next_up(), f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            assert_eq!(read(beyond), None, "{beyond}");
        }
        // exp(ln 9 - ln 5) discs.
        let pairs = |deep| MiddlegamePairs::new(&model).pairs(30, deep).collect::<Vec<_>>();
        let pair = pairs(8)[0];
        assert_eq!(pair, ProbCutPair { shallow: 4, bias: 100, sigma: 180 });
        assert_eq!(pairs(1), [ProbCutPair { shallow: 0, bias: 100, sigma: 200 }]);
        assert_eq!(
            pairs(4),
            [ProbCutPair { shallow: 0, bias: 100, sigma: 500 }, ProbCutPair { shallow: 2, bias: 100, sigma: 166 }]
        );
        assert_eq!([2, 6, 7].map(|deep| pairs(deep).len()), [1, 2, 1]);
        assert_eq!(EndgamePairs::new(&model).pair(20).sigma, 525);
        let margins = Selectivity::PERCENT.map(|percent| pair.margin(Selectivity::from_percent(percent)));
        assert_eq!(margins, [198, 230, 271, 352, 419, 464, 464]);
    }

    #[test]
    fn play_selectivity_has_margins_of_its_own() {
        let pair = |shallow, deep, percent| {
            ProbCutPair { shallow, bias: 20, sigma: 1_000 }.middlegame(deep, Selectivity::from_percent(percent))
        };
        assert_eq!(
            [pair(0, 2, 80), pair(4, 8, 80), pair(8, 16, 80), pair(30, 60, 80)].map(|pair| pair.margin),
            [1650, 900, 740, 500]
        );
        assert_eq!((pair(4, 8, 80).depth, pair(4, 8, 80).bias, pair(4, 8, 80).slack), (4, 20, 0));
        assert_eq!((pair(0, 2, 87).margin, pair(8, 16, 87).margin, pair(8, 16, 87).slack), (1_510, 1_510, 1_510));
        assert_eq!((pair(0, 2, 73).margin, pair(8, 16, 73).slack), (1_100, 1_100));
    }
}
