//! Static evaluations of many positions at once.

use crate::bad_value;
use crate::board::BoardOrText;
use crate::rules::settings;
use flipside::api::settings::Settings;
use flipside::engine::bindings::set_position;
use flipside::engine::dyn_engine::SetupError;
use flipside::engine::registry;
use flipside::games::reversi::board::Board as Discs;
use flipside::games::reversi::evaluation::ReversiEvaluation;
use flipside::games::reversi::obf::square_name;
use flipside::games::reversi::searcher::{self, SearcherOptions};
use flipside::search::types::{Score, UNIT};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Bytes of a position: two numbers of 64 bits.
const ROW: usize = 16;

/// Static evaluations of positions of one game, in units for the side to move.
#[pyfunction]
#[pyo3(signature = (boards, *, game, evaluation, weights))]
pub fn evaluate(
    py: Python<'_>,
    boards: Vec<BoardOrText<'_>>,
    game: &str,
    evaluation: &str,
    weights: Option<PathBuf>,
) -> PyResult<Vec<f64>> {
    let texts = boards.iter().map(|board| board.position(game)).collect::<PyResult<Vec<String>>>()?;
    let settings = Settings { evaluation: evaluation.to_string(), weights, ..settings(game) };
    py.detach(|| of_texts(&settings, &texts)).map_err(bad_value)
}

fn of_texts(settings: &Settings, texts: &[String]) -> Result<Vec<f64>, String> {
    let mut engine = registry::open(settings).map_err(|error| error.to_string())?;
    let value = |(index, text): (usize, &String)| {
        set_position(engine.as_mut(), Some(text), "").map_err(|error| match error {
            SetupError::Position(error) => format!("position {}: {error}", index + 1),
            other => other.to_string(),
        })?;
        Ok(units(engine.static_eval()))
    };
    texts.iter().enumerate().map(value).collect()
}

fn units(score: Score) -> f64 {
    f64::from(score) / f64::from(UNIT)
}

/// Static evaluations of positions of Reversi: 16 bytes each in (two little-endian numbers of 64 bits, the discs of the side
/// to move and those of its opponent, bit 0 for a1, bit 63 for h8), 4 bytes each out (a little-endian float, in discs).
#[pyfunction]
#[pyo3(signature = (discs, *, evaluation, weights))]
pub fn evaluate_discs<'py>(
    py: Python<'py>,
    discs: &[u8],
    evaluation: &str,
    weights: Option<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    if !discs.len().is_multiple_of(ROW) {
        return Err(bad_value(format!("expected {ROW} bytes a position, saw {} in all", discs.len())));
    }
    let evaluation = ReversiEvaluation::open(evaluation, weights.as_deref()).map_err(bad_value)?;
    let values = py.detach(|| of_rows(&evaluation, discs)).map_err(bad_value)?;
    Ok(PyBytes::new(py, &values))
}

fn of_rows(evaluation: &ReversiEvaluation, rows: &[u8]) -> Result<Vec<u8>, String> {
    let options = SearcherOptions::with_tables(1, 1);
    let searcher = searcher::open(evaluation, &options).map_err(|error| error.to_string())?;
    let mut values = Vec::with_capacity(rows.len() / ROW * size_of::<f32>());
    for (index, row) in rows.chunks_exact(ROW).enumerate() {
        let (player, opponent) = row.split_at(ROW / 2);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |value: u64, &byte| value << 8 | u64::from(byte));
        let discs = Discs { player: number(player), opponent: number(opponent) };
        if discs.player & discs.opponent != 0 {
            let square = (discs.player & discs.opponent).trailing_zeros() as u8;
            return Err(format!("row {index}: both sides have a disc on {}", square_name(square)));
        }
        let value = searcher.outcome(&discs).unwrap_or_else(|| searcher.static_eval(&discs));
        values.extend_from_slice(&(units(value) as f32).to_le_bytes());
    }
    Ok(values)
}
