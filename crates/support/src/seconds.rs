//! Durations from text: seconds, with or without a fraction.

use std::time::Duration;

/// The longest time that is accepted, about thirty years in seconds: a thousand of them added to a
/// moment do not overflow.
pub const MOST_SECONDS: f64 = 1e9;

/// Reads a positive number of seconds such as `2` or `0.5`, at most [`MOST_SECONDS`].
///
/// # Errors
/// If the text is not such a number: what was expected and what was seen.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = parse_seconds_or_zero(text).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("expected seconds such as 0.5, at most {MOST_SECONDS}, saw '{text}'"))
}

/// The same, also accepting zero.
///
/// # Errors
/// If the text is not such a number: what was expected and what was seen.
pub fn parse_seconds_or_zero(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds <= MOST_SECONDS);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("expected seconds such as 0 or 0.5, at most {MOST_SECONDS}, saw '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_numbers_that_a_clock_can_hold() {
        assert_eq!(parse_seconds("2"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_seconds("1e9"), Ok(Duration::from_secs(1_000_000_000)));
        assert_eq!(parse_seconds_or_zero("0"), Ok(Duration::ZERO));
        for text in ["", "0", "-1", "fast", "inf", "nan", "1.1e9", "1e19", "1e99"] {
            let error = parse_seconds(text).expect_err(text);
            assert!(error.contains("expected seconds") && error.contains(&format!("saw '{text}'")), "{error}");
            assert!(text == "0" || parse_seconds_or_zero(text).is_err(), "{text}");
        }
    }
}
