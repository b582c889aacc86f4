//! The table of what a proof knows of positions.
//!
//! A key is the whole position, not a hash: a proof must not rest on a collision.

use super::super::board::{Board, Piece};
use super::facts::Facts;
use super::question::Question;
use crate::search::types::Side;
use flipside_support::memory::{MemoryError, Reservation};

/// The position without its move number, and the attacker.
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

#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    win: u8,
    hold: u8,
    /// Logarithm of the positions searched; the entry with the least is replaced.
    work: u8,
}

const WAYS: usize = 4;
type Bucket = [Entry; WAYS];
const SMALLEST: usize = 1 << 10;

/// The table. It begins small and doubles when half of it is used.
pub struct FactTable {
    buckets: Vec<Bucket>,
    used: usize,
    most: usize,
    _reservation: Reservation,
}

impl FactTable {
    /// A table of at most this many MiB.
    ///
    /// # Errors
    /// The machine has less.
    pub fn new(mebibytes: usize) -> Result<FactTable, MemoryError> {
        let bytes = mebibytes.max(1).saturating_mul(1 << 20);
        let most = (bytes / size_of::<Bucket>()).max(2 * SMALLEST).next_power_of_two() / 2;
        let mut table = FactTable { buckets: Vec::new(), used: 0, most, _reservation: Reservation::new(bytes)? };
        table.clear();
        Ok(table)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets = vec![Bucket::default(); SMALLEST];
        self.used = 0;
    }

    fn index(&self, [a, b]: Key) -> usize {
        let mixed = (a ^ b.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 20 & (self.buckets.len() - 1)
    }

    /// The facts of a question.
    pub fn probe(&self, question: &Question) -> Option<Facts> {
        let key = key(question);
        let found = self.buckets[self.index(key)].iter().find(|entry| entry.key == key)?;
        Some(Facts { win: found.win, hold: found.hold })
    }

    /// Stores what is known of a question after a search of this many positions.
    pub fn store(&mut self, question: &Question, facts: Facts, positions: u64) {
        if self.used > self.buckets.len() * WAYS / 2 && self.buckets.len() < self.most {
            self.grow();
        }
        let Facts { win, hold } = self.probe(question).map_or(facts, |known| known.and(facts));
        self.insert(Entry { key: key(question), win, hold, work: positions.max(1).ilog2() as u8 });
    }

    /// In place of the position itself, or of that which took the least work.
    fn insert(&mut self, entry: Entry) {
        let index = self.index(entry.key);
        let bucket = &mut self.buckets[index];
        let rank = |old: &Entry| match old.key {
            key if key == entry.key => (0, 0),
            key if key == Key::default() => (1, 0),
            _ => (2, old.work),
        };
        let Some(place) = bucket.iter_mut().min_by_key(|old| rank(old)) else { return };
        self.used += usize::from(place.key == Key::default());
        *place = entry;
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.buckets);
        self.buckets = vec![Bucket::default(); old.len() * 2];
        self.used = 0;
        old.iter().flatten().filter(|entry| entry.key != Key::default()).for_each(|entry| self.insert(*entry));
    }
}

/// The position with the attacker, and its move number: the key of a claim.
pub fn numbered(board: &Board, attacker: Side) -> (Key, u8) {
    (key(&Question::new(board, attacker, 0)), board.number())
}
