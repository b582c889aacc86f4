//! UCI with `UCI_Variant`, as chess programs and Fairy-Stockfish speak it (see `protocol.md`).

mod parse;
mod write;

use crate::api::event::Event;
use crate::api::protocol::{ParsedLine, Protocol, RequestId};
use flipside_core::search::notation::Style;
use flipside_core::search::types::Certainty;

/// The protocol; its state is what the active search has reported.
#[derive(Debug, Default)]
pub struct Uci {
    /// The certainty of the last `info string`.
    announced: Option<Certainty>,
    /// Whether the host wants chances beside scores (`UCI_ShowWDL`).
    shows_wdl: bool,
}

impl Protocol for Uci {
    fn name(&self) -> &'static str {
        "uci"
    }

    fn style(&self) -> Style {
        Style::Uci
    }

    fn parse(&self, line: &str) -> ParsedLine {
        parse::line(line)
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        self.write_event(request_id, event)
    }
}
