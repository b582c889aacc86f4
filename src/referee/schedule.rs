//! The schedule: who plays whom from which opening, in which order.

use crate::support::random::Random;
use serde::Deserialize;

/// Which players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Every player meets every other; with two players a head to head.
    #[default]
    RoundRobin,
    /// The first player meets all the others.
    Gauntlet,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number, from 0.
    pub number: usize,
    /// The pairing: indices of its first and second player.
    pub pairing: (usize, usize),
    /// Index of the opening.
    pub opening: usize,
    /// True if the pairing's second player moves first.
    pub swapped: bool,
}

impl ScheduledGame {
    /// Indices of the players, the first mover's first.
    pub fn players(&self) -> [usize; 2] {
        if self.swapped { [self.pairing.1, self.pairing.0] } else { [self.pairing.0, self.pairing.1] }
    }
}

/// All games: `games` for each pairing, two from each opening with colours swapped. The openings are
/// shuffled by the seed, and every pairing gets the same ones.
pub fn schedule(
    players: usize,
    tournament: Tournament,
    games: usize,
    openings: usize,
    seed: u64,
) -> Vec<ScheduledGame> {
    let pairings: Vec<(usize, usize)> = match tournament {
        Tournament::RoundRobin => (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect(),
        Tournament::Gauntlet => (1..players).map(|b| (0, b)).collect(),
    };
    let order = shuffled(openings, seed);
    let mut scheduled = Vec::with_capacity(games * pairings.len());
    for pair in 0..games.div_ceil(2) {
        for &pairing in &pairings {
            for swapped in [false, true] {
                if 2 * pair + usize::from(swapped) < games {
                    let opening = order.get(pair % openings.max(1)).copied().unwrap_or_default();
                    scheduled.push(ScheduledGame { number: scheduled.len(), pairing, opening, swapped });
                }
            }
        }
    }
    scheduled
}

/// The numbers below `count` in an order that the seed decides.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    Random(seed).shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_meets_every_other_with_both_colours() {
        let games = schedule(4, Tournament::RoundRobin, 6, 10, 1);
        assert_eq!(games.len(), 6 * 6);
        for a in 0..4 {
            for b in a + 1..4 {
                let own: Vec<&ScheduledGame> = games.iter().filter(|game| game.pairing == (a, b)).collect();
                assert_eq!(own.len(), 6);
                assert_eq!(own.iter().filter(|game| game.swapped).count(), 3);
                for pair in own.chunks(2) {
                    assert_eq!(pair[0].opening, pair[1].opening);
                    assert_eq!(pair[0].players(), [a, b]);
                    assert_eq!(pair[1].players(), [b, a]);
                }
            }
        }
        assert!(games.iter().enumerate().all(|(number, game)| game.number == number));
    }

    #[test]
    fn gauntlets_odd_numbers_and_few_openings() {
        let games = schedule(3, Tournament::Gauntlet, 5, 1, 1);
        assert_eq!(games.len(), 10);
        assert!(games.iter().all(|game| game.pairing.0 == 0 && game.opening == 0));
    }

    #[test]
    fn the_seed_decides_the_order() {
        let openings = |seed| -> Vec<usize> {
            schedule(2, Tournament::RoundRobin, 40, 20, seed).iter().map(|game| game.opening).collect()
        };
        assert_eq!(openings(1), openings(1));
        assert_ne!(openings(1), openings(2));
        let mut all = openings(3);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 20);
    }
}
