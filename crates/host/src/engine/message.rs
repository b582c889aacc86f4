//! What reaches the session through its one channel.

use crate::api::event::SearchEvent;

/// A line of input, its end, an event of a search, or the end of work in the background.
#[derive(Clone, Debug)]
pub enum Message {
    /// A line of input.
    Line(String),
    /// The end of input.
    End,
    /// An event of the search of that number.
    Search(u64, Box<SearchEvent>),
    /// The work in the background of that number is done.
    WorkDone(u64),
}
