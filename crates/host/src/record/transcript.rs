//! Transcripts as people write them: moves on a line and nothing more. `f5d6c3`, `F5 D6`, `1. f5 2. d6`, `f5-d6`,
//! `f5,d6`, with passes written (`--`, `pass`) or not. Text after `#`, and a value (`+0.70`) or a result (`33-31`)
//! after the moves, is ignored.

use super::game_record::{CannotHold, GameRecord, RecordMove};
use flipside_core::search::notation::Style;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, tag_no_case, take_while1},
    character::complete::{char, digit1, one_of, satisfy, space0},
    combinator::{not, opt, peek, recognize, value},
    multi::{many0, many1},
    sequence::{pair, preceded, terminated},
};

/// The first words of a game saved by `flipside play`; the game's name follows. Transcripts of other games than Reversi
/// need this line.
pub const HEAD: &str = "# flipside game of ";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// A number before a move, punctuation.
    Nothing,
    /// A move, a pass, or a word that is neither.
    Move(&'a str),
    /// A value or a result: the end of the moves.
    End,
}

/// Reads the moves of a line. With `is_reversi`, squares may be written without separators.
pub fn read(line: &str, is_reversi: bool) -> GameRecord {
    let mut rest = line.split('#').next().unwrap_or_default();
    let mut moves = Vec::new();
    while let Ok((after, piece)) = piece(rest, is_reversi) {
        match piece {
            Piece::Nothing => {}
            Piece::Move(text) => moves.push(RecordMove::new(None, text)),
            Piece::End => break,
        }
        rest = after;
    }
    GameRecord { game: is_reversi.then_some("reversi"), moves, style: Style::Plain, ..GameRecord::default() }
}

fn piece(input: &str, is_reversi: bool) -> IResult<&str, Piece<'_>> {
    let punctuation = value(Piece::Nothing, alt((take_while1(char::is_whitespace), recognize(one_of(",;|")))));
    let number = value(Piece::Nothing, pair(digit1, many1(char('.'))));
    // Lists of openings have their values and names after a tab.
    let is_mv = alt((value((), square), value((), pass), value((), pair(digit1, char('.')))));
    let column = value(Piece::End, (char('\t'), not((space0, is_mv))));
    let word = take_while1(|c: char| !c.is_whitespace() && !",;|".contains(c));
    let mut either = alt((column, punctuation, number, value(Piece::End, ending)));
    if let Ok(found) = either.parse(input) {
        return Ok(found);
    }
    if is_reversi {
        // A single dash between squares separates them; two are a pass.
        let dash = value(Piece::Nothing, terminated(char('-'), not(char('-'))));
        alt((square.map(Piece::Move), pass.map(Piece::Move), dash, word.map(Piece::Move))).parse(input)
    } else {
        word.map(Piece::Move).parse(input)
    }
}

/// `33-31`, `1-0`, `1/2-1/2`, `+12`, `-0.35`: all but a dash before a square.
fn ending(input: &str) -> IResult<&str, ()> {
    let decimal = || pair(digit1, opt(pair(char('.'), digit1)));
    let result = recognize((digit1, opt(tag("/2")), char('-'), digit1));
    let signed = recognize(pair(one_of("+-"), decimal()));
    value((), terminated(alt((result, signed)), peek(not(satisfy(|c| c.is_alphanumeric()))))).parse(input)
}

fn square(input: &str) -> IResult<&str, &str> {
    let file = satisfy(|c| ('a'..='h').contains(&c.to_ascii_lowercase()));
    recognize(pair(file, one_of("12345678"))).parse(input)
}

fn pass(input: &str) -> IResult<&str, &str> {
    alt((tag_no_case("pass"), tag_no_case("pa"), tag_no_case("ps"), tag("--"), tag("@@@@"))).parse(input)
}

/// Writes the moves of a record in the game's own notation in lower case: for Reversi run together without passes, for
/// other games separated by blanks after a line with the game's name.
///
/// # Errors
/// The game does not begin at its usual start.
pub fn write(record: &GameRecord) -> Result<String, CannotHold> {
    if record.start.is_some() {
        return Err(CannotHold::new("transcript", "it begins from another position than the usual one"));
    }
    let moves: Vec<String> = record.moves.iter().map(|mv| mv.text.to_lowercase()).collect();
    match record.game {
        None | Some("reversi") => {
            let is_square = |mv: &&String| square(mv).is_ok();
            Ok(moves.iter().filter(is_square).map(String::as_str).collect::<String>() + "\n")
        }
        Some(game) => Ok(format!("{HEAD}{game}\n{}\n", moves.join(" "))),
    }
}

/// Whether the line consists only of moves of Reversi, numbers and punctuation.
pub fn is_moves_of_reversi(line: &str) -> bool {
    let mv = alt((recognize(square), recognize(pass), recognize(pair(digit1, char('.'))), recognize(one_of(",;|-"))));
    let all: IResult<&str, Vec<&str>> = terminated(many0(preceded(space0, mv)), space0).parse(line);
    all.is_ok_and(|(rest, moves)| rest.is_empty() && !moves.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(line: &str, is_reversi: bool) -> Vec<String> {
        read(line, is_reversi).moves.into_iter().map(|mv| mv.text).collect()
    }

    #[test]
    fn every_way_of_writing() {
        for line in [
            "f5d6c3",
            "f5 d6 c3",
            "  f5\td6,c3",
            "1. f5 2. d6 3. c3",
            "1.f5 d6 2.c3",
            "1... f5 d6 c3",
            "f5-d6-c3",
            "f5 - d6 - c3",
            "f5d6c3 # a comment: f4",
            "f5 d6 c3\t+0.70",
            "f5 d6 c3 -1.29",
            "f5 d6 c3 33-31",
            "f5 d6 c3\tTiger",
            "f5d6c3 1-0",
            "f5|d6;c3",
        ] {
            assert_eq!(moves(line, true), ["f5", "d6", "c3"], "{line}");
        }
        assert_eq!(moves("F5 D6", true), ["F5", "D6"]);
    }

    #[test]
    fn passes_and_words_that_are_none() {
        assert_eq!(moves("c1--a3", true), ["c1", "--", "a3"]);
        assert_eq!(moves("c1 pass a3 PA b1", true), ["c1", "pass", "a3", "PA", "b1"]);
        assert_eq!(moves("f5d6zz h9", true), ["f5", "d6", "zz", "h9"], "words are left to the rules");
        assert_eq!(moves("", true), Vec::<String>::new());
    }

    #[test]
    fn other_games_have_their_own_words() {
        assert_eq!(moves("1. b2-b3 c5-c4 2. a1-b2", false), ["b2-b3", "c5-c4", "a1-b2"]);
    }

    #[test]
    fn lines_of_moves_are_told_from_words() {
        assert!(is_moves_of_reversi("1. f5 d6 2. c3--f4"));
        for other in ["", "hello", "b2-b3 zz", "33-31"] {
            assert!(!is_moves_of_reversi(other), "{other}");
        }
    }
}
