//! Text as files and pipes bring it.

/// The byte-order mark that some editors and shells put before a text.
pub const BOM: &str = "\u{feff}";

/// The text without a byte-order mark before it.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// The first so many characters of a text, with blanks for control characters: what users and hosts wrote may contain
/// anything.
pub fn one_line(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text of at most so many characters; an ellipsis stands for what is cut off.
pub fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_string(),
    }
}

/// Drops a byte-order mark before a text.
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
