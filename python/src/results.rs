//! The results of searches and solves: objects of the classes in `package/flipside/_results.py`.

use crate::failure;
use flipside::engine::bindings::{IterationView, ResultView};
use flipside::reversi::Solution;
use flipside::textbook::traced_search::Drawing;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// An object of a class, made of its fields.
fn object<'py>(py: Python<'py>, class: &str, fields: impl PyCallArgs<'py>) -> PyResult<Py<PyAny>> {
    py.import("flipside._results")?.getattr(class)?.call1(fields).map(Bound::unbind)
}

/// An `Iteration`.
pub fn iteration(py: Python<'_>, view: IterationView) -> PyResult<Py<PyAny>> {
    let IterationView { rank, depth, score, certainty, wdl, nodes, time, line } = view;
    object(py, "Iteration", (rank, depth, score, certainty, nodes, time / 1e3, line, wdl.map(Vec::from)))
}

/// An `Analysis`: the result of a search, with the latest iteration of each line of play.
pub fn analysis(py: Python<'_>, result: ResultView, lines: Vec<Py<PyAny>>) -> PyResult<Py<PyAny>> {
    let (nodes, time) = (result.nodes, result.time / 1e3);
    match result.best {
        None => {
            object(py, "Analysis", (result.mv, None::<f64>, None::<&str>, 0, nodes, time, Vec::<String>::new(), lines))
        }
        Some(IterationView { score, certainty, wdl, depth, line, .. }) => {
            let wdl = wdl.map(Vec::from);
            object(py, "Analysis", (result.mv, score, certainty, depth, nodes, time, line, lines, wdl))
        }
    }
}

/// A `Solution`.
pub fn solution(py: Python<'_>, solved: &Solution) -> PyResult<Py<PyAny>> {
    let best_move = solved.best_move.map(|mv| mv.to_string());
    let line: Vec<String> = solved.principal_variation.iter().map(ToString::to_string).collect();
    object(py, "Solution", (solved.score, best_move, line, solved.nodes, solved.time.as_secs_f64()))
}

/// A `Trace`, with its diagram and its steps, its picture and its record in JSON.
pub fn trace(
    py: Python<'_>,
    algorithm: &str,
    drawing: &Drawing,
    [diagram, steps]: [String; 2],
    svg: String,
    record: String,
) -> PyResult<Py<PyAny>> {
    let root = drawing.tree.visit.ok_or_else(|| failure("nothing was searched"))?;
    let bound = match root.bound_words().trim_end() {
        "" => "exact",
        words => words,
    };
    let count = |name: &str| drawing.record[name].as_u64();
    let [visited, again, beside, positions] = ["visited", "again", "beside", "of"].map(count);
    let summary = drawing.summary.as_str();
    let values =
        (algorithm, root.value.0, bound, visited, again, beside, positions, summary, diagram, steps, svg, record);
    object(py, "Trace", values)
}
