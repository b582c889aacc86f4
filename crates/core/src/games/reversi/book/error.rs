//! Why a book cannot be opened, read or written.

use flipside_support::file_fault::FileFault;
use std::io;

/// What is wrong with a book or a part of it.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The system cannot read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin like a book.
    #[error("not an opening book of flipside (expected a file that begins with `flipside book 1`)")]
    Foreign,
    /// A book of another version of the format.
    #[error("an opening book of version {0}; this program reads version 1")]
    OtherVersion(String),
    /// The head of the file, which is needed to find anything else, is damaged.
    #[error("the header is damaged: {0}")]
    DamagedHeader(&'static str),
    /// A block of positions is damaged: nothing in it is used. All other blocks serve.
    #[error("block {block} (at byte {offset}) is damaged: {reason}")]
    DamagedBlock {
        /// Its number, from 0.
        block: u64,
        /// Where it begins in the file.
        offset: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The journal beside the book belongs to another book.
    #[error("the journal beside the book cannot be used: {0}; move it away, or give the book that it belongs to")]
    ForeignJournal(&'static str),
    /// An entry that does not fit the format, or is out of order.
    #[error("a position cannot be written to a book: {0}")]
    Unwritable(&'static str),
}

impl FileFault for BookError {
    fn without_content(&self) -> String {
        match self {
            BookError::OtherVersion(_) => "an opening book of another version; this program reads version 1".into(),
            other => other.to_string(),
        }
    }
}
