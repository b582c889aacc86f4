//! Types shared by the bindings to other languages: positions, searches and their results as plain data with checked
//! ranges. Each binding converts them to its language: `web/` to JSON, `python/` to classes.

mod position;
mod range;
mod search;

pub use position::{PlayedView, PositionView, set_position};
pub use range::within;
pub use search::{IterationView, ResultView, SearchOptions};
