//! What is under way besides a search, and what waits, as data: lines whose turn has not come, and work in the background with the
//! requests behind it.

use crate::api::command::CommandError;
use crate::api::event::Event;
use crate::api::protocol::{ParsedLine, Request, RequestId};
use crate::engine::book_learning::LearningStop;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the session waits for work in the background after the end of input.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// The answer to a command; `None` where it has been sent, or is sent when a search is over.
pub(super) type Answer = Result<Option<Event>, CommandError>;

/// A command that has been carried out, or goes on in the background; `S` is the session.
pub(super) enum Reply<S> {
    /// It is answered like this.
    Now(Option<Event>),
    /// It is answered when this work is done.
    Later(Work<S>),
}

/// A reply, or why the command fails.
pub(super) type Replied<S> = Result<Reply<S>, CommandError>;

impl<S> From<Event> for Reply<S> {
    fn from(event: Event) -> Reply<S> {
        Reply::Now(Some(event))
    }
}

/// Who is to be answered.
#[derive(Clone)]
pub(super) struct Asked {
    /// The number of the line.
    pub line: u64,
    /// The request of that line.
    pub request_id: RequestId,
}

/// Work in a thread of its own.
pub(super) struct Work<S> {
    /// The number of the message that says that it is done.
    pub number: u64,
    /// Since when the session has not waited for it alone.
    pub since: Instant,
    /// Takes in the result; if there is none yet, the answer is an error.
    pub finish: Box<dyn FnOnce(&mut S) -> Answer + Send>,
    /// Ends it early, if it is the teaching of the book.
    pub learning: Option<Arc<LearningStop>>,
}

/// A request that is answered when its work is done.
pub(super) struct Pending<S> {
    pub asked: Asked,
    pub work: Work<S>,
    /// The requests after it in its line.
    pub rest: Vec<Request>,
}

impl<S> Pending<S> {
    /// When the session waits for it no longer if the input has ended at that time.
    pub fn given_up_at(&self, input_ended: Instant) -> Instant {
        self.work.since.max(input_ended) + LAST_PATIENCE
    }

    /// Cancels the searches of the requests that wait for it, and the teaching of the book.
    pub fn cancel_searches(&mut self) {
        self.rest = without_searches(std::mem::take(&mut self.rest));
        self.end_learning();
    }

    /// The teaching of the book ends early.
    pub fn end_learning(&self) {
        if let Some(learning) = &self.work.learning {
            learning.raise();
        }
    }
}

/// A line whose turn has not come.
pub(super) struct WaitingLine {
    pub number: u64,
    pub parsed: ParsedLine,
    /// What it counts in the backpressure on the input.
    pub cost: usize,
    /// Whether a later line has dropped its searches.
    pub searches_dropped: bool,
}

/// What is left of requests whose searches are dropped.
pub(super) fn without_searches(requests: Vec<Request>) -> Vec<Request> {
    let kept = |Request { request_id, command }| Some(Request { request_id, command: command.without_search()? });
    requests.into_iter().filter_map(kept).collect()
}
