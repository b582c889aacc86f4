//! The host's side of the protocols: one client a protocol.

pub mod gomocup;
pub mod gtp;
pub mod nboard;
pub mod uci;
pub mod xboard;

use super::limits::PlayerLimits;
use super::process::{OutputLine, Process};
use super::types::{MoveReply, MoveTimes, PlayerError};
use crate::api::settings::Settings;
use crate::engine::dyn_engine::DynEngine;
use crate::engine::registry;
use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::Instant;

/// The host's side of a protocol. Requests that a correct engine answers at once are waited for until `deadline`.
pub trait Client: Send {
    /// The notation of moves in this protocol.
    fn style(&self) -> Style;
    /// The handshake, and all that is set once a process.
    ///
    /// # Errors
    /// The engine does not answer, or does not offer what the match needs.
    fn handshake(&mut self, process: &mut Process, deadline: Instant) -> Result<(), PlayerError>;
    /// Begins a new game at the board's position.
    ///
    /// # Errors
    /// The engine cannot go on.
    fn new_game(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
        deadline: Instant,
    ) -> Result<(), PlayerError>;
    /// Requests a move of the side to move.
    ///
    /// # Errors
    /// The engine cannot go on, or resigns.
    fn choose_move(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError>;
}

/// The moves of a game that an engine has been sent so far.
#[derive(Default)]
struct SentPosition {
    moves: Vec<(Side, String)>,
}

impl SentPosition {
    /// The moves that still have to be sent; `None` if the moves sent are no beginning of this game.
    fn unsent<'a>(&self, history: &'a [(Side, String)]) -> Option<&'a [(Side, String)]> {
        let same = |(a, b): (&(Side, String), &(Side, String))| a.0 == b.0 && a.1.eq_ignore_ascii_case(&b.1);
        let known = history.len() >= self.moves.len() && self.moves.iter().zip(history).all(same);
        if known { history.get(self.moves.len()..) } else { None }
    }
}

/// True for a pass in the game's own notation or GGF's.
fn is_pass(text: &str) -> bool {
    matches!(text, "PASS" | "PA")
}

/// The usual start position of the board's game.
fn initial_position(board: &dyn DynEngine, style: Style) -> String {
    let settings = Settings { game: board.game().into(), hash: 1, ..Settings::default() };
    registry::open(&settings).map(|fresh| fresh.start_position(style)).unwrap_or_default()
}

/// Reads lines until one begins with the word; the others go to `other`.
fn read_until(
    process: &mut Process,
    word: &str,
    request: &str,
    deadline: Instant,
    mut other: impl FnMut(&str),
) -> Result<OutputLine, PlayerError> {
    loop {
        let line = process.line(deadline).map_err(|error| PlayerError::from_read_error(error, request))?;
        if line.text.split_whitespace().next() == Some(word) {
            return Ok(line);
        }
        other(&line.text);
    }
}
