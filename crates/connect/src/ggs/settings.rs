//! Who plays what on GGS.

use super::request::MatchType;
use crate::rules::GameRules;

/// Who plays what.
#[derive(Clone, Debug)]
pub struct GgsSettings {
    /// The name on the server.
    pub name: String,
    /// Its password.
    pub password: String,
    /// Which requests are accepted.
    pub rules: GameRules,
    /// What is offered while no match is played.
    pub offer: Option<Offer>,
    /// Log off after this many matches.
    pub matches: Option<usize>,
}

/// A request of our own.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The kind of the match.
    pub kind: MatchType,
    /// The clock in the server's words: `5:00`.
    pub clock: String,
    /// To whom; to anybody if `None`.
    pub opponent: Option<String>,
}
