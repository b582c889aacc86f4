//! Smart Game Format for Othello records (`GM[2]`): the main line of the first game. Moves and boards stay text,
//! because this module does not know the rules.

use super::game_record::{CannotHold, Cause, GameRecord, GameResult, LARGEST_DIFFERENCE, RecordMove, field};
use super::tree;
use flipside_core::search::types::{Score, Side, UNIT};
use nom::{
    IResult, Parser,
    bytes::complete::{escaped, is_not},
    character::complete::{anychar, char, multispace0, satisfy},
    combinator::{map, opt, peek, recognize},
    multi::many1,
    sequence::{delimited, pair, preceded},
};

/// A text without an Othello game; holds the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SgfError(String);

/// An Othello game: its start and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfGame {
    /// The board of the set-up, as GGF writes it (`8`, squares, side to move); `None` is the usual start.
    pub board: Option<String>,
    /// The moves of the main line.
    pub moves: Vec<SgfMove>,
    /// The other properties of the main line before its first move, each with its first value, without escapes.
    pub tags: Vec<(String, String)>,
}

/// A move of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfMove {
    /// Who played it: Black is first.
    pub side: Side,
    /// `D3`, or `PA` for a pass.
    pub text: String,
    /// The value of the position after it (`V`) in hundredths of a disc for Black.
    pub value: Option<Score>,
    /// The comment on it (`C`).
    pub comment: Option<String>,
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

/// The semicolon before a node.
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

/// A move's name; an empty text, `tt` and the word are passes.
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

/// Discs as hundredths, within a range.
fn hundredths(discs: f64) -> Option<Score> {
    (discs.abs() <= f64::from(LARGEST_DIFFERENCE)).then(|| (discs * f64::from(UNIT)).round() as Score)
}

/// A whole number of discs: no game of Othello is won by half a disc.
fn whole_discs(discs: f64) -> Option<i32> {
    (discs.fract() == 0.0 && discs.abs() <= f64::from(LARGEST_DIFFERENCE)).then_some(discs as i32)
}

/// A value without its escapes; a line end after a backslash is none.
fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut plain = String::new();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next().filter(|&next| next != '\n')),
            other => plain.push(other),
        }
    }
    plain
}

impl SgfGame {
    /// The record of the game.
    pub fn record(&self) -> GameRecord {
        let mv = |mv: &SgfMove| RecordMove {
            side: Some(mv.side),
            text: mv.text.clone(),
            score: mv.value.map(|value| if mv.side == Side::First { value } else { -value }),
            time: None,
            comment: mv.comment.clone(),
        };
        GameRecord {
            moves: self.moves.iter().map(mv).collect(),
            result: tree::tag(&self.tags, "RE").and_then(read_result),
            comment: tree::tag(&self.tags, "GC").and_then(field),
            ..tree::record(&self.tags, self.board.as_ref())
        }
    }
}

/// `B+12`, `W+T`, `B+R`, `0`, `Draw`; anything else is unknown.
fn read_result(text: &str) -> Option<GameResult> {
    let text = text.trim();
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Some(GameResult::by_difference(0));
    }
    let (winner, margin) = text.split_once('+')?;
    let winner = match winner.trim() {
        "B" | "b" => Side::First,
        "W" | "w" => Side::Second,
        _ => return None,
    };
    let sign = if winner == Side::First { 1 } else { -1 };
    let margin_in_discs = margin.parse().ok().and_then(whole_discs);
    if margin_in_discs == Some(0) {
        return Some(GameResult::by_difference(0));
    }
    let difference = margin_in_discs.map(|margin| sign * margin);
    let cause = match margin.trim().chars().next() {
        Some('R' | 'r') => Some(Cause::Resigned),
        Some('T' | 't') => Some(Cause::Time),
        Some('F' | 'f') => Some(Cause::Left),
        _ => None,
    };
    Some(GameResult::stated(Some(winner), difference, cause))
}

fn show_result(result: GameResult) -> String {
    let winner = match result.winner {
        None => return "0".to_string(),
        Some(Side::First) => 'B',
        Some(Side::Second) => 'W',
    };
    let how = match (result.cause, result.difference) {
        (Some(Cause::Resigned), _) => "R".to_string(),
        (Some(Cause::Time), _) => "T".to_string(),
        (Some(Cause::Left), _) => "F".to_string(),
        (None, Some(difference)) => difference.abs().to_string(),
        (None, None) => String::new(),
    };
    format!("{winner}+{how}")
}

/// Writes a record whose moves name their sides and whose start and moves are in GGF's notation, on one line.
///
/// # Errors
/// The record is of another game than Reversi, or its start is not a board of 64 squares.
pub fn write(record: &GameRecord) -> Result<String, CannotHold> {
    CannotHold::unless_reversi("sgf", record)?;
    let [black, white] = &record.players;
    let tags = [
        ("PB", black.clone()),
        ("PW", white.clone()),
        ("DT", record.date.clone()),
        ("PC", record.site.clone()),
        ("EV", record.event.clone()),
        ("RO", record.round.clone()),
        ("ON", record.opening.clone()),
        ("RE", record.result.map(show_result)),
        ("GC", record.comment.clone()),
    ];
    let mut text = "(;FF[4]GM[2]SZ[8]CA[UTF-8]AP[flipside]".to_string();
    for (name, value) in tags {
        text.extend(value.map(|value| format!("{name}[{}]", tree::escaped(&value))));
    }
    if let Some(start) = &record.start {
        let refused = || CannotHold::new("sgf", format!("its start is not a board of 64 squares: {}", start.text));
        text.push_str(&set_up_properties(&start.text).ok_or_else(refused)?);
    }
    for (index, mv) in record.moves.iter().enumerate() {
        let side = tree::mover(index, mv);
        let (name, sign) = if side == Side::First { ('B', 1) } else { ('W', -1) };
        // A pass is an empty value.
        let point = square(&mv.text)
            .map(|(column, row)| [b'a' + column, b'a' + row].map(char::from).iter().collect::<String>());
        text.push_str(&format!(";{name}[{}]", point.unwrap_or_default()));
        text.extend(mv.score.map(|score| format!("V[{:.2}]", f64::from(sign * score) / f64::from(UNIT))));
        text.extend(mv.comment.as_ref().map(|comment| format!("C[{}]", tree::escaped(comment))));
    }
    Ok(text + ")\n")
}

/// `AB`, `AW` and `PL` of a board as GGF writes it.
fn set_up_properties(board: &str) -> Option<String> {
    let board: Vec<char> = board.chars().filter(|c| !c.is_whitespace()).collect();
    let [_, squares @ .., to_move] = board.as_slice() else { return None };
    if squares.len() != 64 {
        return None;
    }
    let points = |disc: char| -> String {
        let places = squares.iter().zip(0u8..).filter(|(square, _)| square.eq_ignore_ascii_case(&disc));
        places.map(|(_, at)| format!("[{}{}]", char::from(b'a' + at % 8), char::from(b'a' + at / 8))).collect()
    };
    let mut text = String::new();
    for (name, disc) in [("AB", '*'), ("AW", 'O')] {
        let points = points(disc);
        if !points.is_empty() {
            text.push_str(&format!("{name}{points}"));
        }
    }
    // A set-up of no squares still marks an empty board.
    if text.is_empty() {
        text.push_str("AE[aa]");
    }
    Some(text + if *to_move == '*' { "PL[B]" } else { "PL[W]" })
}

/// The state of reading a game, property by property.
#[derive(Default)]
struct Reader {
    max_moves: usize,
    /// The squares of a set-up, in reading order.
    squares: Option<Vec<char>>,
    /// The side to move of a set-up (`PL`).
    player: Option<Side>,
    /// Who made the first move.
    first_mover: Option<Side>,
    moves: Vec<SgfMove>,
    /// Whether moves beyond `max_moves`, with their properties, were left out.
    cut: bool,
    tags: Vec<(String, String)>,
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
                let text = text.ok_or_else(|| SgfError("a move is not on the board".into()))?;
                self.moves.push(SgfMove { side, text, value: None, comment: None });
            }
            "B" | "W" => self.cut = true,
            _ if self.cut => {}
            name => self.describe(name, values.first().map(|value| unescaped(value)).unwrap_or_default()),
        }
        Ok(())
    }

    /// A property of the game, or of the latest move.
    fn describe(&mut self, name: &str, value: String) {
        match (name, self.moves.last_mut()) {
            (_, None) => self.tags.push((name.to_string(), value)),
            ("C", Some(mv)) => mv.comment = field(&value),
            ("V", Some(mv)) => mv.value = value.trim().parse().ok().and_then(hundredths),
            _ => {}
        }
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
        SgfGame { board, moves: self.moves, tags: self.tags }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        let game = SgfGame::read(text, usize::MAX).expect("a game");
        game.moves.into_iter().map(|mv| mv.text).collect()
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
    fn unknown_margins_stay_unknown() {
        let result = |text| read_result(text).map(|result| (result.winner, result.difference, result.cause));
        let (black, white) = (Some(Side::First), Some(Side::Second));
        assert_eq!(result("B+12"), Some((black, Some(12), None)));
        assert_eq!(result("W+4.0"), Some((white, Some(-4), None)));
        assert_eq!(result("W+0.5"), Some((white, None, None)), "won, by no number of discs");
        assert_eq!(result("B+R"), Some((black, None, Some(Cause::Resigned))));
        assert_eq!(result("B+"), Some((black, None, None)));
        assert_eq!(result("B+-4"), Some((black, None, None)));
        assert_eq!((result("B+0"), result("0")), (Some((None, Some(0), None)), Some((None, Some(0), None))));
        assert_eq!(result("B+1000000"), Some((black, Some(1_000_000), None)), "the rules refuse it");
        for beyond in ["W+1000001", "W+1e99", "W+inf", "W+nan"] {
            assert_eq!(result(beyond), Some((white, None, None)), "{beyond}");
        }
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
