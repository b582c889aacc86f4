//! The opening book: a file of positions with values and how sure they are, read in place. `docs/book.md` describes the
//! file to the byte.

pub mod audit;
pub mod entry;
pub mod error;
pub mod exchange;
mod format;
pub mod graph;
pub mod journal;
pub mod learner;
pub mod lines;
pub mod play;
pub mod reader;
pub mod searcher;
pub mod sorted;
pub mod store;
pub mod writer;

#[cfg(test)]
mod graph_tests;
#[cfg(test)]
mod tests;
