//! A player in a process of its own: the process and the host's side of its protocol.

use super::client::Client;
use super::client::gomocup::GomocupClient;
use super::client::gtp::GtpClient;
use super::client::nboard::NBoardClient;
use super::client::uci::UciClient;
use super::client::xboard::XBoardClient;
use super::dialogue::Dialogue;
use super::limits::PlayerLimits;
use super::player::MatchPlayer;
use super::spec::{PlayerSpec, ProtocolKind};
use super::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// A running process and its protocol.
pub struct ExternalPlayer {
    engine: Dialogue,
    client: Box<dyn Client>,
}

impl ExternalPlayer {
    /// Starts the process for the game of this name and performs the handshake.
    ///
    /// # Errors
    /// The process cannot be started, or does not offer what the match needs.
    pub fn open(spec: &PlayerSpec, game: &str, stall_timeout: Duration) -> Result<ExternalPlayer, PlayerError> {
        let mut engine =
            Dialogue::start(spec, stall_timeout).map_err(|error| PlayerError::Unusable(spec.cannot_start(&error)))?;
        let mut client: Box<dyn Client> = match spec.protocol {
            ProtocolKind::Gtp => Box::new(GtpClient::new(spec, game)),
            ProtocolKind::NBoard => Box::new(NBoardClient::new(spec)),
            ProtocolKind::Uci => Box::new(UciClient::new(spec, game)),
            ProtocolKind::Gomocup => Box::new(GomocupClient::new(spec, game)),
            ProtocolKind::XBoard => Box::new(XBoardClient::new(spec, game)),
        };
        engine.restart_stall_timeout();
        client.handshake(&mut engine)?;
        Ok(ExternalPlayer { engine, client })
    }
}

impl MatchPlayer for ExternalPlayer {
    fn style(&self) -> Style {
        self.client.style()
    }

    fn new_game(&mut self, board: &dyn DynEngine, limits: &PlayerLimits) -> Result<(), PlayerError> {
        self.engine.restart_stall_timeout();
        self.client.new_game(&mut self.engine, board, limits)
    }

    fn choose_move(&mut self, board: &dyn DynEngine, times: &MoveTimes) -> Result<MoveReply, PlayerError> {
        self.engine.restart_stall_timeout();
        self.client.choose_move(&mut self.engine, board, times).map_err(|error| match error {
            PlayerError::Crashed(text) => PlayerError::Crashed(match self.engine.process().stderr_lines().pop() {
                Some(last) => format!("{text} ({last})"),
                None => text,
            }),
            other => other,
        })
    }
}
