//! The transposition table: results of searches by position, shared by all threads.
//!
//! It stores a 64-bit key, a move's code, a score, a depth and a bound, for any game. Two threads
//! share it without a data race because an entry is two atomic words. A torn pair (one word of
//! each of two writers) is recognised because the first word is the key *xor* the second (Hyatt
//! and Mann, "A lock-less transposition table implementation", 2002). A key of another position
//! that agrees in all 64 bits would be taken for it: the search uses entries for heuristic values
//! and move ordering; exact endgame scores are proved with the solver's own table, which stores
//! whole boards.

use super::types::{Depth, INFINITE, Score, Selectivity, WIN_IN_MAX_PLY};
use flipside_support::cache_line::prefetch;
use flipside_support::clock::Instant;
use flipside_support::generation::Generation;
use flipside_support::huge_pages::{HugePages, Zeros};
use flipside_support::memory::MemoryError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored score says about the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is the value.
    Exact = 0,
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
}

impl Bound {
    /// The bound that the fail-soft value of a search in this window gives.
    #[inline(always)]
    pub fn of(value: Score, (alpha, beta): (Score, Score)) -> Bound {
        match value {
            _ if value >= beta => Bound::Lower,
            _ if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The best move's code, if one was found.
    pub mv: Option<u16>,
    /// For the side to move; win scores count from this position, not from the root.
    pub score: Score,
    /// Plies searched below the position.
    pub depth: Depth,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The selectivity of the search.
    pub selectivity: Selectivity,
}

const NO_MOVE: u16 = u16::MAX;
/// Entries in a bucket: one cache line.
const WAYS: usize = 4;
const AGES: u8 = 64;
/// An entry this many plies deeper is not replaced by a bound of the same position.
const DEEPER: Depth = 4;

impl Entry {
    /// True if this `score` (the entry's, with wins counted from the root) decides a search in
    /// this window.
    #[inline(always)]
    pub fn cuts(&self, score: Score, (alpha, beta): (Score, Score)) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// The replacement priority after this many later searches: the lowest of a bucket is
    /// replaced.
    #[inline(always)]
    fn replace_priority(&self, searches: u8) -> i32 {
        self.depth * 4 + i32::from(self.selectivity.0) - i32::from(searches) * 16
    }

    /// True if the entry stays although the same search has found `newer` for the position: it is
    /// so much deeper that a bound (of ProbCut's shallow search, for example) is worth less.
    #[inline(always)]
    fn outlives(&self, newer: &Entry) -> bool {
        self.depth >= newer.depth + DEEPER && self.selectivity >= newer.selectivity && newer.bound != Bound::Exact
    }

    /// The entry in one word; the uppermost byte is left to the generation.
    fn pack(self, age: u8) -> u64 {
        let score = self.score.clamp(-INFINITE, INFINITE) as i16 as u16;
        u64::from(self.mv.unwrap_or(NO_MOVE))
            | u64::from(score) << 16
            | u64::from(self.depth.clamp(-64, 127) as i8 as u8) << 32
            | u64::from(self.selectivity.0) << 40
            | (self.bound as u64) << 44
            | u64::from(age) << 48
    }

    fn unpack(data: u64) -> Entry {
        let mv = data as u16;
        Entry {
            mv: (mv != NO_MOVE).then_some(mv),
            score: Score::from((data >> 16) as u16 as i16),
            depth: Depth::from((data >> 32) as u8 as i8),
            selectivity: Selectivity((data >> 40) as u8 & 15),
            bound: match (data >> 44) & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
        }
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 48) as u8 % AGES
}

struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[repr(align(64))]
struct Bucket([Slot; WAYS]);

// SAFETY: a bucket is made of atomic integers.
unsafe impl Zeros for Bucket {
    fn touch(&self) {
        self.0[0].data.touch();
    }
}

/// The table. Shared by reference; every operation takes `&self`.
pub struct TranspositionTable {
    buckets: HugePages<Bucket>,
    age: AtomicU8,
    generation: Generation,
}

impl TranspositionTable {
    /// A table that takes at most this many MiB (at least one bucket).
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn new(mib: usize) -> Result<TranspositionTable, MemoryError> {
        let buckets = HugePages::zeroed(mib.saturating_mul((1 << 20) / size_of::<Bucket>()))?;
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0), generation: Generation::first() })
    }

    /// Prefaults the table's memory as far as time allows.
    pub fn prefault(&self, until: Instant) {
        self.buckets.prefault(until);
    }

    /// A new search begins: entries of earlier searches are replaced first.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// Empties the table.
    pub fn clear(&self) {
        if self.generation.advance() {
            for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
                slot.check.store(0, Ordering::Relaxed);
                slot.data.store(0, Ordering::Relaxed);
            }
        }
        self.age.store(0, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Asks the processor to fetch the bucket of a key that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The entry of the position, if there is one.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && self.generation.is_current(data) {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Stores an entry: over that of the same position, else over the oldest and shallowest of the
    /// bucket. An old best move stays if the new entry has none. Of a bound that is far shallower
    /// than what the same search has found, only the best move is stored.
    #[inline(always)]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = &self.bucket(key).0[0];
        let mut lowest = i32::MAX;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if !self.generation.is_current(data) {
                victim = slot;
                break;
            }
            let old = Entry::unpack(data);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                let mv = entry.mv.or(old.mv);
                let stays = age_of(data) == age && old.outlives(&entry);
                entry = Entry { mv, ..if stays { old } else { entry } };
                victim = slot;
                break;
            }
            let priority = old.replace_priority((age + AGES - age_of(data)) % AGES);
            if priority < lowest {
                lowest = priority;
                victim = slot;
            }
        }
        let data = self.generation.tag(entry.pack(age));
        victim.data.store(data, Ordering::Relaxed);
        victim.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Thousandths of the table that the present search has filled, by a sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            self.generation.is_current(data) && age_of(data) == age
        });
        (used.count() * 1000 / (sample.len() * WAYS)) as u32
    }
}

/// Converts a win score counted from the root into one counted from a position `ply` plies below.
#[inline(always)]
pub fn score_to_tt(score: Score, ply: usize) -> Score {
    match score {
        s if s >= WIN_IN_MAX_PLY => s + ply as Score,
        s if s <= -WIN_IN_MAX_PLY => s - ply as Score,
        s => s,
    }
}

/// The inverse of [`score_to_tt`].
#[inline(always)]
pub fn score_from_tt(score: Score, ply: usize) -> Score {
    match score {
        s if s >= WIN_IN_MAX_PLY => s - ply as Score,
        s if s <= -WIN_IN_MAX_PLY => s + ply as Score,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: Depth) -> Entry {
        Entry { mv: Some(19), score, depth, bound: Bound::Lower, selectivity: Selectivity(3) }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1).expect("a small table");
        table.new_search();
        for (key, score) in [(1, -6400), (u64::MAX, 29_990), (1 << 40, 0)] {
            table.store(key, entry(score, 12));
            assert_eq!(table.probe(key), Some(entry(score, 12)));
        }
        assert_eq!(table.probe(77), None);
    }

    #[test]
    fn a_cleared_table_is_like_a_new_one_however_often() {
        let table = TranspositionTable::new(0).expect("a small table");
        for round in 0..600 {
            assert_eq!((table.probe(0), table.hashfull()), (None, 0), "round {round}");
            for key in 0..4 {
                table.store(key, entry(100, 12));
            }
            table.store(4, entry(100, 2));
            assert_eq!((table.probe(0), table.hashfull()), (None, 1000), "the first was replaced");
            assert!((1..5).all(|key| table.probe(key).is_some()));
            table.new_search();
            table.clear();
        }
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = TranspositionTable::new(1).expect("a small table");
        table.store(5, entry(100, 3));
        table.store(5, Entry { mv: None, ..entry(200, 9) });
        assert_eq!(table.probe(5), Some(entry(200, 9)));
    }

    #[test]
    fn a_far_shallower_bound_of_the_same_search_leaves_its_move_alone() {
        let table = TranspositionTable::new(1).expect("a small table");
        let deep = entry(100, 12);
        table.store(5, deep);
        for (newer, stays) in [
            (Entry { mv: Some(20), ..entry(300, 8) }, true),
            (Entry { mv: None, bound: Bound::Upper, ..entry(300, 8) }, true),
            (entry(300, 9), false),
            (Entry { bound: Bound::Exact, ..entry(300, 2) }, false),
            (Entry { selectivity: Selectivity(4), ..entry(300, 2) }, false),
        ] {
            table.store(5, Entry { bound: Bound::Exact, ..deep });
            table.store(5, newer);
            let mv = newer.mv.or(deep.mv);
            let expected = Entry { mv, ..if stays { Entry { bound: Bound::Exact, ..deep } } else { newer } };
            assert_eq!(table.probe(5), Some(expected));
        }
        table.new_search();
        table.store(5, entry(300, 2));
        assert_eq!(table.probe(5), Some(entry(300, 2)), "a later search replaces it");
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_of_the_same_age() {
        let table = TranspositionTable::new(0).expect("a small table");
        for key in 1..=4 {
            table.store(key, entry(0, 10 + key as Depth));
        }
        table.store(9, entry(0, 2));
        assert_eq!(table.probe(1), None, "the shallowest was replaced");
        assert!(table.probe(4).is_some());
        table.new_search();
        table.store(10, entry(0, 1));
        assert_eq!(table.probe(9), None, "the shallowest of the old ones was replaced");
        assert!(table.probe(10).is_some());
    }

    #[test]
    fn a_table_takes_the_memory_it_is_given() {
        assert_eq!(size_of::<Bucket>(), 64);
        assert_eq!(TranspositionTable::new(3).expect("a small table").buckets.len() * 64, 3 << 20);
    }

    #[test]
    fn win_scores_shift_by_ply_and_back() {
        for score in [29_990, -29_980, 450, -6400] {
            assert_eq!(score_from_tt(score_to_tt(score, 7), 7), score);
        }
        assert_eq!(score_to_tt(29_990, 4), 29_994);
    }
}
