//! Numbers that a host gives, checked.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// The value, if it is within the range.
///
/// # Errors
/// It is not; the text says what it is called and what would be right.
pub fn within<T: PartialOrd + Display>(name: &str, value: T, range: RangeInclusive<T>) -> Result<T, String> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(format!("{name} is {value}, should be {} to {}", range.start(), range.end()))
}
