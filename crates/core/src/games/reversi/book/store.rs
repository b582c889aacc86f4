//! A book that is being taught: the file with its journal. Additions survive a kill at any byte,
//! and the file changes only as a whole.

use super::entry::BookEntry;
use super::error::BookError;
use super::graph::BookGraph;
use super::journal::JournalLine;
use super::reader::Book;
use super::writer::write_book;
use crate::games::reversi::board::Board;
use flipside_support::hash::checksum_of_parts;
use flipside_support::resume::{GrowingFile, Line};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// The first line of a journal, before the identity of the book that it belongs to.
const FIRST_LINE: &str = "flipside book journal 1 of ";

/// A book with its journal. While it is open, no other process can open it as such.
#[derive(Debug)]
pub struct BookStore {
    path: PathBuf,
    journal: GrowingFile,
    /// Identity of the book on the disk.
    identity: u64,
    /// The identity of the next one: it depends on all lines of the journal.
    next: u64,
    /// The book with the journal's additions.
    pub graph: BookGraph,
    /// How the book was made, for people.
    pub note: String,
}

/// `name.suffix`, beside the file.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

impl BookStore {
    /// Opens a book with its journal, or begins a new one.
    ///
    /// # Errors
    /// The files cannot be read or do not belong together, a block is damaged, or another process is teaching the book.
    pub fn open(path: &Path) -> Result<BookStore, BookError> {
        // A link stays a link: its target is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut journal = GrowingFile::open(&beside(&path, ".journal"))?;
        let mut graph = BookGraph::default();
        let (mut identity, mut merged, mut note) = (0, 0, String::new());
        if path.exists() {
            let book = Book::open(&path)?;
            (identity, merged, note) = (book.identity(), book.previous_identity(), book.note().to_string());
            for entry in book.entries() {
                let (board, entry) = entry?;
                graph.add(board, &entry);
            }
        }
        let mut next = identity;
        let mut is_merged = false;
        let mut is_first = true;
        journal.lines(|line| -> Result<(), BookError> {
            let Line::Whole(text) = line else { return Ok(()) };
            if std::mem::take(&mut is_first) {
                let base = text.strip_prefix(FIRST_LINE).and_then(|text| u64::from_str_radix(text, 16).ok());
                let base = base.ok_or(BookError::ForeignJournal("its first line is not a journal's"))?;
                is_merged = base == merged && base != identity;
                if !is_merged && base != identity {
                    return Err(BookError::ForeignJournal("it belongs to another book"));
                }
            } else if !is_merged {
                let parsed: JournalLine =
                    text.parse().map_err(|()| BookError::ForeignJournal("a line cannot be read"))?;
                parsed.apply(&mut graph);
                next = following(next, text);
            }
            Ok(())
        })?;
        if is_merged {
            journal.clear()?;
        }
        graph.refresh();
        Ok(BookStore { path, journal, identity, next, graph, note })
    }

    /// Adds a line to the journal in one write, and its content to the graph, whose values change
    /// with its next refresh.
    ///
    /// # Errors
    /// The journal cannot be written; the graph is unchanged then.
    pub fn add(&mut self, line: &JournalLine) -> Result<(), BookError> {
        if self.journal.length() == 0 {
            self.journal.append_line(&format!("{FIRST_LINE}{:016x}", self.identity))?;
        }
        let text = line.to_string();
        self.journal.append_line(&text)?;
        self.next = following(self.next, &text);
        line.apply(&mut self.graph);
        Ok(())
    }

    /// Writes the book with all that it has learned over the file, and empties the journal. A kill
    /// at any moment leaves the old file with its journal, or the new file.
    ///
    /// # Errors
    /// The book cannot be written; file and journal are as they were then.
    pub fn merge(&mut self) -> Result<(), BookError> {
        self.graph.refresh();
        self.replace(self.graph.entries())
    }

    /// A new identity even if no line was added: positions may have been removed or the note
    /// changed.
    fn next_identity(&self) -> u64 {
        following(self.next, &self.note)
    }

    /// Writes a book of these entries over the file, as [`merge`](BookStore::merge) does with those of the graph, which
    /// takes much more memory and does not learn them.
    ///
    /// # Errors
    /// As [`merge`](BookStore::merge).
    pub fn replace(&mut self, entries: Vec<(Board, BookEntry)>) -> Result<(), BookError> {
        let part = beside(&self.path, ".part");
        let identities = [self.next_identity(), self.identity];
        let written = write(&part, entries, &self.note, identities);
        if let Err(error) = written.and_then(|()| Ok(fs::rename(&part, &self.path)?)) {
            // A file that cannot be removed is overwritten by the next merge.
            let _ = fs::remove_file(&part);
            return Err(error);
        }
        [self.identity, _] = identities;
        self.next = self.identity;
        Ok(self.journal.clear()?)
    }
}

fn write(part: &Path, entries: Vec<(Board, BookEntry)>, note: &str, identities: [u64; 2]) -> Result<(), BookError> {
    let out = BufWriter::new(File::create(part)?);
    let out = write_book(entries, note, identities, out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Some systems report a full disk only now.
    Ok(file.sync_all()?)
}

/// The identity of a book that has learned another line.
fn following(identity: u64, text: &str) -> u64 {
    checksum_of_parts([&identity.to_le_bytes(), text.as_bytes()])
}
