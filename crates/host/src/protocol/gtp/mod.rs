//! GTP version 2, as Othello programs speak it (see `protocol.md`).
//!
//! Each command gets one response, in order, with its id; comments and control characters are dropped.

mod arguments;
mod commands;
mod gogui;
mod load_sgf;
mod parse;
mod write;

use crate::api::command::Command;
use crate::api::event::{Event, Iteration};
use crate::api::protocol::{ParsedLine, Protocol, RequestId, Urgency};
use flipside_core::search::notation::Style;

/// The protocol; its state is the analysis under way.
#[derive(Debug, Default)]
pub struct Gtp {
    /// The latest iteration of each variation, for answers that draw them when the search is over.
    hints: Vec<Iteration<String>>,
    /// True while the response of a `flipside-analyze` is open.
    response_open: bool,
}

impl Protocol for Gtp {
    fn name(&self) -> &'static str {
        "gtp"
    }

    fn style(&self) -> Style {
        Style::Plain
    }

    fn parse(&self, line: &str) -> ParsedLine {
        let request = parse::request(line);
        let is_interrupt = request.as_ref().is_some_and(|request| request.command == Command::Stop);
        ParsedLine::of_requests(if is_interrupt { Urgency::Now } else { Urgency::Queue }, request)
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        self.write_event(request_id, event)
    }
}
