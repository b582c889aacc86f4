//! Range checks for numbers that a host gives.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// Returns the value if it is within the range.
///
/// # Errors
/// The value is outside the range; the text names it and the range.
pub fn within<T: PartialOrd + Display>(name: &str, value: T, range: RangeInclusive<T>) -> Result<T, String> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(format!("{name} is {value}, should be {} to {}", range.start(), range.end()))
}
