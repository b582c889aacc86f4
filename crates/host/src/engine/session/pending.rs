//! Pending work as data: lines whose turn has not come, and requests whose work runs in the background.

use crate::api::command::CommandError;
use crate::api::event::Event;
use crate::api::protocol::{ParsedLine, RequestId};
use std::time::Instant;

/// The answer to a command; `None` if it has been sent, or is sent when a search or background work ends.
pub(super) type Answer = Result<Option<Event>, CommandError>;

/// The request to answer and the number of its line.
#[derive(Clone)]
pub(super) struct Asked {
    pub line: u64,
    pub request_id: RequestId,
}

/// A request whose work runs in the background; `S` is the session.
pub(super) struct Pending<S> {
    pub request_id: RequestId,
    /// The number of the message that announces the end of the work.
    pub number: u64,
    /// Since when the session serves other lines meanwhile.
    pub since: Instant,
    /// Handles the result; without a result, the answer is an error.
    pub finish: Box<dyn FnOnce(&mut S) -> Answer + Send>,
}

/// A line, or the rest of one, whose turn has not come.
pub(super) struct WaitingLine {
    pub number: u64,
    pub parsed: ParsedLine,
    /// Its cost in the backpressure on the input.
    pub cost: usize,
    /// Whether a later line has dropped its searches.
    pub searches_dropped: bool,
}
