//! XBoard's own protocol, CECP version 2 (see `protocol.md`).
//!
//! The host says once who plays and how long; then it only sends moves, and the engine knows by
//! itself when it is to answer, when to think on the opponent's time and when to keep quiet. That
//! knowledge is the protocol's memory; the position stays the session's.

mod memory;
mod parse;
mod write;

use crate::api::event::Event;
use crate::api::protocol::{Protocol, Request, RequestId};
use crate::search::notation::Style;
use memory::Memory;

/// The protocol with what the host has said so far.
#[derive(Debug, Default)]
pub struct XBoard {
    memory: Memory,
}

impl Protocol for XBoard {
    fn name(&self) -> &'static str {
        "xboard"
    }

    fn style(&self) -> Style {
        Style::Uci
    }

    fn parse(&mut self, line: &str) -> Vec<Request> {
        parse::requests(line, &mut self.memory)
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        write::answer(request_id, event, &mut self.memory)
    }

    fn follow_up(&mut self) -> Vec<Request> {
        parse::ponder(&mut self.memory)
    }
}
