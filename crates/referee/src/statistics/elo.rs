//! The logistic Elo scale and the normal distribution.

/// Normalised Elo of a mean score one standard deviation of a game above one half.
pub const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// The logistic Elo difference of an expected score between 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score, between 0 and 1, of a player who is stronger by this many Elo points.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution function of the standard normal distribution.
pub fn normal_cdf(x: f64) -> f64 {
    if x < 0.0 { 1.0 - normal_cdf(-x) } else { 0.5 + 0.5 * error_function(x / std::f64::consts::SQRT_2) }
}

/// erf for x >= 0, by its series of positive limits: accurate to the last digits up to about 6, and 1
/// to the precision of the type beyond.
fn error_function(x: f64) -> f64 {
    if x > 6.0 {
        return 1.0;
    }
    // erf x = 2/sqrt(pi) * exp(-x^2) * sum of 2^n x^(2n+1) / (2n+1)!!
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term > sum * 1e-17 {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    (2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp() * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published table of winning percentages and Elo differences.
    #[test]
    fn elo_agrees_with_the_published_table() {
        let table = [(50, 0), (51, 7), (55, 35), (60, 70), (65, 108), (70, 147), (75, 191), (80, 241), (85, 301)];
        for (percent, points) in table.into_iter().chain([(90, 382), (95, 512), (99, 798)]) {
            assert_eq!(elo(f64::from(percent) / 100.0).round() as i32, points, "{percent} %");
        }
        assert!((expected_score(200.0) - 0.76).abs() < 0.001);
        assert!((elo(expected_score(123.4)) - 123.4).abs() < 1e-9);
    }

    #[test]
    fn the_normal_distribution_agrees_with_its_tables() {
        let table = [(0.0, 0.5), (0.5, 0.691_462_5), (1.0, 0.841_344_7), (1.96, 0.975_002_1), (3.0, 0.998_650_1)];
        for (x, value) in table {
            assert!((normal_cdf(x) - value).abs() < 1e-7, "{x}");
            assert!((normal_cdf(-x) - (1.0 - value)).abs() < 1e-7, "-{x}");
        }
        assert!((normal_cdf(5.0) - 0.999_999_713_3).abs() < 1e-10);
        assert_eq!(normal_cdf(40.0), 1.0);
    }
}
