//! XBoard's own protocol, CECP version 2 (see `protocol.md`).
//!
//! The host says once who plays and how long; then it only sends moves, and the engine knows by
//! itself when it is to answer, when to think on the opponent's time and when to keep quiet. That
//! knowledge is the dialect's memory; the position stays the session's.

mod memory;
mod parse;
mod write;

use super::{Dialect, Request, Ticket};
use crate::engine::event::Event;
use crate::search::game::Style;
use memory::Memory;

/// The dialect with what the host has said so far.
#[derive(Debug, Default)]
pub struct XBoard {
    memory: Memory,
}

impl Dialect for XBoard {
    fn name(&self) -> &'static str {
        "xboard"
    }

    fn style(&self) -> Style {
        Style::Uci
    }

    fn parse(&mut self, line: &str) -> Vec<Request> {
        parse::requests(line, &mut self.memory)
    }

    fn write(&mut self, ticket: &Ticket, event: &Event) -> String {
        write::answer(ticket, event, &mut self.memory)
    }

    fn follow_up(&mut self) -> Vec<Request> {
        parse::ponder(&mut self.memory)
    }
}
