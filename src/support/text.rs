//! Text as files and pipes bring it.

/// The byte-order mark that some editors and shells put before a text.
pub const BOM: &str = "\u{feff}";

/// The text without a byte-order mark before it.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// Drops a byte-order mark before a text.
pub fn drop_bom(text: &mut Vec<u8>) {
    if text.starts_with(BOM.as_bytes()) {
        text.drain(..BOM.len());
    }
}
