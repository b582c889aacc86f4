//! Text from files and pipes.

use std::io::{Read, Result};

/// The byte-order mark that some editors and shells put at the start of a text.
pub const BOM: &str = "\u{feff}";

/// The text without a byte-order mark at the start.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// Text whose lines end in LF, whether its own end in LF, CR LF, or CR alone, as on old Macintoshes.
pub struct LineEnds<R> {
    input: R,
    /// The last byte was a CR, to which an LF may belong.
    after_cr: bool,
}

impl<R: Read> LineEnds<R> {
    /// The text of this input.
    pub fn new(input: R) -> LineEnds<R> {
        LineEnds { input, after_cr: false }
    }
}

impl<R: Read> Read for LineEnds<R> {
    /// A CR ends a line at once, without waiting for the next byte.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            let length = self.input.read(buffer)?;
            let mut kept = 0;
            for at in 0..length {
                let byte = buffer[at];
                let belongs_to_cr = std::mem::replace(&mut self.after_cr, byte == b'\r') && byte == b'\n';
                if !belongs_to_cr {
                    buffer[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
            }
            // No byte is the end of the input, not the LF of a CR.
            if kept > 0 || length == 0 {
                return Ok(kept);
            }
        }
    }
}

/// The text with lines that end in LF, as [`LineEnds`] has them.
pub fn with_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// At most this many characters of a text, with blanks for control characters.
pub fn one_line(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text of at most this many characters; an ellipsis stands for the rest.
pub fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_string(),
    }
}

/// Most words of a list that is shown whole: no position of Reversi or MiniChess has more moves.
const MOST_LISTED: usize = 40;

/// The words of a list; of a longer one than a reader takes in, the first and how many more there are.
pub fn listed(words: &[String]) -> String {
    match words.get(8..) {
        Some(more) if words.len() > MOST_LISTED => format!("{} and {} more", words[..8].join(" "), more.len()),
        _ => words.join(" "),
    }
}

/// Drops a byte-order mark at the start of a text.
pub fn drop_bom(text: &mut Vec<u8>) {
    if text.starts_with(BOM.as_bytes()) {
        text.drain(..BOM.len());
    }
}

/// The line of a byte and its column in characters, both from 1.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_ends_in_lf() {
        for step in 1..=4 {
            // However the system cuts the input, a CR and its LF are one line end.
            let text = b"a\r\nb\rc\n\r\rd\r\n\r\n";
            let parts = text.chunks(step).map(std::io::Cursor::new);
            let mut chained: Box<dyn Read> = Box::new(std::io::empty());
            for part in parts {
                chained = Box::new(chained.chain(part));
            }
            let mut found = String::new();
            LineEnds::new(chained).read_to_string(&mut found).expect("text");
            assert_eq!(found, "a\nb\nc\n\n\nd\n\n", "{step}");
        }
    }

    #[test]
    fn a_long_list_is_cut() {
        let words: Vec<String> = (1..=41).map(|number| number.to_string()).collect();
        assert_eq!(listed(&words), "1 2 3 4 5 6 7 8 and 33 more");
        assert!(listed(&words[1..]).ends_with(" 40 41") && listed(&[]).is_empty());
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!((shortened("abcd", 4), shortened("abcde", 4)), ("abcd".into(), "abc…".into()));
    }
}
