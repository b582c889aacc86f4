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
    /// The rest of the response, trimmed.
    pub text: String,
    /// When the first line was read.
    pub at: Instant,
}

impl GtpResponse {
    /// The response that begins with this line; `None` if the line has no mark.
    pub fn begin(first: &OutputLine) -> Option<GtpResponse> {
        let accepted = first.text.starts_with('=');
        let rest = first.text.strip_prefix(['=', '?'])?;
        let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let id = rest[..rest.len() - text.len()].to_string();
        Some(GtpResponse { accepted, id, text: text.trim().to_string(), at: first.at })
    }

    /// Returns true for the empty line at the end; adds other lines to the text.
    pub fn is_ended_by(&mut self, line: &str) -> bool {
        if !line.is_empty() {
            self.text.push('\n');
            self.text.push_str(line);
        }
        line.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GtpResponse, &'static str> {
        let mut lines = text.lines();
        let first = OutputLine { text: lines.next().ok_or("the end")?.to_string(), at: Instant::now() };
        let mut response = GtpResponse::begin(&first).ok_or("malformed")?;
        lines.find(|line| response.is_ended_by(line)).ok_or("the end")?;
        Ok(response)
    }

    #[test]
    fn responses_with_and_without_id() {
        let parts = |text| read(text).map(|response| (response.accepted, response.id, response.text));
        let wanted = |accepted, id: &str, text: &str| Ok((accepted, id.to_string(), text.to_string()));
        assert_eq!(parts("= D3\n\n"), wanted(true, "", "D3"));
        assert_eq!(parts("=17\n\n"), wanted(true, "17", ""));
        assert_eq!(parts("?2 illegal move\n\n"), wanted(false, "2", "illegal move"));
        assert_eq!(parts("= play\ngenmove\n\n= next"), wanted(true, "", "play\ngenmove"));
        assert_eq!(parts("D3\n\n"), Err("malformed"));
        assert_eq!(parts("= D3\n"), Err("the end"));
    }
}
