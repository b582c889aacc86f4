//! Splits lines into the texts of single games, which may be of different formats and extend over several lines.

use super::format::Format;
use super::{fen, obf, pgn, transcript, wthor};
use flipside_support::text::{BOM, LineEnds};
use serde::de::IgnoredAny;
use std::io::{self, Read};

/// Size limit of a text, in bytes; a longer text is cut there.
const MAX_TEXT_LENGTH: usize = 1 << 20;

/// The text of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordText {
    /// The number of its first line, from 1.
    pub line: u64,
    /// Its format, detected from its content.
    pub format: Format,
    /// The text; for WTHOR the whole file with all its games.
    pub bytes: Vec<u8>,
    /// The game named by a comment before it, as `flipside play` saves games.
    pub game: Option<String>,
}

/// Splits a stream of lines.
pub struct RecordTexts<L> {
    lines: L,
    number: u64,
    /// A line that was read ahead.
    pending: Option<(u64, String)>,
    game: Option<String>,
}

impl<L: Iterator<Item = io::Result<Vec<u8>>>> RecordTexts<L> {
    /// Reads these lines. A WTHOR file counts as one line.
    pub fn new(lines: L) -> RecordTexts<L> {
        RecordTexts { lines, number: 0, pending: None, game: None }
    }

    /// The next line that is neither empty nor a comment; a WTHOR file as it is.
    fn next_start(&mut self) -> io::Result<Option<Start>> {
        loop {
            let (number, line) = match self.pending.take() {
                Some(pending) => pending,
                None => {
                    let Some(bytes) = self.lines.next().transpose()? else { return Ok(None) };
                    self.number += 1;
                    if wthor::is_wthor(&bytes) {
                        return Ok(Some(Start::Wthor(self.number, bytes)));
                    }
                    (self.number, String::from_utf8_lossy(&bytes).trim().to_string())
                }
            };
            if let Some(game) = line.strip_prefix(transcript::HEAD) {
                self.game = Some(game.trim().to_string());
            }
            if !line.is_empty() && !line.starts_with(['#', '%']) {
                return Ok(Some(Start::Line(number, line)));
            }
        }
    }

    /// The next line as it is: the one read ahead, if any.
    fn next_line(&mut self) -> io::Result<Option<(u64, String)>> {
        if self.pending.is_some() {
            return Ok(self.pending.take());
        }
        let Some(bytes) = self.lines.next().transpose()? else { return Ok(None) };
        self.number += 1;
        Ok(Some((self.number, String::from_utf8_lossy(&bytes).trim_end().to_string())))
    }

    fn record(&mut self) -> io::Result<Option<RecordText>> {
        let (number, line) = match self.next_start()? {
            None => return Ok(None),
            Some(Start::Wthor(line, bytes)) => {
                return Ok(Some(RecordText { line, format: Format::Wthor, bytes, game: None }));
            }
            Some(Start::Line(number, line)) => (number, line),
        };
        let (format, text) = if tree_start(&line).is_some() {
            let text = self.tree(number, line)?;
            (if is_sgf(&text) { Format::Sgf } else { Format::Ggf }, text)
        } else if pgn::is_tag_line(&line) {
            (Format::Pgn, self.pgn(line)?)
        } else if line.starts_with('{') {
            (Format::Json, self.json(line)?)
        } else if obf::is_obf(&line) {
            (Format::Obf, line)
        } else if fen::game_of(&line).is_some() {
            (Format::Fen, line)
        } else {
            (Format::Transcript, self.transcript(line)?)
        };
        let game = self.game.clone().filter(|_| format == Format::Transcript);
        Ok(Some(RecordText { line: number, format, bytes: text.into_bytes(), game }))
    }

    /// GGF or SGF: up to the parenthesis that closes the first one; the rest of its line is read next. A line that can
    /// only begin a game also ends an unclosed one.
    fn tree(&mut self, mut number: u64, mut line: String) -> io::Result<String> {
        let (mut text, mut scanner) = (String::new(), TreeScanner::default());
        loop {
            if let Some(end) = scanner.end_in(&line) {
                let (own, rest) = line.split_at(end);
                text.push_str(own);
                let rest = rest.trim();
                if !rest.is_empty() {
                    self.pending = Some((number, rest.to_string()));
                }
                return Ok(text);
            }
            text.push_str(&line);
            text.push('\n');
            if text.len() >= MAX_TEXT_LENGTH {
                return Ok(text);
            }
            let Some(next) = self.next_line()? else { return Ok(text) };
            if is_root(&next.1) {
                self.pending = Some(next);
                return Ok(text);
            }
            (number, line) = next;
        }
    }

    /// PGN: up to a line that ends with a result, or to the tags of the next game.
    fn pgn(&mut self, first: String) -> io::Result<String> {
        let mut text = first + "\n";
        let (mut tags_are_over, mut in_comment) = (false, false);
        while let Some((number, line)) = self.next_line()? {
            let is_tag = pgn::is_tag_line(&line);
            if is_tag && tags_are_over && (!in_comment || line.starts_with("[Event ")) {
                self.pending = Some((number, line));
                break;
            }
            tags_are_over |= !is_tag;
            in_comment = match (line.rfind('{'), line.rfind('}')) {
                (None, None) => in_comment,
                (open, close) => open > close,
            };
            text.push_str(&line);
            text.push('\n');
            if !is_tag && !in_comment && pgn::ends_game(&line) || text.len() >= MAX_TEXT_LENGTH {
                break;
            }
        }
        Ok(text)
    }

    /// JSON: one line, or the lines of an object that is not complete before.
    fn json(&mut self, first: String) -> io::Result<String> {
        let is_open = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_err_and(|error| error.is_eof());
        let mut text = first;
        while is_open(&text) && text.len() < MAX_TEXT_LENGTH {
            let Some((number, line)) = self.next_line()? else { break };
            if line.starts_with('{') {
                self.pending = Some((number, line));
                break;
            }
            text.push(' ');
            text.push_str(line.trim());
        }
        Ok(text)
    }

    /// A transcript: a line and those after it that continue its numbers (`1. f5 d6`, `2. c3 d3`).
    fn transcript(&mut self, first: String) -> io::Result<String> {
        let mut text = first;
        if move_number(&text) != Some(1) {
            return Ok(text);
        }
        while let Some((number, line)) = self.next_line()? {
            if move_number(line.trim_start()).is_none_or(|number| number < 2) || text.len() >= MAX_TEXT_LENGTH {
                self.pending = Some((number, line.trim().to_string()));
                break;
            }
            text.push(' ');
            text.push_str(line.split('#').next().unwrap_or_default());
        }
        Ok(text)
    }
}

impl<L: Iterator<Item = io::Result<Vec<u8>>>> Iterator for RecordTexts<L> {
    type Item = io::Result<RecordText>;

    fn next(&mut self) -> Option<Self::Item> {
        self.record().transpose()
    }
}

/// The texts of games in these bytes.
pub fn in_bytes(bytes: &[u8]) -> impl Iterator<Item = RecordText> + use<> {
    let lines: Vec<Vec<u8>> = if wthor::is_wthor(bytes) {
        vec![bytes.to_vec()]
    } else {
        let mut text = Vec::new();
        // Memory can always be read.
        let _ = LineEnds::new(bytes.strip_prefix(BOM.as_bytes()).unwrap_or(bytes)).read_to_end(&mut text);
        text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    RecordTexts::new(lines.into_iter().map(Ok)).filter_map(Result::ok)
}

/// What a record begins with.
enum Start {
    Wthor(u64, Vec<u8>),
    Line(u64, String),
}

/// The number before a dot at the start of a line.
fn move_number(line: &str) -> Option<u32> {
    line.split_once('.')?.0.parse().ok()
}

/// Where a tree begins in a line: at its start, or after the number that GGF writes before games side by side.
fn tree_start(line: &str) -> Option<usize> {
    let at = line.find('(')?;
    let rest = line.get(at + 1..)?.trim_start();
    let begins = rest.starts_with(';') || rest.is_empty();
    (begins && line.chars().take(at).all(|c| c.is_ascii_digit() || c.is_whitespace())).then_some(at)
}

/// Whether the line begins a game: `(;` with a property that only the root has.
fn is_root(line: &str) -> bool {
    let Some(at) = tree_start(line) else { return false };
    let rest = line.get(at + 1..).unwrap_or_default().trim_start_matches([';', ' ']);
    ["GM[", "FF[", "CA[", "SZ[", "AP["].iter().any(|property| rest.starts_with(property))
}

/// Whether a tree is SGF: its game is a number (in GGF a word), or a semicolon precedes each move.
fn is_sgf(text: &str) -> bool {
    match text.split_once("GM[") {
        Some((_, game)) => game.trim_start().starts_with(|c: char| c.is_ascii_digit()),
        None => [";B[", ";W[", "FF["].iter().any(|mark| text.contains(mark)),
    }
}

/// Finds the end of a tree, line by line.
#[derive(Default)]
struct TreeScanner {
    depth: usize,
    in_value: bool,
    is_escaped: bool,
}

impl TreeScanner {
    /// The index after the last parenthesis, if it is in this line.
    fn end_in(&mut self, line: &str) -> Option<usize> {
        for (at, character) in line.char_indices() {
            if std::mem::take(&mut self.is_escaped) {
                continue;
            }
            match character {
                '\\' if self.in_value => self.is_escaped = true,
                ']' => self.in_value = false,
                '[' => self.in_value = true,
                '(' if !self.in_value => self.depth += 1,
                ')' if !self.in_value => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        self.is_escaped = false;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        text.lines().map(|line| Ok(line.as_bytes().to_vec()))
    }

    fn found(text: &str) -> Vec<(u64, Format, String)> {
        let texts = RecordTexts::new(lines(text)).map(Result::unwrap);
        texts.map(|found| (found.line, found.format, String::from_utf8(found.bytes).unwrap())).collect()
    }

    #[test]
    fn every_format_is_told_by_its_content() {
        let text = "# games\n\nf5d6\n(;GM[Othello]\nB[f5]\n;)\nf5f6 # (;\n(;GM[2];B[dc])\n(;FF[4]\n;B[dc]\n(;W[cc])\n(;W[ce]))\n\
            {\"moves\":[]}\n---------------------------OX------XO--------------------------- X; f5:+0 % Edax\n\
            8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1\n[Event \"a\"]\n[Result \"*\"]\n\n1. f5 {a\n[b \"c\"]} d6\n\n2. c3 *\nf5\n\
            [Event \"b\"]\n\n1. f5\n[Event \"c\"]\n\n*\n1. f5 d6\n2. c3 # more\n3. d3\nf5f4\n";
        let found = found(text);
        let formats: Vec<_> = found.iter().map(|(line, format, _)| (*line, *format)).collect();
        use Format::*;
        let expected = [
            (3, Transcript),
            (4, Ggf),
            (7, Transcript),
            (8, Sgf),
            (9, Sgf),
            (13, Json),
            (14, Obf),
            (15, Fen),
            (16, Pgn),
            (23, Transcript),
            (24, Pgn),
            (27, Pgn),
            (30, Transcript),
            (33, Transcript),
        ];
        assert_eq!(formats, expected);
        assert_eq!(found[1].2, "(;GM[Othello]\nB[f5]\n;)");
        assert_eq!(found[12].2, "1. f5 d6 2. c3  3. d3");
    }

    #[test]
    fn games_on_one_line_and_games_that_are_never_closed() {
        let text = "2 (;GM[Othello]B[f5];)(;GM[Othello]PB[a\\])]W[d6];) f5\n(;GM[Othello]PB[x\n(;GM[Othello];)\n";
        let texts: Vec<String> = found(text).into_iter().map(|(_, _, text)| text).collect();
        assert_eq!(texts.len(), 5, "{texts:?}");
        assert_eq!(texts[1], "(;GM[Othello]PB[a\\])]W[d6];)");
        assert_eq!((texts[2].as_str(), texts[3].as_str()), ("f5", "(;GM[Othello]PB[x\n"));
    }

    /// Old Macintoshes end lines in CR alone.
    #[test]
    fn lines_may_end_in_cr() {
        let text = "# games\nf5d6\n(;GM[2];B[dc]C[two\nlines])\n[Event \"a\"]\n\n1. f5 ; comment\nd6 *\n";
        let formats = |text: &str| in_bytes(text.as_bytes()).map(|text| (text.line, text.format)).collect::<Vec<_>>();
        let expected = formats(text);
        assert_eq!(expected.len(), 3);
        for end in ["\r", "\r\n"] {
            assert_eq!(formats(&text.replace('\n', end)), expected, "{end:?}");
        }
    }

    /// A record that nobody closes does not take all memory.
    #[test]
    fn an_endless_record_is_cut() {
        for (first, line) in [("(;", "B[f5]"), ("[Event \"a\"]", "f5 d6"), ("1. f5", "2. d6")] {
            let mut endless = std::iter::once(first).chain(std::iter::repeat(line));
            let lines = std::iter::from_fn(move || Some(Ok(endless.next()?.as_bytes().to_vec())));
            let text = RecordTexts::new(lines).next().expect("a record").expect("text");
            assert!(text.line == 1 && text.bytes.len() < 2 * MAX_TEXT_LENGTH, "{first}");
        }
    }

    #[test]
    fn json_may_have_several_lines() {
        let found = found("{\n  \"players\": [\n  {\"name\": \"Ann\"}],\n  \"moves\": []\n}\nf5\n{\"a\":\n{}\n");
        let shown: Vec<_> = found.iter().map(|(line, format, text)| (*line, *format, text.as_str())).collect();
        let expected = [
            (1, Format::Json, "{ \"players\": [ {\"name\": \"Ann\"}], \"moves\": [] }"),
            (6, Format::Transcript, "f5"),
            (7, Format::Json, "{\"a\":"),
            (8, Format::Json, "{}"),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_saved_game_names_its_game() {
        let mut texts = RecordTexts::new(lines("# flipside game of minichess\nb2-b3 c5-c4\n"));
        assert_eq!(texts.next().expect("a game").expect("text").game.as_deref(), Some("minichess"));
    }
}
