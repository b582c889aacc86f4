//! JSON outputs (docs/json.md): every object begins with the version of their vocabulary.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;
use std::str::FromStr;

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

/// Reads a field from its text.
///
/// # Errors
/// When the field is no such text.
pub fn from_text<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom(format!("unknown text '{text}'")))
}
