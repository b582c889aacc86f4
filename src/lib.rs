//! Flipside: a game engine that talks.
//!
//! The way of a line: `wire` reads it, a `protocol` parses it into a `Command`, the `session`
//! serves it with a `room`, which starts a `search`; what comes of it travels back as an `Event`,
//! which the protocol words.
//!
//! For a student of search, [`textbook::tour`] goes from minimax to the production search in seven steps.
//!
//! The README's example of the library runs as a test of this documentation.

pub mod api;
pub mod cli;
pub mod engine;
pub mod games;
pub mod protocol;
pub mod record;
pub mod referee;
pub mod search;
pub mod support;
pub mod textbook;

pub mod train;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
