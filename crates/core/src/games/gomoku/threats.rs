//! What the patterns of a point in its four directions threaten together.

use super::geometry::DIRECTIONS;
use super::pattern::Pattern;
use std::sync::OnceLock;

/// The patterns that a stone on a point would make, four bits a direction.
pub type PointPatterns = u16;

/// A stone makes five.
pub const FIVE: u8 = 1;
/// A stone makes a four, or more.
pub const FOUR: u8 = 2;
/// A stone makes a four that cannot be stopped: an open one, or two of them.
pub const OPEN_FOUR: u8 = 4;
/// A stone makes an open three, or more.
pub const THREE: u8 = 8;

/// The numbers of four patterns, four bits each, are below this.
pub const ALL_PATTERNS: usize = 0xaaab;

/// The patterns of a point one by one.
#[inline(always)]
pub fn directions(patterns: PointPatterns) -> [u8; DIRECTIONS] {
    std::array::from_fn(|direction| (patterns >> (4 * direction) & 15) as u8)
}

/// What the patterns of a point say about the rules of renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fork {
    /// A stone is allowed.
    Allowed,
    /// A stone is forbidden: six in a row, or two fours.
    Forbidden,
    /// A stone is forbidden if two of its threes are real.
    Threes,
}

impl Fork {
    /// The fork that a black stone would make; a five allows everything.
    #[inline(always)]
    pub fn of(patterns: PointPatterns) -> Fork {
        let numbers = directions(patterns);
        let count = |pattern: Pattern| numbers.iter().filter(|&&number| number == pattern as u8).count();
        if count(Pattern::Five) > 0 {
            Fork::Allowed
        } else if count(Pattern::Overline) + count(Pattern::DoubleFour) > 0
            || count(Pattern::Four) + count(Pattern::OpenFour) > 1
        {
            Fork::Forbidden
        } else if count(Pattern::OpenThree) > 1 {
            Fork::Threes
        } else {
            Fork::Allowed
        }
    }
}

/// The flags of all patterns, for a player whose forks are forbidden or not. Of forbidden points nothing is threatened.
pub fn table(forbids_forks: bool) -> &'static [u8] {
    static TABLES: [OnceLock<Box<[u8]>>; 2] = [const { OnceLock::new() }; 2];
    TABLES[usize::from(forbids_forks)].get_or_init(|| {
        (0..ALL_PATTERNS)
            .map(|patterns| {
                let patterns = patterns as PointPatterns;
                let is_forbidden = forbids_forks && Fork::of(patterns) == Fork::Forbidden;
                if is_forbidden { 0 } else { flags(patterns) }
            })
            .collect()
    })
}

fn flags(patterns: PointPatterns) -> u8 {
    let numbers = directions(patterns);
    let count = |pattern: Pattern| numbers.iter().filter(|&&number| number == pattern as u8).count();
    let (fives, open_fours) = (count(Pattern::Five), count(Pattern::OpenFour));
    let fours = fives + open_fours + count(Pattern::Four);
    let flag = |flag: u8, is_set: bool| if is_set { flag } else { 0 };
    flag(FIVE, fives > 0)
        | flag(FOUR, fours > 0)
        | flag(OPEN_FOUR, fives == 0 && (open_fours > 0 || fours > 1))
        | flag(THREE, fours > 0 || count(Pattern::OpenThree) > 0)
}
