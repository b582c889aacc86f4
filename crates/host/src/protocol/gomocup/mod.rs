//! The protocol of Gomocup and its manager Piskvork (see `protocol.md`): Gomoku between programs.
//!
//! Coordinates are `X,Y` from the top left corner. The manager sets size, rule and clock before it sends moves; the protocol
//! keeps them as its state. It also keeps the stones, because the manager takes moves back by their coordinates.

mod coordinates;
mod parse;
mod rule;
mod state;
mod swap2;
mod write;

use crate::api::event::{BestMove, Event};
use crate::api::protocol::{ParsedLine, Protocol, Request, RequestId};
use flipside_core::search::notation::Style;
use state::GomocupState;

pub use coordinates::Coordinates;
pub use rule::number_of_rule;

/// The protocol with what the manager has set so far.
#[derive(Debug, Default)]
pub struct Gomocup {
    state: GomocupState,
}

/// Whether only a Gomocup manager begins with such a line: its words are in upper case.
pub fn begins(words: &[&str]) -> bool {
    let Some((word, rest)) = words.split_first() else { return false };
    match word.to_ascii_uppercase().as_str() {
        "ABOUT" | "BEGIN" | "BOARD" => rest.is_empty(),
        "START" | "RECTSTART" => (1..=2).contains(&rest.len()),
        "INFO" => !rest.is_empty(),
        _ => false,
    }
}

impl Protocol for Gomocup {
    fn name(&self) -> &'static str {
        "gomocup"
    }

    fn style(&self) -> Style {
        Style::Plain
    }

    fn parse(&self, line: &str) -> ParsedLine {
        parse::line(line)
    }

    fn interpret(&mut self, word: &str, arguments: &str) -> Vec<Request> {
        parse::requests(word, arguments, &mut self.state)
    }

    fn write(&mut self, request_id: &RequestId, event: &Event) -> String {
        write::write_event(request_id, event, &mut self.state)
    }

    /// The move that White would make is not played if the engine takes Black.
    fn tells(&self, best_move: &BestMove) -> bool {
        !(self.state.may_swap && swap2::takes_black(best_move))
    }
}
