//! Weighted least squares with few coefficients.

use crate::games::reversi::bets::TERMS;

/// Rows of terms with the value that their weighted sum should have.
#[derive(Default)]
pub struct Regression {
    rows: Vec<([f32; TERMS], f64, f64)>,
}

/// Keeps terms that always go together from making the equations unsolvable.
const RIDGE: f64 = 1e-4;

impl Regression {
    /// Adds a row that counts `weight` times.
    pub fn add(&mut self, terms: [f32; TERMS], value: f64, weight: f64) {
        self.rows.push((terms, value, weight));
    }

    /// The coefficients with the least squared error.
    pub fn coefficients(&self) -> [f32; TERMS] {
        let mut matrix = [[0.0; TERMS + 1]; TERMS];
        for (terms, value, weight) in &self.rows {
            for (row, &left) in matrix.iter_mut().zip(terms) {
                let left = f64::from(left) * weight;
                for (cell, &right) in row.iter_mut().zip(terms) {
                    *cell += left * f64::from(right);
                }
                row[TERMS] += left * value;
            }
        }
        let total: f64 = self.rows.iter().map(|(_, _, weight)| weight).sum();
        for (index, row) in matrix.iter_mut().enumerate() {
            row[index] += RIDGE * total.max(1.0);
        }
        eliminate(&mut matrix);
        std::array::from_fn(|index| matrix[index][TERMS] as f32)
    }
}

/// Gauss and Jordan's elimination with the largest pivot; afterwards the last column is the solution.
fn eliminate(matrix: &mut [[f64; TERMS + 1]; TERMS]) {
    for column in 0..TERMS {
        let largest = (column..TERMS).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        matrix.swap(column, largest.unwrap_or(column));
        let pivot = matrix[column][column];
        matrix[column].iter_mut().for_each(|cell| *cell /= pivot);
        let row = matrix[column];
        for (index, other) in matrix.iter_mut().enumerate() {
            let factor = other[column];
            if index != column {
                other.iter_mut().zip(row).for_each(|(cell, of_pivot)| *cell -= factor * of_pivot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::bets::terms;

    #[test]
    fn a_function_of_the_terms_is_found_again() {
        let mut regression = Regression::default();
        for discs in (8..60).step_by(4) {
            for (shallow, deep) in [(1, 3), (2, 4), (2, 8), (4, 8), (5, 9)] {
                let terms = terms(discs, shallow, deep);
                regression.add(terms, f64::from(2.0 + terms[1] - terms[3] + 0.5 * terms[4]), 3.0);
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
