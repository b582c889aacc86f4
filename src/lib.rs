//! Flipside: a game engine that talks.
//!
//! The way of a line: `wire` reads it, a `dialect` parses it into a `Command`, the `session`
//! serves it with a `room`, which starts a `search`; what comes of it travels back as an `Event`,
//! which the dialect words.
//!
//! For a student of search, [`textbook::tour`] goes from minimax to the production search in seven steps.
//!
//! The README's example of the library runs as a test of this documentation.

pub mod dialect;
pub mod engine;
pub mod games;
pub mod record;
pub mod referee;
pub mod search;
pub mod textbook;
pub mod tools;
pub mod train;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
