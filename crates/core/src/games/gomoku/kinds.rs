//! Kinds of points: the patterns of the four directions in any order.

use super::pattern::Pattern;
use super::threats::{PointPatterns, directions};

/// The number of kinds: multisets of four of the nine patterns from nothing to five.
pub const KINDS: usize = 495;

/// The number of the kind of a point, below [`KINDS`]. Patterns that are forbidden count as
/// nothing.
pub fn kind(patterns: PointPatterns) -> usize {
    let mut numbers =
        directions(patterns).map(|number| if number > Pattern::Five as u8 { 0 } else { usize::from(number) });
    numbers.sort_unstable();
    // The combinatorial number system, for combinations with repetition.
    let [d, c, b, a] = numbers;
    (a * (a + 1) * (a + 2) * (a + 3)) / 24 + (b * (b + 1) * (b + 2)) / 6 + c * (c + 1) / 2 + d
}

/// The patterns of each kind, in the order of their numbers.
pub fn all() -> impl Iterator<Item = PointPatterns> {
    let up_to = |most: PointPatterns| 0..=most;
    up_to(Pattern::Five as PointPatterns)
        .flat_map(move |a| up_to(a).flat_map(move |b| up_to(b).flat_map(move |c| up_to(c).map(move |d| [a, b, c, d]))))
        .map(|[a, b, c, d]| a << 12 | b << 8 | c << 4 | d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_numbers_without_gaps() {
        assert!(all().map(kind).eq(0..KINDS));
        assert_eq!([kind(0x5201), kind(0x1025), kind(0x9a25)], [kind(0x5210), kind(0x5210), kind(0x5200)]);
    }
}
