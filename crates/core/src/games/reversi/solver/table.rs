//! The solver's shared transposition table. Entries hold whole boards, so that no false hit can turn into a wrong score.
//!
//! # Why there is no data race and no torn entry
//! Every word is an atomic, so no access is a data race in the language's memory model. Two
//! entries share a bucket of one cache line with a sequence number (a seqlock), which keeps the
//! words of an entry together: a writer locks the bucket by raising the number from even to odd
//! with a compare-exchange (acquire), a release fence keeps its writes after that, and a release
//! store of the next even number follows them. A writer that finds the number odd, or loses the
//! exchange, drops its entry: an entry is lost, never mixed. A reader loads the number (acquire),
//! the words, and after an acquire fence the number again. If any word it saw came from a writer,
//! the fences make that writer's odd number visible to the second load, so two equal even numbers
//! mean that no writer changed the bucket in between. (The number has 64 bits and does not wrap.)
//! A hit then compares both words of the board, which are the position.
//!
//! # Memory as it is needed
//! Entries are scattered, so a table in full use has all its pages touched, and zeroed by the
//! system, after some thousand entries: a second for half a GiB, longer than most solves. The
//! table therefore begins with a part of its memory, which also stays in the processor's cache,
//! and doubles it once that part is crowded (`CROWDED`). Entries move to their new places from the
//! last bucket to the first: bucket `i` goes to `2i` and `2i + 1`, which have been emptied by
//! then. Other threads continue meanwhile; they only miss entries that have not been moved yet.

use super::entry::{Entry, StoreData};
use crate::games::reversi::board::Board;
use flipside_support::cache_line::{CacheLine, prefetch};
use flipside_support::clock::Instant;
use flipside_support::generation::Generation;
use flipside_support::huge_pages::{HugePages, Zeros};
use flipside_support::memory::MemoryError;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering, fence};

/// Buckets used at first: 16 MiB.
const FIRST_BUCKETS: usize = (16 << 20) / size_of::<Bucket>();
/// A table is crowded once this many entries of the present search were replaced for each entry
/// that it can hold. Entries of little work are replaced first, so FFO #45 (24 empty squares) ends
/// with 64 of 512 MiB and needs 0.7 % more nodes.
const CROWDED: u64 = 1;
/// One in this many replaced entries is counted.
const SAMPLE: u64 = 64;

/// Entries of the present search have at least this replacement priority.
const THIS_SEARCH: u32 = 257;

/// Replacement priority: entries of older searches are replaced first, then those of little work.
#[inline(always)]
fn replace_priority(data: u64, age: u8, generation: &Generation) -> u32 {
    let [.., work, entry_age, _] = data.to_le_bytes();
    if generation.is_current(data) { u32::from(work) + if entry_age == age { THIS_SEARCH } else { 1 } } else { 0 }
}

struct Slot {
    player: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn board(&self) -> Board {
        Board { player: self.player.load(Ordering::Relaxed), opponent: self.opponent.load(Ordering::Relaxed) }
    }

    /// Only for the holder of the bucket's lock.
    #[inline(always)]
    fn set(&self, board: Board, data: u64) {
        self.player.store(board.player, Ordering::Relaxed);
        self.opponent.store(board.opponent, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

#[repr(align(64))]
struct Bucket {
    sequence: AtomicU64,
    slots: [Slot; 2],
}

/// The right to write to a bucket, until it is dropped.
struct Lock<'b> {
    sequence: &'b AtomicU64,
    /// The odd number of the bucket meanwhile.
    odd: u64,
}

impl Bucket {
    /// `None` if another thread writes to it.
    #[inline(always)]
    fn lock(&self) -> Option<Lock<'_>> {
        let before = self.sequence.load(Ordering::Relaxed);
        if before & 1 == 1
            || self.sequence.compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return None;
        }
        fence(Ordering::Release);
        Some(Lock { sequence: &self.sequence, odd: before + 1 })
    }
}

impl Drop for Lock<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.sequence.store(self.odd + 1, Ordering::Release);
    }
}

// SAFETY: a bucket is made of atomic integers, and nothing is dropped.
unsafe impl Zeros for Bucket {
    fn touch(&self) {
        self.sequence.touch();
    }
}

/// The table, shared by threads without locks.
pub struct SolverTable {
    buckets: HugePages<Bucket>,
    /// Buckets in use, from the first on.
    in_use: AtomicUsize,
    /// Buckets that were ever in use.
    most_in_use: AtomicUsize,
    age: AtomicU8,
    generation: Generation,
    crowd: CacheLine<Crowd>,
}

/// What is written while threads search, apart from what every probe reads.
#[derive(Default)]
struct Crowd {
    /// Sampled count of this search's entries that were replaced since the table has its present
    /// size.
    replaced: AtomicU64,
    /// True while a thread moves entries to their new places.
    growing: AtomicBool,
}

impl SolverTable {
    /// A table of this many MiB; at least one bucket.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn new(mebibytes: usize) -> Result<SolverTable, MemoryError> {
        SolverTable::with_buckets(mebibytes.saturating_mul((1 << 20) / size_of::<Bucket>()), FIRST_BUCKETS)
    }

    /// A table of this many buckets, at least one, that begins with `first` of them.
    fn with_buckets(all: usize, first: usize) -> Result<SolverTable, MemoryError> {
        let buckets = HugePages::zeroed(all)?;
        let first = first.min(buckets.len());
        Ok(SolverTable {
            buckets,
            in_use: AtomicUsize::new(first),
            most_in_use: AtomicUsize::new(first),
            age: AtomicU8::new(0),
            generation: Generation::first(),
            crowd: CacheLine::default(),
        })
    }

    /// Prefaults as much of the table's memory as possible until `until`.
    pub fn prefault(&self, until: Instant) {
        self.buckets.prefault(until);
    }

    /// Ages all entries: those of the search that begins replace them first.
    pub fn new_search(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes all entries, and begins again with the first part of the memory.
    pub fn clear(&mut self) {
        let used = self.most_in_use.load(Ordering::Relaxed);
        self.in_use.store(FIRST_BUCKETS.min(used), Ordering::Relaxed);
        self.crowd.replaced.store(0, Ordering::Relaxed);
        if self.generation.advance() {
            for slot in self.buckets[..used].iter().flat_map(|bucket| &bucket.slots) {
                slot.data.store(0, Ordering::Relaxed);
            }
        }
    }

    #[inline(always)]
    fn bucket(&self, board: Board) -> &Bucket {
        let in_use = self.in_use.load(Ordering::Relaxed);
        let index = ((u128::from(board.hash()) * in_use as u128) >> 64) as usize;
        // SAFETY: the product of a 64-bit fraction below 1 and the number of buckets in use, rounded down, is below that
        // number, which is never above the number of buckets.
        unsafe { self.buckets.get_unchecked(index) }
    }

    /// Prefetches the bucket of a board that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, board: Board) {
        prefetch(self.bucket(board));
    }

    /// The entry of the board.
    #[inline(always)]
    pub fn probe(&self, board: Board) -> Option<Entry> {
        let bucket = self.bucket(board);
        let before = bucket.sequence.load(Ordering::Acquire);
        for slot in &bucket.slots {
            if slot.board() == board {
                let data = slot.data.load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let whole = before & 1 == 0 && bucket.sequence.load(Ordering::Relaxed) == before;
                if self.generation.is_current(data) {
                    return whole.then(|| Entry::unpack(data));
                }
            }
        }
        None
    }

    /// Merges a result into the entry of the board; drops it if another thread writes to the bucket.
    #[inline(always)]
    pub fn store(&self, board: Board, data: &StoreData) {
        let bucket = self.bucket(board);
        let Some(lock) = bucket.lock() else { return };
        let age = self.age.load(Ordering::Relaxed);
        let [first, second] = &bucket.slots;
        let holds =
            |slot: &Slot| slot.board() == board && self.generation.is_current(slot.data.load(Ordering::Relaxed));
        let (slot, same) = match (holds(first), holds(second)) {
            (true, _) => (first, true),
            (_, true) => (second, true),
            _ => (self.victim(bucket, age), false),
        };
        let old = slot.data.load(Ordering::Relaxed);
        let entry = if same { Entry::unpack(old) } else { Entry::UNKNOWN };
        let gives_way = !same && replace_priority(old, age, &self.generation) >= THIS_SEARCH;
        slot.set(board, self.generation.tag(entry.merged(data).pack(data.work, age)));
        drop(lock);
        if gives_way && board.hash().is_multiple_of(SAMPLE) {
            self.count_replaced();
        }
    }

    /// The slot of a bucket that a new entry replaces.
    #[inline(always)]
    fn victim<'b>(&self, bucket: &'b Bucket, age: u8) -> &'b Slot {
        let priority = |slot: &Slot| replace_priority(slot.data.load(Ordering::Relaxed), age, &self.generation);
        let [first, second] = &bucket.slots;
        if priority(first) <= priority(second) { first } else { second }
    }

    /// Counts a replaced entry, and doubles the part of the table in use once it is crowded.
    #[cold]
    fn count_replaced(&self) {
        let replaced = self.crowd.replaced.fetch_add(1, Ordering::Relaxed) + 1;
        let in_use = self.in_use.load(Ordering::Relaxed);
        let room = (in_use * 2) as u64;
        if in_use < self.buckets.len()
            && replaced * SAMPLE >= room * CROWDED
            && !self.crowd.growing.swap(true, Ordering::Acquire)
        {
            self.grow(in_use);
            self.crowd.growing.store(false, Ordering::Release);
        }
    }

    /// Doubles the part in use, which was this many buckets, and moves the entries.
    fn grow(&self, before: usize) {
        let now = (before * 2).min(self.buckets.len());
        self.most_in_use.fetch_max(now, Ordering::Relaxed);
        self.in_use.store(now, Ordering::Relaxed);
        self.crowd.replaced.store(0, Ordering::Relaxed);
        let age = self.age.load(Ordering::Relaxed);
        for bucket in self.buckets[..before].iter().rev() {
            let Some(lock) = bucket.lock() else { continue };
            let entries = bucket.slots.each_ref().map(|slot| (slot.board(), slot.data.swap(0, Ordering::Relaxed)));
            drop(lock);
            for (board, data) in entries {
                if self.generation.is_current(data) {
                    self.put(board, data, age);
                }
            }
        }
    }

    /// Puts an entry in its present place, unless two more valuable ones are there or another
    /// thread writes there.
    fn put(&self, board: Board, data: u64, age: u8) {
        let bucket = self.bucket(board);
        let Some(_lock) = bucket.lock() else { return };
        let slot = self.victim(bucket, age);
        let there = slot.data.load(Ordering::Relaxed);
        if replace_priority(there, age, &self.generation) < replace_priority(data, age, &self.generation) {
            slot.set(board, data);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::board::PASS;
    use crate::search::types::Selectivity;

    fn board(number: u64) -> Board {
        Board { player: number, opponent: !number & 0xffff_ffff }
    }

    fn result(score: i32, alpha: i32, best: u8) -> StoreData {
        StoreData { score, alpha, beta: alpha + 1, best, selectivity: Selectivity::EXACT, work: 10 }
    }

    #[test]
    fn bounds_meet_from_both_sides() {
        let table = SolverTable::new(1).expect("a small table");
        table.store(board(1), &result(4, 3, 19));
        table.store(board(1), &result(6, 6, 20));
        let entry = table.probe(board(1)).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.moves), (4, 6, [19, PASS]));
        assert_eq!(table.probe(board(2)), None);
    }

    #[test]
    fn less_selective_bounds_replace_more_selective_ones() {
        let table = SolverTable::new(1).expect("a small table");
        table.store(board(1), &StoreData { selectivity: Selectivity::PLAY, ..result(10, 3, 19) });
        table.store(board(1), &result(2, 3, 18));
        assert_eq!(table.probe(board(1)).map(|entry| (entry.lower, entry.upper)), Some((-64, 2)));
        table.store(board(1), &StoreData { selectivity: Selectivity::PLAY, ..result(-8, 3, 19) });
        assert_eq!(table.probe(board(1)).map(|entry| (entry.lower, entry.upper)), Some((-64, 2)));
    }

    #[test]
    fn small_work_and_old_searches_give_way() {
        let table = SolverTable::new(0).expect("a small table");
        table.store(board(1), &StoreData { work: 30, ..result(0, 3, 1) });
        table.store(board(2), &StoreData { work: 20, ..result(0, 3, 1) });
        table.store(board(3), &StoreData { work: 5, ..result(0, 3, 1) });
        assert!(table.probe(board(1)).is_some() && table.probe(board(2)).is_none());
        table.new_search();
        table.store(board(4), &result(0, 3, 1));
        table.store(board(5), &result(0, 3, 1));
        assert!(table.probe(board(1)).is_none() && table.probe(board(4)).is_some());
    }

    #[test]
    fn a_cleared_table_is_empty_each_time() {
        let mut table = SolverTable::new(0).expect("a small table");
        for round in 0..600 {
            assert_eq!(table.probe(board(round % 2)), None, "round {round}");
            table.store(board(0), &result(4, 3, 19));
            table.store(board(1), &result(4, 3, 19));
            assert!(table.probe(board(round % 2)).is_some());
            table.clear();
        }
    }

    #[test]
    fn a_crowded_table_grows_and_keeps_its_entries() {
        let mut table = SolverTable::with_buckets(2_000, 500).expect("a small table");
        let entries = |table: &SolverTable, numbers: std::ops::Range<u64>| {
            numbers.filter_map(|number| table.probe(board(number)).map(|entry| (number, entry))).collect::<Vec<_>>()
        };
        for round in [1, 2] {
            (0..400).for_each(|number| table.store(board(number), &result(6, 3, number as u8)));
            let before = entries(&table, 0..400);
            for in_use in [1_000, 2_000] {
                table.grow(table.in_use.load(Ordering::Relaxed));
                assert_eq!(table.in_use.load(Ordering::Relaxed), in_use);
                assert_eq!(entries(&table, 0..400), before, "round {round}, {in_use} buckets");
            }
            table.clear();
            table.in_use.store(500, Ordering::Relaxed);
            assert_eq!(entries(&table, 0..400), []);
        }
        let room = 2 * 500 * CROWDED;
        (0..room / 2).for_each(|number| table.store(board(number), &result(6, 3, 19)));
        assert_eq!(table.in_use.load(Ordering::Relaxed), 500);
        (room / 2..20 * room).for_each(|number| table.store(board(number), &result(6, 3, 19)));
        assert_eq!((table.in_use.load(Ordering::Relaxed), table.buckets.len()), (2_000, 2_000));
    }

    #[test]
    fn threads_never_see_a_mixed_entry() {
        let table = SolverTable::with_buckets(8, 1).expect("a small table");
        std::thread::scope(|scope| {
            for thread in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    // Miri is slow, but tries other orders of the same few steps.
                    for round in 0..if cfg!(miri) { 300 } else { 200_000 } {
                        let number = (round * 7 + thread) % 5;
                        let score = number as i32 * 2;
                        table.store(board(number), &StoreData { beta: 64, ..result(score, -64, number as u8) });
                        if let Some(entry) = table.probe(board(round % 5)) {
                            let score = (round % 5) as i8 * 2;
                            assert_eq!((entry.lower, entry.upper), (score, score));
                        }
                        if round % 100 == 99 && thread == 0 {
                            // Growing from one bucket again and again, while the other thread stores and probes.
                            let before = table.in_use.load(Ordering::Relaxed);
                            if before == 8 { table.in_use.store(1, Ordering::Relaxed) } else { table.grow(before) }
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<Bucket>(), 64);
    }
}
