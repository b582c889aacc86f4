//! What reaches the session through its one channel.

use crate::api::event::SearchEvent;

/// A line of input, an event of a search, or the end of other work.
#[derive(Clone, Debug)]
pub enum Message {
    /// A line of input.
    Line(String),
    /// The end of input.
    End,
    /// An event of the search of that number.
    Search(u64, Box<SearchEvent>),
    /// Work that the session waits for is done.
    WorkDone,
}
