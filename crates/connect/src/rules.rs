//! Which games the engine plays: the user's rules, for games that others offer and for our own.

use flipside_core::search::types::Side;
use std::time::Duration;

/// The rules. A list that is empty and a bound that is `None` allow everything.
#[derive(Clone, Debug, Default)]
pub struct GameRules {
    /// Only these opponents, in any spelling of upper and lower case.
    pub opponents: Vec<String>,
    /// Never these.
    pub never: Vec<String>,
    /// Only rated games, or only unrated ones.
    pub rated: Option<bool>,
    /// The least rating of an opponent.
    pub least_rating: Option<f64>,
    /// The largest.
    pub most_rating: Option<f64>,
    /// The least time for a whole game.
    pub least_time: Option<Duration>,
    /// The most.
    pub most_time: Option<Duration>,
    /// Only as this side.
    pub side: Option<Side>,
    /// Only these starts.
    pub start: StartRule,
    /// Whether clocks with increments suit.
    pub increments: bool,
    /// Whether clocks with extra time suit.
    pub extra_time: bool,
}

/// The starts of games that suit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartRule {
    /// Any.
    #[default]
    Any,
    /// Only the game's usual start.
    Usual,
    /// Only random starts.
    Random,
    /// Only pairs of games from the same start with the colours swapped.
    Pairs,
}

/// A game that somebody offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Who offers it.
    pub opponent: String,
    /// The opponent's rating, if the server says it.
    pub rating: Option<f64>,
    /// Whether it is rated, if the server has both kinds.
    pub rated: Option<bool>,
    /// Our time for the game.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Granted once when the time is over.
    pub extra_time: Duration,
    /// Our side, if it is settled.
    pub side: Option<Side>,
    /// Whether it begins from a random position.
    pub is_random: bool,
    /// Whether it is a pair of games with the colours swapped.
    pub is_pair: bool,
}

impl GameRules {
    /// Whether a proposal suits.
    ///
    /// # Errors
    /// Says in what it does not.
    pub fn judge(&self, proposal: &Proposal) -> Result<(), &'static str> {
        let is_in = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case(&proposal.opponent));
        let checks = [
            (is_in(&self.never), "the opponent is on the list of those to refuse"),
            (!self.opponents.is_empty() && !is_in(&self.opponents), "the opponent is not on the list"),
            (differs(proposal.rated, self.rated), "its rating mode"),
            (below(proposal.rating, self.least_rating), "the opponent's rating is too low"),
            (below(self.most_rating, proposal.rating), "the opponent's rating is too high"),
            (self.least_time.is_some_and(|least| proposal.time < least), "it has too little time"),
            (self.most_time.is_some_and(|most| proposal.time > most), "it has too much time"),
            (differs(proposal.side, self.side), "the colour"),
            (!self.increments && !proposal.increment.is_zero(), "its clock has an increment"),
            (!self.extra_time && !proposal.extra_time.is_zero(), "its clock has extra time"),
            (!self.start.allows(proposal), "its start"),
        ];
        checks.into_iter().find(|(is_against, _)| *is_against).map_or(Ok(()), |(_, reason)| Err(reason))
    }
}

fn below(a: Option<f64>, b: Option<f64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a < b)
}

fn differs<T: PartialEq>(offered: Option<T>, wanted: Option<T>) -> bool {
    offered.zip(wanted).is_some_and(|(offered, wanted)| offered != wanted)
}

impl StartRule {
    fn allows(self, proposal: &Proposal) -> bool {
        match self {
            StartRule::Any => true,
            StartRule::Usual => !proposal.is_random,
            StartRule::Random => proposal.is_random,
            StartRule::Pairs => proposal.is_pair,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal() -> Proposal {
        Proposal {
            opponent: "Alice".into(),
            rating: Some(1720.0),
            rated: Some(true),
            time: Duration::from_secs(300),
            increment: Duration::ZERO,
            extra_time: Duration::ZERO,
            side: None,
            is_random: false,
            is_pair: false,
        }
    }

    #[test]
    fn each_rule_refuses_what_it_names() {
        let rules = GameRules::default;
        let minutes = |minutes: u64| Some(Duration::from_secs(60 * minutes));
        let names = |name: &str| vec![name.to_string()];
        let usual = proposal();
        let white = Proposal { side: Some(Side::Second), ..proposal() };
        let with_increment = Proposal { increment: Duration::from_secs(5), ..proposal() };
        let with_extra = Proposal { extra_time: Duration::from_secs(120), ..proposal() };
        for (rules, proposal, reason) in [
            (rules(), &usual, None),
            (GameRules { opponents: names("alice"), ..rules() }, &usual, None),
            (GameRules { opponents: names("bob"), ..rules() }, &usual, Some("not on the list")),
            (GameRules { never: names("ALICE"), ..rules() }, &usual, Some("to refuse")),
            (GameRules { rated: Some(true), ..rules() }, &usual, None),
            (GameRules { rated: Some(false), ..rules() }, &usual, Some("rating mode")),
            (GameRules { least_rating: Some(1800.0), ..rules() }, &usual, Some("too low")),
            (GameRules { most_rating: Some(1700.0), ..rules() }, &usual, Some("too high")),
            (GameRules { least_time: minutes(6), ..rules() }, &usual, Some("too little")),
            (GameRules { most_time: minutes(4), ..rules() }, &usual, Some("too much")),
            (GameRules { least_time: minutes(5), most_time: minutes(5), ..rules() }, &usual, None),
            (GameRules { side: Some(Side::First), ..rules() }, &white, Some("colour")),
            (GameRules { side: Some(Side::Second), ..rules() }, &white, None),
            (rules(), &with_increment, Some("increment")),
            (rules(), &with_extra, Some("extra time")),
            (GameRules { increments: true, ..rules() }, &with_increment, None),
            (GameRules { extra_time: true, ..rules() }, &with_extra, None),
            (GameRules { start: StartRule::Random, ..rules() }, &usual, Some("start")),
            (GameRules { start: StartRule::Usual, ..rules() }, &usual, None),
        ] {
            let judged = rules.judge(proposal);
            match reason {
                None => assert_eq!(judged, Ok(()), "{rules:?}"),
                Some(reason) => assert!(judged.as_ref().is_err_and(|said| said.contains(reason)), "{judged:?}"),
            }
        }
    }
}
