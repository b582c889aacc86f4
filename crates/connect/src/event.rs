//! What reaches a running client from outside: the server's bytes, the engine's moves, the user's wish to stop.

use super::client::Choice;

/// What happens while a client runs.
#[derive(Debug)]
pub enum Event {
    /// Bytes have come on the connection of this number.
    Bytes(u64, Vec<u8>),
    /// That connection has ended, and why.
    Closed(u64, String),
    /// The engine has chosen.
    Chosen(Choice),
    /// The engine has failed in the turn of this number.
    Failed(u64),
    /// The user wants to stop.
    Stop,
}
