//! Smart Game Format for Othello records (`GM[2]`): a game with its variations. Moves and boards stay text, because this
//! module does not know the rules.

mod line;
mod syntax;

use super::game_record::{
    CannotHold, Cause, GameRecord, GameResult, LARGEST_DIFFERENCE, RecordMove, field, hundredths,
};
use super::{times, tree};
use flipside_core::search::types::{Side, UNIT};
use std::time::Duration;
use syntax::Scanner;

pub use syntax::SgfError;

/// An Othello game: its start and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfGame {
    /// The board of the set-up, as GGF writes it (`8`, squares, side to move); `None` is the usual start.
    pub board: Option<String>,
    /// The moves of the main line, with their variations. A pass is `PA`.
    pub moves: Vec<RecordMove>,
    /// The other properties of the main line before its first move, each with its first value, without escapes.
    pub tags: Vec<(String, String)>,
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
    /// The game of a text.
    ///
    /// # Errors
    /// Says why the text holds no Othello game, or what in it cannot be read and where.
    pub fn read(text: &str) -> Result<SgfGame, SgfError> {
        Ok(line::read(text.trim_start_matches('\u{feff}'))?.game())
    }
}

/// Seconds, to the millisecond.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    Duration::try_from_secs_f64((seconds * 1e3).round() / 1e3).ok()
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
        GameRecord {
            moves: self.moves.clone(),
            result: tree::tag(&self.tags, "RE").and_then(read_result),
            comment: ["GC", "C"].into_iter().find_map(|name| tree::tag(&self.tags, name).and_then(field)),
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
    write_line(&mut text, &record.moves, 0);
    Ok(text + ")\n")
}

/// Writes a line of moves, the first of which has this index in the game. A branch opens a tree for the rest of the line,
/// and one for each variation after it.
fn write_line(text: &mut String, moves: &[RecordMove], first_index: usize) {
    let mut branches = Vec::new();
    for (index, mv) in (first_index..).zip(moves) {
        if !mv.variations.is_empty() {
            branches.push((index, &mv.variations));
            text.push('(');
        }
        write_move(text, index, mv);
    }
    for (index, variations) in branches.into_iter().rev() {
        text.push(')');
        for variation in variations {
            text.push('(');
            write_line(text, variation, index);
            text.push(')');
        }
    }
}

fn write_move(text: &mut String, index: usize, mv: &RecordMove) {
    let side = tree::mover(index, mv);
    let (name, sign) = if side == Side::First { ('B', 1) } else { ('W', -1) };
    // A pass is an empty value.
    let point =
        square(&mv.text).map(|(column, row)| [b'a' + column, b'a' + row].map(char::from).iter().collect::<String>());
    text.push_str(&format!(";{name}[{}]", point.unwrap_or_default()));
    text.extend(mv.score.map(|score| format!("V[{:.2}]", f64::from(sign * score) / f64::from(UNIT))));
    text.extend(mv.clock.map(|clock| format!("{name}L[{}]", times::seconds(clock))));
    for (nag, (name, value)) in (1..).zip(MARKS) {
        if mv.nags.contains(&nag) {
            text.push_str(&format!("{name}[{value}]"));
        }
    }
    text.extend(mv.comment.as_ref().map(|comment| format!("C[{}]", tree::escaped(comment))));
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

/// The properties that mark a move like PGN's glyphs 1 to 6, with their values.
const MARKS: [(&str, &str); 6] = [("TE", "1"), ("BM", "1"), ("TE", "2"), ("BM", "2"), ("IT", ""), ("DO", "")];

/// Properties of squares that may have one value.
const MARKUP: [&str; 6] = ["CR", "DD", "MA", "SL", "SQ", "TR"];

/// Properties that belong to the move of their node, even if they stand before it.
const NOTES: [&str; 8] = ["C", "V", "BL", "WL", "TE", "BM", "IT", "DO"];

/// A property of a node: its place in the text, its name and its values.
struct Property<'a> {
    at: usize,
    name: String,
    values: Vec<&'a str>,
}

/// The state of reading a line of moves, node by node.
#[derive(Default)]
struct Reader<'a> {
    /// The squares of a set-up, in reading order.
    squares: Option<Vec<char>>,
    /// The side to move of a set-up (`PL`).
    player: Option<Side>,
    /// Who made the first move.
    first_mover: Option<Side>,
    moves: Vec<RecordMove>,
    tags: Vec<(String, String)>,
    /// The properties of the present node.
    node: Vec<Property<'a>>,
    /// Whether the root is over.
    is_after_root: bool,
}

impl Reader<'_> {
    /// Reads the properties of the node that ends here.
    fn end_node(&mut self, scanner: &Scanner) -> Result<(), SgfError> {
        let mut node = std::mem::take(&mut self.node);
        node.sort_by_key(|property| NOTES.contains(&property.name.as_str()));
        let has_move = node.iter().any(|property| ["B", "W"].contains(&property.name.as_str()));
        for Property { at, name, values } in node {
            self.property(&name, &values, has_move).map_err(|expected| scanner.fault(at, expected))?;
        }
        self.is_after_root = true;
        Ok(())
    }

    /// Reads a property of a node with or without a move. The error says what was expected.
    fn property(&mut self, name: &str, values: &[&str], has_move: bool) -> Result<(), &'static str> {
        let is_point = matches!(values, [value] if square(value).is_some());
        match name {
            "GM" if values.iter().any(|value| value.trim() != "2") => return Err("a game of Othello (GM[2])"),
            "SZ" if values.iter().any(|value| !["8", "8:8"].contains(&value.trim())) => {
                return Err("a board of 8 by 8 squares (SZ[8])");
            }
            "AB" | "AW" | "AE" if !self.moves.is_empty() => return Err("no set-up after moves"),
            "AB" => self.set_up('*', values)?,
            "AW" => self.set_up('O', values)?,
            "AE" => self.set_up('-', values)?,
            "PL" => {
                let white = values.iter().any(|value| value.starts_with(['W', 'w']));
                self.player = Some(if white { Side::Second } else { Side::First });
            }
            "B" | "W" => {
                let side = if name == "B" { Side::First } else { Side::Second };
                self.first_mover.get_or_insert(side);
                let [value] = values else { return Err("one point for a move") };
                self.moves.push(RecordMove::new(Some(side), point(value).ok_or("a move on the board")?));
            }
            // A damaged name must not make a move vanish.
            name if is_point && self.is_after_root && !MARKUP.contains(&name) && !(has_move && name == "C") => {
                return Err("a move as B[point] or W[point]");
            }
            // Texts have one value: several are one whose brackets are not escaped.
            name => self.describe(name, unescaped(&values.join("]["))),
        }
        Ok(())
    }

    /// A property of the game, or of the latest move.
    fn describe(&mut self, name: &str, value: String) {
        let Some(mv) = self.moves.last_mut() else { return self.tags.push((name.to_string(), value)) };
        let sign = if mv.side == Some(Side::First) { 1 } else { -1 };
        match name {
            "C" => mv.add_comment(&value),
            "V" => mv.score = value.trim().parse().ok().and_then(hundredths).map(|value| sign * value),
            "BL" if sign > 0 => mv.clock = seconds(&value),
            "WL" if sign < 0 => mv.clock = seconds(&value),
            name => {
                let has_number = value.trim() == "2";
                let is_mark = |(known, value): &(&str, &str)| *known == name && (*value == "2") == has_number;
                mv.nags.extend((1..).zip(MARKS).find(|(_, mark)| is_mark(mark)).map(|(nag, _)| nag));
            }
        }
    }

    /// Puts a disc, or nothing, on the points and rectangles of a set-up property.
    fn set_up(&mut self, disc: char, values: &[&str]) -> Result<(), &'static str> {
        let squares = self.squares.get_or_insert_with(|| vec!['-'; 64]);
        for value in values {
            for index in area(value).ok_or("a point on the board")? {
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
        let game = SgfGame::read(text).expect("a game");
        game.moves.into_iter().map(|mv| mv.text).collect()
    }

    #[test]
    fn the_main_line_is_read() {
        assert_eq!(moves("(;GM[2]SZ[8]C[a \\] b];B[dc];W[c3] (;B[c4];W[]) (;B[a1]))"), ["D3", "C3", "C4", "PA"]);
        assert_eq!(moves("(;GM[2])"), Vec::<String>::new());
    }

    #[test]
    fn variations_and_notes_are_kept() {
        let text = "(;GM[2];B[fe]V[1.50]BL[59.5]TE[2]C[good](;W[df]BM[1]DO[](;B[cc])(;B[cd];W[ce]))(;C[or]W[ff]IT[]))";
        let game = SgfGame::read(text).expect("a game").record();
        let names = |line: &[RecordMove]| line.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>();
        assert_eq!(names(&game.moves), ["F5", "D6", "C3"]);
        let [first, second, third] = &game.moves[..] else { panic!("three moves") };
        assert_eq!(
            (first.score, first.clock, &first.nags[..]),
            (Some(150), Some(Duration::from_millis(59_500)), &[3][..])
        );
        assert_eq!(second.nags, [2, 6]);
        assert_eq!(
            (names(&second.variations[0]), names(&third.variations[0])),
            (vec!["F6".into()], vec!["C4".into(), "C5".into()])
        );
        let other = &second.variations[0][0];
        assert_eq!((other.comment.as_deref(), &other.nags[..], other.side), (Some("or"), &[5][..], Some(Side::Second)));
        let written = write(&game).expect("SGF");
        assert!(
            written.ends_with("BL[59.5]TE[2]C[good](;W[df]BM[1]DO[](;B[cc])(;B[cd];W[ce]))(;W[ff]IT[]C[or]))\n"),
            "{written}"
        );
        assert_eq!(SgfGame::read(&written).map(|game| game.record()), Ok(game));
        assert_eq!(moves("(;GM[2];B[fe](;C[end])(;W[df]))"), ["F5", "D6"], "a line without moves does not end it");
        assert!(SgfGame::read(&"(;B[fe]".repeat(100_000)).is_err(), "not closed");
        let nested = "(;B[fe](;W[df])".repeat(100_000) + &")".repeat(100_000);
        assert!(SgfGame::read(&nested).is_err(), "nested too deep");
    }

    /// What is recovered, and what is named with its place.
    #[test]
    fn nothing_is_cut_silently() {
        let read = |text: &str| SgfGame::read(text).map(|game| (game.moves.len(), game.tags));
        let name = |text: &str| SgfGame::read(text).expect(text).record().players[0].clone();
        assert_eq!(name("(;GM[2]PB[Kim[3d]]PW[Lee];B[fe];W[df])").as_deref(), Some("Kim[3d]"));
        assert_eq!(name("(;GM[2]PB[a [b]PW[Lee];B[fe];W[df])").as_deref(), Some("a [b"), "as the standard has it");
        let comment = |text: &str| SgfGame::read(text).expect(text).moves[0].comment.clone();
        for (text, expected) in [
            ("(;GM[2]SZ[8];B[fe]C[good [really] move];W[df];B[cc])", "good [really] move"),
            ("(;GM[2];B[fe]C[a :] smile];W[df];B[cc])", "a :] smile"),
            ("(;GM[2];B[fe]C[[a][b]];W[df];B[cc])", "[a][b]"),
            ("(;GM[2];Black[fe]Comment[old];White[df];B[cc])", "old"),
            ("(;GM[2];B[fe]C[d6];W[df];B[cc])", "d6"),
        ] {
            assert_eq!((comment(text).as_deref(), moves(text).len()), (Some(expected), 3), "{text}");
        }
        for (text, place) in [
            ("(;GM[2]SZ[8]PB[a];B[fe] oops ;W[df];B[cc])", "line 1, column 25"),
            ("(;GM[2]SZ[8]PB[a];B[fe];W[df];B[cc", "line 1, column 32"),
            ("(;GM[2];B[fe]\n;W[df]", "line 2, column 7"),
            ("(;GM[2];B[fe]C[not closed;W[df];B[cc])", "line 1, column 15"),
            ("(;GM[2];B[fe]C[escaped\\];W[df];B[cc]C[end])", "line 1, column 15"),
            ("(;GM[2];B[fe];C[df];B[cc])", "line 1, column 15"),
            ("(;GM[2];B[fe]XW[df];B[cc])", "line 1, column 14"),
            ("(;GM[2];B[fe][df])", "line 1, column 9"),
            ("(;GM[2];B[fe]);W[df])", "line 1, column 15"),
            ("(;GM[2](;B[fe]);W[df])", "line 1, column 16"),
        ] {
            let refused = read(text).expect_err(text).to_string();
            assert!(refused.ends_with(&format!("in its {place}")), "{text}: {refused}");
        }
    }

    #[test]
    fn a_set_up_board_is_read() {
        let board = |text| SgfGame::read(text).expect("a game").board.expect("a set-up");
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
            assert!(SgfGame::read(bad).is_err(), "{bad}");
        }
    }
}
