//! What waits, as data: lines whose turn has not come, and requests whose work is under way in the background.

use crate::api::command::CommandError;
use crate::api::event::Event;
use crate::api::protocol::{ParsedLine, RequestId};
use std::time::Instant;

/// The answer to a command; `None` where it has been sent, or is sent when a search or work in the background is over.
pub(super) type Answer = Result<Option<Event>, CommandError>;

/// Who is to be answered: a request of the line of that number.
#[derive(Clone)]
pub(super) struct Asked {
    pub line: u64,
    pub request_id: RequestId,
}

/// A request whose work is under way in the background; `S` is the session.
pub(super) struct Pending<S> {
    pub asked: Asked,
    /// The number of the message that says that the work is done.
    pub number: u64,
    /// Since when the session does not wait for it alone.
    pub since: Instant,
    /// What is done with the result; if there is none yet, the answer is an error.
    pub finish: Box<dyn FnOnce(&mut S) -> Answer + Send>,
}

/// A line, or what is left of it, whose turn has not come.
pub(super) struct WaitingLine {
    pub number: u64,
    pub parsed: ParsedLine,
    /// What it counts in the backpressure on the input.
    pub cost: usize,
    /// Whether a later line has dropped its searches.
    pub searches_dropped: bool,
}
