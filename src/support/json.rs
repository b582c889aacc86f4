//! JSON outputs (docs/json.md): every object begins with the version of their vocabulary.

use serde::{Serialize, Serializer};
use std::fmt::Display;

/// The version that docs/json.md describes.
pub const VERSION: u32 = 2;

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    record: &'a T,
}

/// A record, which must be an object, on one line without its end.
///
/// # Errors
/// When the record cannot be written as JSON.
pub fn line(record: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(&Versioned { version: VERSION, record })
}

/// A record, which must be an object, indented over several lines.
///
/// # Errors
/// When the record cannot be written as JSON.
pub fn lines(record: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Versioned { version: VERSION, record })
}

/// Writes a field as its text.
///
/// # Errors
/// When the serializer fails.
pub fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
