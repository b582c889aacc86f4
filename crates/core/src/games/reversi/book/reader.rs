//! A book that is read in place: opening reads one block, a look-up a few.

use super::entry::{BookEntry, BookMove};
use super::error::BookError;
use super::format::{self, BLOCK_BYTES, Block, Header};
use crate::games::reversi::board::Board;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::games::storage::Storage;
use crate::search::game::Game;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The book inside the program.
#[cfg(feature = "files")]
static EMBEDDED: &[u8] = include_bytes!("embedded.book");
/// Pages need no book: without hosts they load half a MiB less.
#[cfg(not(feature = "files"))]
static EMBEDDED: &[u8] = &[];

/// What is wrong with a missing block.
const CUT_SHORT: &str = "the file ends before it";

/// An opening book. Any number of threads may read it.
#[derive(Debug)]
pub struct Book {
    storage: Storage,
    header: Header,
    /// Blocks present: fewer than the header says if the file was cut short.
    present: u64,
    /// A bit for each block that was checked and is sound, and one for each that is damaged.
    sound: Box<[AtomicU64]>,
    damaged: Box<[AtomicU64]>,
}

/// The result of a look-up in a block.
enum Found {
    Here(BookEntry),
    Before(u64),
    Behind(u64),
    Nowhere,
}

impl Book {
    /// Opens a book. Only its header is read and checked; a block is checked when it is first read.
    ///
    /// # Errors
    /// The file cannot be read, is not a book, has another version, or its header is damaged.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::new(Storage::open(path)?)
    }

    /// The same without a memory map: blocks are read and checked whenever they are needed.
    ///
    /// # Errors
    /// As [`Book::open`].
    pub fn from_file(file: File) -> Result<Book, BookError> {
        Book::new(Storage::reading(file)?)
    }

    /// A book in memory.
    ///
    /// # Errors
    /// The bytes are not a book, have another version, or the header is damaged.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, BookError> {
        Book::new(Storage::Memory(bytes.into()))
    }

    /// The book inside the program; an empty one without the feature `files`.
    pub fn embedded() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Book::from_bytes(EMBEDDED).unwrap_or_else(|_| Book::empty()))
    }

    /// A book without positions.
    pub fn empty() -> Book {
        let header = Header { positions: 0, blocks: 0, identities: [0; 2], note: String::new() };
        let storage = Storage::Memory(header.encode().to_vec().into());
        Book { storage, header, present: 0, sound: Box::default(), damaged: Box::default() }
    }

    fn new(storage: Storage) -> Result<Book, BookError> {
        let mut buffer = [0; BLOCK_BYTES];
        let start = match storage.block(0, &mut buffer)? {
            Some(block) => block.to_vec(),
            None => storage.start(BLOCK_BYTES as u64)?,
        };
        let header = Header::decode(&start)?;
        if storage.length() > format::block_offset(header.blocks) {
            return Err(BookError::DamagedHeader("the file is longer than it says"));
        }
        let present = header.blocks.min((storage.length() / BLOCK_BYTES as u64).saturating_sub(1));
        let bits = || (0..present.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Book { storage, present, sound: bits(), damaged: bits(), header })
    }

    /// Positions that the book holds, those of damaged blocks included.
    pub fn positions(&self) -> u64 {
        self.header.positions
    }

    /// Bytes of the book.
    pub fn bytes(&self) -> u64 {
        self.storage.length()
    }

    /// Blocks of positions.
    pub fn blocks(&self) -> u64 {
        self.header.blocks
    }

    /// Blocks missing because the file was cut short.
    pub fn missing_blocks(&self) -> u64 {
        self.header.blocks - self.present
    }

    /// A number that identifies this book; 0 if it has none.
    pub fn identity(&self) -> u64 {
        self.header.identities[0]
    }

    /// The identity of the book that this one was made from by learning; 0 if none.
    pub fn previous_identity(&self) -> u64 {
        self.header.identities[1]
    }

    /// How the book was made, for people.
    pub fn note(&self) -> &str {
        &self.header.note
    }

    /// What the book stores about a position; none, with a log message, if that would be in a
    /// damaged block.
    pub fn probe(&self, board: Board) -> Option<BookEntry> {
        self.lookup(board).unwrap_or_else(|error| {
            log::warn!("opening book: {error}");
            None
        })
    }

    /// What the book stores about a position.
    ///
    /// # Errors
    /// The block in which the position would stand is damaged or cannot be read.
    pub fn lookup(&self, board: Board) -> Result<Option<BookEntry>, BookError> {
        let (canonical, symmetry) = Symmetry::canonical(board);
        let found = self.find(canonical)?;
        Ok(found.map(|entry| entry.transformed(symmetry.inverse())))
    }

    /// The legal moves whose value the book knows, the best first: those that lead to its
    /// positions, and the best of the others.
    pub fn moves(&self, board: Board) -> Vec<BookMove> {
        let Some(entry) = self.probe(board) else { return Vec::new() };
        let mut moves: Vec<BookMove> = Vec::new();
        for mv in Reversi::portable().moves(&board) {
            if let Some(child) = self.probe(board.after(mv)) {
                let (value, games) = (child.value.negated(), child.games.negated());
                moves.push(BookMove { square: mv.square, value, games, in_book: true });
            } else if let Some(deviation) = entry.deviation.filter(|deviation| deviation.square == mv.square) {
                let games = Default::default();
                moves.push(BookMove { square: mv.square, value: deviation.value, games, in_book: false });
            }
        }
        moves.sort_by_key(|mv| (std::cmp::Reverse(mv.value.score), !mv.in_book));
        moves
    }

    /// All positions in the order of the file, each the least of its eight symmetric ones; an
    /// error for each damaged block, and one for all that are missing at the end.
    pub fn entries(&self) -> impl Iterator<Item = Result<(Board, BookEntry), BookError>> + '_ {
        let missing = self.missing().map(Err);
        let present = (0..self.present).flat_map(move |block| {
            let mut buffer = [0; BLOCK_BYTES];
            match self.block(block, &mut buffer) {
                Ok(bytes) => {
                    let records = (0..format::records(bytes)).map(|index| format::record(bytes, index));
                    records.filter_map(format::decode_record).map(Ok).collect()
                }
                Err(error) => vec![Err(error)],
            }
        });
        present.chain(missing)
    }

    /// Where the file ends before the header says so. A header may claim any number of blocks, so
    /// nothing may count up to it.
    fn missing(&self) -> Option<BookError> {
        let (block, offset) = (self.present, format::block_offset(self.present));
        (self.missing_blocks() > 0).then_some(BookError::DamagedBlock { block, offset, reason: CUT_SHORT })
    }

    /// Interpolation search: hashes are spread evenly, so a position's place in the file can be
    /// estimated.
    fn find(&self, board: Board) -> Result<Option<BookEntry>, BookError> {
        let key = board.hash();
        let (mut low, mut high) = (0, self.present);
        let (mut low_key, mut high_key) = (0, u64::MAX);
        // The damaged block beside `high` that may hold the position.
        let mut doubt = self.missing();
        while low < high {
            let share = u128::from(key.saturating_sub(low_key)) * u128::from(high - low);
            let step = share / (u128::from(high_key.saturating_sub(low_key)) + 1);
            let estimate = low + (step as u64).min(high - low - 1);
            // The first sound block from there on.
            let (mut probed, mut error) = (estimate, None);
            let found = loop {
                match self.find_in_block(probed, board) {
                    Err(damage @ BookError::DamagedBlock { .. }) => {
                        error.get_or_insert(damage);
                        probed += 1;
                        if probed == high {
                            break None;
                        }
                    }
                    other => break Some(other?),
                }
            };
            match found {
                Some(Found::Here(entry)) => return Ok(Some(entry)),
                Some(Found::Nowhere) => return Ok(None),
                Some(Found::Behind(last)) => (low, low_key) = (probed + 1, last),
                Some(Found::Before(first)) => (high, high_key, doubt) = (estimate, first, error),
                None => (high, doubt) = (estimate, error),
            }
        }
        doubt.map_or(Ok(None), Err)
    }

    fn find_in_block(&self, block: u64, board: Board) -> Result<Found, BookError> {
        let mut buffer = [0; BLOCK_BYTES];
        let bytes = self.block(block, &mut buffer)?;
        let count = format::records(bytes);
        let place = |index| format::record_board(format::record(bytes, index));
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            match format::compare(place(middle), board) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => {
                    let record = format::decode_record(format::record(bytes, middle));
                    return Ok(record.map_or(Found::Nowhere, |(_, entry)| Found::Here(entry)));
                }
            }
        }
        Ok(match low {
            0 => Found::Before(place(0).hash()),
            _ if low == count => Found::Behind(place(count - 1).hash()),
            _ => Found::Nowhere,
        })
    }

    /// A block, checked.
    fn block<'a>(&'a self, block: u64, buffer: &'a mut Block) -> Result<&'a Block, BookError> {
        let (word, bit) = ((block / 64) as usize, 1 << (block % 64));
        let is_set = |bits: &[AtomicU64]| bits.get(word).is_some_and(|word| word.load(Relaxed) & bit != 0);
        let set = |bits: &[AtomicU64]| bits.get(word).map_or(0, |word| word.fetch_or(bit, Relaxed));
        let offset = format::block_offset(block);
        let damaged = |reason| BookError::DamagedBlock { block, offset, reason };
        if is_set(&self.damaged) {
            return Err(damaged("as found before"));
        }
        let bytes = self.storage.block(offset, buffer)?.ok_or_else(|| damaged(CUT_SHORT))?;
        let is_known = self.storage.is_lasting() && is_set(&self.sound);
        if !is_known && let Err(reason) = format::check_block(block, bytes) {
            set(&self.damaged);
            return Err(damaged(reason));
        }
        set(&self.sound);
        Ok(bytes)
    }
}
