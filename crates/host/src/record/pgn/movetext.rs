//! The text of moves in PGN: numbers, moves with marks, comments, variations, the result.

use super::comment;
use crate::record::game_record::{GameRecord, MAX_VARIATION_DEPTH, RecordMove, field};
use crate::record::marks;
use flipside_core::search::types::Side;
use flipside_support::text::{line_and_column, one_line};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while1},
    character::complete::{char, digit1, multispace1, u8 as byte},
    combinator::{map, value},
    multi::many1,
    sequence::{delimited, pair, preceded},
};

/// What the text of a game's moves holds.
#[derive(Debug, Default)]
pub struct Movetext {
    /// The moves of the main line, with their variations.
    pub moves: Vec<RecordMove>,
    /// What stands before the first move.
    pub comment: Option<String>,
    /// The result at the end.
    pub result: Option<&'static str>,
}

impl Movetext {
    /// Adds a move, unless its word is empty, and a mark; `None` for a mark without a move.
    fn add(&mut self, word: &str, nag: Option<u8>) -> Option<()> {
        if !word.is_empty() {
            self.moves.push(RecordMove::new(None, word));
        }
        self.moves.last_mut()?.nags.extend(nag);
        Some(())
    }
}

/// What is missing before a mark.
const BEFORE_MARK: &str = "expected a move before a mark";

/// A fault: the text from where it is, and what was expected there.
#[derive(Debug)]
pub struct Fault<'a> {
    /// The text from there on.
    pub at: &'a str,
    /// What was expected.
    pub what: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece<'a> {
    /// A number of a move, blanks.
    Nothing,
    Comment(&'a str),
    /// A comment to the end of the line.
    LineComment(&'a str),
    Nag(u8),
    Open,
    Close,
    Result(&'static str),
    Move(&'a str),
}

fn piece(input: &str) -> IResult<&str, Piece<'_>> {
    let nothing = alt((value((), multispace1), value((), pair(digit1, many1(char('.'))))));
    let result = alt((
        value("1-0", tag("1-0")),
        value("0-1", tag("0-1")),
        value("1/2-1/2", tag("1/2-1/2")),
        value("*", tag("*")),
    ));
    let word = take_while1(|c: char| !c.is_whitespace() && !"{}();$".contains(c));
    alt((
        map(delimited(char('{'), take_while(|c| c != '}'), char('}')), Piece::Comment),
        map(preceded(char(';'), take_while(|c| c != '\n')), Piece::LineComment),
        map(preceded(char('$'), byte), Piece::Nag),
        value(Piece::Open, char('(')),
        value(Piece::Close, char(')')),
        value(Piece::Nothing, nothing),
        map(result, Piece::Result),
        map(word, Piece::Move),
    ))
    .parse(input)
}

/// Reads all of the text.
///
/// # Errors
/// Something is not closed, or stands where nothing may stand.
pub fn read(text: &str) -> Result<Movetext, Fault<'_>> {
    let mut main = Movetext::default();
    let after = line(text, 0, &mut main)?;
    match after.trim_start() {
        "" => Ok(main),
        at => Err(Fault { at, what: "expected nothing after the result" }),
    }
}

/// Reads a line of moves: the main line to the end of the text, a variation to its parenthesis. Returns what follows.
fn line<'a>(text: &'a str, depth: usize, found: &mut Movetext) -> Result<&'a str, Fault<'a>> {
    let fault = |at: &'a str, what| Err(Fault { at, what });
    let mut rest = text;
    while !rest.trim_start().is_empty() {
        let here = rest;
        let (mut after, piece) = piece(rest).map_err(|_| Fault {
            at: rest,
            what: if rest.starts_with('{') {
                "expected a comment that is closed"
            } else {
                "expected a move or a comment"
            },
        })?;
        match piece {
            Piece::Nothing => {}
            Piece::Comment(text) if swallows_moves(text) => return fault(here, "expected a comment that is closed"),
            Piece::LineComment(text) if is_movetext(text) => return fault(here, "expected a comment, not moves"),
            Piece::Comment(text) | Piece::LineComment(text) => match found.moves.last_mut() {
                Some(mv) => comment::read(text, mv),
                None => found.comment = found.comment.take().or_else(|| field(text)),
            },
            Piece::Result(text) if depth == 0 => {
                found.result = Some(text);
                return Ok(without_comments(after));
            }
            Piece::Result(_) => {}
            Piece::Close if depth > 0 => return Ok(after),
            Piece::Close => return fault(here, "expected a move: no variation is open"),
            Piece::Open if depth >= MAX_VARIATION_DEPTH => return fault(here, "expected variations nested less deep"),
            Piece::Open => {
                let mut variation = Movetext::default();
                after = line(after, depth + 1, &mut variation)?;
                let Some(mv) = found.moves.last_mut() else { return fault(here, "expected a move before a variation") };
                add_variation(mv, variation);
            }
            Piece::Nag(nag) => found.add("", Some(nag)).ok_or(Fault { at: here, what: BEFORE_MARK })?,
            Piece::Move(word) => {
                let (word, nag) = marks::split(word);
                found.add(word, nag).ok_or(Fault { at: here, what: BEFORE_MARK })?;
            }
        }
        rest = after;
    }
    if depth > 0 { fault(text, "expected a variation that is closed") } else { Ok(rest) }
}

/// The text without the blanks and comments at its start.
fn without_comments(text: &str) -> &str {
    let mut rest = text;
    while let Ok((after, Piece::Nothing | Piece::Comment(_) | Piece::LineComment(_))) = piece(rest) {
        rest = after;
    }
    rest
}

/// Takes lichess' values out of the comments of a game other than Reversi, where White begins unless the start says
/// otherwise.
pub fn take_values(record: &mut GameRecord) {
    let side = record.start.as_ref().and_then(|start| start.text.split_whitespace().nth(1));
    let first = if side == Some("b") { Side::Second } else { Side::First };
    comment::take_values(&mut record.moves, first);
}

fn add_variation(mv: &mut RecordMove, variation: Movetext) {
    let Movetext { mut moves, comment, .. } = variation;
    if let (Some(first), Some(comment)) = (moves.first_mut(), comment) {
        let after = first.comment.replace(comment).unwrap_or_default();
        first.add_comment(&after);
    }
    if !moves.is_empty() {
        mv.variations.push(moves);
    }
}

/// Whether a word has the form of a move, a number, a mark or a result.
fn is_movetext_word(word: &str) -> bool {
    let (bare, _) = marks::split(word.trim_matches(['(', ')']));
    let bare = bare.rsplit('.').next().unwrap_or_default().trim_end_matches(['+', '#']);
    let is_move = bare.len() <= 7
        && bare.starts_with(|c: char| c.is_ascii_alphabetic())
        && bare.ends_with(|c: char| c.is_ascii_alphanumeric())
        && bare.contains(|c: char| c.is_ascii_digit());
    is_move
        || bare.chars().all(|c| c.is_ascii_digit())
        || bare == "--"
        || matches!(piece(word), Ok(("", Piece::Nothing | Piece::Nag(_) | Piece::Result(_))))
}

/// Whether a comment seems to reach over moves into the next one, because its end or the beginning of the next is
/// damaged: inside it a brace follows a move.
fn swallows_moves(comment: &str) -> bool {
    let last_word = |at| comment.get(..at).unwrap_or_default().split_whitespace().next_back();
    comment.match_indices('{').any(|(at, _)| last_word(at).is_some_and(is_movetext_word))
}

/// Whether a text is mostly moves: then a damaged sign makes them a comment.
pub fn is_movetext(text: &str) -> bool {
    let mut outside = String::new();
    for part in text.split('}') {
        outside.push_str(part.split('{').next().unwrap_or_default());
        outside.push(' ');
    }
    let words = outside.split_whitespace().count();
    let moves = outside.split_whitespace().filter(|word| is_movetext_word(word)).count();
    2 * moves > words
}

/// The place of a fault in a text, and the text there.
pub fn place(text: &str, fault: &Fault) -> String {
    let at = text.len().saturating_sub(fault.at.len());
    let (line, column) = line_and_column(text, at);
    format!("{}, saw '{}' in its line {line}, column {column}", fault.what, one_line(fault.at.trim(), 20))
}

/// The words of a line, without the result. `shown` is a move in the format's notation.
pub fn words(moves: &[RecordMove], first_index: usize, shown: &impl Fn(&RecordMove) -> String) -> Vec<String> {
    let mut words = Vec::new();
    let mut needs_number = true;
    for (index, mv) in (first_index..).zip(moves) {
        let number = match (index.is_multiple_of(2), needs_number) {
            (true, _) => format!("{}. ", index / 2 + 1),
            (false, true) => format!("{}... ", index / 2 + 1),
            (false, false) => String::new(),
        };
        words.push(number + &shown(mv));
        words.extend(mv.nags.iter().map(|nag| format!("${nag}")));
        words.extend(comment::shown(mv));
        for variation in &mv.variations {
            let mut inner = self::words(variation, index, shown);
            if let Some(first) = inner.first_mut() {
                first.insert(0, '(');
            }
            if let Some(last) = inner.last_mut() {
                last.push(')');
            }
            words.extend(inner);
        }
        needs_number = !mv.variations.is_empty();
    }
    words
}
