//! GTP version 2, as Othello programs speak it (see `protocol.md`).
//!
//! One response a command, in order; ids come back; comments and control characters are dropped.

mod commands;
mod gogui;
mod parse;
mod write;

use crate::api::event::{Event, Info};
use crate::api::protocol::{Protocol, Request, RequestId};
use crate::search::notation::Style;

/// The protocol; its memory is the analysis under way.
#[derive(Debug, Default)]
pub struct Gtp {
    /// The latest report of each rank, for answers that draw them at the end.
    hints: Vec<Info>,
    /// True while a streaming response is open.
    open: bool,
}

impl Protocol for Gtp {
    fn name(&self) -> &'static str {
        "gtp"
    }

    fn style(&self) -> Style {
        Style::Plain
    }

    fn parse(&mut self, line: &str) -> Vec<Request> {
        parse::request(line).into_iter().collect()
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        self.answer(request_id, event)
    }
}
