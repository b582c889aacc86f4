//! Evaluation cache: the values of recently evaluated positions. Half of the positions that a
//! search evaluates come again soon: in ProbCut's shallow search and the deeper one after it, in
//! the next iteration, by transpositions.

use crate::games::reversi::board::Board;
use crate::search::types::{Score, UNIT};
use flipside_support::cache_line::prefetch;
use flipside_support::huge_pages::HugePages;
use flipside_support::memory::MemoryError;
use flipside_support::thread_pool;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Entries for one or two threads, as a power of two: 1 MiB, which a processor's second-level cache
/// holds or nearly so. 2 MiB made two threads no faster.
const BITS: u32 = 17;
/// Entries for many threads: 16 MiB.
const MAX_BITS: u32 = BITS + 4;
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
/// hash besides those that give the place, then both values. A word is read and written as a
/// whole, so that threads need no lock; the later value stays.
pub struct EvaluationCache {
    /// As many as the most threads need. The system provides the memory of those that are used.
    words: HugePages<AtomicU64>,
    /// A hash shifted by this many bits is a place. Few threads are faster where a processor's own
    /// cache holds all places; many threads would drive out each other's values there.
    shift: AtomicU32,
}

/// The place of a position's values.
#[derive(Clone, Copy)]
pub struct Slot<'a> {
    word: &'a AtomicU64,
    /// The hash's lower half in the upper half of a word.
    tag: u64,
}

/// The entries for this many threads, as a power of two.
fn bits(threads: usize) -> u32 {
    (BITS + (threads / 2).max(1).next_power_of_two().ilog2()).min(MAX_BITS)
}

impl EvaluationCache {
    /// An empty cache for one thread, and later for as many as this machine runs.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new() -> Result<EvaluationCache, MemoryError> {
        EvaluationCache::for_at_most(thread_pool::useful(usize::MAX))
    }

    fn for_at_most(threads: usize) -> Result<EvaluationCache, MemoryError> {
        let words = HugePages::zeroed(1 << bits(threads))?;
        Ok(EvaluationCache { words, shift: AtomicU32::new(64 - BITS) })
    }

    /// Takes as much memory as is best for this many threads. What is stored stays or is lost, but
    /// no position gets the values of another.
    pub fn resize(&self, threads: usize) {
        let places = self.words.len().ilog2().min(bits(threads));
        self.shift.store(64 - places, Ordering::Relaxed);
    }

    /// The place of a position.
    #[inline(always)]
    pub fn slot(&self, board: Board) -> Slot<'_> {
        let hash = board.hash();
        let place = hash >> self.shift.load(Ordering::Relaxed);
        Slot { word: &self.words[place as usize], tag: hash << 32 }
    }
}

impl Slot<'_> {
    /// Asks the processor to fetch the place.
    #[inline(always)]
    pub fn prefetch(self) {
        prefetch(self.word);
    }

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
        let cache = EvaluationCache::new().expect("a small table");
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
        assert_eq!(EvaluationCache::new().expect("a small table").slot(Board::START).load(), None);
    }

    #[test]
    fn more_threads_keep_more_values_and_every_size_keeps_positions_apart() {
        let cache = EvaluationCache::for_at_most(64).expect("a small table");
        let boards: Vec<Board> = (0..1 << BITS)
            .map(|at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .map(|bits| Board { player: bits, opponent: !bits & bits.rotate_left(17) })
            .collect();
        let values = |board: Board| CachedValues { linear: (board.player % 6_400) as Score, corrected: None };
        let kept = [2, 4, 8, 32, 64, 4].map(|threads| {
            cache.resize(threads);
            assert!(boards.iter().all(|&board| cache.slot(board).load().is_none_or(|found| found == values(board))));
            boards.iter().for_each(|&board| cache.slot(board).store(values(board)));
            boards.iter().filter(|&&board| cache.slot(board).load() == Some(values(board))).count()
        });
        assert!(kept[..4].is_sorted_by(|fewer, more| fewer < more), "{kept:?}");
        assert_eq!(kept[3..], [kept[3], kept[3], kept[1]]);
    }

    /// Positions that differ in one square have other places or other tags.
    #[test]
    fn neighbours_are_told_apart() {
        let cache = EvaluationCache::new().expect("a small table");
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
