//! Errors of shallow searches, for ProbCut: bias and standard deviation of the difference to a deeper search.

use super::regression::Regression;
use anyhow::ensure;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::probcut::{ErrorModel, TERMS, terms};
use flipside_core::games::reversi::searcher::ReversiSearcher;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::types::{Score, UNIT};
use serde::Serialize;
use std::collections::BTreeMap;

/// Discs of a class of positions.
const DISCS_PER_CLASS: u32 = 8;
/// Fewest differences from which the sigma of a class is estimated.
const MIN_DIFFERENCES: usize = 20;

/// The errors of shallow searches in a class of positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorClass {
    /// Discs on the board, in the middle of the class.
    pub discs: u32,
    /// Depth of the shallow search in plies.
    pub shallow: u32,
    /// Depth of the deep search, or the empty squares of a solved position.
    pub deep: u32,
    /// Positions measured.
    pub positions: usize,
    /// Mean of deep less shallow values, in discs.
    pub bias: f64,
    /// Their standard deviation in discs.
    pub sigma: f64,
}

/// Differences in discs between deep and shallow values of positions, by discs on the board and both depths.
#[derive(Default)]
pub struct SearchErrors(BTreeMap<(u32, u32, u32), Vec<f64>>);

impl SearchErrors {
    /// Adds the values of a position at two depths, each a depth with its value in discs.
    pub fn add(&mut self, board: Board, (shallow, low): (u32, f64), (deep, high): (u32, f64)) {
        let discs = (64 - board.empties()) / DISCS_PER_CLASS * DISCS_PER_CLASS + DISCS_PER_CLASS / 2;
        self.0.entry((discs, shallow, deep)).or_default().push(high - low);
    }

    /// All classes with enough differences.
    pub fn classes(&self) -> Vec<ErrorClass> {
        let class = |((discs, shallow, deep), positions, bias, sigma)| ErrorClass {
            discs,
            shallow,
            deep,
            positions,
            bias,
            sigma,
        };
        self.cells().map(class).collect()
    }

    /// Discs, shallow and deep depth, count, mean and standard deviation of all classes with enough differences.
    fn cells(&self) -> impl Iterator<Item = ((u32, u32, u32), usize, f64, f64)> {
        self.0.iter().filter(|(_, differences)| differences.len() >= MIN_DIFFERENCES).map(|(&cell, differences)| {
            let count = differences.len() as f64;
            let mean = differences.iter().sum::<f64>() / count;
            let variance = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (count - 1.0);
            (cell, differences.len(), mean, variance.sqrt().max(0.1))
        })
    }

    /// Fits smooth functions for bias and sigma to the classes.
    ///
    /// # Errors
    /// Every class has too few differences.
    pub fn model(&self) -> anyhow::Result<ErrorModel> {
        let (mut sigma, mut bias) = (Regression::new(TERMS), Regression::new(TERMS));
        for ((discs, shallow, deep), count, mean, deviation) in self.cells() {
            let terms = terms(discs, shallow, deep);
            sigma.add(&terms, deviation.ln(), count as f64);
            bias.add(&terms, mean, count as f64);
        }
        ensure!(self.cells().next().is_some(), "too few positions to measure anything");
        let fixed = |regression: Regression| -> [f32; TERMS] {
            let found = regression.coefficients();
            std::array::from_fn(|term| found[term])
        };
        Ok(ErrorModel { sigma: fixed(sigma), bias: fixed(bias) })
    }

    /// The classes as a table; `deep_word` names the column of the deep depth.
    pub fn table(&self, title: &str, deep_word: &str) -> String {
        let mut text = format!("{title}: discs, shallow, {deep_word}: positions, bias, sigma\n");
        for ((discs, shallow, deep), count, mean, deviation) in self.cells() {
            text += &format!("{discs:3} {shallow:3} {deep:3}: {count:5} {mean:+6.2} {deviation:6.2}\n");
        }
        text
    }
}

/// A score in discs.
pub fn discs(score: Score) -> f64 {
    f64::from(score) / f64::from(UNIT)
}

/// The values of a position in discs at all depths from 0 to this one, by a search from empty tables.
pub fn values_by_depth(searcher: &ReversiSearcher, board: Board, depth: u32) -> Vec<f64> {
    searcher.clear();
    let mut values = vec![discs(searcher.static_eval(&board))];
    let limits = Limits::depth(depth);
    let stop = Stop::new(&limits);
    searcher.search(&board, &SearchParameters::new(limits), &stop, &mut |report| values.push(discs(report.score)));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bias_and_sigma_are_measured() {
        let mut errors = SearchErrors::default();
        for number in 0..100 {
            let miss = if number % 2 == 0 { 3.0 } else { -1.0 };
            errors.add(Board::START, (2, 5.0), (4, 5.0 + miss));
        }
        errors.add(Board::START, (1, 0.0), (3, 40.0));
        let cells: Vec<_> = errors.cells().collect();
        assert_eq!(cells.len(), 1, "one difference is too few");
        let ((discs, shallow, deep), count, mean, deviation) = cells[0];
        assert_eq!((discs, shallow, deep, count, mean), (4, 2, 4, 100, 1.0));
        assert!((deviation - 2.01).abs() < 0.01);
        let model = errors.model().expect("enough").at(4, 2, 4);
        assert!((model.bias - 100).abs() < 5 && (model.sigma - 201).abs() < 5, "{model:?}");
        assert!(SearchErrors::default().model().is_err());
    }
}
