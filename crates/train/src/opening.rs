//! Openings of training games, chosen for variety.

use super::enumerated_openings::EnumeratedOpenings;
use flipside_support::random::Random;
use std::ops::Range;
use std::sync::Arc;

/// Moves at the beginning of a game that are always random.
pub const RANDOM_MOVES: usize = 6;
/// Shortest and longest opening in moves. Long ones reach positions that good play avoids but every search meets.
const LENGTHS: [usize; 2] = [8, 42];
/// Noise of a greedy move in hundredths of a disc.
const NOISE: i32 = 600;

/// How the games of self-play begin.
#[derive(Clone, Default)]
pub enum Openings {
    /// Random openings as of [`RandomOpening::draw`].
    #[default]
    Usual,
    /// Random openings of these lengths in moves.
    Lengths(Range<u64>),
    /// Every position after a number of plies, one after the other.
    Enumerated(Arc<EnumeratedOpenings>),
}

impl Openings {
    /// The opening of the game with this number.
    pub fn draw(&self, number: u64, random: &mut Random) -> Opening {
        match self {
            Openings::Usual => Opening::Random(RandomOpening::draw(random)),
            Openings::Lengths(lengths) => Opening::Random(RandomOpening::of_lengths(lengths, random)),
            Openings::Enumerated(openings) => Opening::Line(openings.line(number)),
        }
    }
}

/// The opening of a game.
pub enum Opening {
    /// Moves drawn at random.
    Random(RandomOpening),
    /// The squares of given moves.
    Line(Vec<u8>),
}

impl Opening {
    /// Moves of the opening.
    pub fn length(&self) -> usize {
        match self {
            Opening::Random(opening) => opening.length,
            Opening::Line(squares) => squares.len(),
        }
    }

    /// How to choose the move of this ply.
    pub fn choice(&self, ply: usize, random: &mut Random) -> OpeningChoice {
        match self {
            Opening::Random(opening) => opening.choice(ply, random),
            Opening::Line(squares) => OpeningChoice::Square(squares[ply]),
        }
    }
}

/// How a random opening is played.
pub struct RandomOpening {
    /// Moves of the opening.
    pub length: usize,
    /// After [`RANDOM_MOVES`], one move in this many is random and the others are greedy.
    random_one_in: usize,
}

/// How the next move of an opening is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningChoice {
    /// The move to this square.
    Square(u8),
    /// Any legal move.
    Random,
    /// The best move by the static evaluation of the next position, with noise of up to this many hundredths of a disc.
    NoisyGreedy(i32),
}

impl RandomOpening {
    /// Draws an opening whose length is equally likely to be any of these. One opening in nine is random throughout, which
    /// gives one-sided positions that no search would play.
    pub fn of_lengths(lengths: &Range<u64>, random: &mut Random) -> RandomOpening {
        let length = lengths.start as usize + random.below((lengths.end - lengths.start) as usize);
        RandomOpening { length, random_one_in: 1 + random.below(9) }
    }

    /// Draws an opening. Half of all openings are at most eight moves longer than the shortest.
    pub fn draw(random: &mut Random) -> RandomOpening {
        let [shortest, longest] = LENGTHS;
        let end = if random.below(2) == 0 { shortest + 8 } else { longest };
        RandomOpening { length: shortest + random.below(end - shortest + 1), random_one_in: 2 + random.below(8) }
    }

    /// How to choose the move of this ply.
    pub fn choice(&self, ply: usize, random: &mut Random) -> OpeningChoice {
        if ply < RANDOM_MOVES || random.below(self.random_one_in) == 0 {
            OpeningChoice::Random
        } else {
            OpeningChoice::NoisyGreedy(NOISE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_vary_within_their_lengths() {
        let mut random = Random(1);
        let lengths: Vec<usize> = (0..1000).map(|_| RandomOpening::draw(&mut random).length).collect();
        assert!(lengths.iter().all(|length| (8..=42).contains(length)));
        assert!(lengths.iter().filter(|&&length| length <= 16).count() > 500);
        assert!(lengths.iter().any(|&length| length > 35));
        let openings: Vec<_> = (0..1000).map(|_| RandomOpening::of_lengths(&(30..58), &mut random)).collect();
        let lengths = || openings.iter().map(|opening| opening.length);
        assert_eq!((lengths().min(), lengths().max()), (Some(30), Some(57)));
        let random_throughout = openings.iter().filter(|opening| opening.random_one_in == 1).count();
        assert!((60..180).contains(&random_throughout), "{random_throughout}");
    }
}
