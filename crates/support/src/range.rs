//! Ranges of numbers on the command line.

use std::ops::Range;

/// Reads `A..B`: the numbers from A on, below B.
///
/// # Errors
/// If the text is not a range, or the range is empty.
pub fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let wrong = || format!("expected A..B with A below B, found '{text}'");
    let (start, end) = text.split_once("..").ok_or_else(wrong)?;
    let range = start.parse().map_err(|_| wrong())?..end.parse().map_err(|_| wrong())?;
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

/// The numbers below `end` that are not in the sorted list, as text: `3..5, 9..10`; empty if all
/// are there.
pub fn gaps(sorted: impl IntoIterator<Item = u64>, end: u64) -> Option<String> {
    let mut next = 0;
    let mut gaps = Vec::new();
    for number in sorted.into_iter().chain([end]) {
        if number > next {
            gaps.push(format!("{next}..{number}"));
        }
        next = number + 1;
    }
    (!gaps.is_empty()).then(|| gaps.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_gaps() {
        assert_eq!(parse_range("3..8"), Ok(3..8));
        for text in ["", "3", "8..3", "3..3", "-1..3", "a..b", "1...3", "1..=3"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
        assert_eq!(gaps([0, 1, 2], 3), None);
        assert_eq!(gaps([1, 2, 5], 8).as_deref(), Some("0..1, 3..5, 6..8"));
    }
}
