//! Static evaluations of many positions at once.

use crate::bad_value;
use crate::board::BoardOrText;
use crate::rules::settings;
use flipside::api::settings::Settings;
use flipside::engine::game_engine::EngineParts;
use flipside::engine::registry::{self, WithContext};
use flipside::games::reversi::board::Board as Discs;
use flipside::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use flipside::games::reversi::obf::square_name;
use flipside::games::reversi::probcut::ProbCutModel;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::solver::level::SolverLevel;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::notation::{Notation, Style};
use flipside::search::policy::SearchPolicy;
use flipside::search::types::{Score, UNIT};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Bytes of a position: two numbers of 64 bits.
const ROW: usize = 16;

/// The value of a position for the side to move, in units; that of the rules where the game is over.
fn units<G: Game, E: Eval<G>>(game: &G, eval: &E, position: &G::Position) -> f64 {
    let value: Score = game.outcome(position).unwrap_or_else(|| eval.static_eval(&eval.refresh(position), position));
    f64::from(value) / f64::from(UNIT)
}

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
    py.detach(|| registry::with_context(&settings, Texts(&texts))).map_err(bad_value)?.map_err(bad_value)
}

struct Texts<'a>(&'a [String]);

impl WithContext for Texts<'_> {
    type Output = Result<Vec<f64>, String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        let context = parts.context;
        let value = |(index, text): (usize, &String)| {
            let read = context.game.read_position(text, Style::Plain);
            let (position, _) = read.map_err(|error| format!("position {}: {error}", index + 1))?;
            Ok(units(&context.game, &context.eval, &position))
        };
        self.0.iter().enumerate().map(value).collect()
    }
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
    let values = py.detach(|| with_evaluation(&evaluation, Rows(discs))).map_err(bad_value)?;
    Ok(PyBytes::new(py, &values))
}

struct Rows<'a>(&'a [u8]);

impl WithEvaluation for Rows<'_> {
    type Output = Result<Vec<u8>, String>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        _probcut_model: Option<&ProbCutModel>,
    ) -> Self::Output {
        let mut values = Vec::with_capacity(self.0.len() / ROW * size_of::<f32>());
        for (index, row) in self.0.chunks_exact(ROW).enumerate() {
            let (player, opponent) = row.split_at(ROW / 2);
            let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |value: u64, &byte| value << 8 | u64::from(byte));
            let discs = Discs { player: number(player), opponent: number(opponent) };
            if discs.player & discs.opponent != 0 {
                let square = (discs.player & discs.opponent).trailing_zeros() as u8;
                return Err(format!("row {index}: both sides have a disc on {}", square_name(square)));
            }
            values.extend_from_slice(&(units(&game, &eval, &discs) as f32).to_le_bytes());
        }
        Ok(values)
    }
}
