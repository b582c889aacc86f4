//! A player, whether a process behind a protocol or a room of our own.

use super::builtin::Builtin;
use super::client::{self, Client};
use super::process::{Process, Silence};
use super::spec::{PlayerSpec, Protocol, Terms};
use crate::engine::dyn_engine::DynEngine;
use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::{Duration, Instant};

/// Why a player could not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The process ended or closed its output.
    #[error("crashed: {0}")]
    Crashed(String),
    /// No answer, long after its time.
    #[error("hung: no answer to {0}")]
    Hung(String),
    /// Output that is no answer.
    #[error("babbled: {0}")]
    Babbled(String),
    /// It refused a correct request.
    #[error("refused: {0}")]
    Refused(String),
    /// It gave the game up, which is no fault.
    #[error("resigned")]
    Resigned,
    /// It cannot take part in this match at all; no restart would help.
    #[error("unusable: {0}")]
    Unusable(String),
}

impl Fault {
    /// What a silence remaining, when this was asked.
    pub fn from_silence(silence: Silence, asked: &str) -> Fault {
        match silence {
            Silence::Deadline => Fault::Hung(asked.to_string()),
            Silence::End => Fault::Crashed(format!("closed its output at {asked}")),
            Silence::Flood => Fault::Babbled(format!("endless output at {asked}")),
        }
    }
}

/// An answer to the question for a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The move, in the words of [`Player::style`].
    pub mv: String,
    /// From the question to the answer, measured here.
    pub used: Duration,
    /// Its value in hundredths for the player who moves, if told.
    pub value: Option<i32>,
    /// Depth in plies, if told.
    pub depth: Option<u32>,
    /// Positions, if told.
    pub nodes: Option<u64>,
}

/// What both clocks show, and what the player who is asked may use.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Time left of the first and the second player, where a clock runs.
    pub left: [Option<Duration>; 2],
    /// What each move adds.
    pub increments: [Duration; 2],
    /// The terms of the player who is asked.
    pub terms: Terms,
    /// How long an answer is waited for in all.
    pub patience: Duration,
}

impl Times {
    /// When an answer to a question asked now no longer counts as one.
    pub fn deadline(&self, side: Side) -> Instant {
        let allowed = self.left[side.index()].or(self.terms.move_time).unwrap_or_default();
        Instant::now() + allowed + self.patience
    }
}

/// Someone who can be asked for moves.
pub trait Player: Send {
    /// In whose words it answers.
    fn style(&self) -> Style;
    /// A new game begins at the room's position.
    fn new_game(&mut self, room: &dyn DynEngine, terms: &Terms) -> Result<(), Fault>;
    /// A move for the side to move.
    fn think(&mut self, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault>;
}

/// Opens a player for the game of that name.
pub fn open(spec: &PlayerSpec, game: &str, patience: Duration) -> Result<Box<dyn Player>, Fault> {
    if spec.is_builtin() {
        return Ok(Box::new(Builtin::open(spec, game)?));
    }
    let mut process = Process::start(spec)
        .map_err(|error| Fault::Unusable(format!("cannot start '{}': {error}", spec.command.join(" "))))?;
    let mut client: Box<dyn Client> = match spec.protocol {
        Protocol::Gtp => Box::new(client::gtp::GtpClient::new(spec, game)),
        Protocol::NBoard => Box::new(client::nboard::NBoardClient::new(spec)),
        Protocol::Uci => Box::new(client::uci::UciClient::new(spec, game)),
        Protocol::XBoard => Box::new(client::xboard::XBoardClient::new(spec, game)),
    };
    client.greet(&mut process, Instant::now() + patience)?;
    Ok(Box::new(Remote { process, client, patience }))
}

/// A process and the host's side of its protocol.
struct Remote {
    process: Process,
    client: Box<dyn Client>,
    patience: Duration,
}

impl Player for Remote {
    fn style(&self) -> Style {
        self.client.style()
    }

    fn new_game(&mut self, room: &dyn DynEngine, terms: &Terms) -> Result<(), Fault> {
        self.client.new_game(&mut self.process, room, terms, Instant::now() + self.patience)
    }

    fn think(&mut self, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault> {
        self.client.think(&mut self.process, room, times).map_err(|fault| match fault {
            Fault::Crashed(text) => Fault::Crashed(match self.process.noise().pop() {
                Some(last) => format!("{text} ({last})"),
                None => text,
            }),
            other => other,
        })
    }
}
