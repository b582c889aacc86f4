//! A player in a process of its own: the process and the host's side of its protocol.

use super::client::Client;
use super::client::gomocup::GomocupClient;
use super::client::gtp::GtpClient;
use super::client::nboard::NBoardClient;
use super::client::uci::UciClient;
use super::client::xboard::XBoardClient;
use super::limits::PlayerLimits;
use super::player::MatchPlayer;
use super::process::Process;
use super::spec::{PlayerSpec, ProtocolKind};
use super::types::{MoveReply, MoveTimes, PlayerError};
use crate::engine::dyn_engine::DynEngine;
use crate::search::notation::Style;
use std::time::{Duration, Instant};

/// A running process and its protocol.
pub struct ExternalPlayer {
    process: Process,
    client: Box<dyn Client>,
    stall_timeout: Duration,
}

impl ExternalPlayer {
    /// Starts the process for the game of that name, and makes the handshake.
    ///
    /// # Errors
    /// It cannot be started, or does not offer what the match needs.
    pub fn open(spec: &PlayerSpec, game: &str, stall_timeout: Duration) -> Result<ExternalPlayer, PlayerError> {
        let mut process = Process::start(spec)
            .map_err(|error| PlayerError::Unusable(format!("cannot start '{}': {error}", spec.command.join(" "))))?;
        let mut client: Box<dyn Client> = match spec.protocol {
            ProtocolKind::Gtp => Box::new(GtpClient::new(spec, game)),
            ProtocolKind::NBoard => Box::new(NBoardClient::new(spec)),
            ProtocolKind::Uci => Box::new(UciClient::new(spec, game)),
            ProtocolKind::Gomocup => Box::new(GomocupClient::new(spec, game)),
            ProtocolKind::XBoard => Box::new(XBoardClient::new(spec, game)),
        };
        client.handshake(&mut process, Instant::now() + stall_timeout)?;
        Ok(ExternalPlayer { process, client, stall_timeout })
    }
}

impl MatchPlayer for ExternalPlayer {
    fn style(&self) -> Style {
        self.client.style()
    }

    fn new_game(&mut self, board: &dyn DynEngine, limits: &PlayerLimits) -> Result<(), PlayerError> {
        self.client.new_game(&mut self.process, board, limits, Instant::now() + self.stall_timeout)
    }

    fn choose_move(&mut self, board: &dyn DynEngine, times: &MoveTimes) -> Result<MoveReply, PlayerError> {
        self.client.choose_move(&mut self.process, board, times).map_err(|error| match error {
            PlayerError::Crashed(text) => PlayerError::Crashed(match self.process.stderr_lines().pop() {
                Some(last) => format!("{text} ({last})"),
                None => text,
            }),
            other => other,
        })
    }
}
