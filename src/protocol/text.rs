//! Texts that several protocols write alike.

/// A text on one line of at most 300 characters: what a host sent, and errors quote, may contain anything.
pub fn one_line(text: &str) -> String {
    text.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
