//! What the bindings to other languages share: positions, searches and their results as plain data, with checked ranges. Each
//! binding gives them its language's form: `web/` JSON, `python/` classes.

mod position;
mod range;
mod search;

pub use position::{PlayedView, PositionView, set_position};
pub use range::within;
pub use search::{IterationView, ResultView, SearchOptions};
