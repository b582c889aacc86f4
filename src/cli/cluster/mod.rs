//! Work for many machines: `flipside split`, `join` and `verify`, and the lines that they exchange with `solve`.

mod answers;
mod args;
mod bounds_text;
mod estimator;
pub mod join;
pub mod line;
pub mod proof_file;
pub mod split;
pub mod state;
mod stream;
pub mod task;
pub mod verify;
