//! Openings of our own making: the first moves of a training game, chosen for variety.

use crate::support::random::Random;

/// Moves of a game's opening that are drawn blindly.
pub const BLIND: usize = 6;
/// Shortest and longest opening, in moves. Long ones lead to positions that good play never sees but
/// every search does.
const LENGTHS: [usize; 2] = [8, 42];

/// How a game begins.
pub struct Opening {
    /// Moves of the opening.
    pub length: usize,
    /// One move in so many is drawn blindly after the first ones.
    wildness: usize,
}

/// How the next move of an opening is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Any legal move.
    Blind,
    /// The move that a look at the next positions likes best, each value blurred by up to so many
    /// hundredths of a disc.
    Sloppy(i32),
}

impl Opening {
    /// Draws an opening. Half of them are short.
    pub fn draw(random: &mut Random) -> Opening {
        let [shortest, longest] = LENGTHS;
        let end = if random.below(2) == 0 { shortest + 8 } else { longest };
        Opening { length: shortest + random.below(end - shortest + 1), wildness: 2 + random.below(8) }
    }

    /// How to find the move after so many others.
    pub fn choice(&self, ply: usize, random: &mut Random) -> Choice {
        if ply < BLIND || random.below(self.wildness) == 0 { Choice::Blind } else { Choice::Sloppy(600) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_vary_within_their_lengths() {
        let mut random = Random(1);
        let lengths: Vec<usize> = (0..1000).map(|_| Opening::draw(&mut random).length).collect();
        assert!(lengths.iter().all(|length| (8..=42).contains(length)));
        assert!(lengths.iter().filter(|&&length| length <= 16).count() > 500);
        assert!(lengths.iter().any(|&length| length > 35));
    }
}
