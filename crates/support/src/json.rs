//! JSON outputs (docs/json.md): every object begins with the version of its vocabulary.

use super::hash::checksum;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt::{self, Display};
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

/// Reads a value in which no object has a name twice. Readers of JSON differ in which of the two they take.
///
/// # Errors
/// The text is not JSON, or a name is there twice.
pub fn read_value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str::<Unique>(text).map(|Unique(value)| value)
}

/// A value in which no object has a name twice.
struct Unique(Value);

struct UniqueVisitor;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Unique)
    }
}

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = array.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some((name, Unique(value))) = object.next_entry::<String, Unique>()? {
            if fields.insert(name, value).is_some() {
                return Err(A::Error::custom("a name is there twice"));
            }
        }
        Ok(fields.into())
    }
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
    fn a_value_is_read_as_usual_but_names_come_once() {
        for text in ["{\"a\":[1,-2,0.5,\"x\",null,true],\"b\":{\"a\":{}}}", "[]", "7", "18446744073709551615"] {
            let usual: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(read_value(text).expect("no name twice"), usual);
        }
        for text in ["{\"a\":1,\"a\":1}", "[{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]"] {
            let error = read_value(text).expect_err("twice").to_string();
            assert!(error.starts_with("a name is there twice at line 1"), "{error}");
        }
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
