//! How well a move is chosen: effort levels, playing strength, variety.
//!
//! A weak player looks less far ahead, and judges what it sees a little wrong: each move's value is
//! noisy, and the best noisy value wins. So mistakes are as large as the noise at most, and small
//! ones are the most frequent, as with people; a move that loses everything at once is seen.

use crate::engine::options::Settings;
use crate::search::limits::Limits;
use crate::search::types::{Score, UNIT};
use crate::support::random::Random;
use std::time::SystemTime;

/// The effort level, and the strength, that hold nothing back.
pub const FULL_LEVEL: u32 = 60;
/// The strength that holds nothing back.
pub const FULL_STRENGTH: u32 = 100;
/// Points of strength for one more ply.
const PLY: u32 = 12;
/// Blur of the weakest player.
const WORST_BLUR: Score = 10 * UNIT;

/// How one move is chosen among those that a search has valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// How much worse than the best, in hundredths of a unit, the chosen move may be.
    pub noise: Score,
    /// Decides what is chosen, together with the position.
    pub seed: u64,
}

impl Skill {
    /// The best move and no other.
    pub const BEST: Skill = Skill { noise: 0, seed: 0 };

    /// What the settings ask for. A seed of 0 is another one each time.
    pub fn of(settings: &Settings) -> Skill {
        let weakness = (FULL_STRENGTH - settings.strength.min(FULL_STRENGTH)) as Score;
        let noise = settings.variety + weakness * weakness * WORST_BLUR / (FULL_STRENGTH * FULL_STRENGTH) as Score;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let drawn = || since.map_or(1, |since| since.as_nanos() as u64);
        Skill { noise, seed: if settings.seed == 0 { drawn() } else { settings.seed } }
    }

    /// True if there is nothing to draw, whatever the seed: no move but the best needs a value.
    pub fn is_best(self) -> bool {
        self.noise == 0
    }

    /// The place of the chosen one among the values of different moves; `None` if there are none.
    pub fn choose(self, values: &[Score], key: u64) -> Option<usize> {
        let mut random = Random(self.seed ^ key);
        let mut noisy = |value: &Score| value + random.below(self.noise.max(0) as usize + 1) as Score;
        let values: Vec<Score> = values.iter().map(&mut noisy).collect();
        // The first of several that are equally good.
        values.iter().enumerate().rev().max_by_key(|&(_, value)| value).map(|(index, _)| index)
    }
}

/// The limits of a move by settings that hold something back.
pub fn limited(limits: Limits, settings: &Settings) -> Limits {
    let by_level = (settings.level < FULL_LEVEL).then(|| settings.level.max(1));
    let by_strength = (settings.strength < FULL_STRENGTH).then(|| 1 + settings.strength / PLY);
    let depth = [limits.depth, by_level, by_strength].into_iter().flatten().min();
    Limits { depth, ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_held_back_is_the_best_and_no_other() {
        assert!(Skill::of(&Settings::default()).is_best() && Skill::BEST.is_best());
        assert!(!Skill::of(&Settings { strength: 50, ..Settings::default() }).is_best());
    }

    #[test]
    fn the_blur_bounds_the_mistake() {
        let values = [300, 290, 150, -2000];
        assert_eq!(Skill::BEST.choose(&values, 7), Some(0));
        assert_eq!(Skill::BEST.choose(&[], 7), None);
        let mut counts = [0; 4];
        for seed in 0..1000 {
            let skill = Skill { noise: 200, seed };
            counts[skill.choose(&values, 7).expect("a move")] += 1;
            assert_eq!(skill.choose(&values, 7), skill.choose(&values, 7));
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn settings_that_hold_nothing_back_change_nothing() {
        let full = Settings::default();
        assert_eq!(Skill::of(&full).noise, 0);
        assert_eq!(limited(Limits::default(), &full), Limits::default());
        let weak = Settings { strength: 30, ..Settings::default() };
        assert_eq!(Skill::of(&weak).noise, 490);
        assert_eq!(limited(Limits::default(), &weak).depth, Some(3));
        let eager = Limits { depth: Some(2), ..Limits::default() };
        assert_eq!(limited(eager.clone(), &Settings { level: 9, ..Settings::default() }), eager);
        assert_eq!(limited(Limits::default(), &Settings { level: 0, ..Settings::default() }).depth, Some(1));
        let seeded = Settings { seed: 4, variety: 50, ..Settings::default() };
        assert_eq!(Skill::of(&seeded), Skill { noise: 50, seed: 4 });
    }
}
