//! What the session knows of a protocol: the requests that it parses, and the events that it writes.

use super::command::Command;
use super::event::Event;
use crate::search::notation::Style;

/// What a protocol wants back with the answer to a request: its own short memory of the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestId {
    /// GTP's id, NBoard's ping.
    pub id: Option<u64>,
    /// The command word, or whatever tells the writer which form the answer takes.
    pub word: String,
}

/// When a request is served if a search is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Urgency {
    /// In its turn, after the search.
    #[default]
    Queue,
    /// At once, beside the search.
    Now,
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Comes back with every event that answers the command.
    pub request_id: RequestId,
    /// What is asked.
    pub command: Command,
    /// When.
    pub urgency: Urgency,
}

/// A protocol: its parser, its writer, and a little memory.
pub trait Protocol: Send {
    /// Its name for `--protocol`.
    fn name(&self) -> &'static str;
    /// In whose words it writes moves and positions.
    fn style(&self) -> Style;
    /// The requests of one line without its line end; none for lines that want no answer and
    /// mean nothing. Bad lines become [`Command::Refuse`], so that refusals keep their order.
    fn parse(&mut self, line: &str) -> Vec<Request>;
    /// The text that tells the host of an event, line ends included; empty if there is nothing to
    /// tell in this protocol.
    fn write(&mut self, request_id: &RequestId, event: &Event) -> String;
    /// Requests that the protocol makes by itself once a search has been answered and nothing else is
    /// waiting (XBoard's engines think on the opponent's time unasked).
    fn follow_up(&mut self) -> Vec<Request> {
        Vec::new()
    }
    /// True where hosts take what comes on stderr for answers.
    fn wants_silent_stderr(&self) -> bool {
        false
    }
}
