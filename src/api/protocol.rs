//! The interface between the session and a protocol: requests that a protocol parses, events that it writes.

use super::command::Command;
use super::event::{BestMove, Event};
use crate::search::notation::Style;

/// What a protocol needs back with the answer to a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestId {
    /// GTP's id, NBoard's and XBoard's ping.
    pub id: Option<u64>,
    /// The command word, by which the writer knows the form of the answer.
    pub word: String,
}

/// When a line is served if a search is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Urgency {
    /// In its turn, after the search.
    #[default]
    Queue,
    /// At once, beside the search.
    Now,
    /// At once beside the search that runs, but behind lines that will end it and wait for a file.
    Beside,
    /// At once: it drops the running search without an answer, and the searches that wait; what else waits is carried
    /// out before it.
    Cancel,
}

/// A command with what its answer needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Comes back with every event that answers the command.
    pub request_id: RequestId,
    /// What is asked for.
    pub command: Command,
}

/// A protocol: its parser, its writer, and the state that translation needs. It owns no position and starts no search.
pub trait Protocol: Send {
    /// Its name for `--protocol`.
    fn name(&self) -> &'static str;
    /// The notation in which it writes moves and positions.
    fn style(&self) -> Style;
    /// When a line is served. Asked once, when the line arrives.
    fn urgency(&self, line: &str) -> Urgency;
    /// The requests of one line without its line end; none for lines that get no answer and mean nothing. Bad lines
    /// become [`Command::Invalid`], so that errors keep their order.
    ///
    /// Called when the line is served, so that the protocol's state changes in the order of the answers.
    fn parse(&mut self, line: &str) -> Vec<Request>;
    /// The text of an event for the host, line ends included; empty if this protocol has none for it.
    fn write(&mut self, request_id: &RequestId, event: &Event) -> String;
    /// Requests that the protocol makes by itself; asked whenever nothing is left to serve and no search is running
    /// (XBoard's engines ponder unasked).
    fn follow_up(&mut self) -> Vec<Request> {
        Vec::new()
    }
    /// False for a move of which the host does not hear: it is not played either (XBoard's engine resigns instead).
    fn tells(&self, _best_move: &BestMove) -> bool {
        true
    }
    /// Whether a search on a finished game is answered with a pass where the game has one, as hosts of some protocols
    /// expect; else there is no move.
    fn wants_closing_pass(&self) -> bool {
        true
    }
    /// True where hosts take what comes on stderr for answers.
    fn wants_silent_stderr(&self) -> bool {
        false
    }
}
