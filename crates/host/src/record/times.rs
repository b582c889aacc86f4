//! Times of moves and clocks as records write them, to the millisecond.

use flipside_support::seconds::MOST_SECONDS;
use std::time::Duration;

/// A time of this many seconds; none beyond [`MOST_SECONDS`].
pub(super) fn from_seconds(seconds: f64) -> Option<Duration> {
    (0.0..=MOST_SECONDS).contains(&seconds).then(|| Duration::from_millis((seconds * 1e3).round() as u64))
}

/// `ss`, `mm:ss` or `hh:mm:ss`, in which `number` reads each part.
pub(super) fn clock_face(text: &str, number: impl Fn(&str) -> Option<f64>) -> Option<Duration> {
    let parts = text.split(':').map(number).collect::<Option<Vec<f64>>>().filter(|parts| parts.len() <= 3)?;
    from_seconds(parts.iter().fold(0.0, |sum, part| sum * 60.0 + part))
}

/// Seconds with at most three decimals, no exponent.
pub(super) fn seconds(time: Duration) -> String {
    format!("{}{}", time.as_secs(), fraction(time))
}

/// The part of a second behind the whole ones, with its point; nothing where there is none.
pub(super) fn fraction(time: Duration) -> String {
    match time.subsec_millis() {
        0 => String::new(),
        millis => format!(".{millis:03}").trim_end_matches('0').to_string(),
    }
}
