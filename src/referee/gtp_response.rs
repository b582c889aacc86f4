//! Reading a GTP response: `=` or `?`, an id, a text of one or more lines, and an empty line.

use super::process::OutputLine;
use std::time::Instant;

/// A GTP response.
#[derive(Clone, Debug, PartialEq)]
pub struct GtpResponse {
    /// True for `=`, false for `?`.
    pub accepted: bool,
    /// The digits after the mark; empty if there are none.
    pub id: String,
    /// The rest, without blanks around it.
    pub text: String,
    /// When the first line was read.
    pub at: Instant,
}

/// The line of a response that is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The one that begins with the mark.
    First,
    /// A further line of the text, or the empty line at the end.
    Further,
}

/// Reads a response. `malformed` makes the error for a first line without a mark.
///
/// # Errors
/// Those of `next_line` and `malformed`.
pub fn read_response<E>(
    mut next_line: impl FnMut(Awaited) -> Result<OutputLine, E>,
    malformed: impl FnOnce(&str) -> E,
) -> Result<GtpResponse, E> {
    let first = next_line(Awaited::First)?;
    let (accepted, rest) = match (first.text.strip_prefix('='), first.text.strip_prefix('?')) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return Err(malformed(&first.text)),
    };
    let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let id = rest[..rest.len() - text.len()].to_string();
    let mut text = text.trim().to_string();
    loop {
        let line = next_line(Awaited::Further)?;
        if line.text.is_empty() {
            return Ok(GtpResponse { accepted, id, text, at: first.at });
        }
        text.push('\n');
        text.push_str(&line.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GtpResponse, String> {
        let mut lines = text.lines();
        let next = |_| {
            let text = lines.next().ok_or("the end")?.to_string();
            Ok(OutputLine { text, at: Instant::now() })
        };
        read_response(next, |line| format!("malformed: {line}"))
    }

    #[test]
    fn responses_with_and_without_id() {
        let parts = |text| read(text).map(|response| (response.accepted, response.id, response.text));
        let wanted = |accepted, id: &str, text: &str| Ok((accepted, id.to_string(), text.to_string()));
        assert_eq!(parts("= D3\n\n"), wanted(true, "", "D3"));
        assert_eq!(parts("=17\n\n"), wanted(true, "17", ""));
        assert_eq!(parts("?2 illegal move\n\n"), wanted(false, "2", "illegal move"));
        assert_eq!(parts("= play\ngenmove\n\n= next"), wanted(true, "", "play\ngenmove"));
        assert_eq!(parts("D3\n\n"), Err("malformed: D3".into()));
        assert_eq!(parts("= D3\n"), Err("the end".into()));
    }
}
