//! The schedule: the pairing, opening and order of all games.

use serde::{Deserialize, Serialize};

/// Which players meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Every player meets every other; two players play head to head.
    #[default]
    RoundRobin,
    /// The first player meets all the others.
    Gauntlet,
}

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number, from 0.
    pub number: usize,
    /// The pairing: indices of its first and second player.
    pub pairing: (usize, usize),
    /// Index of the opening.
    pub opening: usize,
    /// Whether the pairing's second player moves first.
    pub swapped: bool,
}

impl ScheduledGame {
    /// Indices of the players, the first mover's first.
    pub fn players(&self) -> [usize; 2] {
        if self.swapped { [self.pairing.1, self.pairing.0] } else { [self.pairing.0, self.pairing.1] }
    }
}

/// All games: `games` for each pairing, two from each opening with colours swapped. Every pairing gets the same openings.
pub fn schedule(players: usize, tournament: Tournament, games: usize) -> Vec<ScheduledGame> {
    let pairings: Vec<(usize, usize)> = match tournament {
        Tournament::RoundRobin => (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect(),
        Tournament::Gauntlet => (1..players).map(|b| (0, b)).collect(),
    };
    let mut scheduled = Vec::with_capacity(games * pairings.len());
    for pair in 0..games.div_ceil(2) {
        for &pairing in &pairings {
            for swapped in [false, true] {
                if 2 * pair + usize::from(swapped) < games {
                    scheduled.push(ScheduledGame { number: scheduled.len(), pairing, opening: pair, swapped });
                }
            }
        }
    }
    scheduled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_meets_every_other_with_both_colours() {
        let games = schedule(4, Tournament::RoundRobin, 6);
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
    fn gauntlets_and_odd_numbers() {
        let games = schedule(3, Tournament::Gauntlet, 5);
        assert_eq!(games.len(), 10);
        assert!(games.iter().all(|game| game.pairing.0 == 0 && game.opening < 3));
    }
}
