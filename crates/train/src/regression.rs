//! Linear regression: weighted least squares with few coefficients, by the normal equations.

/// The normal equations of a linear regression. Each observation is a row of terms and the value that their weighted
/// sum should have; the coefficients are the weights.
pub struct Regression {
    /// A row for each term: its factors, followed by the right-hand side.
    equations: Vec<Vec<f64>>,
    /// Weight of all observations.
    total: f64,
}

/// Ridge regularisation, which keeps the equations solvable if terms are linearly dependent.
const RIDGE: f64 = 1e-4;

impl Regression {
    /// A regression with this many terms, without observations.
    pub fn new(terms: usize) -> Regression {
        Regression { equations: vec![vec![0.0; terms + 1]; terms], total: 0.0 }
    }

    /// Adds an observation that counts `weight` times.
    pub fn add(&mut self, terms: &[f32], value: f64, weight: f64) {
        for (equation, &left) in self.equations.iter_mut().zip(terms).filter(|(_, left)| **left != 0.0) {
            let left = f64::from(left) * weight;
            let right = terms.iter().map(|&term| f64::from(term)).chain([value]);
            equation.iter_mut().zip(right).for_each(|(cell, right)| *cell += left * right);
        }
        self.total += weight;
    }

    /// The coefficients of the least squared error.
    pub fn coefficients(mut self) -> Vec<f32> {
        for (index, equation) in self.equations.iter_mut().enumerate() {
            equation[index] += RIDGE * self.total.max(1.0);
        }
        eliminate(&mut self.equations);
        self.equations.iter().filter_map(|equation| equation.last()).map(|&value| value as f32).collect()
    }
}

/// Gauss-Jordan elimination with partial pivoting; afterwards the last column is the solution.
fn eliminate(equations: &mut [Vec<f64>]) {
    for column in 0..equations.len() {
        let size = |row: &usize| equations[*row][column].abs();
        let largest = (column..equations.len()).max_by(|a, b| size(a).total_cmp(&size(b)));
        equations.swap(column, largest.unwrap_or(column));
        let pivot = equations[column][column];
        equations[column].iter_mut().for_each(|cell| *cell /= pivot);
        let row = equations[column].clone();
        for (index, other) in equations.iter_mut().enumerate() {
            let factor = other[column];
            if index != column {
                other.iter_mut().zip(&row).for_each(|(cell, of_pivot)| *cell -= factor * of_pivot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::probcut::{TERMS, terms};

    #[test]
    fn a_function_of_the_terms_is_found_again() {
        let mut regression = Regression::new(TERMS);
        for discs in (8..60).step_by(4) {
            for (shallow, deep) in [(1, 3), (2, 4), (2, 8), (4, 8), (5, 9)] {
                let terms = terms(discs, shallow, deep);
                regression.add(&terms, f64::from(2.0 + terms[1] - terms[3] + 0.5 * terms[4]), 3.0);
            }
        }
        let found = regression.coefficients();
        for (discs, shallow, deep) in [(10, 2, 6), (40, 4, 8)] {
            let terms = terms(discs, shallow, deep);
            let value: f32 = found.iter().zip(terms).map(|(c, t)| c * t).sum();
            assert!((value - (2.0 + terms[1] - terms[3] + 0.5 * terms[4])).abs() < 0.05, "{found:?}");
        }
    }
}
