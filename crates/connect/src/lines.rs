//! Lines from the bytes of a server.

use flipside_support::text::one_line;

/// The longest line that is read, in bytes. A server that sends a longer one loses that line, not the connection.
const LONGEST_LINE: usize = 1 << 16;

/// The characters of a text of the server that are shown.
const SHOWN: usize = 120;

/// A text of the server as the user sees it: on one line, of a limited length.
pub fn shown(text: &str) -> String {
    one_line(text, SHOWN)
}

/// Cuts a stream of bytes into lines, however it is torn into packets.
#[derive(Debug, Default)]
pub struct Lines {
    line: Vec<u8>,
    /// The line is longer than [`LONGEST_LINE`], and what follows in it is dropped.
    too_long: bool,
}

impl Lines {
    /// The lines that end within these bytes. They end in LF or CR LF; other control characters, such as the bell, are
    /// left out, and bytes that are not UTF-8 are read as Latin-1.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in bytes {
            if byte == b'\n' {
                lines.extend(self.end());
            } else if self.line.len() < LONGEST_LINE {
                self.line.push(byte);
            } else {
                self.too_long = true;
            }
        }
        lines
    }

    /// What has come of a line that has not ended, if it is a prompt; the rest of the line will count as another one. A
    /// slow line that is none stays whole.
    pub fn take_prompt(&mut self, is_prompt: impl FnOnce(&str) -> bool) -> Option<String> {
        let is_one = is_prompt(&String::from_utf8_lossy(&self.line));
        is_one.then(|| self.end()).flatten()
    }

    /// Whether a line has begun and not ended.
    pub fn is_open(&self) -> bool {
        !self.line.is_empty()
    }

    fn end(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            log::warn!("the server sent a line of more than {LONGEST_LINE} bytes, which is left out");
            return None;
        }
        let text =
            String::from_utf8(line).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
        Some(text.chars().filter(|c| !c.is_control()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_however_they_are_torn() {
        let bytes = "one\r\ntwo \u{7}bells\n\ncaf\u{e9}\r\n".as_bytes();
        for cut in 0..bytes.len() {
            let mut lines = Lines::default();
            let mut all = lines.push(&bytes[..cut]);
            all.extend(lines.push(&bytes[cut..]));
            assert_eq!(all, ["one", "two bells", "", "caf\u{e9}"], "cut at {cut}");
            assert!(!lines.is_open());
        }
        assert_eq!(Lines::default().push(b"caf\xe9\n"), ["caf\u{e9}"]);
    }

    #[test]
    fn a_line_without_end_takes_a_bounded_memory_and_costs_only_itself() {
        let mut lines = Lines::default();
        for _ in 0..100 {
            assert!(lines.push(&[b'x'; 4096]).is_empty());
        }
        assert_eq!(lines.line.len(), LONGEST_LINE);
        assert_eq!(lines.push(b"\nnext\n"), ["next"]);
    }

    #[test]
    fn a_prompt_needs_no_line_end() {
        let mut lines = Lines::default();
        assert_eq!(lines.push(b"hello\n: Enter login"), ["hello"]);
        let is_prompt = |text: &str| text.contains("Enter");
        assert_eq!(lines.take_prompt(is_prompt).as_deref(), Some(": Enter login"));
        assert_eq!((lines.take_prompt(is_prompt), lines.push(b": slow")), (None, Vec::new()));
        assert_eq!((lines.take_prompt(is_prompt), lines.push(b" news\n")), (None, vec![": slow news".to_string()]));
    }
}
