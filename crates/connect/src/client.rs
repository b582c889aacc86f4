//! What a client of a server is: a state machine between the server's lines and the engine's moves.

use flipside_core::search::types::Score;
use flipside_host::engine::dyn_engine::SavedGame;
use flipside_host::record::game_record::GameRecord;
use std::time::{Duration, Instant};

/// What a client wants to be done.
pub enum Action {
    /// Send a line, without its end.
    Send(String),
    /// Send a line that no log may show.
    SendSecret(String),
    /// Let the engine think; the choice comes back with the number of the turn.
    Think(Box<Turn>),
    /// The engine's thoughts about this game are no longer wanted.
    StopThinking(String),
    /// Tell the user a sentence.
    Say(String),
    /// Show the user a board, where there is a terminal.
    Show(String),
    /// Keep a finished game.
    Record(Box<GameRecord>),
    /// Close the connection.
    Close(Ending),
}

/// What follows when a connection is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Connect again for the next game.
    Again,
    /// The server does not take us now: connect again after a while if it has taken us before, or else end with this
    /// sentence.
    Refused(String),
    /// All is done.
    Done,
}

/// A position in which the engine is to move on a server's clock.
pub struct Turn {
    /// The game's name on the server.
    pub game: String,
    /// Returned with the choice: a client ignores choices of other turns.
    pub number: u64,
    /// The game so far.
    pub position: SavedGame,
    /// The time that the engine may use for the rest of the game, and what the opponent has.
    pub left: [Duration; 2],
    /// Added after each of our moves.
    pub increment: Duration,
    /// The moves to choose from; all if empty.
    pub only: Vec<String>,
}

/// The engine's move for a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The number of its turn.
    pub number: u64,
    /// The move in the game's own notation.
    pub mv: String,
    /// Its value in hundredths, for the mover.
    pub score: Option<Score>,
    /// How long the engine took.
    pub used: Duration,
}

/// A client of one server. Each call returns what is to be done, in order.
pub trait Client {
    /// A connection has been made.
    fn connected(&mut self, now: Instant) -> Vec<Action>;
    /// The server has sent a line.
    fn line(&mut self, line: &str, now: Instant) -> Vec<Action>;
    /// Whether this start of a line is a prompt to be answered, because the server does not end its line.
    fn is_prompt(&self, _: &str) -> bool {
        false
    }
    /// Called about once a second.
    fn tick(&mut self, now: Instant) -> Vec<Action>;
    /// The engine has chosen a move.
    fn chosen(&mut self, choice: Choice, now: Instant) -> Vec<Action>;
    /// The engine has failed in the turn of this number.
    fn failed(&mut self, number: u64) -> Vec<Action>;
    /// The connection is lost.
    fn lost(&mut self) -> Vec<Action>;
    /// The user wants to stop: after the games that are being played, or, with `resign`, at once.
    fn stop(&mut self, resign: bool, now: Instant) -> Vec<Action>;
    /// Whether the server has accepted the login since the connection was made.
    fn is_logged_in(&self) -> bool;
}
