//! The opening book: a file of positions with values and how sure they are, read in place. `docs/book.md` describes the
//! file to the byte.

pub mod entry;
pub mod error;
mod format;
pub mod reader;
mod storage;
pub mod writer;

#[cfg(test)]
mod tests;
