//! Results added up, and what they say.

use super::sprt::Sprt;
use super::{elo, normal};

/// Two-sided 95 % of the normal distribution.
const CONFIDENCE: f64 = 1.959_964;

/// The games of one pairing, seen from its first player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Pairs with colours swapped, by points: 0, half, 1, one and a half, 2.
    pub pairs: [u64; 5],
    /// Sum of the differences in discs or points over [`Tally::counted`] games.
    pub difference: i64,
    /// Games that ended in a number.
    pub counted: u64,
}

/// What a tally says about the difference between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Logistic Elo; infinite if every game went one way.
    pub elo: f64,
    /// The ends of its 95 % interval.
    pub interval: (f64, f64),
    /// Normalised Elo.
    pub normalised: f64,
    /// Likelihood that the first player is the stronger one.
    pub superiority: f64,
}

impl Tally {
    /// Adds a game: 0 lost, 1 drawn, 2 won, and the difference if the game counts one.
    pub fn add(&mut self, half_points: usize, difference: Option<i32>) {
        self.games[half_points.min(2)] += 1;
        if let Some(difference) = difference {
            self.difference += i64::from(difference);
            self.counted += 1;
        }
    }

    /// Adds a finished pair by its half points, 0 to 4; its games are added on their own.
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

    /// Mean difference in discs or points, if the game counts any.
    pub fn mean_difference(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.difference as f64 / self.counted as f64)
    }

    /// The same games seen from the other player.
    pub fn reversed(&self) -> Tally {
        let (mut games, mut pairs) = (self.games, self.pairs);
        games.reverse();
        pairs.reverse();
        Tally { games, pairs, difference: -self.difference, counted: self.counted }
    }

    /// What the test says so far, from pairs if there are any.
    pub fn log_likelihood_ratio(&self, sprt: &Sprt) -> f64 {
        if self.complete_pairs() {
            sprt.log_likelihood_ratio(&self.pairs)
        } else {
            sprt.log_likelihood_ratio(&self.games)
        }
    }

    /// True if most games belong to finished pairs, whose spread is the honest one: two games from one
    /// opening are not independent.
    fn complete_pairs(&self) -> bool {
        self.pairs.iter().sum::<u64>() * 4 > self.total()
    }

    /// The verdict; `None` without games.
    pub fn verdict(&self) -> Option<Verdict> {
        let counts: &[u64] = if self.complete_pairs() { &self.pairs } else { &self.games };
        let number: u64 = counts.iter().sum();
        if number == 0 {
            return None;
        }
        let last = (counts.len() - 1) as f64;
        let mean = |f: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(i, &n)| f(i as f64 / last) * n as f64).sum::<f64>() / number as f64
        };
        let score = mean(&|x| x);
        let variance = mean(&|x| (x - score).powi(2));
        let error = (variance / number as f64).sqrt();
        let edge = |x: f64| elo(x.clamp(0.0, 1.0));
        let games_in_outcome = if counts.len() > 3 { 2.0 } else { 1.0 };
        let superiority = match (score - 0.5, error) {
            (0.0, _) => 0.5,
            (lead, 0.0) => f64::from(lead > 0.0),
            (lead, error) => normal(lead / error),
        };
        Some(Verdict {
            elo: edge(score),
            interval: (edge(score - CONFIDENCE * error), edge(score + CONFIDENCE * error)),
            normalised: match score - 0.5 {
                0.0 => 0.0,
                lead => lead / (variance * games_in_outcome).sqrt() * 800.0 / std::f64::consts::LN_10,
            },
            superiority,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { games: [losses, draws, wins], ..Tally::default() }
    }

    /// Worked by hand: 60 wins, 20 draws, 20 losses of 100 are 0.7; the variance is
    /// 0.6*0.09 + 0.2*0.04 + 0.2*0.49 = 0.16, the error 0.04.
    #[test]
    fn a_worked_example() {
        let verdict = games(60, 20, 20).verdict().expect("games");
        assert!((verdict.elo - 147.190).abs() < 0.01);
        assert!((verdict.interval.0 - elo(0.7 - 1.959_964 * 0.04)).abs() < 1e-9);
        assert!((verdict.interval.1 - elo(0.7 + 1.959_964 * 0.04)).abs() < 1e-9);
        assert!((verdict.superiority - normal(5.0)).abs() < 1e-12);
        assert!((verdict.normalised - 0.2 / 0.4 * 347.4356).abs() < 0.001);
    }

    /// Pairs that always split 1:1 show that the players are equal, however decisive their games.
    #[test]
    fn pairs_have_their_own_spread() {
        let mut tally = games(50, 0, 50);
        tally.pairs = [0, 0, 50, 0, 0];
        let verdict = tally.verdict().expect("games");
        assert_eq!((verdict.elo, verdict.superiority), (0.0, 0.5));
        assert_eq!(verdict.interval, (0.0, 0.0));
        let wide = games(50, 0, 50).verdict().expect("games");
        assert!(wide.interval.1 > 60.0);
    }

    #[test]
    fn one_sided_and_reversed() {
        let verdict = games(10, 0, 0).verdict().expect("games");
        assert!(verdict.elo.is_infinite() && verdict.superiority == 1.0);
        let mut tally = games(7, 2, 1);
        tally.add(2, Some(10));
        tally.add_pair(3);
        let back = tally.reversed();
        assert_eq!((back.games, back.pairs, back.difference), ([8, 2, 1], [0, 1, 0, 0, 0], -10));
        assert_eq!(back.reversed(), tally);
        assert_eq!(Tally::default().verdict(), None);
    }
}
