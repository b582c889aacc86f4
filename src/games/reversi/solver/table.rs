//! The solver's shared transposition table. Entries hold whole boards, so that no false hit can turn into a wrong score.
//!
//! # Why there is no data race and no torn entry
//! Every word is an atomic, so that no access is a data race in the language's memory model. Two entries share a bucket
//! of one cache line with a sequence number (a seqlock), which makes the words of an entry belong together: a writer
//! locks the bucket by raising the number from even to odd with a compare-exchange (acquire), a release fence keeps its
//! writes behind that, and a release store of the next even number follows them. A writer that finds the number odd, or
//! loses the exchange, drops its entry: an entry is lost, never mixed. A reader loads the number (acquire), the words,
//! and after an acquire fence the number again. If any word it saw came from a writer, the fences make that writer's odd
//! number visible to the second load, so that two equal even numbers mean that no writer changed the bucket in between.
//! (The number has 64 bits and does not wrap.) A hit then compares both words of the board, which are the position.

use crate::games::reversi::board::{Board, PASS};
use crate::support::clock::Instant;
use crate::support::generation::Generation;
use crate::support::huge_pages::{HugePages, Zeros};
use crate::support::memory::MemoryError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};

/// What the table holds about a position: bounds in discs for the side to move, and its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best move and the best one before it; [`PASS`] if unknown.
    pub moves: [u8; 2],
    /// Selectivity of the bounds: 0 (73 %) to 5 (exact).
    pub selectivity: u8,
}

/// The result of searching a position, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct StoreData {
    /// The fail-soft score.
    pub score: i32,
    /// The lower end of the window.
    pub alpha: i32,
    /// The upper end of the window.
    pub beta: i32,
    /// The best move.
    pub best: u8,
    /// Selectivity: 0 (73 %) to 5 (exact).
    pub selectivity: u8,
    /// See [`work`]; for replacement.
    pub work: u8,
}

impl Entry {
    /// Nothing is known.
    pub const UNKNOWN: Entry = Entry { lower: -64, upper: 64, moves: [PASS; 2], selectivity: 0 };

    /// The entry with a new result merged in; bounds are kept of the less selective of the two only.
    #[inline(always)]
    pub fn merged(mut self, data: &StoreData) -> Entry {
        let score = data.score.clamp(-64, 64) as i8;
        if data.selectivity > self.selectivity {
            (self.lower, self.upper, self.selectivity) = (-64, 64, data.selectivity);
        }
        if data.selectivity == self.selectivity {
            if data.score < data.beta && score < self.upper {
                self.upper = score;
            }
            if data.score > data.alpha && score > self.lower {
                self.lower = score;
            }
            // Selective bounds may contradict each other; the newer one counts.
            if self.lower > self.upper {
                (self.lower, self.upper) = (score, score);
            }
        }
        if (data.score > data.alpha || self.moves[0] == PASS) && data.best != self.moves[0] && data.best != PASS {
            self.moves = [data.best, self.moves[0]];
        }
        self
    }

    /// One word, whose uppermost byte is left to the generation.
    #[inline(always)]
    fn pack(self, work: u8, age: u8) -> u64 {
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.moves[0],
            self.moves[1],
            self.selectivity,
            work,
            age,
            0,
        ])
    }

    #[inline(always)]
    fn unpack(data: u64) -> Entry {
        let [lower, upper, first, second, selectivity, ..] = data.to_le_bytes();
        Entry { lower: lower as i8, upper: upper as i8, moves: [first, second], selectivity }
    }
}

/// Replacement priority: entries of older searches are replaced first, then those of little work.
#[inline(always)]
fn replace_priority(data: u64, age: u8, generation: &Generation) -> u32 {
    let [.., work, entry_age, _] = data.to_le_bytes();
    if generation.is_current(data) { 1 + u32::from(work) + if entry_age == age { 256 } else { 0 } } else { 0 }
}

struct Slot {
    player: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

#[repr(align(64))]
struct Bucket {
    sequence: AtomicU64,
    slots: [Slot; 2],
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
    age: AtomicU8,
    generation: Generation,
}

impl SolverTable {
    /// A table of so many MiB; at least one bucket.
    ///
    /// # Errors
    /// There is not so much memory.
    pub fn new(mebibytes: usize) -> Result<SolverTable, MemoryError> {
        let buckets = HugePages::zeroed(mebibytes.saturating_mul((1 << 20) / size_of::<Bucket>()))?;
        Ok(SolverTable { buckets, age: AtomicU8::new(0), generation: Generation::first() })
    }

    /// Prefaults as much of the table's memory as can be until `until`.
    pub fn prefault(&self, until: Instant) {
        self.buckets.prefault(until);
    }

    /// Ages all entries: those of the search that begins replace them first.
    pub fn new_search(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        if self.generation.advance() {
            for slot in self.buckets.iter().flat_map(|bucket| &bucket.slots) {
                slot.data.store(0, Ordering::Relaxed);
            }
        }
    }

    #[inline(always)]
    fn bucket(&self, board: Board) -> &Bucket {
        let index = ((u128::from(board.hash()) * self.buckets.len() as u128) >> 64) as usize;
        // SAFETY: the product of a 64-bit fraction below 1 and the length, rounded down, is below the length.
        unsafe { self.buckets.get_unchecked(index) }
    }

    /// Prefetches the bucket of a board that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, board: Board) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let address = std::ptr::from_ref(self.bucket(board)).cast::<i8>();
            // SAFETY: SSE is part of x86-64, and a prefetch has no effect that a program can see.
            unsafe { _mm_prefetch(address, _MM_HINT_T0) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// The entry of the board.
    #[inline(always)]
    pub fn probe(&self, board: Board) -> Option<Entry> {
        let bucket = self.bucket(board);
        let before = bucket.sequence.load(Ordering::Acquire);
        for slot in &bucket.slots {
            if slot.player.load(Ordering::Relaxed) == board.player
                && slot.opponent.load(Ordering::Relaxed) == board.opponent
            {
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
        let before = bucket.sequence.load(Ordering::Relaxed);
        if before & 1 == 1
            || bucket.sequence.compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let age = self.age.load(Ordering::Relaxed);
        let [first, second] = &bucket.slots;
        let holds = |slot: &Slot| {
            slot.player.load(Ordering::Relaxed) == board.player
                && slot.opponent.load(Ordering::Relaxed) == board.opponent
                && self.generation.is_current(slot.data.load(Ordering::Relaxed))
        };
        let priority = |slot: &Slot| replace_priority(slot.data.load(Ordering::Relaxed), age, &self.generation);
        let (slot, same) = match (holds(first), holds(second)) {
            (true, _) => (first, true),
            (_, true) => (second, true),
            _ => (if priority(first) <= priority(second) { first } else { second }, false),
        };
        let entry = if same { Entry::unpack(slot.data.load(Ordering::Relaxed)) } else { Entry::UNKNOWN };
        slot.player.store(board.player, Ordering::Relaxed);
        slot.opponent.store(board.opponent, Ordering::Relaxed);
        slot.data.store(self.generation.tag(entry.merged(data).pack(data.work, age)), Ordering::Relaxed);
        bucket.sequence.store(before + 2, Ordering::Release);
    }
}

/// The logarithm of a number of nodes, in quarters of a power of two.
#[inline(always)]
pub fn work(nodes: u64) -> u8 {
    let nodes = nodes.max(4);
    let log = 63 - nodes.leading_zeros();
    (log * 4 + (nodes >> (log - 2) & 3) as u32) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(number: u64) -> Board {
        Board { player: number, opponent: !number & 0xffff_ffff }
    }

    fn result(score: i32, alpha: i32, best: u8) -> StoreData {
        StoreData { score, alpha, beta: alpha + 1, best, selectivity: 5, work: 10 }
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
        table.store(board(1), &StoreData { selectivity: 1, ..result(10, 3, 19) });
        table.store(board(1), &result(2, 3, 18));
        assert_eq!(table.probe(board(1)).map(|entry| (entry.lower, entry.upper)), Some((-64, 2)));
        table.store(board(1), &StoreData { selectivity: 1, ..result(-8, 3, 19) });
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
    fn threads_never_see_a_mixed_entry() {
        let table = SolverTable::new(0).expect("a small table");
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
