//! A scale of playing strength in Elo: steps of limited play whose distances were measured by matches of neighbours
//! (docs/elo.md). It is a scale of the engine's own: the weakest step of a game has 500.

use super::settings::Settings;
use flipside_core::games::names::REVERSI;
use flipside_core::search::types::Score;
use std::ops::RangeInclusive;

/// What a player sees before every move, however noisy its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// A move that wins at once.
    Wins,
    /// Also a move that lets the opponent win at once, or gives away a corner.
    Threats,
}

/// A step of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EloStep {
    /// Its strength.
    pub elo: u32,
    /// Plies that it searches.
    pub depth: u32,
    /// How much worse than the best its move may be, in hundredths of a unit.
    pub noise: Score,
    /// What it never overlooks.
    pub sight: Sight,
}

const fn step(elo: u32, depth: u32, noise: Score, sight: Sight) -> EloStep {
    EloStep { elo, depth, noise, sight }
}

const STEPS: usize = 11;

/// The steps of a game, the weakest first; each is stronger than the one before.
type Scale = [EloStep; STEPS];

const OF_REVERSI: Scale = [
    step(500, 1, 2_000, Sight::Wins),
    step(640, 1, 1_200, Sight::Wins),
    step(790, 1, 700, Sight::Threats),
    step(1_070, 2, 800, Sight::Threats),
    step(1_200, 2, 500, Sight::Threats),
    step(1_300, 2, 100, Sight::Threats),
    step(1_440, 3, 250, Sight::Threats),
    step(1_590, 4, 200, Sight::Threats),
    step(1_740, 5, 100, Sight::Threats),
    step(1_880, 6, 50, Sight::Threats),
    step(2_080, 8, 0, Sight::Threats),
];

const OF_MINICHESS: Scale = [
    step(500, 1, 2_000, Sight::Wins),
    step(650, 1, 1_200, Sight::Wins),
    step(870, 1, 600, Sight::Threats),
    step(1_040, 1, 300, Sight::Threats),
    step(1_260, 2, 350, Sight::Threats),
    step(1_440, 2, 200, Sight::Threats),
    step(1_550, 2, 100, Sight::Threats),
    step(1_750, 3, 100, Sight::Threats),
    step(1_960, 4, 60, Sight::Threats),
    step(2_170, 6, 0, Sight::Threats),
    step(2_380, 8, 0, Sight::Threats),
];

/// The scale of a game. Games whose scale was not measured play the steps of MiniChess.
pub fn scale(game: &str) -> &'static Scale {
    if game == REVERSI.name { &OF_REVERSI } else { &OF_MINICHESS }
}

/// The Elo from the weakest step of the game to the strongest.
pub fn range(game: &str) -> RangeInclusive<u32> {
    let [weakest, .., strongest] = scale(game);
    weakest.elo..=strongest.elo
}

/// There is no such Elo on the scale of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the Elo scale of {game} goes from {} to {}, saw {elo}", .range.start(), .range.end())]
pub struct UnknownElo {
    game: String,
    range: RangeInclusive<u32>,
    elo: u32,
}

impl Settings {
    /// Limits the playing strength to this Elo; returns the step that the engine plays.
    ///
    /// # Errors
    /// It is outside the scale of the game; nothing changes.
    pub fn limit_to_elo(&mut self, elo: u32) -> Result<EloStep, UnknownElo> {
        let range = range(&self.game);
        if !range.contains(&elo) {
            return Err(UnknownElo { game: self.game.clone(), range, elo });
        }
        (self.limit_strength, self.elo) = (true, elo);
        Ok(step_at(&self.game, elo))
    }
}

/// The strongest step that is not above this Elo; the weakest below them all.
pub fn step_at(game: &str, elo: u32) -> EloStep {
    let [weakest, others @ ..] = scale(game);
    *others.iter().rfind(|step| step.elo <= elo).unwrap_or(weakest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_rises() {
        for game in ["reversi", "minichess"] {
            for pair in scale(game).windows(2) {
                let [weaker, stronger] = pair else { panic!("a pair") };
                assert!(weaker.elo < stronger.elo && weaker.sight <= stronger.sight, "{pair:?}");
                let searches_more = weaker.depth < stronger.depth;
                assert!(searches_more || weaker.depth == stronger.depth && weaker.noise > stronger.noise, "{pair:?}");
            }
            assert_eq!(*range(game).start(), 500);
        }
    }

    #[test]
    fn an_elo_between_steps_is_the_lower_one() {
        let [first, second, .., last] = scale("reversi");
        assert_eq!(step_at("reversi", 0), *first);
        assert_eq!(step_at("reversi", second.elo - 1), *first);
        assert_eq!(step_at("reversi", second.elo), *second);
        assert_eq!(step_at("reversi", 9_999), *last);
        assert_ne!(step_at("minichess", 1_000), step_at("reversi", 1_000));
    }
}
