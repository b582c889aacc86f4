//! How the values of a tree become scores. Scores are bounded, values are not.

use crate::search::types::{Score, UNIT, WIN, WIN_IN_MAX_PLY};

/// Largest difference of a value, times its scale, from a whole number that counts as one.
const ROUNDING: f64 = 1e-6;

/// A strictly increasing map between values and scores.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Scores for one unit.
    Linear(f64),
    /// A search only compares values, so their ranks do as well: these are the sizes of all values, ascending from 0.
    /// The score of a value is twice its rank. Odd scores lie between two values, as a null window does.
    Ranked(Vec<f64>),
}

impl Scale {
    /// Hundredths of a unit, as in every game.
    pub const HUNDREDTHS: Scale = Scale::Linear(UNIT as f64);

    /// The scale on which no two of these values become one: hundredths if they suffice, otherwise ranks. `None` for
    /// more different values than there are scores.
    pub fn exact(values: impl Iterator<Item = f64>) -> Option<Scale> {
        let mut sizes: Vec<f64> = values.filter(|value| value.is_finite()).map(f64::abs).chain([0.0]).collect();
        if sizes.iter().all(|&size| is_hundredths(size)) {
            return Some(Scale::HUNDREDTHS);
        }
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        (2 * sizes.len() as Score <= WIN_IN_MAX_PLY).then_some(Scale::Ranked(sizes))
    }

    /// A scale that keeps the proportions of these values, for means; it may round them.
    pub fn proportional(values: impl Iterator<Item = f64>) -> Scale {
        let largest = values.filter(|value| value.is_finite()).map(f64::abs).fold(0.0, f64::max);
        let fits = largest * f64::from(UNIT) < f64::from(WIN_IN_MAX_PLY);
        if fits { Scale::HUNDREDTHS } else { Scale::Linear(f64::from(WIN_IN_MAX_PLY - 1) / largest) }
    }

    /// The score of a value; of an infinite one, a win or a loss.
    pub fn score(&self, value: f64) -> Score {
        if value.is_infinite() {
            return if value > 0.0 { WIN } else { -WIN };
        }
        let size = match self {
            Scale::Linear(scale) => (value.abs() * scale).round() as Score,
            Scale::Ranked(sizes) => match sizes.binary_search_by(|size| size.total_cmp(&value.abs())) {
                Ok(rank) => 2 * rank as Score,
                Err(above) => 2 * above as Score - 1,
            },
        };
        if value < 0.0 { -size } else { size }
    }

    /// The value of a score; infinite for a win or a loss.
    pub fn value(&self, score: Score) -> f64 {
        let size = match (score.abs(), self) {
            (WIN.., _) => f64::INFINITY,
            (size, Scale::Linear(scale)) => {
                let decimals = 10f64.powf(scale.log10().ceil());
                (f64::from(size) / scale * decimals).round() / decimals
            }
            (size, Scale::Ranked(sizes)) => {
                let last = sizes.len() - 1;
                let [below, above] = [size / 2, (size + 1) / 2].map(|rank| sizes[last.min(rank as usize)]);
                below / 2.0 + above / 2.0
            }
        };
        if score < 0 { -size } else { size }
    }
}

fn is_hundredths(size: f64) -> bool {
    let hundredths = size * f64::from(UNIT);
    hundredths.round() < f64::from(WIN_IN_MAX_PLY) && (hundredths - hundredths.round()).abs() < ROUNDING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_below_the_bound_of_wins_are_kept() {
        let values = [1.0, -2.5, 289.99, f64::INFINITY];
        let scale = Scale::exact(values.into_iter()).expect("a scale");
        assert_eq!(scale, Scale::HUNDREDTHS);
        assert_eq!(values.map(|value| scale.score(value)), [100, -250, 28_999, WIN]);
        assert_eq!(values.map(|value| scale.value(scale.score(value))), values);
    }

    #[test]
    fn all_other_values_keep_their_order_exactly() {
        for values in [[290.0, 3.0, -3.0, 5.0], [0.001, 0.002, -0.001, 0.0], [1e300, -1e-300, 1e299, 7.0]] {
            let scale = Scale::exact(values.into_iter()).expect("a scale");
            let scores = values.map(|value| scale.score(value));
            for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                assert_eq!(values[a].total_cmp(&values[b]), scores[a].cmp(&scores[b]), "{values:?}: {scores:?}");
            }
            assert_eq!(scores.map(|score| scale.value(score)), values);
            assert!(scores.iter().all(|score| score.abs() < WIN_IN_MAX_PLY), "{scores:?}");
        }
        let scale = Scale::exact([300.0, 500.0].into_iter()).expect("a scale");
        let between = scale.score(400.0);
        assert!(scale.score(300.0) < between && between < scale.score(500.0));
        assert_eq!((scale.value(between), scale.value(-between)), (400.0, -400.0), "shown in the middle");
        assert_eq!(scale.value(20_000), 500.0, "beyond the largest");
    }

    #[test]
    fn more_different_values_than_scores_are_refused() {
        let different = |count: u32| Scale::exact((0..count).map(|value| f64::from(value) + 0.001));
        assert!(different(14_499).is_some() && different(14_500).is_none());
        assert!(Scale::exact((0..1_000_000).map(|value| f64::from(value % 290))).is_some());
    }

    #[test]
    fn means_keep_proportions() {
        let scale = Scale::proportional([1000.0, -10.0].into_iter());
        assert_eq!([1000.0, -10.0, 333.3].map(|value| scale.value(scale.score(value))), [1000.0, -10.0, 333.29]);
        assert_eq!(Scale::proportional([0.5, -2.0].into_iter()), Scale::HUNDREDTHS);
    }
}
