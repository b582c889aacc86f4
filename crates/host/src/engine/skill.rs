//! Skill: how well a move is chosen, by effort level, playing strength and variety.
//!
//! Limited strength searches fewer plies and adds noise to the scores of the moves; the move with the best noisy score
//! is chosen. A mistake is therefore never larger than the noise, small mistakes are the most frequent, as with people,
//! and the engine still avoids moves that lose everything at once.

use crate::api::settings::{FULL_LEVEL, FULL_STRENGTH};
use flipside_core::search::limits::Limits;
use flipside_core::search::types::{Score, UNIT};
use flipside_support::clock::time_seed;
use flipside_support::random::Random;

/// Percent of strength for one more ply.
const STRENGTH_PER_PLY: u32 = 12;
/// Noise at strength 0.
const MAX_NOISE: Score = 10 * UNIT;

/// How one move is chosen among those that a search has scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// How much worse than the best the chosen move may be, in hundredths of a unit.
    pub noise: Score,
    /// With the position, determines the choice.
    pub seed: u64,
}

impl Skill {
    /// Always the best move.
    pub const BEST: Skill = Skill { noise: 0, seed: 0 };

    /// The noise of this strength in percent and this variety in hundredths of a unit. A seed of 0 draws another one
    /// each time.
    pub fn new(strength: u32, variety: Score, seed: u64) -> Skill {
        let weakness = (FULL_STRENGTH - strength.min(FULL_STRENGTH)) as Score;
        let noise = variety + weakness * weakness * MAX_NOISE / (FULL_STRENGTH * FULL_STRENGTH) as Score;
        Skill { noise, seed: if seed == 0 { time_seed() } else { seed } }
    }

    /// Whether the choice involves no chance: then only the best move needs a score.
    pub fn is_best(self) -> bool {
        self.noise == 0
    }

    /// The index of the chosen move among the scores of different moves; `None` without moves. `key` is the position's.
    pub fn choose(self, scores: &[Score], key: u64) -> Option<usize> {
        let scores = self.noisy(scores, &mut self.random(key));
        // The first of several that are equally good.
        scores.iter().enumerate().rev().max_by_key(|&(_, score)| score).map(|(index, _)| index)
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

/// The limits of a move at this effort level in plies and this strength in percent.
pub fn limited(limits: Limits, level: u32, strength: u32) -> Limits {
    let by_level = (level < FULL_LEVEL).then(|| level.max(1));
    let by_strength = (strength < FULL_STRENGTH).then(|| 1 + strength / STRENGTH_PER_PLY);
    let depth = [limits.depth, by_level, by_strength].into_iter().flatten().min();
    Limits { depth, ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_strength_is_the_best_and_no_other() {
        assert!(Skill::new(FULL_STRENGTH, 0, 0).is_best() && Skill::BEST.is_best());
        assert!(!Skill::new(50, 0, 0).is_best());
    }

    #[test]
    fn the_noise_bounds_the_mistake() {
        let scores = [300, 290, 150, -2000];
        assert_eq!(Skill::BEST.choose(&scores, 7), Some(0));
        assert_eq!(Skill::BEST.choose(&[], 7), None);
        let mut counts = [0; 4];
        for seed in 0..1000 {
            let skill = Skill { noise: 200, seed };
            counts[skill.choose(&scores, 7).expect("a move")] += 1;
            assert_eq!(skill.choose(&scores, 7), skill.choose(&scores, 7));
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn level_and_strength_limit_the_depth() {
        assert_eq!(limited(Limits::default(), FULL_LEVEL, FULL_STRENGTH), Limits::default());
        assert_eq!(limited(Limits::default(), FULL_LEVEL, 30).depth, Some(3));
        let shallow = Limits { depth: Some(2), ..Limits::default() };
        assert_eq!(limited(shallow.clone(), 9, FULL_STRENGTH), shallow);
        assert_eq!(limited(Limits::default(), 0, FULL_STRENGTH).depth, Some(1));
    }

    #[test]
    fn weakness_and_variety_are_noise() {
        assert_eq!(Skill::new(FULL_STRENGTH, 0, 4).noise, 0);
        assert_eq!(Skill::new(30, 0, 4).noise, 490);
        assert_eq!(Skill::new(FULL_STRENGTH, 50, 4), Skill { noise: 50, seed: 4 });
    }
}
