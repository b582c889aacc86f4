//! Requests of JSON lines: their meaning, or the error that they cause.

use crate::board::Board;
use crate::json_search::{Kind, Search};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fmt;

/// The meaning of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// An error of this kind.
    Fails(&'static str),
    /// Any answer.
    Speaks,
    /// An answer, or an error.
    Either,
    /// A start (`None` for the game's own) and moves.
    Position(Option<String>, Vec<String>),
    Play(Vec<String>),
    Undo(usize),
    New,
    /// Another game; `None` if there is no such game.
    Game(Option<Board>),
    Set {
        name: String,
        value: String,
    },
    Show,
    Perft {
        depth: u64,
        stopped: bool,
    },
    Search(Search),
    Stop,
    PonderHit,
    Quit,
}

/// A request: its id and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub id: Option<u64>,
    pub command: String,
    pub asked: Asked,
}

impl Request {
    /// Whether it is served at once.
    pub fn is_urgent(&self) -> bool {
        ["ready", "stop", "ponderhit", "quit"].contains(&self.command.as_str())
    }
}

/// The request of a line; `None` for a blank one.
pub fn read(line: &str) -> Option<Request> {
    if line.trim().is_empty() {
        return None;
    }
    let bad = |id| Request { id, command: String::new(), asked: Asked::Fails("syntax") };
    let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else { return Some(bad(None)) };
    if serde_json::from_str::<Names>(line).is_ok_and(|Names(names)| names.len() > fields.len()) {
        return Some(bad(None));
    }
    let id = match fields.remove("id") {
        None | Some(Value::Null) => None,
        Some(id) => match id.as_u64() {
            Some(id) => Some(id),
            None => return Some(bad(None)),
        },
    };
    let Some(Value::String(command)) = fields.remove("command") else { return Some(bad(id)) };
    let asked = asked(&command, &mut Fields(fields));
    Some(Request { id, command, asked })
}

/// The names of an object, each as often as it stands there.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        deserializer.deserialize_map(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some((name, IgnoredAny)) = map.next_entry()? {
            names.push(name);
        }
        Ok(Names(names))
    }
}

/// The remaining fields.
struct Fields(Map<String, Value>);

/// A field that is wrong.
struct Wrong;

impl Fields {
    /// A field that may be left out, or null.
    fn optional<T>(&mut self, name: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, Wrong> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(&value).map(Some).ok_or(Wrong),
        }
    }

    /// A field that may be left out, but not null.
    fn or<T>(&mut self, name: &str, otherwise: T, read: impl Fn(&Value) -> Option<T>) -> Result<T, Wrong> {
        self.0.remove(name).map_or(Ok(otherwise), |value| read(&value).ok_or(Wrong))
    }

    fn required<T>(&mut self, name: &str, read: impl Fn(&Value) -> Option<T>) -> Result<T, Wrong> {
        self.0.remove(name).and_then(|value| read(&value)).ok_or(Wrong)
    }
}

fn whole(value: &Value) -> Option<u64> {
    value.as_u64()
}

/// A whole number of 32 bits.
fn small(value: &Value) -> Option<u64> {
    value.as_u64().filter(|&number| number <= u64::from(u32::MAX))
}

fn positive(read: impl Fn(&Value) -> Option<u64>) -> impl Fn(&Value) -> Option<u64> {
    move |value| read(value).filter(|&number| number > 0)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_string)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}

/// Seconds as milliseconds.
fn seconds(value: &Value) -> Option<u64> {
    value.as_f64().filter(|seconds| (0.0..=1e9).contains(seconds)).map(|seconds| (seconds * 1e3) as u64)
}

fn pair_of_seconds(value: &Value) -> Option<[u64; 2]> {
    let [first, second] = &value.as_array()?[..] else { return None };
    Some([seconds(first)?, seconds(second)?])
}

fn asked(command: &str, fields: &mut Fields) -> Asked {
    let known = match command {
        "set" => set(fields),
        "hello" | "ready" | "options" | "games" => Ok(Asked::Speaks),
        "book" | "learn" => Ok(Asked::Either),
        "new" => Ok(Asked::New),
        "show" => Ok(Asked::Show),
        "stop" => Ok(Asked::Stop),
        "ponderhit" => Ok(Asked::PonderHit),
        "quit" => Ok(Asked::Quit),
        "game" => fields.required("name", text).map(|name| Asked::Game(game(&name))),
        "position" => position(fields),
        "play" => fields.required("moves", texts).map(Asked::Play),
        "undo" => fields.or("count", 1, small).map(|count| Asked::Undo(count as usize)),
        "go" => go(fields),
        "analyze" | "analyze_game" => analysis(command, fields),
        "perft" => match fields.required("depth", small) {
            Ok(depth @ 1..=60) => Ok(Asked::Perft { depth, stopped: false }),
            _ => Err(Wrong),
        },
        _ => return Asked::Fails("unknown_command"),
    };
    match known {
        Ok(asked) if fields.0.is_empty() => asked,
        _ => Asked::Fails("syntax"),
    }
}

fn game(name: &str) -> Option<Board> {
    match name.to_ascii_lowercase().as_str() {
        "reversi" | "othello" | "flipello" => Some(Board::reversi()),
        "minichess" => Some(Board::minichess()),
        _ => None,
    }
}

fn position(fields: &mut Fields) -> Result<Asked, Wrong> {
    let start = fields.optional("start", text)?;
    Ok(Asked::Position(start, fields.or("moves", Vec::new(), texts)?))
}

fn set(fields: &mut Fields) -> Result<Asked, Wrong> {
    let name = fields.required("name", text)?;
    let value = fields.optional("value", |value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    })?;
    Ok(Asked::Set { name, value: value.unwrap_or_default() })
}

/// The limit in the notation of [`Search`].
fn limit(words: &mut String, name: &str, value: Option<u64>) {
    if let Some(value) = value {
        *words += &format!(" {name} {value}");
    }
}

/// The limits of every search, in the notation of [`Search`].
fn limits(fields: &mut Fields) -> Result<String, Wrong> {
    let mut words = "limits".to_string();
    limit(&mut words, "depth", fields.optional("depth", positive(small))?);
    limit(&mut words, "nodes", fields.optional("nodes", positive(whole))?);
    limit(&mut words, "movetime", fields.optional("seconds", seconds)?);
    Ok(words)
}

fn go(fields: &mut Fields) -> Result<Asked, Wrong> {
    let mut words = limits(fields)?;
    limit(&mut words, "mate", fields.optional("mate", positive(small))?);
    let clocks = fields.optional("clocks", pair_of_seconds)?;
    limit(&mut words, "wtime", clocks.map(|clocks| clocks[0]));
    limit(&mut words, "btime", clocks.map(|clocks| clocks[1]));
    fields.optional("increments", pair_of_seconds)?;
    fields.optional("moves_to_go", positive(small))?;
    for name in ["infinite", "ponder"] {
        if fields.or(name, false, Value::as_bool)? {
            words += &format!(" {name}");
        }
    }
    let only = fields.or("only", Vec::new(), texts)?;
    let play = fields.or("play", false, Value::as_bool)?;
    Ok(Asked::Search(Search::new(Kind::Move { only, play }, &words)))
}

fn analysis(command: &str, fields: &mut Fields) -> Result<Asked, Wrong> {
    let of_game = command == "analyze_game";
    let lines = fields.optional("lines", whole)?;
    if lines.is_some_and(|lines| of_game || !(1..=64).contains(&lines)) {
        return Err(Wrong);
    }
    let mut words = limits(fields)?;
    if !of_game && words == "limits" {
        words += " infinite";
    }
    let kind = if of_game { Kind::Game } else { Kind::Position(lines.unwrap_or(1)) };
    Ok(Asked::Search(Search::new(kind, &words)))
}
