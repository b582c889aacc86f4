//! OBF, positions of one line: 64 characters and the side to move, then values of moves and a comment.
//!
//! `<64 characters> <side>; <move>:<score>; ... # <name> <key>=<value> ...` with `X`, `*` or `B`
//! for black, `O`, `0` or `W` for white, `-`, `.` or `_` for an empty square, in any case, from a1 to h1, then the
//! second row, and so on; blanks between squares are skipped. Scores are final disc differences for the side to move.
//! Sets of training data have instead `<64 characters> <score>` or `<64 characters> <side> <score>`, with commas or blanks;
//! without a side, `X` is to move. The score becomes `score=` in the comment.

use super::board::{Board, PASS};
use super::proof::Bounds;
use crate::search::notation::PositionError;
use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, i32 as number, one_of, satisfy, space0};
use nom::combinator::{map, recognize, value};
use nom::multi::fold_many_m_n;
use nom::sequence::{delimited, pair, preceded, separated_pair};
use nom::{IResult, Parser};

/// A line of an OBF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObfLine {
    /// The position, seen by the side to move.
    pub board: Board,
    /// True if Black is to move.
    pub black_to_move: bool,
    /// Values of moves: square ([`PASS`] for a pass) and discs for the side to move.
    pub moves: Vec<(u8, i32)>,
    /// What follows `#` or `%`, without the blanks around it.
    pub comment: String,
}

impl ObfLine {
    /// The value of a `key=value` in the comment.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.comment.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    /// The first word of the comment, if it is a name and not a `key=value`.
    pub fn name(&self) -> Option<&str> {
        self.comment.split_whitespace().next().filter(|word| !word.contains('='))
    }
}

/// Reads 64 characters and the side to move; the board is seen by that side. Values of moves and
/// a comment may follow, as in a line of an OBF file.
///
/// # Errors
/// If anything else is found, or follows.
pub fn position(text: &str) -> Result<(Board, bool), PositionError> {
    line(text).map(|line| (line.board, line.black_to_move))
}

/// Reads a line with values of moves and a comment.
///
/// # Errors
/// If the position or a `move:score` pair cannot be read, or a score is not -64 to 64.
pub fn line(text: &str) -> Result<ObfLine, PositionError> {
    // Edax writes its comments after a per cent sign.
    let (data, comment) = text.split_once(['#', '%']).unwrap_or((text, ""));
    if let Some((board, black_to_move, score)) = scored_position(data) {
        let comment = format!("{} score={score}", comment.trim()).trim().to_string();
        return Ok(ObfLine { board, black_to_move, moves: Vec::new(), comment });
    }
    let (mut rest, (board, black_to_move)) = board_and_side(data).map_err(|error| syntax_error(data, error))?;
    let mut moves = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', ';']).trim_end();
        if rest.is_empty() {
            break;
        }
        let (after, scored) = scored_move(rest)
            .map_err(|_| PositionError(format!("expected `move:score`, found `{}`", start_of(rest))))?;
        if !(after.is_empty() || after.starts_with([';', ' ', '\t'])) {
            return Err(PositionError(format!("expected `;` after a score, found `{}`", start_of(after))));
        }
        if !Bounds::UNKNOWN.hold(scored.1) {
            return Err(PositionError(format!("expected a score of -64 to 64, found `{}`", start_of(rest))));
        }
        moves.push(scored);
        rest = after;
    }
    Ok(ObfLine { board, black_to_move, moves, comment: comment.trim().to_string() })
}

/// The position as [`position`] reads it.
pub fn show(board: Board, black_to_move: bool) -> String {
    let black = if black_to_move { board.player } else { board.opponent };
    let disc = |square: u32| match (board.empty() >> square & 1, black >> square & 1) {
        (1, _) => '-',
        (_, 1) => 'X',
        _ => 'O',
    };
    let side = if black_to_move { 'X' } else { 'O' };
    (0..64).map(disc).chain([' ', side]).collect()
}

/// The name of a square, in lower case; `pass` for a pass.
pub fn square_name(square: u8) -> String {
    if square == PASS {
        return "pass".to_string();
    }
    let file = char::from(b'a' + square % 8);
    format!("{file}{}", square / 8 + 1)
}

/// Reads a square's name or a pass, in any case; the rest of the text comes first.
pub fn square(input: &str) -> IResult<&str, u8> {
    let file = satisfy(|c| ('a'..='h').contains(&c.to_ascii_lowercase()));
    let on_board = map(pair(file, one_of("12345678")), |(file, rank)| {
        (rank as u8 - b'1') * 8 + (file.to_ascii_lowercase() as u8 - b'a')
    });
    let pass = value(PASS, alt((tag_no_case("pass"), tag_no_case("pa"), tag_no_case("ps"), tag_no_case("--"))));
    alt((on_board, pass)).parse(input)
}

fn scored_move(input: &str) -> IResult<&str, (u8, i32)> {
    separated_pair(square, delimited(space0, char(':'), space0), signed).parse(input)
}

fn signed(input: &str) -> IResult<&str, i32> {
    alt((preceded(char('+'), number), number)).parse(input)
}

#[derive(Clone, Copy)]
enum Disc {
    Black,
    White,
    Empty,
}

fn disc(input: &str) -> IResult<&str, Disc> {
    let empty = one_of("-._");
    preceded(space0, alt((value(Disc::Black, black), value(Disc::White, white), value(Disc::Empty, empty))))
        .parse(input)
}

fn black(input: &str) -> IResult<&str, char> {
    one_of("Xx*Bb").parse(input)
}

fn white(input: &str) -> IResult<&str, char> {
    one_of("Oo0Ww").parse(input)
}

/// 64 discs: sets of black and white.
fn discs(input: &str) -> IResult<&str, (u64, u64)> {
    let discs = fold_many_m_n(
        64,
        64,
        disc,
        || (0u64, 0u64, 0u32),
        |(black, white, square), disc| {
            let bit = 1u64 << square;
            match disc {
                Disc::Black => (black | bit, white, square + 1),
                Disc::White => (black, white | bit, square + 1),
                Disc::Empty => (black, white, square + 1),
            }
        },
    );
    map(preceded(space0, discs), |(black, white, _)| (black, white)).parse(input)
}

/// The side to move after a blank or none: whether it is black.
fn side(input: &str) -> IResult<&str, bool> {
    preceded(space0, alt((value(true, recognize(black)), value(false, recognize(white))))).parse(input)
}

fn seen_by(black_to_move: bool, (black, white): (u64, u64)) -> Board {
    let board = Board { player: black, opponent: white };
    if black_to_move { board } else { board.passed() }
}

/// 64 discs, a blank or none, and the side to move.
fn board_and_side(input: &str) -> IResult<&str, (Board, bool)> {
    map(pair(discs, side), |(discs, is_black)| (seen_by(is_black, discs), is_black)).parse(input)
}

/// 64 discs, the side to move or none, and a score of -64 to 64 for that side as text.
fn scored_position(input: &str) -> Option<(Board, bool, &str)> {
    let (rest, sets) = discs(input).ok()?;
    let is_score = |text: &str| {
        let is_number = text.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
        is_number && text.parse().is_ok_and(|score: f64| score.abs() <= 64.0)
    };
    let rest = rest.trim_matches([' ', '\t', ',', ';']);
    // Where white discs are zeros, a zero is the side to move.
    let is_side = rest == "0" && input.split(rest).count() > 2;
    if is_score(rest) && !is_side {
        return Some((seen_by(true, sets), true, rest));
    }
    let (after, is_black) = side(rest).ok()?;
    let after = after.trim_start_matches([' ', '\t', ',', ';']);
    is_score(after).then(|| (seen_by(is_black, sets), is_black, after))
}

/// What was expected and what was found where parsing stopped.
fn syntax_error(text: &str, error: nom::Err<nom::error::Error<&str>>) -> PositionError {
    let rest = match error {
        nom::Err::Error(error) | nom::Err::Failure(error) => error.input,
        nom::Err::Incomplete(_) => "",
    };
    let at = text.len() - rest.len();
    let found = if rest.is_empty() { "the end".to_string() } else { format!("`{}`", start_of(rest)) };
    PositionError(format!(
        "expected 64 squares (X, O or -) and the side to move, found {found} at character {}",
        at + 1
    ))
}

fn start_of(text: &str) -> String {
    text.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; \
                         g8:+18; h1:+12; b1:-4; # ffo-01 empties=14 best=g8 score=+18";

    #[test]
    fn a_line_with_values_and_a_comment() {
        let line = line(FFO_1).unwrap();
        assert!(line.black_to_move);
        assert_eq!(line.board.empties(), 14);
        assert_eq!(line.moves, [(62, 18), (7, 12), (1, -4)]);
        assert_eq!((line.name(), line.value("score"), line.value("best")), (Some("ffo-01"), Some("+18"), Some("g8")));
        assert_eq!(line.value("class"), None);
    }

    #[test]
    fn positions_round_trip_for_both_sides() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(position(start), Ok((Board::START, true)));
        assert_eq!(show(Board::START, true), start);
        assert_eq!(position(&format!("{start}; f5:+0; # the start")), Ok((Board::START, true)));
        let white = format!("{}O", &start[..65]);
        let (board, black_to_move) = position(&white.to_lowercase()).unwrap();
        assert_eq!((board, black_to_move), (Board::START.passed(), false));
        assert_eq!(show(board, false), white);
    }

    #[test]
    fn a_line_of_training_data_has_a_score() {
        let squares = "---------------------------OX------XO---------------------------";
        let read =
            |rest: &str| line(&format!("{squares}{rest}")).map(|line| (line.board, line.black_to_move, line.comment));
        let black = |comment: &str| Ok((Board::START, true, comment.to_string()));
        let white = |comment: &str| Ok((Board::START.passed(), false, comment.to_string()));
        for rest in [" +12", ",+12", "\t+12 ", " X +12", ",X,+12", ";+12"] {
            assert_eq!(read(rest), black("score=+12"), "{rest}");
        }
        assert_eq!(read(" 0"), black("score=0"), "no disc of the board is a zero");
        assert_eq!(read(" O -3.5 # a name"), white("a name score=-3.5"));
        assert_eq!(line(&format!("{} 0", squares.replace('O', "0"))), line(&format!("{squares} O")));
        for bad in [" 65", " -64.5", " 1e1", " 3 4", " X 65"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        assert!(position("XX").unwrap_err().0.contains("at character 3"));
        assert!(position(&format!("{} Z", "-".repeat(64))).is_err());
        assert!(position(&format!("{} X a1", "-".repeat(64))).unwrap_err().0.contains("`a1`"));
        assert!(line(&format!("{} X; a9:+3", "-".repeat(64))).unwrap_err().0.contains("`a9:+3`"));
        assert!(line(&format!("{} X; a1:+3x", "-".repeat(64))).is_err());
    }

    #[test]
    fn scores_are_those_of_a_board() {
        let scored = |score: &str| line(&format!("{} X; a1:{score}", "-".repeat(64))).map(|line| line.moves);
        assert_eq!((scored("-64"), scored("+64")), (Ok(vec![(0, -64)]), Ok(vec![(0, 64)])));
        for beyond in ["-65", "65", "2147483647", "-2147483648", "2147483648"] {
            assert!(scored(beyond).is_err(), "{beyond}");
        }
    }

    #[test]
    fn squares_and_passes() {
        for number in 0..=PASS {
            let name = square_name(number);
            assert_eq!(square(&name), Ok(("", number)));
            assert_eq!(square(&name.to_uppercase()), Ok(("", number)));
        }
    }
}
