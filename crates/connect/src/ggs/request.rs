//! Requests for matches: `8b`, `s8r18`, and the line that announces one.

use crate::rules::Proposal;
use flipside_core::search::types::Side;
use flipside_host::record::ggf::GgfClock;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The kind of a match: a size and letters after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchType {
    /// Two games at once from the same start, with the colours swapped.
    pub synchro: bool,
    /// The board's size; 88 is the octagon.
    pub size: u32,
    /// The challenger's side.
    pub challenger: Option<Side>,
    /// With komi.
    pub komi: bool,
    /// Fewer discs win.
    pub anti: bool,
    /// A random start with this many discs.
    pub random: Option<u32>,
}

impl FromStr for MatchType {
    type Err = String;

    /// Reads `[s]SIZE[b|w][k][a][rN]`.
    fn from_str(text: &str) -> Result<MatchType, String> {
        let wrong = || format!("'{text}' is not a match type: expected one such as 8, 8b, s8r18");
        let (synchro, rest) = text.strip_prefix('s').map_or((false, text), |rest| (true, rest));
        let (size, mut rest) = number(rest).ok_or_else(wrong)?;
        let mut kind = MatchType { synchro, size, challenger: None, komi: false, anti: false, random: None };
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            match letter {
                'b' => kind.challenger = Some(Side::First),
                'w' => kind.challenger = Some(Side::Second),
                'k' => kind.komi = true,
                'a' => kind.anti = true,
                'r' => {
                    let (discs, after) = number(rest).ok_or_else(wrong)?;
                    (kind.random, rest) = (Some(discs), after);
                }
                _ => return Err(wrong()),
            }
        }
        Ok(kind)
    }
}

/// A number of at most four digits at the start of a text, and what follows.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits.len() <= 4).then(|| digits.parse().ok().map(|number| (number, rest)))?
}

impl Display for MatchType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.synchro { "s" } else { "" }, self.size)?;
        match self.challenger {
            Some(Side::First) => f.write_str("b")?,
            Some(Side::Second) => f.write_str("w")?,
            None => {}
        }
        f.write_str(if self.komi { "k" } else { "" })?;
        f.write_str(if self.anti { "a" } else { "" })?;
        self.random.map_or(Ok(()), |discs| write!(f, "r{discs}"))
    }
}

impl MatchType {
    /// Why the engine cannot play it, if so.
    pub fn refusal(&self) -> Option<&'static str> {
        [
            (self.size != 8, "its board is not 8x8"),
            (self.komi, "it is a komi game"),
            (self.anti, "it is an anti game"),
            (self.random.is_some_and(|discs| !(4..=48).contains(&discs)), "its random start is impossible"),
        ]
        .into_iter()
        .find_map(|(is_so, reason)| is_so.then_some(reason))
    }
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// `.8`
    pub id: String,
    /// Who asks.
    pub challenger: String,
    /// The challenger's rating.
    pub rating: Option<f64>,
    /// Who is asked; `None` is anybody.
    pub opponent: Option<String>,
    /// The kind of the match.
    pub kind: MatchType,
    /// Whether it is rated; `None` for a stored match.
    pub rated: Option<bool>,
    /// The opponent's clock.
    pub clock: GgfClock,
    /// Whether it continues a stored match.
    pub stored: bool,
}

impl Request {
    /// Reads the words of `.8 1720.0 alice 01:00//02:00 8b U 1720.0 bob`; the opponent's clock may follow if it differs,
    /// and the id of a stored match. `None` if it is not a request.
    pub fn read(words: &[String]) -> Option<Request> {
        let [id, rating, challenger, clock, kind, mark, rest @ ..] = words else { return None };
        let mut clock = GgfClock::read(clock)?;
        let mut stored = mark == "S";
        let mut opponent = None;
        for word in rest {
            match GgfClock::read(word) {
                _ if word.starts_with('.') => stored = true,
                // A rating is a number, too; it stands before the name.
                Some(own) if word.contains([':', '/']) => clock = own,
                Some(_) => {}
                None if word == "*" => {}
                None => opponent = opponent.or_else(|| Some(word.clone())),
            }
        }
        let rating = rating.parse::<f64>().ok().filter(|rating| rating.is_finite());
        let rated = match mark.as_str() {
            "R" => Some(true),
            "U" => Some(false),
            _ => None,
        };
        let kind = kind.parse().ok()?;
        Some(Request { id: id.clone(), challenger: challenger.clone(), rating, opponent, kind, rated, clock, stored })
    }

    /// The request as the rules judge it.
    pub fn proposal(&self) -> Proposal {
        Proposal {
            opponent: self.challenger.clone(),
            rating: self.rating,
            rated: self.rated,
            time: self.clock.main.unwrap_or_default(),
            increment: self.clock.increment.unwrap_or_default(),
            extra_time: self.clock.extension.unwrap_or_default(),
            side: self.kind.challenger.map(Side::other),
            is_random: self.kind.random.is_some(),
            is_pair: self.kind.synchro,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn match_types_are_read_and_written() {
        for text in ["8", "8b", "8w", "s8r18", "8kr20", "88", "10a", "s8"] {
            assert_eq!(text.parse::<MatchType>().map(|kind| kind.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "s", "r18", "8x", "8r", "99999", "8r99999999999", "8é"] {
            assert!(text.parse::<MatchType>().is_err(), "{text}");
        }
        let refusal = |text: &str| text.parse::<MatchType>().expect(text).refusal();
        assert_eq!(["8", "s8r18", "8w"].map(refusal), [None; 3]);
        assert!(["8k", "8a", "10", "88", "8r2", "8r60"].iter().all(|text| refusal(text).is_some()));
    }

    fn read(text: &str) -> Option<Request> {
        Request::read(&text.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn requests_name_challenger_opponent_and_clock() {
        let request = read(".8 1720.0 alice    01:00//02:00       8b U 1650.5 bob").expect("a request");
        assert_eq!((request.id.as_str(), request.challenger.as_str()), (".8", "alice"));
        assert_eq!(
            (request.opponent.as_deref(), request.rating, request.rated),
            (Some("bob"), Some(1720.0), Some(false))
        );
        let proposal = request.proposal();
        assert_eq!((proposal.time, proposal.extra_time), (Duration::from_secs(60), Duration::from_secs(120)));
        assert_eq!(proposal.side, Some(Side::Second), "the challenger takes Black");
        assert_eq!(read(".8 1720 alice 01:00 8 R").and_then(|request| request.opponent), None);
        assert_eq!(read(".8 1720 alice 01:00 8 R 1720 *").and_then(|request| request.opponent), None);
        let uneven = read(".8 1720 alice 05:00 s8r18 R 1700 bob 02:00").expect("a request");
        assert_eq!(uneven.proposal().time, Duration::from_secs(120), "ours");
        assert!(uneven.proposal().is_pair && uneven.proposal().is_random);
        let stored = read(".8 1720 alice 05:00 8 S 1700 bob .1234").expect("a request");
        assert!(stored.stored && stored.rated.is_none());
    }

    #[test]
    fn what_is_no_request_is_none() {
        for text in ["", ".8", ".8 1720 alice", ".8 1720 alice x 8 U", ".8 1720 alice 1:00 queens U"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
