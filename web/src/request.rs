//! The requests of a host.

use flipside::engine::bindings::{SearchOptions, TraceOptions};
use serde::Deserialize;
use std::time::Duration;

/// A request, distinguished by `call`.
#[derive(Debug, Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Lists the games with their evaluations, and the textbook's searchers and orders.
    Info,
    /// Makes an engine.
    Open(Open),
    /// Frees an engine's memory.
    Close { engine: u32 },
    /// Sets a position and describes it.
    Position(Position),
    /// Searches the position of an engine.
    Search(Search),
    /// Counts the leaves of the game tree.
    Perft { engine: u32, depth: u32 },
    /// Forgets earlier searches.
    Clear { engine: u32 },
    /// Runs a textbook searcher on a tree or a position, node by node.
    Trace(TraceOptions),
    /// An exercise for students of the searchers, with questions and answers.
    Exercise(Exercise),
    /// The fingerprint of the search: nodes of a fixed list of positions.
    Bench {
        #[serde(default)]
        game: Option<String>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// `reversi` if absent.
    pub game: Option<String>,
    pub evaluation: Option<String>,
    /// MiB of the tables, 1 to 1024; default 16.
    pub hash: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    pub engine: u32,
    /// A position on one line; the start of the game if absent.
    pub start: Option<String>,
    /// Moves from there, separate or run together (`f5d6c3`).
    #[serde(default)]
    pub moves: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    pub engine: u32,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Milliseconds; two seconds if nothing limits the search.
    pub time: Option<u64>,
    /// No end but that of the other limits, or the host's stop.
    #[serde(default)]
    pub infinite: bool,
    /// Principal variations, 1 to 64.
    pub lines: Option<u32>,
    /// Effort in plies, 1 to 60.
    pub level: Option<u32>,
    /// Percent, 0 to 100.
    pub strength: Option<u32>,
    /// On the game's scale.
    pub elo: Option<u32>,
    /// Hundredths of a unit, 0 to 2000.
    pub variety: Option<i32>,
    /// 0 or absent: another one each time.
    #[serde(default)]
    pub seed: u64,
    /// Only these moves.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Search {
    /// The options of the search.
    pub fn options(&self) -> SearchOptions {
        SearchOptions {
            depth: self.depth.map(i64::from),
            nodes: self.nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX)),
            time: if self.infinite { Some(Duration::MAX) } else { self.time.map(Duration::from_millis) },
            lines: self.lines.map(i64::from),
            level: self.level.map(i64::from),
            strength: self.strength.map(i64::from),
            elo: self.elo.map(i64::from),
            variety: self.variety.map(i64::from),
            seed: self.seed,
            moves: self.moves.clone(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// As in `flipside trace --exercise --seed`.
    pub seed: u64,
    /// The number on the sheet of this seed less one, from easy (0) to hard (7).
    pub level: usize,
    /// Moves of a node at most, 2 to 4; as hard as the level if absent.
    pub branching: Option<usize>,
    /// Plies from the root to the leaves, 2 to 4; as hard as the level if absent.
    pub plies: Option<usize>,
    /// The place of the best move, `best` (first), `random` or `worst` (last); as hard as the level if absent.
    pub ordering: Option<String>,
    pub algorithm: Option<String>,
    /// `min` if Min moves at the root.
    pub root: Option<String>,
}

/// Reads a request.
pub fn read(bytes: &[u8]) -> Result<Request, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("bad request: {error}"))
}
