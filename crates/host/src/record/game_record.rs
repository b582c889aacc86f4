//! A game as plain data, whatever the format of its record; independent of the rules.

use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Side, UNIT};
use flipside_support::text::one_line;
use std::time::Duration;

/// A game, or a position if it has no moves. Fields that the format cannot express are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The game's own name (`reversi`), if the record names it.
    pub game: Option<&'static str>,
    /// The start position; `None` is the game's usual start.
    pub start: Option<StartPosition>,
    /// The notation of the moves.
    pub style: Style,
    /// The moves in their order; forced passes may be left out.
    pub moves: Vec<RecordMove>,
    /// Names of the players, the first mover's first.
    pub players: [Option<String>; 2],
    /// `2024-05-31`, `2024-05` or `2024`.
    pub date: Option<String>,
    /// Where it was played: a place or a server.
    pub site: Option<String>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The round of the event.
    pub round: Option<String>,
    /// The name of the opening.
    pub opening: Option<String>,
    /// How it ended.
    pub result: Option<GameResult>,
    /// A comment on the whole game or on the position.
    pub comment: Option<String>,
    /// Values of moves from the start position in hundredths for its side to move, if the record lists them.
    pub values: Vec<(String, Score)>,
    /// What contradicts itself in the record or had to be guessed, for the reader's user: sentences without a full stop.
    pub remarks: Vec<String>,
}

/// The largest difference of discs or points that records hold: it can be negated, summed and counted in hundredths.
pub const LARGEST_DIFFERENCE: u32 = 1_000_000;

/// The largest value of a position that records hold, in hundredths: every larger one counts as unknown.
const LARGEST_VALUE: Score = LARGEST_DIFFERENCE as Score * UNIT;

/// A value of a record; none if it is larger than records hold.
pub fn value_in_range(value: Score) -> Option<Score> {
    (value.unsigned_abs() <= LARGEST_VALUE.unsigned_abs()).then_some(value)
}

/// A difference of a record; none if it is larger than [`LARGEST_DIFFERENCE`].
pub fn difference_in_range(difference: i32) -> Option<i32> {
    (difference.unsigned_abs() <= LARGEST_DIFFERENCE).then_some(difference)
}

/// Units (discs, pawns) as hundredths; none if they are more than [`LARGEST_DIFFERENCE`].
pub(super) fn hundredths(units: f64) -> Option<Score> {
    (units.abs() <= f64::from(LARGEST_DIFFERENCE)).then(|| (units * f64::from(UNIT)).round() as Score)
}

/// A start position and the notation it is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPosition {
    /// One line.
    pub text: String,
    /// Its notation.
    pub style: Style,
}

/// A move of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordMove {
    /// The player, if the record names it.
    pub side: Option<Side>,
    /// The move in the record's notation, or a word for a pass.
    pub text: String,
    /// The player's evaluation, in hundredths for the player.
    pub score: Option<Score>,
    /// Time taken, to the millisecond.
    pub time: Option<Duration>,
    /// The player's time left after it, to the millisecond.
    pub clock: Option<Duration>,
    /// Its marks as PGN's numeric annotation glyphs: 1 to 6 are `!`, `?`, `!!`, `??`, `!?`, `?!`.
    pub nags: Vec<u8>,
    /// A comment on it.
    pub comment: Option<String>,
    /// Lines that begin with another move in its place.
    pub variations: Vec<Vec<RecordMove>>,
}

/// Variations inside variations are nested at most this deep.
pub const MAX_VARIATION_DEPTH: usize = 32;

impl RecordMove {
    /// A move without further data.
    pub fn new(side: Option<Side>, text: impl Into<String>) -> RecordMove {
        RecordMove { side, text: text.into(), ..RecordMove::default() }
    }

    /// Adds to the comment.
    pub(super) fn add_comment(&mut self, text: &str) {
        let Some(text) = field(text) else { return };
        let before = self.comment.take().map(|before| before + " ").unwrap_or_default();
        self.comment = Some(before + &text);
    }
}

/// How many moves the variations of a line have.
pub fn variation_moves(line: &[RecordMove]) -> usize {
    line.iter().flat_map(|mv| &mv.variations).map(|variation| variation.len() + variation_moves(variation)).sum()
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// Discs or points of the first mover less those of the second, where it is known.
    pub difference: Option<i32>,
    /// Why it ended before its end by the rules.
    pub cause: Option<Cause>,
}

/// Why a game ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The loser resigned.
    Resigned,
    /// The loser's time ran out.
    Time,
    /// The loser left or broke the rules, or both agreed.
    Left,
}

impl GameResult {
    /// A game that was won by this many discs (negative: by the second player), or drawn with 0.
    pub fn by_difference(difference: i32) -> GameResult {
        let winner = match difference.signum() {
            0 => None,
            1 => Some(Side::First),
            _ => Some(Side::Second),
        };
        GameResult { winner, difference: Some(difference), cause: None }
    }

    /// The result that a record states. A difference that contradicts the winner, or exceeds [`LARGEST_DIFFERENCE`],
    /// counts as unknown.
    pub fn stated(winner: Option<Side>, difference: Option<i32>, cause: Option<Cause>) -> GameResult {
        let is_of_winner = |difference: &i32| GameResult::by_difference(*difference).winner == winner;
        GameResult { winner, difference: difference.and_then(difference_in_range).filter(is_of_winner), cause }
    }

    /// `1-0`, `0-1` or `1/2-1/2`: first the points of the side `first`.
    pub fn text(winner: Option<Side>, first: Side) -> &'static str {
        match winner {
            None => "1/2-1/2",
            Some(winner) if winner == first => "1-0",
            Some(_) => "0-1",
        }
    }

    /// The winner that such a text names; `None` for any other text.
    pub fn winner_of(text: &str, first: Side) -> Option<Option<Side>> {
        [None, Some(first), Some(first.other())].into_iter().find(|&winner| GameResult::text(winner, first) == text)
    }

    /// The discs that the end of the game shows: unknown for a game that ended early, whatever its record states.
    pub fn discs(&self) -> Option<i32> {
        match (self.winner, self.cause) {
            (None, None) => Some(0),
            _ => self.difference.filter(|_| self.cause.is_none()),
        }
    }
}

/// A format cannot hold a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{format} cannot hold it: {reason}")]
pub struct CannotHold {
    /// The format's name.
    pub format: &'static str,
    /// What it cannot hold.
    pub reason: String,
}

impl CannotHold {
    /// In this format for this reason.
    pub fn new(format: &'static str, reason: impl Into<String>) -> CannotHold {
        CannotHold { format, reason: reason.into() }
    }

    /// Refuses a game other than Reversi.
    pub(super) fn unless_reversi(format: &'static str, record: &GameRecord) -> Result<(), CannotHold> {
        match record.game {
            None | Some("reversi") => Ok(()),
            Some(other) => Err(CannotHold::new(format, format!("it is a game of {other}, not of reversi"))),
        }
    }
}

/// A date of digits with separators (`2024.05.31`, `2024-05`, `2003.12.15_13:24:03.MST`) as `2024-05-31`; unknown parts are
/// left out. `None` without a year of four digits.
pub fn date(text: &str) -> Option<String> {
    let mut parts = text.trim().split(|c: char| !c.is_ascii_digit());
    let year = parts.next().filter(|year| year.len() == 4)?;
    let mut date = year.to_string();
    for (part, largest) in parts.by_ref().take(2).zip([12, 31]) {
        match part.parse::<u32>() {
            Ok(number) if part.len() <= 2 && (1..=largest).contains(&number) => date.push_str(&format!("-{number:02}")),
            _ => break,
        }
    }
    Some(date)
}

/// A text of one line without blanks around it; `None` if nothing or only a question mark is left.
pub fn field(text: &str) -> Option<String> {
    Some(one_line(text, usize::MAX).trim().to_string()).filter(|text| !text.is_empty() && text != "?" && text != "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_formats() {
        for (text, expected) in [
            ("2024.05.31", Some("2024-05-31")),
            ("2024-5-1", Some("2024-05-01")),
            ("2024.??.??", Some("2024")),
            ("2024.05.??", Some("2024-05")),
            ("2003.12.15_13:24:03.MST", Some("2003-12-15")),
            (" 1998 ", Some("1998")),
            ("2024.13.01", Some("2024")),
            ("????.??.??", None),
            ("5 May", None),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_difference_names_the_winner() {
        assert_eq!(GameResult::by_difference(-12).winner, Some(Side::Second));
        assert_eq!(GameResult::by_difference(0), GameResult { winner: None, difference: Some(0), cause: None });
        let resigned = GameResult { winner: Some(Side::Second), difference: None, cause: Some(Cause::Resigned) };
        assert_eq!(resigned.discs(), None, "nobody knows how the game would have ended");
        assert_eq!(GameResult { difference: Some(-10), ..resigned }.discs(), None, "nor if it says by how much");
        assert_eq!(GameResult::by_difference(-12).discs(), Some(-12));
        let drawn = GameResult { winner: None, difference: None, cause: None };
        assert_eq!(drawn.discs(), Some(0));
        let of_black = |difference| GameResult::stated(Some(Side::First), Some(difference), None).difference;
        assert_eq!([12, -12, 0, 1_000_000, 1_000_001].map(of_black), [Some(12), None, None, Some(1_000_000), None]);
    }
}
