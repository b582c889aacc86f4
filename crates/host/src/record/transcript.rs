//! Transcripts as people write them: moves on a line and nothing more. `f5d6c3`, `F5 D6`, `1. f5 2. d6`, `f5-d6`,
//! `f5,d6`, with passes written (`--`, `pass`) or not, and with marks (`f5!?`, `f5 $6`). Text after `#`, and a value (`+0.70`)
//! or a result (`33-31`) after the moves, is ignored. A sign that would make moves vanish counts as a move, which no rules
//! allow.

use super::game_record::{CannotHold, GameRecord, RecordMove};
use super::marks;
use flipside_core::search::notation::Style;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, tag_no_case, take_while1},
    character::complete::{char, digit1, one_of, satisfy, space0, u8 as byte},
    combinator::{fail, map_opt, not, opt, peek, recognize, value},
    multi::{many0, many1},
    sequence::{pair, preceded, terminated},
};

/// The first words of a game saved by `flipside play`; the game's name follows. Transcripts of other games than Reversi
/// need this line.
pub const HEAD: &str = "# flipside game of ";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// Punctuation.
    Nothing,
    /// A number before a move, with its dots.
    Number(&'a str),
    /// A move, a pass, or a word that is neither.
    Move(&'a str),
    /// A mark of the move before it.
    Nag(u8),
    /// A value or a result: the end of the moves.
    End,
}

/// The line without its comment, which begins with a `#` between blanks, or before a word without digits.
pub(super) fn without_comment(line: &str) -> &str {
    let is_comment = |at: usize| {
        let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at + 1..).unwrap_or_default());
        let word = after.split(char::is_whitespace).next().unwrap_or_default();
        (before.is_empty() || before.ends_with(char::is_whitespace)) && !word.contains(|c: char| c.is_ascii_digit())
    };
    let at = line.match_indices('#').map(|(at, _)| at).find(|&at| is_comment(at));
    at.and_then(|at| line.get(..at)).unwrap_or(line)
}

/// Reads the moves of a line. With `is_reversi`, squares may be written without separators.
pub fn read(line: &str, is_reversi: bool) -> GameRecord {
    let mut rest = without_comment(line);
    let mut moves: Vec<RecordMove> = Vec::new();
    let mut before = "";
    while let Ok((after, piece)) = piece(rest, is_reversi) {
        let text = rest.get(..rest.len() - after.len()).unwrap_or(rest);
        // A value or a glyph's number stands apart from the moves, and no move follows a value.
        let is_apart = [before, text].iter().any(|part| part.contains(char::is_whitespace));
        let is_last = || is_apart && !after.split_whitespace().next().is_some_and(is_like_move);
        match (piece, moves.last_mut()) {
            (Piece::Nothing, _) | (Piece::Number(_), Some(_)) => {}
            (Piece::Number(number), None) if number.trim_end_matches('.') == "1" => {}
            (Piece::Nag(nag), Some(mv)) if is_apart || !text.starts_with('$') => mv.nags.push(nag),
            (Piece::End, Some(_)) if is_last() => break,
            (Piece::Move(word), _) if !is_reversi => {
                let (bare, nag) = marks::split(word);
                moves.push(RecordMove { nags: nag.into_iter().collect(), ..RecordMove::new(None, bare) });
            }
            (Piece::Move(word), _) => moves.push(RecordMove::new(None, word)),
            (Piece::Number(_) | Piece::Nag(_) | Piece::End, _) => moves.push(RecordMove::new(None, text.trim())),
        }
        (before, rest) = (text, after);
    }
    GameRecord { game: is_reversi.then_some("reversi"), moves, style: Style::Plain, ..GameRecord::default() }
}

/// Whether a word has the form of a move or of its number.
fn is_like_move(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
    square(word).is_ok() || has(char::is_ascii_digit) && has(char::is_ascii_alphabetic) || word.ends_with('.')
}

fn piece(input: &str, is_reversi: bool) -> IResult<&str, Piece<'_>> {
    let punctuation = value(Piece::Nothing, alt((take_while1(char::is_whitespace), recognize(one_of(",;|")))));
    let number = recognize(pair(digit1, many1(char('.')))).map(Piece::Number);
    let nag = preceded(char('$'), byte).map(Piece::Nag);
    // Lists of openings have their values and names after a tab.
    let is_mv = alt((value((), square), value((), pass), value((), pair(digit1, char('.')))));
    let mut column = value(Piece::End, (char('\t'), not((space0, is_mv))));
    let word = take_while1(|c: char| !c.is_whitespace() && !",;|".contains(c));
    let column = move |input| if is_reversi { column.parse(input) } else { fail().parse(input) };
    let mut either = alt((column, punctuation, number, nag, value(Piece::End, ending)));
    if let Ok(found) = either.parse(input) {
        return Ok(found);
    }
    if is_reversi {
        // A single dash between squares separates them; two are a pass.
        let dash = value(Piece::Nothing, terminated(char('-'), not(char('-'))));
        alt((square.map(Piece::Move), pass.map(Piece::Move), suffix.map(Piece::Nag), dash, word.map(Piece::Move)))
            .parse(input)
    } else {
        alt((suffix.map(Piece::Nag), word.map(Piece::Move))).parse(input)
    }
}

/// A mark of signs.
fn suffix(input: &str) -> IResult<&str, u8> {
    map_opt(take_while1(|c| "!?".contains(c)), marks::of_suffix).parse(input)
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
    let shown = |mv: &RecordMove| {
        // Signs that follow each other would make another sign.
        let mark = |(index, &nag)| match marks::shown(nag) {
            sign if index == 0 && !sign.starts_with('$') => sign,
            _ => format!(" ${nag} "),
        };
        let marks = mv.nags.iter().enumerate().map(mark);
        mv.text.to_lowercase() + &marks.collect::<String>()
    };
    let moves = record.moves.iter();
    match record.game {
        None | Some("reversi") => {
            let squares = moves.filter(|mv| square(&mv.text).is_ok()).map(shown);
            Ok(squares.collect::<String>().trim_end().to_string() + "\n")
        }
        Some(game) => Ok(format!("{HEAD}{game}\n{}\n", moves.map(shown).collect::<Vec<_>>().join(" "))),
    }
}

/// Whether the line consists only of moves of Reversi, numbers and punctuation.
pub fn is_moves_of_reversi(line: &str) -> bool {
    let number = pair(digit1, char('.'));
    let mark = alt((recognize(suffix), recognize(preceded(char('$'), byte))));
    let mv = alt((recognize(square), recognize(pass), recognize(number), mark, recognize(one_of(",;|-"))));
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
    fn marks_are_kept() {
        for (line, is_reversi) in
            [("f5! d6?? c3 $146 $10 d3", true), ("f5!d6??c3 $146 $10d3", true), ("f5! d6 ?? c3 $146 $10 d3", false)]
        {
            let record = read(line, is_reversi);
            let nags: Vec<&[u8]> = record.moves.iter().map(|mv| &mv.nags[..]).collect();
            assert_eq!(nags, [&[1][..], &[4], &[146, 10], &[]], "{line}");
            let written = write(&record).expect("moves");
            assert_eq!(read(&written, true).moves, record.moves, "{written}");
        }
        let twice = RecordMove { nags: vec![1, 6], ..RecordMove::new(None, "f5") };
        let written = write(&GameRecord { moves: vec![twice], ..GameRecord::default() });
        assert_eq!(written.as_deref(), Ok("f5! $6\n"));
        assert!(is_moves_of_reversi("f5! d6?? $3"));
    }

    /// A damaged sign must not make moves vanish: the rules refuse what it makes.
    #[test]
    fn no_move_is_left_out() {
        for (line, is_reversi, expected) in [
            ("f5d6#c3", true, "f5 d6 #c3"),
            ("f5 d6 #c3", true, "f5 d6 #c3"),
            ("f5 d6 +3 c3", true, "f5 d6 +3 c3"),
            ("f5 d6 1-0 c3d3", true, "f5 d6 1-0 c3 d3"),
            ("2. c3 d3", true, "2. c3 d3"),
            ("! f5", true, "! f5"),
            ("f5d6+3", true, "f5 d6 +3"),
            ("-3 f", true, "-3 f"),
            ("b2-b3#5-c4", false, "b2-b3#5-c4"),
            ("a\tb", false, "a b"),
        ] {
            assert_eq!(moves(line, is_reversi).join(" "), expected, "{line}");
        }
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
