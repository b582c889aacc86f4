//! Flipside for Python: positions, searches, exact solutions and evaluations behind classes of Python.
//!
//! Invalid input raises `ValueError` (`TypeError` for a wrong type) with a text that describes valid input; a failure of the
//! engine raises `RuntimeError`. Long calls release the interpreter's lock and end at Ctrl-C. `package/flipside/_flipside.pyi`
//! holds the types, the other files there the parts that are better written in Python.

mod board;
mod engine;
mod evaluate;
mod results;
mod rules;
mod solve;
mod trace;
mod wait;

use board::Board;
use engine::Engine;
use flipside::engine::bench;
use flipside::games::names::GAMES;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A `ValueError` with this text.
fn bad_value(text: impl ToString) -> PyErr {
    PyValueError::new_err(text.to_string())
}

/// A `TypeError` that says what was expected and what was seen.
fn wrong_type(expected: &str, seen: &Bound<'_, PyAny>) -> PyErr {
    let type_name = seen.get_type().name().map_or_else(|_| "another type".to_string(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, saw {type_name}"))
}

/// A `RuntimeError` with this text.
fn failure(text: impl ToString) -> PyErr {
    PyRuntimeError::new_err(text.to_string())
}

/// The games with the evaluations of each, the default first.
#[pyfunction]
fn games() -> Vec<(&'static str, Vec<&'static str>)> {
    GAMES.iter().map(|game| (game.name, game.evaluations.to_vec())).collect()
}

/// Node count of a game's fixed searches: the fingerprint of the search, equal on every system.
#[pyfunction(name = "bench", signature = (game = "reversi"))]
fn fingerprint(py: Python<'_>, game: &str) -> PyResult<u64> {
    let list = bench::of_game(game);
    let list = list.ok_or_else(|| bad_value(format!("no bench of {game}: one of reversi, minichess, gomoku")))?;
    py.detach(|| bench::measure(list, bench::EVALUATION, 1, 16, |_, _| ())).map(|sum| sum.nodes).map_err(failure)
}

#[pymodule]
fn _flipside(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Board>()?;
    module.add_class::<Engine>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(fingerprint, module)?)?;
    module.add_function(wrap_pyfunction!(engine::perft, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(trace::trace, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate_discs, module)?)?;
    Ok(())
}
