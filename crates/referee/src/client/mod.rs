//! The host's side of the protocols, one client for each.

pub mod gomocup;
pub mod gtp;
pub mod nboard;
pub mod uci;
pub mod xboard;

use super::dialogue::Dialogue;
use super::limits::PlayerLimits;
use super::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_engine::DynEngine;

/// The host's side of a protocol. Before each call the caller restarts the stall timeout of the dialogue; the request for a
/// move sets its own deadline.
pub trait Client: Send {
    /// The notation of moves in this protocol.
    fn style(&self) -> Style;
    /// The handshake, and all settings made once for each process.
    ///
    /// # Errors
    /// The engine does not answer, or does not offer what the match needs.
    fn handshake(&mut self, engine: &mut Dialogue) -> Result<(), PlayerError>;
    /// Begins a new game at the board's position.
    ///
    /// # Errors
    /// The engine cannot go on.
    fn new_game(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
    ) -> Result<(), PlayerError>;
    /// Requests a move of the side to move.
    ///
    /// # Errors
    /// The engine cannot go on, or resigns.
    fn choose_move(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError>;
}

/// The moves of a game that the engine already has.
#[derive(Default)]
struct SentPosition {
    moves: Vec<(Side, String)>,
}

impl SentPosition {
    /// The moves still to be sent; `None` if the game does not begin with the moves sent.
    fn unsent<'a>(&self, history: &'a [(Side, String)]) -> Option<&'a [(Side, String)]> {
        let same = |(a, b): (&(Side, String), &(Side, String))| a.0 == b.0 && a.1.eq_ignore_ascii_case(&b.1);
        let known = history.len() >= self.moves.len() && self.moves.iter().zip(history).all(same);
        if known { history.get(self.moves.len()..) } else { None }
    }
}
