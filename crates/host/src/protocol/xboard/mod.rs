//! XBoard's own protocol, CECP version 2 (see `protocol.md`).
//!
//! The host sets who plays and how long once; then it only sends moves. The protocol's state, which holds these settings,
//! decides when the engine answers, ponders or stays quiet; the session owns the position.

mod parse;
mod state;
mod write;

use crate::api::event::{BestMove, Event};
use crate::api::protocol::{ParsedLine, Protocol, Request, RequestId};
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use state::XBoardState;

/// The protocol with the host's settings so far.
#[derive(Debug, Default)]
pub struct XBoard {
    state: XBoardState,
}

impl Protocol for XBoard {
    fn name(&self) -> &'static str {
        "xboard"
    }

    fn style(&self) -> Style {
        Style::Uci
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

    fn tells(&self, best_move: &BestMove) -> bool {
        !write::resigns(best_move)
    }

    fn usual_game(&self) -> Option<&'static str> {
        names::GAMES.iter().find(|game| game.drawn_by_xboard).map(|game| game.name)
    }

    fn follow_up(&mut self) -> Vec<Request> {
        parse::ponder(&mut self.state)
    }
}
