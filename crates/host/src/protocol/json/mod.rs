//! JSON lines, for authors of applications: each request is one object and gets one answer, with reports before it if a
//! search takes time (see `protocol.md`). The vocabulary is that of the outputs, docs/json.md.

mod arguments;
mod parse;
mod report;
mod write;

use crate::api::event::{Event, Iteration};
use crate::api::protocol::{ParsedLine, Protocol, RequestId};
use flipside_core::search::notation::Style;
use report::State;

/// The protocol; its state is the answer collected so far.
#[derive(Debug, Default)]
pub struct Json {
    /// The latest iteration of each variation of the analysis under way, the best first.
    lines: Vec<Iteration<String>>,
    /// The parts of the answer to a `show`.
    state: State,
}

impl Protocol for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn style(&self) -> Style {
        Style::Plain
    }

    fn parse(&self, line: &str) -> ParsedLine {
        parse::line(line)
    }

    fn wants_closing_pass(&self) -> bool {
        false
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        self.write_event(request_id, event)
    }
}
