//! Durations from text: seconds, with or without a fraction.

use std::time::Duration;

/// Reads a positive number of seconds such as `2` or `0.5`.
///
/// # Errors
/// The text is not a positive number of seconds: what was expected and what was seen.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|value| Duration::try_from_secs_f64(value).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| format!("expected seconds such as 0.5, saw '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_numbers() {
        assert_eq!(parse_seconds("2"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["", "0", "-1", "fast", "inf", "nan", "1e99"] {
            assert_eq!(parse_seconds(text), Err(format!("expected seconds such as 0.5, saw '{text}'")));
        }
    }
}
