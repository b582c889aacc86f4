//! Texts that several protocols write alike.

/// The line with blanks for control characters.
pub fn without_controls(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text on one line of at most 300 characters: what a host sent, and errors quote, may contain anything.
pub fn one_line(text: &str) -> String {
    text.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
