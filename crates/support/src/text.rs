//! Text from files and pipes.

/// The byte-order mark that some editors and shells put at the start of a text.
pub const BOM: &str = "\u{feff}";

/// The text without a byte-order mark at the start.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
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

/// Drops a byte-order mark at the start of a text.
pub fn drop_bom(text: &mut Vec<u8>) {
    if text.starts_with(BOM.as_bytes()) {
        text.drain(..BOM.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!((shortened("abcd", 4), shortened("abcde", 4)), ("abcd".into(), "abc…".into()));
    }
}
