//! Smart Game Format, as far as Othello records (`GM[2]`) need it: the main line of the first game. It knows no rules:
//! moves and boards stay text.

use crate::search::types::Side;
use nom::{
    IResult, Parser,
    bytes::complete::{escaped, is_not},
    character::complete::{anychar, char, multispace0, satisfy},
    combinator::{map, opt, peek, recognize},
    multi::many1,
    sequence::{delimited, pair, preceded},
};

/// A text that holds no Othello game: what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SgfError(String);

/// An Othello game: its start and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfGame {
    /// The board of the set-up, as GGF writes it (`8`, squares, side to move); `None` is the usual start.
    pub board: Option<String>,
    /// The moves of the main line with their players: `D3`, or `PA` for a pass.
    pub moves: Vec<(Side, String)>,
}

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

/// The properties of the main line: a sequence of nodes, then the main line of its first variation.
fn main_line(input: &str) -> IResult<&str, Vec<Property<'_>>> {
    let (mut rest, _) = delimited(multispace0, char('('), pair(multispace0, peek(char(';')))).parse(input)?;
    let mut properties = Vec::new();
    while let Ok((node, _)) = pair(opt(preceded(multispace0, char('('))), next_node).parse(rest) {
        rest = node;
        while let Ok((after, property)) = property(rest) {
            properties.push(property);
            rest = after;
        }
    }
    Ok((rest, properties))
}

/// The mark before a node.
fn next_node(input: &str) -> IResult<&str, char> {
    preceded(multispace0, char(';')).parse(input)
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

impl SgfGame {
    /// The game of a text with its first `max_moves` moves.
    ///
    /// # Errors
    /// Says why the text holds no Othello game.
    pub fn read(text: &str, max_moves: usize) -> Result<SgfGame, SgfError> {
        let text = text.trim_start_matches('\u{feff}');
        let (_, properties) = main_line(text).map_err(|_| SgfError("not an SGF game".into()))?;
        let mut reader = Reader { max_moves, ..Reader::default() };
        for (name, values) in properties {
            reader.property(name, &values)?;
        }
        Ok(reader.game())
    }
}

/// A game that is being read, property by property.
#[derive(Default)]
struct Reader {
    max_moves: usize,
    /// The squares of a set-up, in reading order.
    squares: Option<Vec<char>>,
    /// The side to move of a set-up (`PL`).
    player: Option<Side>,
    /// Who made the first move.
    first_mover: Option<Side>,
    moves: Vec<(Side, String)>,
}

impl Reader {
    fn property(&mut self, name: &str, values: &[&str]) -> Result<(), SgfError> {
        let error = |what: &str| Err(SgfError(what.into()));
        match name {
            "GM" if values.iter().any(|value| value.trim() != "2") => {
                return error("the file holds another game than Othello (GM[2])");
            }
            "SZ" if values.iter().any(|value| !["8", "8:8"].contains(&value.trim())) => {
                return error("the board is not 8x8");
            }
            "AB" | "AW" | "AE" if !self.moves.is_empty() => return error("a set-up after moves"),
            "AB" => self.set_up('*', values)?,
            "AW" => self.set_up('O', values)?,
            "AE" => self.set_up('-', values)?,
            "PL" => {
                let white = values.iter().any(|value| value.starts_with(['W', 'w']));
                self.player = Some(if white { Side::Second } else { Side::First });
            }
            "B" | "W" if self.moves.len() < self.max_moves => {
                let side = if name == "B" { Side::First } else { Side::Second };
                self.first_mover.get_or_insert(side);
                let text = values.first().and_then(|value| point(value));
                self.moves.push((side, text.ok_or_else(|| SgfError("a move is not on the board".into()))?));
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts a disc, or nothing, on the points and rectangles of a set-up property.
    fn set_up(&mut self, disc: char, values: &[&str]) -> Result<(), SgfError> {
        let squares = self.squares.get_or_insert_with(|| vec!['-'; 64]);
        for value in values {
            let points = area(value).ok_or_else(|| SgfError("a point of the set-up is not on the board".into()))?;
            for index in points {
                if let Some(square) = squares.get_mut(index) {
                    *square = disc;
                }
            }
        }
        Ok(())
    }

    fn game(self) -> SgfGame {
        // Without PL the player of the first move begins.
        let side_to_move = self.player.or(self.first_mover).unwrap_or(Side::First);
        let disc = if side_to_move == Side::Second { 'O' } else { '*' };
        let board = self.squares.map(|squares| format!("8 {} {disc}", squares.into_iter().collect::<String>()));
        SgfGame { board, moves: self.moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        let game = SgfGame::read(text, usize::MAX).expect("a game");
        game.moves.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn the_main_line_is_read() {
        assert_eq!(moves("(;GM[2]SZ[8]C[a \\] b];B[dc];W[c3] (;B[c4];W[]) (;B[a1]))"), ["D3", "C3", "C4", "PA"]);
        assert_eq!(moves("(;GM[2])"), Vec::<String>::new());
    }

    #[test]
    fn a_set_up_board_is_read() {
        let board = |text| SgfGame::read(text, 9).expect("a game").board.expect("a set-up");
        assert_eq!(board("(;GM[2]AB[aa][b1]AW[hh]PL[W])"), format!("8 **{}O O", "-".repeat(61)));
        let rectangle = board("(;GM[2]AB[a1:b2]AW[hh];W[c3])");
        assert_eq!(rectangle, format!("8 **------**{}O O", "-".repeat(53)), "a rectangle; White begins");
    }

    #[test]
    fn other_games_and_nonsense_are_refused() {
        for bad in
            ["", "(;GM[1];B[dd])", "hello", "(;GM[2];B[z9])", "(;GM[2]SZ[10])", "(;GM[2]AB[pass])", "(;B[d3]AB[a1])"]
        {
            assert!(SgfGame::read(bad, 9).is_err(), "{bad}");
        }
    }
}
