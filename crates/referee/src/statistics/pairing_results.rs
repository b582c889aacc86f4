//! The results of a pairing, and the estimate of the difference in strength.

use super::elo::{NELO_PER_SIGMA, elo, normal_cdf};
use super::sprt::Sprt;

/// Two-sided 95 % of the normal distribution.
const CONFIDENCE: f64 = 1.959_964;
/// The same of Student's distribution with 1, 2, ... degrees of freedom: few results say little about their own spread.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];
/// Fewest pairs of games for nElo and LOS, which have no interval: below that, a few equal results look like certainty.
pub const ENOUGH_PAIRS: u64 = 30;

/// The games of one pairing, in the view of its first player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingResults {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Pentanomial counts: pairs of games with colours swapped, by points 0, 0.5, 1, 1.5, 2.
    pub pairs: [u64; 5],
    /// Sum of the differences in discs or points over [`PairingResults::counted`] games.
    pub difference: i64,
    /// Games with such a difference.
    pub counted: u64,
    /// Games among them that were not draws.
    pub decisive: u64,
}

/// An estimate of the difference in strength between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// Logistic Elo.
    pub elo: f64,
    /// The ends of its 95 % interval.
    pub interval: (f64, f64),
    /// `None` below [`ENOUGH_PAIRS`] pairs.
    pub superiority: Option<Superiority>,
}

/// The estimates that have no interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superiority {
    /// Normalised Elo (nElo).
    pub nelo: f64,
    /// Likelihood of superiority (LOS): probability that the first player is the stronger one.
    pub los: f64,
}

impl PairingResults {
    /// Adds a game: 0 lost, 1 drawn, 2 won, with its difference if it has one.
    pub fn add(&mut self, half_points: usize, difference: Option<i32>) {
        self.games[half_points.min(2)] += 1;
        if let Some(difference) = difference {
            self.difference += i64::from(difference);
            self.counted += 1;
            self.decisive += u64::from(difference != 0);
        }
    }

    /// Adds a finished pair by its half points, 0 to 4; its games are added separately.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs[half_points.min(4)] += 1;
    }

    /// Games in all.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points: wins and half the draws.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }

    /// Mean difference in discs or points; `None` if only draws have one, because a game won by a mate has no
    /// difference.
    pub fn mean_difference(&self) -> Option<f64> {
        (self.decisive > 0).then(|| self.difference as f64 / self.counted as f64)
    }

    /// The same games in the view of the other player.
    pub fn reversed(&self) -> PairingResults {
        let (mut games, mut pairs) = (self.games, self.pairs);
        games.reverse();
        pairs.reverse();
        PairingResults { games, pairs, difference: -self.difference, ..*self }
    }

    /// The log-likelihood ratio of the test so far, from pairs if most games belong to finished ones.
    pub fn log_likelihood_ratio(&self, sprt: &Sprt) -> f64 {
        if self.mostly_pairs() {
            sprt.log_likelihood_ratio(&self.pairs)
        } else {
            sprt.log_likelihood_ratio(&self.games)
        }
    }

    /// Whether most games belong to finished pairs. The variance of pairs is then the right one, because two games from
    /// one opening are not independent.
    fn mostly_pairs(&self) -> bool {
        self.pairs.iter().sum::<u64>() * 4 > self.total()
    }

    /// The estimate; `None` if all games, or all pairs of them, have the same result, or if so few are known that the
    /// interval has no ends. Without a spread it cannot be computed, and an estimate without an interval has no meaning.
    pub fn estimate(&self) -> Option<EloEstimate> {
        let counts: &[u64] = if self.mostly_pairs() { &self.pairs } else { &self.games };
        let number: u64 = counts.iter().sum();
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            return None;
        }
        let last = (counts.len() - 1) as f64;
        let mean = |f: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(i, &n)| f(i as f64 / last) * n as f64).sum::<f64>() / number as f64
        };
        let score = mean(&|x| x);
        let variance = mean(&|x| (x - score).powi(2));
        let error = (variance / number as f64).sqrt();
        let bounded_elo = |x: f64| elo(x.clamp(0.0, 1.0));
        let (confidence, degrees) =
            STUDENT.get(number as usize - 2).map_or((CONFIDENCE, number), |&wider| (wider, number - 1));
        let reach = confidence * (variance / degrees as f64).sqrt();
        let interval = (bounded_elo(score - reach), bounded_elo(score + reach));
        let (games_in_outcome, enough) = if counts.len() > 3 { (2.0, ENOUGH_PAIRS) } else { (1.0, 2 * ENOUGH_PAIRS) };
        let superiority = Superiority {
            nelo: (score - 0.5) / (variance * games_in_outcome).sqrt() * NELO_PER_SIGMA,
            los: normal_cdf((score - 0.5) / error),
        };
        let has_an_end = interval.0.is_finite() || interval.1.is_finite();
        has_an_end.then_some(EloEstimate {
            elo: bounded_elo(score),
            interval,
            superiority: (number >= enough).then_some(superiority),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> PairingResults {
        PairingResults { games: [losses, draws, wins], ..PairingResults::default() }
    }

    /// Worked by hand: 60 wins, 20 draws, 20 losses of 100 are 0.7; the variance is 0.6*0.09 + 0.2*0.04 + 0.2*0.49 =
    /// 0.16, the error 0.04.
    #[test]
    fn a_worked_example() {
        let estimate = games(60, 20, 20).estimate().expect("games");
        assert!((estimate.elo - 147.190).abs() < 0.01);
        assert!((estimate.interval.0 - elo(0.7 - 1.959_964 * 0.04)).abs() < 1e-9);
        assert!((estimate.interval.1 - elo(0.7 + 1.959_964 * 0.04)).abs() < 1e-9);
        let superiority = estimate.superiority.expect("100 games");
        assert!((superiority.los - normal_cdf(5.0)).abs() < 1e-12);
        assert!((superiority.nelo - 0.2 / 0.4 * 347.4356).abs() < 0.001);
    }

    /// Pairs that nearly always split 1:1 show that the players are equal, however decisive their games.
    #[test]
    fn pairs_have_their_own_variance() {
        let mut results = games(50, 0, 50);
        results.pairs = [0, 1, 48, 1, 0];
        let estimate = results.estimate().expect("a spread");
        assert_eq!((estimate.elo, estimate.superiority.map(|found| found.los)), (0.0, Some(0.5)));
        assert!(estimate.interval.1 < 11.0);
        let wide = games(50, 0, 50).estimate().expect("games");
        assert!(wide.interval.1 > 60.0);
    }

    /// Two pairs won look like certainty, which their interval refutes; there are no estimates without an interval.
    #[test]
    fn few_games_tell_little() {
        let results = PairingResults { pairs: [0, 0, 0, 1, 1], ..games(3, 1, 0) };
        assert_eq!(results.estimate(), None, "+338, and its interval is everything");
        // By hand: 5 pairs of 0.6 on average, variance 0.04, Student's 2.776 with 4 degrees of freedom.
        let results = PairingResults { pairs: [0, 0, 4, 0, 1], ..games(6, 0, 4) };
        let (low, high) = results.estimate().expect("a spread").interval;
        let reach = 2.776 * (0.04f64 / 4.0).sqrt();
        assert!((low - elo(0.6 - reach)).abs() < 1e-9 && (high - elo(0.6 + reach)).abs() < 1e-9, "{low} {high}");
        let pairs = |won| PairingResults { pairs: [0, 0, 1, 0, won], ..games(2 * won + 1, 0, 1) }.estimate();
        let told = [28, 29].map(|won| pairs(won).and_then(|estimate| estimate.superiority).is_some());
        assert_eq!(told, [false, true]);
        assert_eq!(
            games(58, 0, 1).estimate().and_then(|estimate| estimate.superiority),
            None,
            "59 games without pairs"
        );
    }

    /// Results that are all equal give no width.
    #[test]
    fn without_a_spread_there_is_no_estimate() {
        let all_pairs = |pairs| PairingResults { pairs, ..games(20, 0, 20) };
        for results in [
            games(0, 0, 0),
            games(1, 0, 0),
            games(10, 0, 0),
            games(0, 40, 0),
            all_pairs([0, 0, 20, 0, 0]),
            all_pairs([0, 0, 0, 20, 0]),
        ] {
            assert_eq!(results.estimate(), None, "{results:?}");
        }
    }

    #[test]
    fn the_mean_difference_is_none_of_draws_alone() {
        let mut results = PairingResults::default();
        results.add(1, Some(0));
        assert_eq!(results.mean_difference(), None);
        results.add(2, Some(6));
        assert_eq!(results.mean_difference(), Some(3.0));
    }

    #[test]
    fn results_are_reversed() {
        let mut results = games(7, 2, 1);
        results.add(2, Some(10));
        results.add_pair(3);
        let back = results.reversed();
        assert_eq!((back.games, back.pairs, back.difference), ([8, 2, 1], [0, 1, 0, 0, 0], -10));
        assert_eq!(back.reversed(), results);
    }
}
