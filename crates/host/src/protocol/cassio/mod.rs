//! The engine protocol of the Othello program Cassio (see `protocol.md`): searches of single positions.
//!
//! Every request names its position, so there is no game. A result line repeats the position that was asked about; the
//! protocol keeps it until the search has ended.

mod parse;
mod result_line;
mod write;

use crate::api::event::Event;
use crate::api::protocol::{ParsedLine, Protocol, Request, RequestId};
use flipside_core::search::notation::Style;

pub use parse::PREFIX;

/// The protocol with the position that is being searched.
#[derive(Debug, Default)]
pub struct Cassio {
    /// As the host sent it.
    position: String,
}

impl Protocol for Cassio {
    fn name(&self) -> &'static str {
        "cassio"
    }

    fn style(&self) -> Style {
        Style::Plain
    }

    fn parse(&self, line: &str) -> ParsedLine {
        parse::line(line)
    }

    fn interpret(&mut self, word: &str, arguments: &str) -> Vec<Request> {
        if let Some(position) = parse::searched_position(word, arguments) {
            self.position = position.to_string();
        }
        vec![parse::request(word, arguments)]
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        write::write_event(request_id, event, &self.position)
    }

    fn wants_closing_pass(&self) -> bool {
        false
    }
}
