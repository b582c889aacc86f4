//! Sets of points of the board, as bits.

/// The largest number of points of a board: 20x20.
pub const MAX_POINTS: usize = 400;
const WORDS: usize = MAX_POINTS.div_ceil(64);

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// Adds the point, or takes it away.
    #[inline(always)]
    pub fn set(&mut self, point: usize, is_member: bool) {
        let bit = 1 << (point % 64);
        let word = &mut self.0[point / 64];
        *word = if is_member { *word | bit } else { *word & !bit };
    }

    /// Adds the point if it is not in the set, else removes it.
    #[inline(always)]
    pub fn toggle(&mut self, point: usize) {
        self.0[point / 64] ^= 1 << (point % 64);
    }

    /// Whether the point is in the set.
    #[inline(always)]
    pub fn contains(&self, point: usize) -> bool {
        self.0[point / 64] >> (point % 64) & 1 == 1
    }

    /// True for the empty set.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The number of points.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The points of either set.
    #[inline(always)]
    pub fn union(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The points of this set that are not in the other.
    #[inline(always)]
    pub fn without(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The point with the lowest number.
    #[inline(always)]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// The points in the order of their numbers.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| Points(word).map(move |bit| 64 * index + bit))
    }
}

/// The numbers of the bits of a word.
struct Points(u64);

impl Iterator for Points {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_added_and_not_taken_away() {
        let mut set = PointSet::EMPTY;
        for point in [0, 63, 64, 224, 399] {
            set.set(point, true);
        }
        set.set(64, false);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 224, 399]);
        assert_eq!((set.count(), set.first(), set.contains(63), set.contains(62)), (4, Some(0), true, false));
        let mut other = PointSet::EMPTY;
        other.set(63, true);
        other.set(1, true);
        assert_eq!(set.without(&other).iter().collect::<Vec<_>>(), [0, 224, 399]);
        assert_eq!(set.union(&other).count(), 5);
        set.toggle(63);
        set.toggle(62);
        assert!(!set.contains(63) && set.contains(62));
        assert!(PointSet::EMPTY.is_empty() && PointSet::EMPTY.first().is_none() && !set.is_empty());
    }
}
