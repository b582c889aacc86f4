//! The table of what a proof knows of positions.
//!
//! A key is the whole position, not a hash: a proof must not rest on a collision. An invertible mixture of the key gives the
//! bucket, so that an entry stores only what the bucket does not tell.

use super::super::board::{Board, Piece};
use super::facts::{FOREVER, Facts, UNKNOWN};
use super::question::Question;
use crate::search::types::Side;
use flipside_support::cache_line::prefetch;
use flipside_support::huge_pages::HugePages;
use flipside_support::memory::MemoryError;
use std::hint;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The position without its move number, and the attacker: 60 and 62 bits.
type Key = [u64; 2];

fn key(question: &Question) -> Key {
    let Question { board, attacker, .. } = question;
    let of = |kinds: [Piece; 3]| kinds.into_iter().fold(0, |set, kind| set | u64::from(board.all_of(kind)));
    // The number of a kind and 1, in three planes of bits.
    let low = of([Piece::Pawn, Piece::Bishop, Piece::Queen]);
    let middle = of([Piece::Knight, Piece::Bishop, Piece::King]);
    let high = of([Piece::Rook, Piece::Queen, Piece::King]);
    let flags = board.to_move() as u64 | (*attacker as u64) << 1;
    [low | middle << 30, high | u64::from(board.pieces(Side::First)) << 30 | flags << 60]
}

const LOW_BITS: u32 = 60;
const HIGH_BITS: u32 = 62;
/// Bits of the mixed key that an entry stores; the number of the bucket has the others, in every table.
const STORED_BITS: u32 = 48;
/// Buckets of the smallest table, 1 MiB.
const SMALLEST: usize = 1 << (HIGH_BITS - STORED_BITS);
/// Entries of a bucket, which is a cache line.
const WAYS: usize = 4;
/// Words of an entry.
const WORDS: usize = 2;
/// The lock of a bucket, in its first word; the first words of entries do not use the bit.
const LOCK: u64 = 1 << 63;

/// The key with its second half mixed: another second half gives another mixture.
fn mixed([low, high]: Key) -> Key {
    const MASK: u64 = (1 << HIGH_BITS) - 1;
    let folded = high ^ low.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HIGH_BITS);
    let spread = folded.wrapping_mul(0xbf58_476d_1ce4_e5b9) & MASK;
    [low, (spread ^ spread >> 31).wrapping_mul(0x94d0_49bb_1331_11eb) & MASK]
}

/// What a table stores of a position.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    facts: Facts,
    /// Logarithm of the positions searched; the entry with the least is replaced.
    work: u8,
}

impl Entry {
    /// Seven bits each for the facts, five for the work; three of them in the first word.
    fn words(self) -> [u64; WORDS] {
        let of_plies = |plies: u8| match plies {
            FOREVER.. => u64::from(plies - FOREVER) + 126,
            _ => u64::from(plies.min(125)),
        };
        let payload = of_plies(self.facts.win) | of_plies(self.facts.hold) << 7 | u64::from(self.work.min(31)) << 14;
        let stored = self.key[1] & ((1 << STORED_BITS) - 1);
        [self.key[0] | payload >> 16 << LOW_BITS, stored | payload << STORED_BITS]
    }

    /// The entry of these words in a bucket of a table, unless they are empty.
    fn of_words([first, second]: [u64; WORDS], top: u64) -> Option<Entry> {
        let of_bits = |bits: u64| match bits & 127 {
            126 => FOREVER,
            127 => UNKNOWN,
            plies => plies as u8,
        };
        let payload = second >> STORED_BITS | (first & !LOCK) >> LOW_BITS << 16;
        let key = [first & ((1 << LOW_BITS) - 1), second & ((1 << STORED_BITS) - 1) | top << STORED_BITS];
        let facts = Facts { win: of_bits(payload), hold: of_bits(payload >> 7) };
        // A position has kings, so the first half of its key is not zero.
        (key[0] != 0).then_some(Entry { key, facts, work: (payload >> 14) as u8 })
    }
}

/// The table. It begins small; once [`is_crowded`](Self::is_crowded), it can [`grow`](Self::grow). Threads share it.
pub struct FactTable {
    words: HugePages<AtomicU64>,
    /// The buckets in use: a power of two.
    buckets: usize,
    /// Entries, as counted.
    used: AtomicUsize,
}

impl FactTable {
    /// A table of at most this many MiB, at least one.
    ///
    /// # Errors
    /// The machine has less.
    pub fn new(mebibytes: usize) -> Result<FactTable, MemoryError> {
        let most = 1_usize << (mebibytes.max(1).saturating_mul((1 << 20) / (8 * WORDS * WAYS))).ilog2();
        let words = HugePages::zeroed(most * WAYS * WORDS)?;
        Ok(FactTable { words, buckets: SMALLEST, used: AtomicUsize::new(0) })
    }

    /// The words in use.
    pub fn words(&self) -> &[AtomicU64] {
        &self.words[..self.buckets * WAYS * WORDS]
    }

    /// Entries in use, as counted.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Uses this many words, which the caller [`sets`](Self::set), with this many entries; `None` if no table has that
    /// size, or this one is smaller.
    pub fn resize(&mut self, words: usize, used: usize) -> Option<()> {
        let buckets = words / (WAYS * WORDS);
        let fits = buckets.is_power_of_two() && buckets >= SMALLEST && words <= self.words.len();
        (self.buckets, *self.used.get_mut()) = fits.then_some((buckets, used))?;
        Some(())
    }

    /// Sets words in use from this one on to those of another table.
    pub fn set(&mut self, first: usize, words: impl Iterator<Item = u64>) {
        for (index, word) in (first..self.buckets * WAYS * WORDS).zip(words) {
            // A lock would never be given back.
            let word = if index % WORDS == 0 { word & !LOCK } else { word };
            self.words[index].store(word, Ordering::Relaxed);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words().iter().for_each(|word| word.store(0, Ordering::Relaxed));
        self.buckets = SMALLEST;
        *self.used.get_mut() = 0;
    }

    /// The number of a key's bucket: its first bits.
    fn bucket(&self, key: Key) -> usize {
        (key[1] >> (HIGH_BITS - self.buckets.trailing_zeros())) as usize
    }

    fn entry(&self, bucket: usize, way: usize) -> Option<Entry> {
        let first = (bucket * WAYS + way) * WORDS;
        let words = [first, first + 1].map(|index| self.words[index].load(Ordering::Relaxed));
        Entry::of_words(words, bucket as u64 >> (self.buckets.trailing_zeros() - SMALLEST.trailing_zeros()))
    }

    fn write(&self, bucket: usize, way: usize, [first, second]: [u64; WORDS]) {
        let index = (bucket * WAYS + way) * WORDS;
        let lock = self.words[index].load(Ordering::Relaxed) & LOCK;
        self.words[index].store(first | lock, Ordering::Relaxed);
        self.words[index + 1].store(second, Ordering::Relaxed);
    }

    /// Asks for a question's bucket, which a later [`probe`](Self::probe) then finds in the cache.
    pub fn prefetch(&self, question: &Question) {
        prefetch(&self.words[self.bucket(mixed(key(question))) * WAYS * WORDS]);
    }

    /// The facts of a question.
    pub fn probe(&self, question: &Question) -> Option<Facts> {
        let key = mixed(key(question));
        let bucket = self.bucket(key);
        // A read beside a write may join the halves of two entries, so that only one under the lock counts.
        self.facts_of(bucket, key)?;
        self.locked(bucket, || self.facts_of(bucket, key))
    }

    fn facts_of(&self, bucket: usize, key: Key) -> Option<Facts> {
        let mut found = (0..WAYS).filter_map(|way| self.entry(bucket, way)).filter(|entry| entry.key == key);
        found.next().map(|entry| entry.facts)
    }

    /// Stores what is known of a question after a search of this many positions. True if an entry more is used.
    pub fn store(&self, question: &Question, facts: Facts, positions: u64) -> bool {
        let key = mixed(key(question));
        let bucket = self.bucket(key);
        self.locked(bucket, || {
            let facts = self.facts_of(bucket, key).map_or(facts, |known| known.and(facts));
            self.insert(Entry { key, facts, work: positions.max(1).ilog2() as u8 })
        })
    }

    /// Stores as [`store`](Self::store) does, for a thread alone: counts the entry, and grows where that is due.
    pub fn store_alone(&mut self, question: &Question, facts: Facts, positions: u64) {
        let is_new = self.store(question, facts, positions);
        self.count(usize::from(is_new));
        if self.is_crowded() {
            self.grow();
        }
    }

    /// Runs while no other thread has the lock of a bucket.
    fn locked<T>(&self, bucket: usize, run: impl FnOnce() -> T) -> T {
        let first = &self.words[bucket * WAYS * WORDS];
        while first.fetch_or(LOCK, Ordering::Acquire) & LOCK != 0 {
            hint::spin_loop();
        }
        let result = run();
        first.fetch_and(!LOCK, Ordering::Release);
        result
    }

    /// In place of the position itself, or of that which took the least work. True if the place was empty.
    fn insert(&self, entry: Entry) -> bool {
        let bucket = self.bucket(entry.key);
        let rank = |way: usize| match self.entry(bucket, way) {
            Some(old) if old.key == entry.key => (0, 0),
            None => (1, 0),
            Some(old) => (2, old.work),
        };
        let Some((way, (kind, _))) = (0..WAYS).map(|way| (way, rank(way))).min_by_key(|&(_, rank)| rank) else {
            return false;
        };
        self.write(bucket, way, entry.words());
        kind == 1
    }

    /// Counts this many entries more as used.
    pub fn count(&self, entries: usize) {
        self.used.fetch_add(entries, Ordering::Relaxed);
    }

    /// True if half of the buckets in use are full and there are more.
    pub fn is_crowded(&self) -> bool {
        let most = self.words.len() / (WAYS * WORDS);
        self.used() > self.buckets * WAYS / 2 && 2 * self.buckets <= most
    }

    /// Uses twice the buckets: each is split into two at twice its number, the last one first.
    pub fn grow(&mut self) {
        let old_buckets = self.buckets;
        let mut used = 0;
        for bucket in (0..old_buckets).rev() {
            self.buckets = old_buckets;
            let old: [Option<Entry>; WAYS] = std::array::from_fn(|way| self.entry(bucket, way));
            (0..WAYS).for_each(|way| self.write(bucket, way, [0; WORDS]));
            self.buckets = 2 * old_buckets;
            used += old.into_iter().flatten().filter(|&entry| self.insert(entry)).count();
        }
        *self.used.get_mut() = used;
    }
}

/// The position with the attacker, and its move number: the key of a claim.
pub fn numbered(board: &Board, attacker: Side) -> (Key, u8) {
    (key(&Question::new(board, attacker, 0)), board.number())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::movegen::all_moves;
    use crate::games::minichess::rules::MiniChess;
    use crate::search::game::Game;
    use flipside_support::random::Random;
    use std::collections::{HashMap, hash_map};

    /// A table that grows four times gives back what was stored, of that position and no other.
    #[test]
    fn facts_are_those_of_the_position() {
        let mut random = Random(31);
        let mut table = FactTable::new(16).expect("memory");
        let mut stored: HashMap<Key, (Question, Facts)> = HashMap::new();
        let plies = |random: &mut Random| [random.below(81) as u8, FOREVER, UNKNOWN][random.below(3)];
        while stored.len() < 300_000 {
            let mut board = MiniChess.start();
            while MiniChess.outcome(&board).is_none() {
                let question = Question::new(&board, [Side::First, Side::Second][random.below(2)], 9);
                let facts = Facts { win: plies(&mut random), hold: plies(&mut random) };
                if let hash_map::Entry::Vacant(place) = stored.entry(key(&question)) {
                    assert_eq!(table.probe(&question), None, "{question:?}");
                    table.store_alone(&question, facts, 1 + random.bits() % 1_000);
                    place.insert((question, facts));
                }
                let moves = all_moves(&board);
                board = board.play(moves[random.below(moves.len())]);
            }
        }
        assert_eq!(table.buckets, 16 * SMALLEST);
        let found = stored.values().filter_map(|(question, facts)| Some((table.probe(question)?, *facts)));
        let found: Vec<(Facts, Facts)> = found.collect();
        assert!(found.iter().all(|(found, facts)| found == facts));
        // A full bucket has lost the one that took the least work.
        assert!(found.len() > stored.len() * 9 / 10, "{}", found.len());
        table.clear();
        assert!(stored.values().all(|(question, _)| table.probe(question).is_none()));
    }

    /// An entry in place of another keeps the work of its own search, in a copy of the table, too.
    #[test]
    fn entries_keep_their_work() {
        let mut table = FactTable::new(1).expect("memory");
        let question = Question::new(&MiniChess.start(), Side::First, 9);
        let key = mixed(key(&question));
        let bucket = table.bucket(key);
        for work in (0..32).chain((0..32).rev()) {
            table.insert(Entry { key, facts: Facts { win: UNKNOWN, hold: 9 }, work });
            assert_eq!(table.entry(bucket, 0).map(|entry| entry.work), Some(work));
            let words: Vec<u64> = table.words().iter().map(|word| word.load(Ordering::Relaxed)).collect();
            table.set(0, words.into_iter());
            assert_eq!(table.entry(bucket, 0).map(|entry| entry.work), Some(work));
        }
    }

    /// Threads that store positions of the same bucket at the same time take a place each: none is lost.
    #[test]
    #[cfg(feature = "threads")]
    fn threads_lose_no_entry() {
        const THREADS: usize = 2;
        let mut table = FactTable::new(1).expect("memory");
        let mut random = Random(7);
        let mut of_bucket: HashMap<usize, Vec<Question>> = HashMap::new();
        for _ in 0..100_000 {
            let mut board = MiniChess.start();
            for _ in 0..8 {
                let moves = all_moves(&board);
                board = if moves.is_empty() { board } else { board.play(moves[random.below(moves.len())]) };
            }
            let question = Question::new(&board, Side::First, 9);
            let found = of_bucket.entry(table.bucket(mixed(key(&question)))).or_default();
            if found.len() < THREADS && found.iter().all(|other| key(other) != key(&question)) {
                found.push(question);
            }
        }
        let full: Vec<Vec<Question>> = of_bucket.into_values().filter(|found| found.len() == THREADS).collect();
        let facts = |thread: usize| Facts { win: 40 + thread as u8, hold: 9 };
        for _ in 0..20 {
            table.clear();
            std::thread::scope(|scope| {
                for thread in 0..THREADS {
                    let (full, table) = (&full, &table);
                    scope.spawn(move || full.iter().for_each(|all| _ = table.store(&all[thread], facts(thread), 5)));
                }
            });
            for all in &full {
                assert!((0..THREADS).all(|thread| table.probe(&all[thread]) == Some(facts(thread))), "{all:?}");
            }
        }
        assert!(full.len() > 10_000, "{}", full.len());
    }
}
