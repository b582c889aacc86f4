//! The syntax of SGF: trees of nodes of properties. A value whose brackets are not escaped is read where its end is plain.

use crate::record::tree::begins_property;
use flipside_support::text::{line_and_column, one_line};

/// A text without an Othello game; holds the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SgfError(String);

/// A piece of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// The beginning of a tree.
    Open,
    /// Its end.
    Close,
    /// The beginning of a node.
    Node,
    /// A property: its name without the lower-case letters of old files, and its values with their escapes.
    Property(String, Vec<&'a str>),
}

/// Reads a text piece by piece.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// Where the next piece begins.
    pub(super) fn place(&mut self) -> usize {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at
    }

    /// Whether a node begins next.
    pub(super) fn is_at_node(&self) -> bool {
        self.rest().trim_start().starts_with(';')
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// A fault at a place: what was expected, and what is there instead.
    pub(super) fn fault(&self, at: usize, expected: &str) -> SgfError {
        let (line, column) = line_and_column(self.text, at);
        let seen = self.text.get(at..).unwrap_or_default();
        let seen = if seen.is_empty() { "the end".into() } else { format!("'{}'", one_line(seen, 20)) };
        SgfError(format!("expected {expected}, saw {seen} in its line {line}, column {column}"))
    }

    /// The next piece; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Piece<'a>>, SgfError> {
        let at = self.place();
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let piece = match first {
            '(' => Piece::Open,
            ')' => Piece::Close,
            ';' => Piece::Node,
            _ => return self.property().map(Some),
        };
        self.at = at + 1;
        Ok(Some(piece))
    }

    fn property(&mut self) -> Result<Piece<'a>, SgfError> {
        let at = self.at;
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let name: String = rest.chars().take(length).filter(char::is_ascii_uppercase).collect();
        self.at += length;
        self.place();
        if name.is_empty() || !self.rest().starts_with('[') {
            return Err(self.fault(at, "a property as NAME[value], ';', '(' or ')'"));
        }
        let mut values = Vec::new();
        while self.rest().starts_with('[') {
            values.push(self.value()?);
            self.place();
        }
        Ok(Piece::Property(name, values))
    }

    /// A value from its bracket on. By the standard the first bracket that is not escaped closes it. If nothing of a tree
    /// follows that one, the writer did not escape brackets: then brackets inside come in pairs, and the value ends where
    /// a part of a tree follows.
    fn value(&mut self) -> Result<&'a str, SgfError> {
        let begin = self.at;
        let (mut depth, mut first_end, mut is_escaped) = (0_u32, None, false);
        let inside = self.text.get(begin + 1..).unwrap_or_default();
        for (at, character) in inside.char_indices() {
            if std::mem::take(&mut is_escaped) {
                continue;
            }
            let before = inside.get(..at).unwrap_or_default();
            match character {
                '\\' => is_escaped = true,
                '[' if begins_property(before) => break,
                '[' => depth += 1,
                ']' if depth == 0 || first_end.is_none() => {
                    if continues_tree(inside.get(at + 1..).unwrap_or_default()) {
                        self.at = begin + at + 2;
                        return Ok(before);
                    }
                    first_end.get_or_insert(at);
                    depth = depth.saturating_sub(1);
                }
                ']' => depth -= 1,
                _ => {}
            }
        }
        // What follows the first bracket is then named as the fault.
        let end = first_end.ok_or_else(|| self.fault(begin, "a value that is closed by ]"))?;
        self.at = begin + end + 2;
        Ok(inside.get(..end).unwrap_or_default())
    }
}

/// Whether the text may follow a value: another value, a property, a node, or the beginning or end of a tree.
fn continues_tree(text: &str) -> bool {
    let text = text.trim_start();
    let name = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    text.is_empty()
        || text.starts_with(['[', ';', '(', ')'])
        || name.len() < text.len() && name.trim_start().starts_with('[')
}
