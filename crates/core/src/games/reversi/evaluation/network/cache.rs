//! Evaluation cache: the values of recently evaluated positions. Half of the positions that a
//! search evaluates come again soon: in ProbCut's shallow search and the deeper one after it, in
//! the next iteration, by transpositions.

use crate::games::reversi::board::Board;
use crate::search::types::{Score, UNIT};
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries, as a power of two: 1 MiB, which a processor's second-level cache holds or nearly so.
const BITS: u32 = 17;
/// Stands for an unknown corrected value.
const UNKNOWN: i16 = i16::MIN;
const _: () = assert!(64 * UNIT < i16::MAX as Score);

/// The values of a position, in hundredths of a disc for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachedValues {
    /// By the linear weights alone.
    pub linear: Score,
    /// With the network's correction, if it was needed.
    pub corrected: Option<Score>,
}

/// Values by position, one word each, shared by all threads of a search: 32 bits of the position's
/// hash besides the 17 that give the place, then both values. A word is read and written as a
/// whole, so that threads need no lock; the later value stays.
#[derive(Debug)]
pub struct EvaluationCache(Box<[AtomicU64; 1 << BITS]>);

/// The place of a position's values.
#[derive(Clone, Copy)]
pub struct Slot<'a> {
    word: &'a AtomicU64,
    /// The hash's lower half in the upper half of a word.
    tag: u64,
}

impl Default for EvaluationCache {
    /// An empty cache.
    fn default() -> EvaluationCache {
        // Not an array first: that would lie on the stack.
        let words: Box<[AtomicU64]> = (0..1 << BITS).map(|_| AtomicU64::new(0)).collect();
        EvaluationCache(words.try_into().unwrap_or_else(|_| unreachable!("as many as there are")))
    }
}

impl EvaluationCache {
    /// The place of a position.
    #[inline(always)]
    pub fn slot(&self, board: Board) -> Slot<'_> {
        let hash = board.hash();
        Slot { word: &self.0[(hash >> (64 - BITS)) as usize], tag: hash << 32 }
    }
}

impl Slot<'_> {
    /// The position's values, unless others took their place.
    #[inline(always)]
    pub fn load(self) -> Option<CachedValues> {
        let word = self.word.load(Ordering::Relaxed);
        let (linear, corrected) = ((word >> 16) as i16, word as i16);
        // A word of zeros is not an entry, so the value 0 of a position with tag 0 is stored in
        // vain.
        (word != 0 && word & !0xffff_ffff == self.tag).then(|| CachedValues {
            linear: linear.into(),
            corrected: (corrected != UNKNOWN).then_some(corrected.into()),
        })
    }

    /// Stores the position's values in place of the old ones.
    #[inline(always)]
    pub fn store(self, CachedValues { linear, corrected }: CachedValues) {
        let corrected = corrected.map_or(UNKNOWN, |corrected| corrected as i16);
        let word = self.tag | u64::from(linear as i16 as u16) << 16 | u64::from(corrected as u16);
        self.word.store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::random_games::random_moves;

    #[test]
    fn values_are_those_of_the_position() {
        let cache = EvaluationCache::default();
        let values = |at: usize| CachedValues {
            linear: at as Score % 12_801 - 6_400,
            corrected: (!at.is_multiple_of(3)).then_some(6_400 - at as Score % 12_801),
        };
        let boards = random_moves(50);
        for (at, (board, _)) in boards.iter().enumerate() {
            let slot = cache.slot(*board);
            slot.store(values(at));
            assert_eq!(slot.load(), Some(values(at)), "{board:?}");
        }
        // Positions whose place no other position took are still there; few places were taken.
        let kept = boards.iter().enumerate().filter(|&(at, (board, _))| cache.slot(*board).load() == Some(values(at)));
        assert!(kept.count() * 10 > boards.len() * 9);
        assert_eq!(EvaluationCache::default().slot(Board::START).load(), None);
    }

    /// Positions that differ in one square have other places or other tags.
    #[test]
    fn neighbours_are_told_apart() {
        let cache = EvaluationCache::default();
        for (board, _) in random_moves(10) {
            cache.slot(board).store(CachedValues { linear: 1, corrected: None });
            for square in 0..64 {
                let player = Board { player: board.player ^ 1 << square, ..board };
                let opponent = Board { opponent: board.opponent ^ 1 << square, ..board };
                for neighbour in [player, opponent] {
                    assert_eq!(cache.slot(neighbour).load(), None, "{board:?} {neighbour:?}");
                    cache.slot(board).store(CachedValues { linear: 1, corrected: None });
                }
            }
        }
    }
}
