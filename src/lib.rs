//! Flipside: a game engine that talks.
//!
//! The way of a line: `wire` reads it, a `protocol` parses it into a `Command`, the `session`
//! serves it with a `room`, which starts a `search`; what comes of it travels back as an `Event`,
//! which the protocol words.
//!
//! For a student of search, [`textbook::tour`] goes from minimax to the production search in seven steps.
//!
//! The README's example of the library runs as a test of this documentation.

#[cfg(feature = "protocols")]
pub mod api;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "protocols")]
pub mod engine;
pub mod games;
pub mod library;
#[cfg(feature = "protocols")]
pub mod protocol;
pub mod record;
#[cfg(feature = "cli")]
pub mod referee;
pub mod search;
pub mod support;
#[cfg(feature = "protocols")]
pub mod textbook;
#[cfg(feature = "train")]
pub mod train;

pub use library::{Analysis, Color, CustomGame, Engine, EngineBuilder, EngineError, Searchable, minichess, reversi};
#[cfg(feature = "threads")]
pub use library::{Iterations, StopHandle};
#[cfg(feature = "protocols")]
pub use library::{Servable, ServeError, serve, serve_on};
pub use search::limits::Limits;

#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
