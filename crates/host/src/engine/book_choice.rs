//! Choosing a move of the opening book: the worse a move is, the smaller its chance, down to a limit.

use super::skill::Skill;
use crate::api::settings::Settings;
use flipside_core::search::types::Score;

/// The highest variety, in percent.
pub const FULL_VARIETY: u32 = 100;
/// The weight of the best move; other moves get fractions of it.
const FULL_WEIGHT: u64 = 1 << 24;

/// How a move of the book is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// How much worse than the best the chosen move may be, in hundredths of a unit.
    pub error: Score,
    /// How equal the chances of the moves within that error are, in percent. 0 always chooses the best, 100 gives all
    /// the same chance; with 50 a move that is worse by the whole error has half the chance of the best.
    pub variety: u32,
    /// Plies from the start of the game within which the book is used.
    pub plies: u32,
}

impl BookChoice {
    /// The choice that the settings describe.
    pub fn new(settings: &Settings) -> BookChoice {
        BookChoice { error: settings.book_error, variety: settings.book_variety, plies: settings.book_depth }
    }

    /// Returns the index of the chosen move among the scores of different moves; `None` without moves. The skill adds
    /// its noise to the scores first, as it does after a search. In one position (`key`) the same seed chooses the same
    /// move.
    pub fn choose(self, skill: Skill, scores: &[Score], key: u64) -> Option<usize> {
        let mut random = skill.random(key);
        let scores = skill.noisy(scores, &mut random);
        let best = *scores.iter().max()?;
        if self.variety == 0 {
            return scores.iter().position(|score| *score == best);
        }
        let weights: Vec<u64> = scores.iter().map(|score| self.weight(best - score)).collect();
        let total: u64 = weights.iter().sum();
        let mut drawn = random.below(total as usize) as u64;
        weights.iter().position(|&weight| {
            let hit = drawn < weight;
            drawn = drawn.wrapping_sub(weight);
            hit
        })
    }

    /// The weight of a move that is worse than the best by `loss`. Computed in integers, so that a seed chooses alike
    /// everywhere.
    fn weight(self, loss: Score) -> u64 {
        match loss {
            0 => FULL_WEIGHT,
            _ if loss > self.error => 0,
            _ => {
                let even = u64::from(self.error.unsigned_abs()) * u64::from(self.variety);
                let rest = FULL_VARIETY.saturating_sub(self.variety);
                FULL_WEIGHT * even / (even + u64::from(loss.unsigned_abs()) * u64::from(rest))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SCORES: [Score; 5] = [20, 20, -30, -80, -81];

    fn counts(choice: BookChoice, noise: Score) -> [usize; 5] {
        let mut counts = [0; 5];
        for seed in 0..3000 {
            let skill = Skill { noise, seed, ..Skill::BEST };
            let chosen = choice.choose(skill, &SCORES, 99).expect("a move");
            assert_eq!(choice.choose(skill, &SCORES, 99), Some(chosen), "the same seed, the same move");
            counts[chosen] += 1;
        }
        counts
    }

    #[test]
    fn without_variety_the_first_of_the_best_is_chosen() {
        let choice = BookChoice { error: 100, variety: 0, plies: 60 };
        assert_eq!(counts(choice, 0), [3000, 0, 0, 0, 0]);
        assert_eq!(choice.choose(Skill::BEST, &[], 1), None);
    }

    #[test]
    fn variety_gives_worse_moves_their_chance_within_the_error() {
        let at = |error, variety| counts(BookChoice { error, variety, plies: 60 }, 0);
        let equals = at(0, 100);
        assert!(equals[0].abs_diff(equals[1]) < 300 && equals[2..] == [0, 0, 0], "{equals:?}");
        let all = at(100, 100);
        assert!(all[..4].iter().all(|&count| count.abs_diff(750) < 150) && all[4] == 0, "{all:?}");
        // Weights 1, 1, 2/3 and 1/2.
        let half = at(100, 50);
        assert!(half[0].abs_diff(947) < 150 && half[2].abs_diff(632) < 150 && half[3].abs_diff(474) < 150, "{half:?}");
        let little = at(100, 5);
        assert!(little[2] < 300 && little[2] > little[3] && little[3] > 0, "{little:?}");
    }

    #[test]
    fn the_noise_of_the_skill_comes_first() {
        let weak = counts(BookChoice { error: 0, variety: 0, plies: 60 }, 200);
        assert!(weak[0] > weak[2] && weak[2] > weak[3] && weak[4] > 0, "{weak:?}");
    }

    proptest! {
        #[test]
        fn the_chosen_move_is_within_the_error(
            scores in proptest::collection::vec(-6400i32..=6400, 1..20),
            error in 0i32..=6400,
            variety in 0u32..=100,
            noise in 0i32..=1000,
            seed: u64,
        ) {
            let chosen = BookChoice { error, variety, plies: 60 }.choose(Skill { noise, seed, ..Skill::BEST }, &scores, 5);
            let best = scores.iter().max().copied().unwrap_or_default();
            prop_assert!(chosen.is_some_and(|index| best - scores[index] <= error + noise));
        }
    }
}
