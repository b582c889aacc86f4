//! The NBoard protocol, versions 1 and 2, of the Othello program of that name (see `protocol.md`).

mod memory;
mod parse;
mod write;

use super::{Dialect, Request, Ticket};
use crate::engine::event::Event;
use crate::search::game::Style;
use memory::Memory;

/// The dialect; its memory is what the host set once for all later requests.
#[derive(Debug, Default)]
pub struct NBoard {
    memory: Memory,
}

impl Dialect for NBoard {
    fn name(&self) -> &'static str {
        "nboard"
    }

    fn style(&self) -> Style {
        Style::Ggf
    }

    fn parse(&mut self, line: &str) -> Vec<Request> {
        parse::requests(line, &mut self.memory)
    }

    fn write(&mut self, ticket: &Ticket, event: &Event) -> String {
        write::answer(ticket, event)
    }

    fn wants_silent_stderr(&self) -> bool {
        true
    }
}
