//! Skill: how well a move is chosen, by effort level, playing strength in percent or in Elo, and variety.
//!
//! Limited strength searches fewer plies and adds noise to the scores of the moves; the move with the best noisy score
//! is chosen. A mistake is therefore never larger than the noise, and small mistakes are the most frequent, as with
//! people. `sight` keeps out the mistakes that people do not make.

use crate::api::elo::{self, Sight};
use crate::api::settings::{FULL_LEVEL, FULL_STRENGTH, Settings};
use flipside_core::search::limits::Limits;
use flipside_core::search::types::{Score, UNIT};
use flipside_support::clock::time_seed;
use flipside_support::random::Random;
use std::cmp::Reverse;

/// Percent of strength for one more ply.
const STRENGTH_PER_PLY: u32 = 12;
/// Noise at strength 0.
const MAX_NOISE: Score = 10 * UNIT;
/// The strength in percent from which on threats are seen.
const SEES_THREATS: u32 = 20;

/// How one move is chosen among those that a search has scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Plies to search at most; `None` is unlimited.
    pub depth: Option<u32>,
    /// How much worse than the best the chosen move may be, in hundredths of a unit.
    pub noise: Score,
    /// The mistakes that are not made, whatever the noise.
    pub sight: Sight,
    /// With the position, determines the choice.
    pub seed: u64,
}

impl Skill {
    /// Always the best move.
    pub const BEST: Skill = Skill { depth: None, noise: 0, sight: Sight::Threats, seed: 0 };

    /// The skill of these settings: of their Elo if they limit the strength to it, else of their strength in percent;
    /// with their level and variety. A seed of 0 draws another one each time.
    pub fn new(settings: &Settings) -> Skill {
        let Settings { level, strength, variety, seed, .. } = *settings;
        let limited = match settings.limit_strength {
            true => Skill::of_elo(&settings.game, settings.elo),
            false => Skill::of_strength(strength.min(FULL_STRENGTH)),
        };
        let by_level = (level < FULL_LEVEL).then(|| level.max(1));
        Skill {
            depth: [limited.depth, by_level].into_iter().flatten().min(),
            noise: variety + limited.noise,
            seed: if seed == 0 { time_seed() } else { seed },
            ..limited
        }
    }

    fn of_elo(game: &str, elo: u32) -> Skill {
        let step = elo::step_at(game, elo);
        Skill { depth: Some(step.depth), noise: step.noise, sight: step.sight, ..Skill::BEST }
    }

    fn of_strength(percent: u32) -> Skill {
        let weakness = (FULL_STRENGTH - percent) as Score;
        Skill {
            depth: (weakness > 0).then_some(1 + percent / STRENGTH_PER_PLY),
            noise: weakness * weakness * MAX_NOISE / (FULL_STRENGTH * FULL_STRENGTH) as Score,
            sight: if percent < SEES_THREATS { Sight::Wins } else { Sight::Threats },
            ..Skill::BEST
        }
    }

    /// Whether the choice involves no chance: then only the best move needs a score.
    pub fn is_best(self) -> bool {
        self.noise == 0
    }

    /// The limits of a move with its depth.
    pub fn limited(self, limits: Limits) -> Limits {
        Limits { depth: [limits.depth, self.depth].into_iter().flatten().min(), ..limits }
    }

    /// The indices of the scores of different moves, the preferred one first. `key` is the position's.
    pub fn order(self, scores: &[Score], key: u64) -> Vec<usize> {
        let mut noisy: Vec<_> = self.noisy(scores, &mut self.random(key)).into_iter().enumerate().collect();
        // The first of several that are equally good stays first.
        noisy.sort_by_key(|&(_, score)| Reverse(score));
        noisy.into_iter().map(|(index, _)| index).collect()
    }

    /// The source of the random choices in the position of this key.
    pub(super) fn random(self, key: u64) -> Random {
        Random(self.seed ^ key)
    }

    /// The scores with noise.
    pub(super) fn noisy(self, scores: &[Score], random: &mut Random) -> Vec<Score> {
        scores.iter().map(|score| score + random.below(self.noise.max(0) as usize + 1) as Score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(change: impl FnOnce(&mut Settings)) -> Skill {
        let mut settings = Settings { seed: 4, ..Settings::default() };
        change(&mut settings);
        Skill::new(&settings)
    }

    #[test]
    fn full_strength_is_the_best_and_no_other() {
        assert_eq!(skill(|_| ()), Skill { seed: 4, ..Skill::BEST });
        assert!(Skill::BEST.is_best() && !skill(|all| all.strength = 50).is_best());
    }

    #[test]
    fn the_noise_bounds_the_mistake() {
        let scores = [300, 290, 150, -2000];
        assert_eq!(Skill::BEST.order(&scores, 7), [0, 1, 2, 3]);
        assert!(Skill::BEST.order(&[], 7).is_empty());
        let mut counts = [0; 4];
        for seed in 0..1000 {
            let skill = Skill { noise: 200, seed, ..Skill::BEST };
            counts[skill.order(&scores, 7)[0]] += 1;
            assert_eq!(skill.order(&scores, 7), skill.order(&scores, 7));
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn level_and_strength_limit_the_depth() {
        let depth = |level, strength, depth| {
            let skill = skill(|all| (all.level, all.strength) = (level, strength));
            skill.limited(Limits { depth, ..Limits::default() }).depth
        };
        assert_eq!(depth(FULL_LEVEL, FULL_STRENGTH, None), None);
        assert_eq!(depth(FULL_LEVEL, 30, None), Some(3));
        assert_eq!(depth(9, FULL_STRENGTH, Some(2)), Some(2));
        assert_eq!(depth(9, 50, None), Some(5));
        assert_eq!(depth(0, FULL_STRENGTH, None), Some(1));
    }

    #[test]
    fn weakness_and_variety_are_noise() {
        assert_eq!(skill(|all| all.strength = 30).noise, 490);
        assert_eq!(skill(|all| all.variety = 50), Skill { noise: 50, seed: 4, ..Skill::BEST });
        assert_eq!([10, 30].map(|percent| skill(|all| all.strength = percent).sight), [Sight::Wins, Sight::Threats]);
    }

    #[test]
    fn an_elo_replaces_the_strength_in_percent() {
        let limited = |game: &str, elo| {
            skill(|all| (all.game, all.limit_strength, all.elo, all.strength) = (game.into(), true, elo, 0))
        };
        for game in ["reversi", "minichess", "gomoku"] {
            for elo in [0, 500, 1_200, 9_999] {
                let step = elo::step_at(game, elo);
                let expected = Skill { depth: Some(step.depth), noise: step.noise, sight: step.sight, seed: 4 };
                assert_eq!(limited(game, elo), expected);
            }
        }
        assert!(skill(|all| all.elo = 500).is_best(), "only where the strength is limited");
    }
}
