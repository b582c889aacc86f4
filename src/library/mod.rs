//! The library's interface: typed boards and moves, an engine with a builder, and searches that block or report
//! progress.
//!
//! The crate root re-exports everything here. The modules below it are the engine's internals, with bitboards, generics
//! and processor levels, and may change from one version to the next.
//!
//! - [`reversi`] and [`minichess`]: boards with a side to move, squares, moves, and their text;
//! - [`Engine`]: searches boards of those games, or of any
//!   [`Game`](flipside_core::search::game::Game);
//! - [`Limits`](flipside_core::search::limits::Limits): when a search ends; [`Analysis`]: what it found.

mod analysis;
mod builder;
mod color;
mod engine;
#[cfg(feature = "threads")]
mod iterations;
pub mod minichess;
pub mod reversi;
mod searchable;
#[cfg(feature = "protocols")]
pub(crate) mod serve;

pub use analysis::Analysis;
pub use builder::EngineBuilder;
pub use color::Color;
pub use engine::Engine;
#[cfg(feature = "threads")]
pub use iterations::{Iterations, StopHandle};
pub use searchable::{CustomGame, EngineError, Searchable};
#[cfg(feature = "protocols")]
pub use serve::{Servable, ServeError, serve, serve_on};
