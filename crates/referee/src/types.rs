//! Plain data of the referee: settings of all games, replies, clocks, errors, and why a game ended.

use super::adjudication::Adjudication;
use super::dialogue::NoAnswer;
use super::limits::PlayerLimits;
use super::process::ReadError;
use flipside_core::search::types::Side;
use flipside_host::engine::clock::SideClock;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, Instant};

/// Why a player cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// The process ended or closed its output.
    #[error("crashed: {0}")]
    Crashed(String),
    /// It did not answer within its time and the stall timeout.
    #[error("stalled: no answer to {0}")]
    Stalled(String),
    /// Output that the protocol does not allow here.
    #[error("bad output: {0}")]
    BadOutput(String),
    /// It refused a correct request.
    #[error("refused: {0}")]
    Refused(String),
    /// It resigned, which is a legal end of a game.
    #[error("resigned")]
    Resigned,
    /// It cannot take part in this match; a restart would not help.
    #[error("unusable: {0}")]
    Unusable(String),
}

impl From<NoAnswer> for PlayerError {
    fn from(error: NoAnswer) -> PlayerError {
        let NoAnswer { request, actual, cause, .. } = error;
        match cause {
            Some(ReadError::Timeout) => PlayerError::Stalled(request),
            Some(ReadError::Closed) => PlayerError::Crashed(format!("closed its output at {request}")),
            Some(ReadError::Flood) | None => PlayerError::BadOutput(format!("{actual} at {request}")),
        }
    }
}

/// The settings of every game of a match.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// Tolerated excess over the allowed time.
    pub time_margin: Duration,
    /// How long to wait for a silent player beyond its time.
    pub stall_timeout: Duration,
    /// What ends games early.
    pub adjudication: Adjudication,
}

/// A player's answer to the request for a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveReply {
    /// The move in the notation of the player's protocol.
    pub mv: String,
    /// Wall time from the request to the answer, measured by the referee.
    pub elapsed: Duration,
    /// Score in hundredths for the side that moves, if the player reports one.
    pub score: Option<i32>,
    /// Depth in plies, if reported.
    pub depth: Option<u32>,
    /// Positions searched, if reported.
    pub nodes: Option<u64>,
    /// Whether the player reported a move from its opening book.
    pub from_book: bool,
}

/// Both clocks and the limits of the player to move.
#[derive(Clone, Copy, Debug)]
pub struct MoveTimes {
    /// The clocks of the first and the second player, if they run.
    pub clocks: [Option<SideClock>; 2],
    /// The limits of the player to move.
    pub limits: PlayerLimits,
    /// How long to wait for an answer beyond the allowed time.
    pub stall_timeout: Duration,
}

impl MoveTimes {
    /// Time that the side may use for this move; `None` if only depth or nodes are limited.
    pub fn allowed(&self, side: Side) -> Option<Duration> {
        self.clocks[side.index()].map_or(self.limits.move_time, |clock| clock.allowed())
    }

    /// When an answer to a request made now counts as stalled.
    pub fn deadline(&self, side: Side) -> Instant {
        Instant::now() + self.allowed(side).unwrap_or_default() + self.stall_timeout
    }
}

/// Why a game ended. The names are those of the JSON output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// By the rules of the game.
    Rules,
    /// Adjudicated by the exact solver or by the players' scores.
    Adjudicated,
    /// An illegal move.
    Illegal,
    /// A move after the time and the margin: lost on time.
    Late,
    /// The process ended or closed its output.
    Crashed,
    /// No answer within the stall timeout.
    #[serde(alias = "hung")]
    Stalled,
    /// Output that the protocol does not allow.
    #[serde(alias = "babbled")]
    BadOutput,
    /// A correct request was refused.
    Refused,
    /// A player resigned.
    Resigned,
}

impl EndReason {
    /// Whether the loser's program is at fault, rather than its play.
    pub fn is_fault(self) -> bool {
        !matches!(self, EndReason::Rules | EndReason::Adjudicated | EndReason::Resigned)
    }

    /// The reason and the detail recorded for a game that a player's error ended.
    pub fn of(error: &PlayerError) -> (EndReason, &str) {
        match error {
            PlayerError::Crashed(text) => (EndReason::Crashed, text),
            PlayerError::Stalled(text) => (EndReason::Stalled, text),
            PlayerError::BadOutput(text) => (EndReason::BadOutput, text),
            PlayerError::Refused(text) | PlayerError::Unusable(text) => (EndReason::Refused, text),
            PlayerError::Resigned => (EndReason::Resigned, ""),
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Rules => "rules",
            EndReason::Adjudicated => "adjudicated",
            EndReason::Illegal => "illegal move",
            EndReason::Late => "lost on time",
            EndReason::Crashed => "crashed",
            EndReason::Stalled => "stalled",
            EndReason::BadOutput => "bad output",
            EndReason::Refused => "refused a request",
            EndReason::Resigned => "resigned",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_earlier_names_of_reasons_are_read() {
        let read = |text: &str| serde_json::from_str::<EndReason>(text).expect("a reason");
        assert_eq!([read("\"hung\""), read("\"babbled\"")], [EndReason::Stalled, EndReason::BadOutput]);
        assert_eq!(serde_json::to_string(&EndReason::BadOutput).expect("JSON"), "\"bad_output\"");
    }
}
