//! Text as files and pipes bring it.

/// The text without the byte-order mark that some editors and shells put before it.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
