//! A player that chooses moves: a process behind a protocol or an engine in this process.

use super::limits::PlayerLimits;
use super::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;

/// An engine that takes part. `board` is the referee's own engine, whose rules decide; players read position and moves
/// from it.
pub trait MatchPlayer: Send {
    /// The notation of its moves.
    fn style(&self) -> Style;
    /// Begins a new game at the board's position.
    ///
    /// # Errors
    /// The player cannot go on.
    fn new_game(&mut self, board: &dyn DynEngine, limits: &PlayerLimits) -> Result<(), PlayerError>;
    /// A move for the side to move.
    ///
    /// # Errors
    /// The player cannot go on, or resigns.
    fn choose_move(&mut self, board: &dyn DynEngine, times: &MoveTimes) -> Result<MoveReply, PlayerError>;
}
