//! Splits lines into the texts of single games, which may be of different formats and extend over several lines.

use super::charset::{self, Decoded};
use super::format::Format;
use super::{fen, obf, pgn, transcript, wthor};
use flipside_support::text::LineEnds;
use serde::de::IgnoredAny;
use std::io::{self, Read};

/// Size limit of a text, in bytes; a longer text is cut there and not read.
pub(super) const MAX_TEXT_LENGTH: usize = 1 << 20;

/// The text of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordText {
    /// The number of its first line, from 1.
    pub line: u64,
    /// Its format, detected from its content.
    pub format: Format,
    /// The text in UTF-8; for WTHOR the whole file with all its games.
    pub bytes: Vec<u8>,
    /// The game named by a comment before it, as `flipside play` saves games.
    pub game: Option<String>,
    /// Whether it was longer than a record may be, and its end is missing.
    pub is_cut: bool,
    /// What had to be guessed of its character set, or could not be read. A guess is told once for all records.
    pub warning: Option<String>,
}

impl RecordText {
    /// Whether it seems to be the rest of this record, whose game ended too early.
    pub(super) fn continues(&self, record: &RecordText) -> bool {
        let has_root = |text: &RecordText| is_root(&String::from_utf8_lossy(&text.bytes));
        match (record.format, self.format) {
            (Format::Pgn, Format::Transcript) => move_number(&String::from_utf8_lossy(&self.bytes)).is_some(),
            (Format::Sgf | Format::Ggf, Format::Transcript) => self.bytes.iter().any(|byte| b"[]".contains(byte)),
            (Format::Sgf | Format::Ggf, Format::Sgf | Format::Ggf) => has_root(record) && !has_root(self),
            _ => false,
        }
    }
}

/// A line of the input.
#[derive(Clone, Debug)]
struct Line {
    number: u64,
    text: String,
    /// The bytes as they were; none for the rest of a line whose character set is known.
    bytes: Option<Vec<u8>>,
    /// What had to be guessed.
    warning: Option<String>,
}

/// Splits a stream of lines.
pub struct RecordTexts<L> {
    lines: L,
    number: u64,
    /// A line that was read ahead.
    pending: Option<Line>,
    game: Option<String>,
    /// A warning of the record that is being read.
    warning: Option<String>,
    /// Whether a guess has been told.
    has_told_guess: bool,
}

impl<L: Iterator<Item = io::Result<Vec<u8>>>> RecordTexts<L> {
    /// Reads these lines. A WTHOR file counts as one line.
    pub fn new(lines: L) -> RecordTexts<L> {
        RecordTexts { lines, number: 0, pending: None, game: None, warning: None, has_told_guess: false }
    }

    /// The next line that is neither empty nor a comment; a WTHOR file as it is.
    fn next_start(&mut self) -> io::Result<Option<Start>> {
        loop {
            let line = match self.pending.take() {
                Some(pending) => pending,
                None => {
                    let Some(bytes) = self.lines.next().transpose()? else { return Ok(None) };
                    self.number += 1;
                    if wthor::is_wthor(&bytes) {
                        return Ok(Some(Start::Wthor(self.number, bytes)));
                    }
                    self.decoded(bytes)
                }
            };
            let text = line.text.trim();
            if let Some(game) = text.strip_prefix(transcript::HEAD) {
                self.game = Some(game.trim().to_string());
            }
            if !text.is_empty() && !text.starts_with(['#', '%']) {
                return Ok(Some(Start::Line(line)));
            }
        }
    }

    /// The next line as it is: the one read ahead, if any.
    fn next_line(&mut self) -> io::Result<Option<Line>> {
        if self.pending.is_some() {
            return Ok(self.pending.take());
        }
        let Some(bytes) = self.lines.next().transpose()? else { return Ok(None) };
        self.number += 1;
        Ok(Some(self.decoded(bytes)))
    }

    /// A line of a character set that no record has named.
    fn decoded(&mut self, bytes: Vec<u8>) -> Line {
        let Decoded { text, warning } = charset::decode(&bytes);
        Line { number: self.number, text, bytes: Some(bytes), warning }
    }

    /// Adds the warning of a line to those of the record that it belongs to.
    fn add_warning(&mut self, line: &mut Line) {
        self.warning = self.warning.take().or(line.warning.take());
    }

    fn record(&mut self) -> io::Result<Option<RecordText>> {
        let line = match self.next_start()? {
            None => return Ok(None),
            Some(Start::Wthor(line, bytes)) => {
                let (format, game, is_cut, warning) = (Format::Wthor, None, false, None);
                return Ok(Some(RecordText { line, format, bytes, game, is_cut, warning }));
            }
            Some(Start::Line(mut line)) => {
                self.add_warning(&mut line);
                line
            }
        };
        let (number, text) = (line.number, line.text.trim().to_string());
        let (format, text) = if tree_start(&text).is_some() {
            let text = self.tree(line)?;
            (if is_sgf(&text) { Format::Sgf } else { Format::Ggf }, text)
        } else if pgn::is_tag_line(&text) {
            (Format::Pgn, self.pgn(text)?)
        } else if text.starts_with('{') {
            (Format::Json, self.json(text)?)
        } else if obf::is_obf(&text) {
            (Format::Obf, text)
        } else if fen::game_of(&text).is_some() {
            (Format::Fen, text)
        } else {
            (Format::Transcript, self.transcript(text)?)
        };
        // The readers of trees name a missing end themselves.
        let has_open_end = matches!(format, Format::Pgn | Format::Json | Format::Transcript);
        let is_cut = has_open_end && text.len() >= MAX_TEXT_LENGTH;
        let game = self.game.clone().filter(|_| format == Format::Transcript);
        Ok(Some(RecordText { line: number, format, bytes: text.into_bytes(), game, is_cut, warning: self.told() }))
    }

    /// The warning of the record that has been read.
    fn told(&mut self) -> Option<String> {
        let warning = self.warning.take()?;
        if warning == charset::GUESSED && std::mem::replace(&mut self.has_told_guess, true) {
            return None;
        }
        Some(warning)
    }

    /// GGF or SGF: up to the parenthesis that closes the first one; the rest of its line is read next. A line that can
    /// only begin a game also ends an unclosed one. From the line that names a character set on, all is of that set.
    fn tree(&mut self, mut line: Line) -> io::Result<String> {
        let (mut text, mut bytes, mut declared) = (String::new(), Vec::new(), None);
        let mut scanner = TreeScanner::default();
        loop {
            if let Some(read) = &line.bytes {
                if declared.is_none()
                    && let Some(name) = charset::declared(read)
                {
                    // The lines before were read in a wrong character set.
                    let before = charset::decode_as(&bytes, &name);
                    (text, self.warning, scanner) = (before.text, before.warning, TreeScanner::default());
                    for line in text.lines() {
                        let _ = scanner.end_in(line);
                    }
                    declared = Some(name);
                }
                if let Some(name) = &declared {
                    Decoded { text: line.text, warning: line.warning } = charset::decode_as(read, name);
                } else {
                    bytes.extend_from_slice(read);
                    bytes.push(b'\n');
                }
            }
            self.add_warning(&mut line);
            let own = if text.is_empty() { line.text.trim() } else { line.text.trim_end() };
            if let Some(end) = scanner.end_in(own) {
                let (own, rest) = own.split_at(end);
                text.push_str(own);
                let rest = rest.trim();
                if !rest.is_empty() {
                    self.pending =
                        Some(Line { number: line.number, text: rest.to_string(), bytes: None, warning: None });
                }
                return Ok(text);
            }
            text.push_str(own);
            text.push('\n');
            if text.len() >= MAX_TEXT_LENGTH {
                return Ok(text);
            }
            let Some(next) = self.next_line()? else { return Ok(text) };
            if is_root(&next.text) {
                self.pending = Some(next);
                return Ok(text);
            }
            line = next;
        }
    }

    /// PGN: up to a line that ends with a result, or to the tags of the next game.
    fn pgn(&mut self, first: String) -> io::Result<String> {
        let mut text = first + "\n";
        let (mut tags_are_over, mut in_comment) = (false, false);
        while let Some(mut next) = self.next_line()? {
            let line = next.text.trim_end();
            let is_tag = pgn::is_tag_line(line);
            if is_tag && tags_are_over && (!in_comment || line.starts_with("[Event ")) {
                self.pending = Some(next);
                break;
            }
            tags_are_over |= !is_tag;
            in_comment = match (line.rfind('{'), line.rfind('}')) {
                (None, None) => in_comment,
                (open, close) => open > close,
            };
            text.push_str(line);
            text.push('\n');
            let is_end = !is_tag && !in_comment && pgn::ends_game(line) || text.len() >= MAX_TEXT_LENGTH;
            self.add_warning(&mut next);
            if is_end {
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
            let Some(mut next) = self.next_line()? else { break };
            if next.text.starts_with('{') {
                self.pending = Some(next);
                break;
            }
            text.push(' ');
            text.push_str(next.text.trim());
            self.add_warning(&mut next);
        }
        Ok(text)
    }

    /// A transcript: a line and those after it that continue its numbers (`1. f5 d6`, `2. c3 d3`).
    fn transcript(&mut self, first: String) -> io::Result<String> {
        let mut text = first;
        if move_number(&text) != Some(1) {
            return Ok(text);
        }
        while let Some(mut next) = self.next_line()? {
            let number = move_number(next.text.trim_start());
            if number.is_none_or(|number| number < 2) || text.len() >= MAX_TEXT_LENGTH {
                self.pending = Some(next);
                break;
            }
            text.push(' ');
            text.push_str(transcript::without_comment(next.text.trim()));
            self.add_warning(&mut next);
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
    let mut warning = None;
    let lines: Vec<Vec<u8>> = if wthor::is_wthor(bytes) {
        vec![bytes.to_vec()]
    } else {
        let (bytes, is_damaged) = charset::without_mark(bytes);
        warning = is_damaged.then(|| charset::DAMAGED_UTF16.to_string());
        let mut text = Vec::new();
        // Memory can always be read.
        let _ = LineEnds::new(&*bytes).read_to_end(&mut text);
        text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let texts = RecordTexts::new(lines.into_iter().map(Ok)).filter_map(Result::ok);
    texts.map(move |text| RecordText { warning: warning.take().or(text.warning), ..text })
}

/// What a record begins with.
enum Start {
    Wthor(u64, Vec<u8>),
    Line(Line),
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

    /// A guess is told once; brackets that are bytes of letters end no value.
    #[test]
    fn character_sets_are_found() {
        let read = |bytes: &[u8]| {
            let text = |text: RecordText| (String::from_utf8(text.bytes).expect("UTF-8"), text.warning.is_some());
            in_bytes(bytes).map(text).collect::<Vec<_>>()
        };
        let latin = b"(;GM[2]PB[Zo\xeb];B[fe])\n[White \"No\xebl\"]\n\n1. f5 *\nf5 # \xe9\n";
        let [sgf, pgn, transcript] = &read(latin)[..] else { panic!("three games") };
        assert_eq!(sgf, &("(;GM[2]PB[Zo\u{eb}];B[fe])".into(), true));
        assert!(pgn.0.starts_with("[White \"No\u{eb}l\"]") && !pgn.1 && transcript == &("f5 # \u{e9}".into(), false));
        // The second byte of the first letter is a backslash, that of the other a bracket.
        let japanese = encoding_rs::SHIFT_JIS.encode("表ー").0.into_owned();
        for (before, after) in
            [("(;GM[2]CA[Shift_JIS]PB[", "];B[fe])(;GM[2];B[ef])"), ("(;GM[2]\nPB[", "]\nCA[Shift_JIS];B[fe])\nf5")]
        {
            let found = read(&[before.as_bytes(), &japanese, after.as_bytes()].concat());
            assert_eq!(found.len(), 2, "{found:?}");
            assert!(found[0].0.contains("PB[表ー]") && found[0].0.ends_with(";B[fe])") && !found[0].1, "{found:?}");
        }
        let damaged = read(b"(;GM[2]CA[GB18030]PB[\x81 x];B[fe])\nf5");
        assert!(damaged[0].1 && damaged[0].0.contains('\u{fffd}') && !damaged[1].1, "{damaged:?}");
        let utf16 = "f5d6\r\nf5f6".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        assert_eq!(read(&[&[0xff, 0xfe], &utf16[..]].concat()), [("f5d6".into(), false), ("f5f6".into(), false)]);
        assert_eq!(read(&[&[0xff, 0xfe], &utf16[1..]].concat()).first().map(|text| text.1), Some(true));
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
