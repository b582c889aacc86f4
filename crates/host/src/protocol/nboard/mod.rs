//! The NBoard protocol, versions 1 and 2, of the Othello program NBoard (see `protocol.md`).

mod parse;
mod state;
mod write;

use crate::api::event::Event;
use crate::api::protocol::{ParsedLine, Protocol, Request, RequestId};
use flipside_core::search::notation::Style;
use state::NBoardState;

/// The protocol; its state is what the host set for later requests.
#[derive(Debug, Default)]
pub struct NBoard {
    state: NBoardState,
}

impl Protocol for NBoard {
    fn name(&self) -> &'static str {
        "nboard"
    }

    fn style(&self) -> Style {
        Style::Ggf
    }

    fn parse(&self, line: &str) -> ParsedLine {
        parse::line(line)
    }

    fn interpret(&mut self, word: &str, arguments: &str) -> Vec<Request> {
        parse::request(word, arguments, &mut self.state).into_iter().collect()
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        match event {
            Event::Done => self.state.commit(),
            Event::Error(_) => self.state.discard(),
            _ => {}
        }
        write::write_event(request_id, event)
    }

    fn wants_silent_stderr(&self) -> bool {
        true
    }
}
