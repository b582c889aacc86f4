//! JSON outputs (docs/json.md): every object begins with the version of its vocabulary.

use super::hash::checksum;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;
use std::str::FromStr;

/// The version that docs/json.md describes.
pub const VERSION: u32 = 2;

/// The program's name in lines that other programs write and read.
pub const PROGRAM: &str = concat!("flipside ", env!("CARGO_PKG_VERSION"));

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

/// The text before the checksum of a sealed line.
const SEAL: &str = ",\"checksum\":\"";

/// A record on one line whose last field is a checksum of the text before it: for lines that pass
/// through pipes and other machines.
///
/// # Errors
/// When the record cannot be written as JSON.
pub fn sealed_line(record: &impl Serialize) -> serde_json::Result<String> {
    let line = line(record)?;
    let content = line.strip_suffix('}').unwrap_or(&line);
    Ok(format!("{content}{SEAL}{:016x}\"}}", checksum(content.as_bytes())))
}

/// The result of checking a line's checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// It fits the line.
    Right,
    /// It does not: the line was changed or torn.
    Wrong,
    /// The line has no checksum.
    Missing,
}

/// Compares a line with its checksum.
pub fn seal(line: &str) -> Seal {
    let Some((content, sum)) = line.rsplit_once(SEAL) else { return Seal::Missing };
    let fits = format!("{:016x}\"}}", checksum(content.as_bytes())) == sum.trim_end();
    if fits { Seal::Right } else { Seal::Wrong }
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
/// If the text does not fit the field's type.
pub fn from_text<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom(format!("unknown text '{text}'")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Record {
        name: &'static str,
    }

    #[test]
    fn a_sealed_line_shows_every_change() {
        let line = sealed_line(&Record { name: "x" }).expect("JSON");
        assert_eq!(seal(&line), Seal::Right);
        serde_json::from_str::<serde_json::Value>(&line).expect("JSON");
        for at in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1;
            assert_ne!(seal(&String::from_utf8_lossy(&bytes)), Seal::Right, "{at}");
        }
        assert_eq!(seal("{\"version\":2}"), Seal::Missing);
    }
}
