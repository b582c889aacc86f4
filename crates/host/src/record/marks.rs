//! Marks of moves: PGN's numeric annotation glyphs (NAGs). The first six are also written directly behind a move.

/// The suffixes of the glyphs 1 to 6.
const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The glyph that a suffix stands for.
pub(super) fn of_suffix(suffix: &str) -> Option<u8> {
    (1..).zip(SUFFIXES).find(|(_, known)| *known == suffix).map(|(nag, _)| nag)
}

/// A glyph in the text of moves: its suffix, or `$` and its number.
pub(super) fn shown(nag: u8) -> String {
    let suffix = nag.checked_sub(1).and_then(|index| SUFFIXES.get(usize::from(index)));
    suffix.map_or_else(|| format!("${nag}"), |suffix| suffix.to_string())
}

/// A word without the mark behind it, and the mark.
pub(super) fn split(word: &str) -> (&str, Option<u8>) {
    let bare = word.trim_end_matches(['!', '?']);
    match word.get(bare.len()..).and_then(of_suffix) {
        Some(nag) => (bare, Some(nag)),
        None => (word, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_and_numbers() {
        assert_eq!(
            ["d3!", "d3?!", "d3", "d3!!!", "!?"].map(split),
            [("d3", Some(1)), ("d3", Some(6)), ("d3", None), ("d3!!!", None), ("", Some(5))]
        );
        assert_eq!([1, 4, 6, 7, 0, 255].map(shown), ["!", "??", "?!", "$7", "$0", "$255"]);
    }
}
