//! The fields of each request besides `id` and `command`.

use crate::api::command::{Command, Go, GoLimits, PlayedMove};
use crate::protocol::token::MAX_PERFT_DEPTH;
use flipside_core::search::notation::Style;
use flipside_support::seconds::MOST_SECONDS;
use serde::{Deserialize, Deserializer, de::Error};
use std::time::Duration;

/// Most principal variations of an analysis.
const MAX_LINES: usize = 64;

/// A request whose fields have been read.
pub trait Arguments: for<'de> Deserialize<'de> {
    /// The command of the request.
    ///
    /// # Errors
    /// A value is out of range; the text says what was expected.
    fn command(self) -> Result<Command, String>;
}

/// A request without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// `position`: a start and moves from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

/// `play`: moves from here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    moves: Vec<String>,
}

/// `undo`: the number of moves to take back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    #[serde(default = "one")]
    count: u32,
}

/// `game`: the game to select.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectGame {
    name: String,
}

/// `set`: an option.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetOption {
    name: String,
    value: Option<serde_json::Value>,
}

/// `go`: a search for a move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    depth: Option<u32>,
    nodes: Option<u64>,
    #[serde(default, deserialize_with = "seconds")]
    seconds: Option<Duration>,
    mate: Option<u32>,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    ponder: bool,
    #[serde(default, deserialize_with = "clocks")]
    clocks: Option<[Duration; 2]>,
    #[serde(default, deserialize_with = "clocks")]
    increments: Option<[Duration; 2]>,
    moves_to_go: Option<u32>,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    play: bool,
}

/// `analyze` and `analyze_game`: limits, and for `analyze` a number of variations.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    lines: Option<usize>,
    depth: Option<u32>,
    nodes: Option<u64>,
    #[serde(default, deserialize_with = "seconds")]
    seconds: Option<Duration>,
}

/// `perft`: a depth.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perft {
    depth: u32,
}

fn one() -> u32 {
    1
}

fn duration<E: Error>(seconds: f64) -> Result<Duration, E> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|_| seconds <= MOST_SECONDS);
    duration.ok_or_else(|| E::custom(format!("expected seconds from 0 to {MOST_SECONDS}, saw {seconds}")))
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    Option::<f64>::deserialize(deserializer)?.map(duration).transpose()
}

fn clocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[Duration; 2]>, D::Error> {
    let pair = Option::<[f64; 2]>::deserialize(deserializer)?;
    pair.map(|[first, second]| Ok([duration(first)?, duration(second)?])).transpose()
}

fn positive<N: PartialOrd + Default>(name: &str, number: Option<N>) -> Result<Option<N>, String> {
    match number {
        Some(number) if number <= N::default() => Err(format!("{name}: expected at least 1, saw 0")),
        other => Ok(other),
    }
}

fn played(moves: &[String]) -> Vec<PlayedMove> {
    moves.iter().map(|text| PlayedMove::new(text)).collect()
}

impl Arguments for Position {
    fn command(self) -> Result<Command, String> {
        let Position { start, moves } = self;
        Ok(Command::SetPosition { start, moves: played(&moves), style: Style::Plain, keep_prefix: false })
    }
}

impl Arguments for Play {
    fn command(self) -> Result<Command, String> {
        Ok(Command::Play { moves: played(&self.moves), style: Style::Plain })
    }
}

impl Arguments for Undo {
    fn command(self) -> Result<Command, String> {
        Ok(Command::Undo(self.count))
    }
}

impl Arguments for SelectGame {
    fn command(self) -> Result<Command, String> {
        Ok(Command::SelectGame(self.name))
    }
}

impl Arguments for SetOption {
    fn command(self) -> Result<Command, String> {
        let value = match self.value {
            None | Some(serde_json::Value::Null) => None,
            Some(serde_json::Value::String(text)) => Some(text),
            Some(value @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_))) => Some(value.to_string()),
            Some(_) => return Err("value: expected a text, a number, true or false".to_string()),
        };
        Ok(Command::SetOption { name: self.name, value })
    }
}

impl Arguments for Search {
    fn command(self) -> Result<Command, String> {
        let limits = GoLimits {
            depth: positive("depth", self.depth)?,
            nodes: positive("nodes", self.nodes)?,
            move_time: self.seconds,
            mate: positive("mate", self.mate)?,
            infinite: self.infinite,
            clocks: self.clocks.map_or([None; 2], |clocks| clocks.map(Some)),
            increments: self.increments.unwrap_or_default(),
            moves_to_go: positive("moves_to_go", self.moves_to_go)?,
        };
        let go = Go { play: self.play, limits, searchmoves: self.only, ponder: self.ponder, ..Go::default() };
        Ok(Command::Go(go))
    }
}

impl Analysis {
    fn limits(&self) -> Result<GoLimits, String> {
        let (depth, nodes) = (positive("depth", self.depth)?, positive("nodes", self.nodes)?);
        Ok(GoLimits { depth, nodes, move_time: self.seconds, ..GoLimits::default() })
    }

    /// The analysis of the game so far.
    ///
    /// # Errors
    /// A value is out of range, or the request has `lines`, which `analyze_game` does not take.
    pub fn of_game(self) -> Result<Command, String> {
        match self.lines {
            Some(_) => Err("lines: an analysis of the game follows the best line alone".to_string()),
            None => Ok(Command::AnalyzeGame(self.limits()?)),
        }
    }
}

impl Arguments for Analysis {
    fn command(self) -> Result<Command, String> {
        let multipv = self.lines.unwrap_or(1);
        if !(1..=MAX_LINES).contains(&multipv) {
            return Err(format!("lines: expected 1 to {MAX_LINES}, saw {multipv}"));
        }
        let limits = self.limits()?;
        let infinite = limits == GoLimits::default();
        let limits = GoLimits { infinite, ..limits };
        Ok(Command::Analyze { player: None, multipv, limits, until_input: false })
    }
}

impl Arguments for Perft {
    fn command(self) -> Result<Command, String> {
        match self.depth {
            depth @ 1..=MAX_PERFT_DEPTH => Ok(Command::Perft(depth)),
            depth => Err(format!("depth: expected 1 to {MAX_PERFT_DEPTH}, saw {depth}")),
        }
    }
}
