//! What reaches the session through its one channel.

use super::dyn_engine::News;

/// What reaches the session.
#[derive(Clone, Debug)]
pub enum Message {
    /// A line of input.
    Line(String),
    /// The end of input.
    End,
    /// News of the search of that number.
    Search(u64, News),
}
