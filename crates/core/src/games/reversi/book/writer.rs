//! Writing a book from its entries.

use super::entry::BookEntry;
use super::error::BookError;
use super::format::{self, BLOCK_RECORDS, Header, RECORD_BYTES};
use crate::games::reversi::board::Board;
use crate::games::reversi::symmetry::Symmetry;
use std::cmp::Ordering;
use std::io::Write;

/// Writes a book block by block.
#[derive(Debug)]
pub struct BookWriter<W> {
    out: W,
    header: Header,
    records: Vec<[u8; RECORD_BYTES]>,
    block: u64,
    written: u64,
    last: Option<Board>,
}

impl<W: Write> BookWriter<W> {
    /// Begins a book of this many positions. `note` tells people how it was made; about 4,000
    /// bytes of it are kept. The identities are the book's and that of the one it was made from,
    /// or 0.
    ///
    /// # Errors
    /// The header cannot be written.
    pub fn new(mut out: W, positions: u64, note: &str, identities: [u64; 2]) -> Result<BookWriter<W>, BookError> {
        let blocks = positions.div_ceil(BLOCK_RECORDS as u64);
        let header = Header { positions, blocks, identities, note: note.to_string() };
        out.write_all(&header.encode())?;
        Ok(BookWriter { out, header, records: Vec::new(), block: 0, written: 0, last: None })
    }

    /// Adds a position: the least of its eight symmetric ones, in the order of [`book_order`].
    ///
    /// # Errors
    /// The position is out of order or not the least one, has a value that does not fit, or the block cannot be written.
    pub fn push(&mut self, board: Board, entry: &BookEntry) -> Result<(), BookError> {
        if Symmetry::canonical(board).0 != board {
            return Err(BookError::Unwritable("it is not the least of its symmetric ones"));
        }
        if self.last.is_some_and(|last| book_order(last, board) != Ordering::Less) {
            return Err(BookError::Unwritable("it comes twice or out of order"));
        }
        self.records.push(format::encode_record(board, entry)?);
        self.last = Some(board);
        self.written += 1;
        if self.records.len() == BLOCK_RECORDS { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<(), BookError> {
        self.out.write_all(&format::encode_block(self.block, &self.records))?;
        self.records.clear();
        self.block += 1;
        Ok(())
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// There were more or fewer positions than announced, or the last block cannot be written.
    pub fn finish(mut self) -> Result<W, BookError> {
        if self.written != self.header.positions {
            return Err(BookError::Unwritable("there are more or fewer positions than announced"));
        }
        if !self.records.is_empty() {
            self.write_block()?;
        }
        Ok(self.out)
    }
}

/// The order of positions in a book.
pub fn book_order(one: Board, other: Board) -> Ordering {
    format::compare(one, other)
}

/// Writes a whole book of positions in any order and any of their eight symmetric forms; see [`BookWriter::new`].
///
/// # Errors
/// A position comes twice, has a value that does not fit, or the book cannot be written.
pub fn write_book<W: Write>(
    entries: impl IntoIterator<Item = (Board, BookEntry)>,
    note: &str,
    identities: [u64; 2],
    out: W,
) -> Result<W, BookError> {
    let mut entries: Vec<_> = entries.into_iter().map(|(board, entry)| entry.canonical(board)).collect();
    // A stable sort would take half as much memory again.
    entries.sort_unstable_by(|one, other| book_order(one.0, other.0));
    let mut writer = BookWriter::new(out, entries.len() as u64, note, identities)?;
    for (board, entry) in &entries {
        writer.push(*board, entry)?;
    }
    writer.finish()
}
