//! Types shared by the bindings to other languages: positions, searches and their results as plain data with checked
//! ranges. Each binding converts them to its language: `web/` to JSON, `python/` to classes.

mod position;
mod range;
mod search;
mod trace;

pub use position::{PlayedView, PositionView, set_position, svg};
pub use range::within;
pub use search::{IterationView, ResultView, SearchOptions};
pub use trace::{TraceOptions, algorithm, side};
