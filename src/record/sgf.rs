//! Smart Game Format, as far as Othello records (`GM[2]`) need it: the main line of the first game.

use crate::api::command::{Command, CommandError, PlayedMove};
use crate::protocol::token::{number, words};
use crate::search::notation::Style;
use crate::search::types::Side;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{escaped, is_not},
    character::complete::{anychar, char, multispace0, satisfy},
    combinator::{map, opt, recognize},
    multi::{many0, many1},
    sequence::{delimited, pair, preceded, terminated},
};

/// Largest file read, in bytes.
const LARGEST: u64 = 4 << 20;

/// A property: its name and values.
type Property<'a> = (&'a str, Vec<&'a str>);

fn value(input: &str) -> IResult<&str, &str> {
    let text = map(opt(escaped(is_not("\\]"), '\\', anychar)), Option::unwrap_or_default);
    delimited(char('['), text, preceded(multispace0, char(']'))).parse(input)
}

fn property(input: &str) -> IResult<&str, Property<'_>> {
    let name = recognize(many1(satisfy(|c| c.is_ascii_alphabetic())));
    pair(preceded(multispace0, name), many1(preceded(multispace0, value))).parse(input)
}

fn node(input: &str) -> IResult<&str, Vec<Property<'_>>> {
    preceded(pair(multispace0, char(';')), many0(property)).parse(input)
}

/// The nodes of the main line: a sequence, then the main line of its first variation.
fn main_line(input: &str) -> IResult<&str, Vec<Vec<Property<'_>>>> {
    let open = delimited(multispace0, char('('), multispace0);
    let (mut rest, mut nodes) = preceded(open, many1(node)).parse(input)?;
    while let Ok((after, more)) = preceded(pair(multispace0, opt(char('('))), many1(node)).parse(rest) {
        nodes.extend(more);
        rest = after;
    }
    terminated(map(multispace0, move |_: &str| nodes.clone()), opt(alt((char(')'), char('('))))).parse(rest)
}

/// Column and row, from 0, of `dc` or `d3`.
fn square(text: &str) -> Option<(u8, u8)> {
    match text.trim().to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', row @ b'a'..=b'h'] => Some((file - b'a', row - b'a')),
        [file @ b'a'..=b'h', row @ b'1'..=b'8'] => Some((file - b'a', row - b'1')),
        _ => None,
    }
}

/// A move's name; nothing, `tt` and the word are passes.
fn point(text: &str) -> Option<String> {
    let pass = ["", "tt", "pa", "pass"].iter().any(|word| text.trim().eq_ignore_ascii_case(word));
    let name = |(column, row): (u8, u8)| format!("{}{}", char::from(b'A' + column), row + 1);
    if pass { Some("PA".into()) } else { square(text).map(name) }
}

/// The squares, in reading order from 0, of a point or of a rectangle (`a1:b2`).
fn area(text: &str) -> Option<Vec<usize>> {
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let ((left, top), (right, bottom)) = (square(from)?, square(to)?);
    let row = |row: u8| (left..=right).map(move |column| usize::from(row * 8 + column));
    Some((top..=bottom).flat_map(row).collect())
}

/// The game that a text holds: a start if it is not the usual one, and so many moves at most.
///
/// # Errors
/// [`CommandError::CannotLoad`] says what is no Othello game.
pub fn game(text: &str, moves_wanted: usize) -> Result<Command, CommandError> {
    let bad = |what: &str| CommandError::CannotLoad(what.to_string());
    let (_, nodes) = main_line(text.trim_start_matches('\u{feff}')).map_err(|_| bad("not an SGF game"))?;
    let mut squares: Option<Vec<char>> = None;
    let mut first = None;
    let mut first_mover = None;
    let mut moves: Vec<PlayedMove> = Vec::new();
    for (name, values) in nodes.into_iter().flatten() {
        match name {
            "GM" if values.iter().any(|value| value.trim() != "2") => {
                return Err(bad("the file holds another game than Othello (GM[2])"));
            }
            "SZ" if values.iter().any(|value| !["8", "8:8"].contains(&value.trim())) => {
                return Err(bad("the board is not 8x8"));
            }
            "AB" | "AW" | "AE" if !moves.is_empty() => return Err(bad("a set-up after moves")),
            "AB" | "AW" | "AE" => {
                let symbol = match name {
                    "AB" => '*',
                    "AW" => 'O',
                    _ => '-',
                };
                let board = squares.get_or_insert_with(|| vec!['-'; 64]);
                for value in values {
                    for at in area(value).ok_or_else(|| bad("a point of the set-up is not on the board"))? {
                        if let Some(square) = board.get_mut(at) {
                            *square = symbol;
                        }
                    }
                }
            }
            "PL" => {
                let white = values.iter().any(|value| value.starts_with(['W', 'w']));
                first = Some(if white { Side::Second } else { Side::First });
            }
            "B" | "W" if moves.len() < moves_wanted => {
                let side = if name == "B" { Side::First } else { Side::Second };
                first_mover.get_or_insert(side);
                let text = values.first().and_then(|value| point(value));
                moves.push(PlayedMove::by(side, text.ok_or_else(|| bad("a move is not on the board"))?));
            }
            _ => {}
        }
    }
    // Without PL whoever moves first begins.
    let first = first.or(first_mover);
    let mover = if first == Some(Side::Second) { 'O' } else { '*' };
    let start = squares.map(|squares| format!("8 {} {mover}", squares.into_iter().collect::<String>()));
    Ok(Command::SetPosition { start, moves, style: Style::Ggf, keep_prefix: false })
}

/// `loadsgf FILE [N]`: the position before move N, or after the last one.
pub fn load(arguments: &str) -> Result<Command, CommandError> {
    let list = words(arguments);
    // A number at the end is N, unless it is all there is.
    let wanted = list.last().filter(|_| list.len() > 1).and_then(|last| number::<usize>(last));
    let path = match (wanted, arguments.rsplit_once(' ')) {
        (Some(_), Some((path, _))) => path.trim(),
        _ => arguments,
    };
    if path.is_empty() {
        return Err(CommandError::Syntax("expected loadsgf FILE [MOVE]".into()));
    }
    let fail = |error: std::io::Error| CommandError::CannotLoad(format!("{path}: {error}"));
    let about = std::fs::metadata(path).map_err(fail)?;
    if !about.is_file() || about.len() > LARGEST {
        return Err(CommandError::CannotLoad(format!("{path}: not a file of at most 4 MiB")));
    }
    let text = String::from_utf8_lossy(&std::fs::read(path).map_err(fail)?).into_owned();
    game(&text, wanted.map_or(usize::MAX, |n| n.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(text: &str) -> Vec<String> {
        match game(text, usize::MAX) {
            Ok(Command::SetPosition { moves, .. }) => moves.into_iter().map(|turn| turn.text).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_main_line_is_read() {
        assert_eq!(turns("(;GM[2]SZ[8]C[a \\] b];B[dc];W[c3] (;B[c4];W[]) (;B[a1]))"), ["D3", "C3", "C4", "PA"]);
        assert_eq!(turns("(;GM[2])"), Vec::<String>::new());
    }

    #[test]
    fn a_set_up_board_is_read() {
        let Ok(Command::SetPosition { start: Some(start), .. }) = game("(;GM[2]AB[aa][b1]AW[hh]PL[W])", 9) else {
            panic!("a start")
        };
        assert_eq!(start, format!("8 **{}O O", "-".repeat(61)));
        let Ok(Command::SetPosition { start: Some(start), .. }) = game("(;GM[2]AB[a1:b2]AW[hh];W[c3])", 9) else {
            panic!("a start")
        };
        assert_eq!(start, format!("8 **------**{}O O", "-".repeat(53)), "a rectangle; White begins");
    }

    #[test]
    fn other_games_and_nonsense_are_refused() {
        for bad in
            ["", "(;GM[1];B[dd])", "hello", "(;GM[2];B[z9])", "(;GM[2]SZ[10])", "(;GM[2]AB[pass])", "(;B[d3]AB[a1])"]
        {
            assert!(matches!(game(bad, 9), Err(CommandError::CannotLoad(_))), "{bad}");
        }
        assert!(matches!(load("/no/such/file.sgf 3"), Err(CommandError::CannotLoad(_))));
        assert!(matches!(load(""), Err(CommandError::Syntax(_))));
    }
}
