//! A participant of a game: the description of a player, its limits, and the running player.

use super::builtin::Builtin;
use super::external::ExternalPlayer;
use super::limits::PlayerLimits;
use super::player::MatchPlayer;
use super::spec::PlayerSpec;
use super::types::PlayerError;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// One side of a game.
pub struct Participant<'a> {
    /// How the player is opened.
    pub spec: &'a PlayerSpec,
    /// Its limits.
    pub limits: PlayerLimits,
    /// The player while it runs; `None` after a fault, so that it is restarted for the next game.
    pub player: &'a mut Option<Box<dyn MatchPlayer>>,
}

impl Participant<'_> {
    /// Opens the player if it is not running, and begins a new game at the board's position.
    ///
    /// # Errors
    /// The player cannot be opened or does not begin the game.
    pub fn begin_game(&mut self, board: &dyn DynEngine, stall_timeout: Duration) -> Result<(), PlayerError> {
        if self.player.is_none() {
            *self.player = Some(open(self.spec, board.game(), stall_timeout)?);
        }
        match self.player.as_mut() {
            Some(player) => player.new_game(board, &self.limits),
            None => Ok(()),
        }
    }
}

fn open(spec: &PlayerSpec, game: &str, stall_timeout: Duration) -> Result<Box<dyn MatchPlayer>, PlayerError> {
    if spec.is_builtin() {
        Ok(Box::new(Builtin::open(spec, game)?))
    } else {
        Ok(Box::new(ExternalPlayer::open(spec, game, stall_timeout)?))
    }
}
