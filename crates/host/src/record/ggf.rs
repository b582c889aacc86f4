//! Generic Game Format, the game records of Othello servers and of NBoard.
//!
//! A game is `(;`, tags as `NAME[text]`, and `;)`. Within a text a backslash takes the next
//! character as it is. `BO` holds the start board, `B` and `W` a move each, `TI` the clocks.

use super::game_record::{CannotHold, Cause, GameRecord, GameResult, RecordMove, field, hundredths};
use super::times;
use super::transcript::is_moves_of_reversi;
use super::tree::{self, begins_property, escaped};
use flipside_core::search::types::{Score, Side, UNIT};
use flipside_support::text::one_line;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{escaped_transform, is_not, tag},
    character::complete::{anychar, char, digit1, multispace0, one_of, satisfy},
    combinator::{all_consuming, consumed, map, opt, recognize, rest, verify},
    multi::{many0, many1},
    sequence::{delimited, pair, preceded, terminated},
};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// The margin of a game that ended early, in discs, as Othello servers write it.
const WIPE_OUT: i32 = 64;

/// A text that is not a GGF game; holds what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GgfError(String);

/// A game: its tags and its moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GgfGame {
    /// Everything but board and moves, in the order of the text; texts without their escapes.
    pub tags: Vec<(String, String)>,
    /// The start board as `BO` has it: size, squares from a1 to h8, side to move.
    pub board: Option<String>,
    /// The moves in their order.
    pub moves: Vec<GgfMove>,
}

/// A move with its player's evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct GgfMove {
    /// Who played it: Black is first.
    pub side: Side,
    /// The square, or a word for a pass.
    pub text: String,
    /// The value in hundredths of a disc for the player of the move.
    pub value: Option<Score>,
    /// Time taken.
    pub time: Option<Duration>,
}

/// A clock at the start of a game: `main/increment/extension`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GgfClock {
    /// For the whole game.
    pub main: Option<Duration>,
    /// Added after each move.
    pub increment: Option<Duration>,
    /// Granted once when the main time is over.
    pub extension: Option<Duration>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GgfResult {
    /// Black's discs less White's, in hundredths.
    pub margin: i32,
    /// Why it ended before the board was full.
    pub cause: Option<Cause>,
}

impl GgfGame {
    /// The first game of a text; text after its end is ignored, and so is a number before it (of games played side by
    /// side).
    ///
    /// # Errors
    /// Says what was expected and where, or that the game has other rules than Othello.
    pub fn read(text: &str) -> Result<GgfGame, GgfError> {
        let (tail, ()) = opening(text).map_err(|_| GgfError("expected '(;' at the start of a GGF game".into()))?;
        let (tail, tags) = many0(preceded(multispace0, property))
            .parse(tail)
            .map_err(|_: nom::Err<nom::error::Error<&str>>| GgfError("expected tags as NAME[text]".into()))?;
        if closing(tail).is_err() {
            return Err(GgfError(format!("expected NAME[text] or ;) at '{}'", shortened(tail))));
        }
        let mut game = GgfGame::default();
        for (name, text) in tags {
            match name.as_str() {
                "BO" => game.board = Some(text),
                "B" => game.moves.push(GgfMove::read(Side::First, &text)?),
                "W" => game.moves.push(GgfMove::read(Side::Second, &text)?),
                // A damaged name must not make a move vanish.
                _ if !game.moves.is_empty() && is_move(&text) => {
                    return Err(GgfError(format!("expected B or W before a move, saw '{name}'")));
                }
                _ => game.tags.push((name, text)),
            }
        }
        tree::other_rules(&game.tags).map_or(Ok(game), |reason| Err(GgfError(reason)))
    }

    /// The text of the first tag of that name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tree::tag(&self.tags, name)
    }

    /// A side's clock: its own (`TB`, `TW`) or that of both (`TI`).
    pub fn clock(&self, side: Side) -> Option<GgfClock> {
        let own = if side == Side::First { "TB" } else { "TW" };
        self.tag(own).and_then(GgfClock::read).or_else(|| self.tag("TI").and_then(GgfClock::read))
    }

    /// The time left on a side's clock after the moves so far, increments included.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let clock = self.clock(side)?;
        let increment = clock.increment.unwrap_or_default();
        let own = self.moves.iter().filter(|mv| mv.side == side);
        Some(own.fold(clock.main?, |left, mv| left.saturating_sub(mv.time.unwrap_or_default()) + increment))
    }

    /// The result for Black, if known.
    pub fn result(&self) -> Option<GgfResult> {
        self.tag("RE").and_then(GgfResult::read)
    }
}

/// The usual start.
const START: &str = "8 ---------------------------O*------*O--------------------------- *";

impl GgfGame {
    /// The record of the game. The tags `EV`, `RO` and `ON` are those of SGF.
    pub fn record(&self) -> GameRecord {
        let mv = |mv: &GgfMove| RecordMove {
            side: Some(mv.side),
            text: mv.text.clone(),
            score: mv.value,
            time: mv.time,
            ..RecordMove::default()
        };
        GameRecord {
            moves: self.moves.iter().map(mv).collect(),
            result: self.result().map(GgfResult::game_result),
            comment: self.tag("CO").and_then(field),
            ..tree::record(&self.tags, self.board.as_ref())
        }
    }

    /// The game of a record whose moves name their sides and whose start and moves are in GGF's notation.
    ///
    /// # Errors
    /// The record is of another game than Reversi.
    pub fn of_record(record: &GameRecord) -> Result<GgfGame, CannotHold> {
        CannotHold::unless_reversi("ggf", record)?;
        let [black, white] = &record.players;
        let result = record.result.and_then(GgfResult::of);
        let tags = [
            ("GM", Some("Othello".to_string())),
            ("PC", record.site.clone()),
            ("DT", record.date.clone()),
            ("EV", record.event.clone()),
            ("RO", record.round.clone()),
            ("PB", Some(black.clone().unwrap_or_default())),
            ("PW", Some(white.clone().unwrap_or_default())),
            ("RE", Some(result.map_or("?".to_string(), |result| result.to_string()))),
            ("TY", Some("8".to_string())),
            ("ON", record.opening.clone()),
            ("CO", record.comment.clone()),
        ];
        let tags = tags.into_iter().filter_map(|(name, text)| Some((name.to_string(), text?))).collect();
        let mv = |(index, mv): (usize, &RecordMove)| GgfMove {
            side: tree::mover(index, mv),
            text: mv.text.clone(),
            value: mv.score,
            time: mv.time,
        };
        let board = record.start.as_ref().map_or(START, |start| &start.text);
        let moves = record.moves.iter().enumerate().map(mv).collect();
        Ok(GgfGame { tags, board: Some(board.to_string()), moves })
    }
}

impl GgfMove {
    /// `move/value/time`; parts that are not numbers count as unknown.
    fn read(side: Side, text: &str) -> Result<GgfMove, GgfError> {
        let parts = move_parts(text).filter(|_| !text.contains('['));
        Ok(GgfMove { side, ..parts.ok_or_else(|| GgfError(format!("expected a move, saw '{text}'")))? })
    }
}

/// A move as `F5`, `F5/1.25`, `F5//0.5` or `F5/1.25/0.5`, with the first side as a stand-in player.
pub fn move_parts(text: &str) -> Option<GgfMove> {
    let mut parts = text.split('/').map(str::trim);
    let square = parts.next().filter(|square| !square.is_empty())?;
    let value = parts.next().and_then(decimal).and_then(hundredths);
    let time = parts.next().and_then(decimal).and_then(times::from_seconds);
    Some(GgfMove { side: Side::First, text: square.to_string(), value, time })
}

impl GgfClock {
    /// `5:00`, `1:00:00/10/2:00`, `//2:00`: each part is seconds, minutes or hours first.
    pub fn read(text: &str) -> Option<GgfClock> {
        let mut parts = text.split('/').map(str::trim);
        // GGS writes `5:00,0:0`, with the number of moves after the comma.
        let mut next = || match parts.next().map(|part| part.split(',').next().unwrap_or_default().trim()) {
            None | Some("") => Some(None),
            Some(part) => times::clock_face(part, not_negative).map(Some),
        };
        Some(GgfClock { main: next()?, increment: next()?, extension: next()? })
    }
}

impl GgfResult {
    /// `+12`, `-4.00:t`, `0`; `?` is no result.
    pub fn read(text: &str) -> Option<GgfResult> {
        let (margin, cause) = text.split_once(':').unwrap_or((text, ""));
        let cause = match cause.trim().chars().next() {
            Some('r') => Some(Cause::Resigned),
            Some('t') => Some(Cause::Time),
            Some('l' | 'm' | 's') => Some(Cause::Left),
            _ => None,
        };
        Some(GgfResult { margin: hundredths(decimal(margin)?)?, cause })
    }

    /// The result in GGF's terms. Servers write 64 for a game that ended early; that margin only names the winner.
    /// `None` if there is a winner but neither a margin nor a cause.
    pub fn of(result: GameResult) -> Option<GgfResult> {
        let discs = match (result.winner, result.difference, result.cause) {
            (None, ..) => 0,
            (Some(_), Some(difference), _) => difference,
            (Some(Side::First), None, Some(_)) => WIPE_OUT,
            (Some(Side::Second), None, Some(_)) => -WIPE_OUT,
            (Some(_), None, None) => return None,
        };
        Some(GgfResult { margin: discs * UNIT, cause: result.cause })
    }

    /// The result of the game. A margin that is not a whole number of discs only names the winner.
    fn game_result(self) -> GameResult {
        let GgfResult { margin, cause } = self;
        let winner = GameResult::by_difference(margin).winner;
        let is_known = margin % UNIT == 0 && (cause.is_none() || margin.abs() != WIPE_OUT * UNIT);
        GameResult::stated(winner, is_known.then_some(margin / UNIT), cause)
    }
}

impl Display for GgfGame {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(;")?;
        for (name, text) in &self.tags {
            write!(f, "{name}[{}]", escaped(text))?;
        }
        if let Some(board) = &self.board {
            write!(f, "BO[{}]", escaped(board))?;
        }
        for mv in &self.moves {
            let name = if mv.side == Side::First { 'B' } else { 'W' };
            write!(f, "{name}[{}]", escaped(&mv.to_string()))?;
        }
        f.write_str(";)")
    }
}

impl Display for GgfMove {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match (self.value, self.time) {
            (None, None) => Ok(()),
            (Some(value), None) => write!(f, "/{}", discs(value)),
            (None, Some(time)) => write!(f, "//{}", times::seconds(time)),
            (Some(value), Some(time)) => write!(f, "/{}/{}", discs(value), times::seconds(time)),
        }
    }
}

impl Display for GgfClock {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let face = |part: Option<Duration>| part.map_or(String::new(), face);
        let text = [face(self.main), face(self.increment), face(self.extension)].join("/");
        f.write_str(text.trim_end_matches('/'))
    }
}

impl Display for GgfResult {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.margin > 0 { "+" } else { "" };
        let cause = match self.cause {
            None => "",
            Some(Cause::Resigned) => ":r",
            Some(Cause::Time) => ":t",
            Some(Cause::Left) => ":l",
        };
        write!(f, "{sign}{}{cause}", discs(self.margin))
    }
}

/// Hundredths as a decimal number of discs.
pub fn discs(value: Score) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    format!("{sign}{}.{:02}", size / UNIT.unsigned_abs(), size % UNIT.unsigned_abs())
}

/// `m:ss` or `h:mm:ss`, with a fraction only where there is one.
fn face(time: Duration) -> String {
    let (seconds, fraction) = (time.as_secs(), times::fraction(time));
    match seconds / 3600 {
        0 => format!("{}:{:02}{fraction}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}{fraction}", seconds / 60 % 60, seconds % 60),
    }
}

/// The first 30 characters of a line, for messages.
fn shortened(text: &str) -> String {
    one_line(text.trim(), 30)
}

fn opening(input: &str) -> IResult<&str, ()> {
    let count = opt(terminated(digit1, multispace0));
    map((multispace0, count, char('('), multispace0, char(';')), |_| ()).parse(input)
}

fn closing(input: &str) -> IResult<&str, &str> {
    preceded((multispace0, opt(char(';')), multispace0, tag(")")), rest).parse(input)
}

fn property(input: &str) -> IResult<&str, (String, String)> {
    let name = recognize(many1(satisfy(|c| c.is_ascii_alphanumeric())));
    pair(map(terminated(name, multispace0), str::to_string), value).parse(input)
}

/// A text in brackets, in which no other tag seems to begin.
fn value(input: &str) -> IResult<&str, String> {
    let text = opt(escaped_transform(is_not("\\]"), '\\', anychar));
    let is_closed = |(raw, _): &(&str, Option<String>)| {
        !raw.match_indices('[').any(|(at, _)| begins_property(raw.get(..at).unwrap_or_default()))
    };
    let text = map(verify(consumed(text), is_closed), |(_, text)| text.unwrap_or_default());
    delimited(char('['), text, char(']')).parse(input)
}

/// Whether a tag's text is a move with its value and time.
fn is_move(text: &str) -> bool {
    is_moves_of_reversi(text.split('/').next().unwrap_or_default())
}

/// A decimal number without exponent, all of the text.
fn decimal(text: &str) -> Option<f64> {
    let fraction = || opt(pair(char('.'), opt(digit1)));
    let whole_first = (digit1, fraction()).map(|_| ());
    let point_first = (char('.'), digit1).map(|_| ());
    let number = recognize(pair(opt(one_of("+-")), alt((whole_first, point_first))));
    let parsed: IResult<&str, &str> = all_consuming(number).parse(text.trim());
    parsed.ok().and_then(|(_, number)| number.parse().ok())
}

/// A decimal number without a minus sign.
fn not_negative(text: &str) -> Option<f64> {
    decimal(text).filter(|number| number.is_sign_positive())
}

#[cfg(test)]
mod tests;
