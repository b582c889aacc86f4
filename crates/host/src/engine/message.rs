//! The messages of the session's one channel.

use crate::api::event::SearchEvent;

/// A line of input, its end, an event of a search, or the end of work in the background.
#[derive(Clone, Debug)]
pub enum Message {
    /// A line of input.
    Line(String),
    /// The end of input.
    End,
    /// An event of the search with this number.
    Search(u64, Box<SearchEvent>),
    /// The background work with this number is done.
    WorkDone(u64),
}
