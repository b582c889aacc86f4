//! The interface between the session and a protocol: requests that a protocol parses, events that it writes.

use super::command::Command;
use super::event::{BestMove, Event};
use flipside_core::search::notation::Style;

/// What a protocol needs back with the answer to a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestId {
    /// GTP's id, NBoard's and XBoard's ping.
    pub id: Option<u64>,
    /// The command word, by which the writer knows the form of the answer.
    pub word: String,
}

/// When a line is served while work is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Urgency {
    /// In its turn, after the search.
    #[default]
    Queue,
    /// At once, beside the work under way.
    Now,
    /// In its turn: after a search that ends by itself, but beside one that only the host can end.
    Beside,
    /// In its turn. It drops the running search and the waiting searches without an answer; other waiting requests are
    /// carried out before it.
    Cancel,
    /// At once. It drops the running search and all waiting lines without an answer.
    Clear,
}

/// A command with what its answer needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Comes back with every event that answers the command.
    pub request_id: RequestId,
    /// What is asked for.
    pub command: Command,
}

/// A line of input after its one parse.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedLine {
    /// When it is served.
    pub urgency: Urgency,
    /// What it says.
    pub content: LineContent,
}

/// The content of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum LineContent {
    /// Requests whose meaning does not depend on when they are served; empty for lines that need no answer.
    Requests(Vec<Request>),
    /// A command word and its arguments. Their meaning depends on the protocol's state when the line is served.
    Words(String, String),
}

impl ParsedLine {
    /// A line of requests.
    pub fn of_requests(urgency: Urgency, requests: impl IntoIterator<Item = Request>) -> ParsedLine {
        ParsedLine { urgency, content: LineContent::Requests(requests.into_iter().collect()) }
    }

    /// A line of a command word and its arguments.
    pub fn of_words(urgency: Urgency, word: &str, arguments: &str) -> ParsedLine {
        ParsedLine { urgency, content: LineContent::Words(word.to_string(), arguments.to_string()) }
    }
}

/// A protocol: its parser, its writer, and the state that translation needs. It owns no position and starts no search.
pub trait Protocol: Send {
    /// Its name for `--protocol`.
    fn name(&self) -> &'static str;
    /// The notation in which it writes moves and positions.
    fn style(&self) -> Style;
    /// Parses a line without its line end, once, when it arrives. Bad lines become [`Command::Invalid`], so that errors keep
    /// their order.
    fn parse(&self, line: &str) -> ParsedLine;
    /// The requests of a command word and its arguments, for protocols whose lines are [`LineContent::Words`].
    ///
    /// Called when the line is served, so that the protocol's state changes in the order of the answers.
    fn interpret(&mut self, _word: &str, _arguments: &str) -> Vec<Request> {
        Vec::new()
    }
    /// The requests of a line that is served now.
    fn requests(&mut self, line: ParsedLine) -> Vec<Request> {
        match line.content {
            LineContent::Requests(requests) => requests,
            LineContent::Words(word, arguments) => self.interpret(&word, &arguments),
        }
    }
    /// The text of an event for the host, line ends included; empty if this protocol has none for it.
    fn write(&mut self, request_id: &RequestId, event: &Event) -> String;
    /// Requests that the protocol makes by itself (XBoard's engines ponder unasked). Called whenever nothing waits and
    /// no search is running.
    fn follow_up(&mut self) -> Vec<Request> {
        Vec::new()
    }
    /// Whether the host is told of the move. If not, the move is not played either (XBoard's engine resigns instead).
    fn tells(&self, _best_move: &BestMove) -> bool {
        true
    }
    /// Whether a search on a finished game answers with a pass where the game has one, as hosts of some protocols
    /// expect. Otherwise the answer has no move.
    fn wants_closing_pass(&self) -> bool {
        true
    }
    /// The game that its hosts play where nobody has chosen one; `None` is the engine's own.
    fn usual_game(&self) -> Option<&'static str> {
        None
    }
    /// True where hosts take what comes on stderr for answers.
    fn wants_silent_stderr(&self) -> bool {
        false
    }
}
