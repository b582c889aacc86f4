//! A position of a book as a line of JSON, which `flipside book export` writes and `import` reads.

use super::source::discs;
use anyhow::{Context, ensure};
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use flipside_core::games::reversi::{obf, rules::Reversi};
use flipside_core::search::game::Game;
use flipside_core::search::types::{Selectivity, UNIT};
use flipside_support::json;
use serde::{Deserialize, Serialize};

/// A position of a book: one object of an export.
#[derive(Serialize, Deserialize)]
pub struct ExportedPosition {
    position: String,
    #[serde(flatten)]
    value: ExportedValue,
    leaves: u32,
    games: [u32; 3],
    #[serde(skip_serializing_if = "Option::is_none", default)]
    deviation: Option<ExportedDeviation>,
}

#[derive(Serialize, Deserialize)]
struct ExportedValue {
    score: f64,
    depth: u8,
    selectivity: u8,
    #[serde(serialize_with = "json::as_text", deserialize_with = "json::from_text")]
    grade: Grade,
}

#[derive(Serialize, Deserialize)]
struct ExportedDeviation {
    r#move: String,
    #[serde(flatten)]
    value: ExportedValue,
}

impl ExportedValue {
    fn new(value: Value) -> ExportedValue {
        let Value { score, depth, selectivity, grade } = value;
        ExportedValue { score: discs(score), depth, selectivity, grade }
    }

    fn value(&self) -> anyhow::Result<Value> {
        let ExportedValue { score, depth, selectivity, grade } = *self;
        ensure!(score.abs() <= 64.0, "expected a score of at most 64 discs, saw {score}");
        ensure!(depth <= 64, "expected a depth of at most 64 plies, saw {depth}");
        ensure!(Selectivity::PERCENT.contains(&selectivity), "unknown selectivity {selectivity}");
        Ok(Value { score: (score * f64::from(UNIT)).round() as i32, depth, selectivity, grade })
    }
}

impl ExportedPosition {
    /// The object of a position.
    pub fn new(board: Board, entry: &BookEntry) -> ExportedPosition {
        let deviation = |deviation: Deviation| ExportedDeviation {
            r#move: obf::square_name(deviation.square),
            value: ExportedValue::new(deviation.value),
        };
        let GameCounts { won, drawn, lost } = entry.games;
        ExportedPosition {
            position: obf::show(board, true),
            value: ExportedValue::new(entry.value),
            leaves: entry.leaves,
            games: [won, drawn, lost],
            deviation: entry.deviation.map(deviation),
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// It is no such object, or holds an impossible position, move or value.
    pub fn read(text: &str) -> anyhow::Result<(Board, BookEntry)> {
        let read: ExportedPosition = serde_json::from_str(text)?;
        let (board, _) = obf::position(&read.position)?;
        let deviation = |deviation: &ExportedDeviation| {
            let legal = Reversi::portable().moves(&board).find(|mv| obf::square_name(mv.square) == deviation.r#move);
            let mv = legal.with_context(|| format!("'{}' is not legal there", deviation.r#move))?;
            Ok::<_, anyhow::Error>(Deviation { square: mv.square, value: deviation.value.value()? })
        };
        let [won, drawn, lost] = read.games;
        let entry = BookEntry {
            value: read.value.value()?,
            leaves: read.leaves,
            deviation: read.deviation.as_ref().map(deviation).transpose()?,
            games: GameCounts { won, drawn, lost },
        };
        Ok((board, entry))
    }
}
