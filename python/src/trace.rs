//! `trace`: a searcher of the textbook on a tree or a board, node by node.

use crate::board::Board;
use crate::{bad_value, failure, results, wrong_type};
use flipside::engine::bindings::{TraceOptions, within};
use flipside::search::policy::Technique;
use flipside::search::types::Depth;
use flipside::support::json;
use flipside::textbook::fold::Folding;
use flipside::textbook::techniques::technique;
use pyo3::prelude::*;

/// Size limit of the tree of a board, in positions: a larger one would fill the memory.
const MAX_POSITIONS: u64 = 100_000;
/// Deepest search: as the program's `--depth`.
const MAX_DEPTH: i64 = 100;

/// Searches a tree or a board as `flipside trace` does, and returns a `Trace`, which draws itself in a notebook.
///
/// `tree`: a tree in brackets, such as `"((3 5) (2 9))"` or `"(a:(3 5) b:(W ?))"`, or a `Board`. The other words are those of
/// the program:
///
/// - `algorithm`: minimax, alphabeta, alphabeta-hard, negamax, scout, pvs or uct.
/// - `order`: natural, reverse, random:SEED, static, heuristic, rule, killers, history, previous or perfect.
/// - `depth`: plies, 0 to 100; 2 for a board and the whole tree for a tree, if None. A board whose tree has more than 100,000
///   positions is refused.
/// - `evaluation`: that of the board's game (`games()` lists them).
/// - `window`: alpha and beta of the root for Max, such as `"2,5"` or `"L,6"`.
/// - `root`: the player to move at the root, max or min.
/// - `table`: a transposition table; `deepen`: iterative deepening, of which the last iteration is traced; `graph`: a
///   transposition is shown only once.
/// - `techniques`: a list of those that pvs adds (quiescence, extensions, null-move, reductions, probcut); `without`: a list of
///   those that it leaves out (aspiration).
/// - `playouts`: of uct, 1 to 10,000; 100 if None.
/// - `fold`: plies of the picture; `most_nodes`: its nodes. None for as many as fit 1,600 pixels of width.
#[pyfunction]
#[pyo3(signature = (
    tree, *, algorithm = "alphabeta", order = "natural", depth = None, evaluation = "default", window = None, root = "max",
    table = false, deepen = false, graph = false, techniques = None, without = None, playouts = None, fold = None,
    most_nodes = None,
))]
#[expect(clippy::too_many_arguments, reason = "Python has keywords for them")]
pub fn trace(
    py: Python<'_>,
    tree: &Bound<'_, PyAny>,
    algorithm: &str,
    order: &str,
    depth: Option<i64>,
    evaluation: &str,
    window: Option<String>,
    root: &str,
    table: bool,
    deepen: bool,
    graph: bool,
    techniques: Option<Vec<String>>,
    without: Option<Vec<String>>,
    playouts: Option<u64>,
    fold: Option<i64>,
    most_nodes: Option<i64>,
) -> PyResult<Py<PyAny>> {
    let board = tree.extract::<PyRef<'_, Board>>().ok();
    let text = tree.extract::<String>().ok();
    if board.is_none() && text.is_none() {
        return Err(wrong_type("a tree such as '((3 5) (2 9))', or a Board", tree));
    }
    let limited =
        |name, value: Option<i64>, range| value.map(|value| within(name, value, range)).transpose().map_err(bad_value);
    let options = TraceOptions {
        tree: text,
        game: board.as_ref().map(|board| board.game_name().into()),
        position: board.as_ref().map(|board| board.position_text().into()),
        evaluation: Some(evaluation.into()),
        algorithm: Some(algorithm.into()),
        order: Some(order.into()),
        depth: limited("depth", depth, 0..=MAX_DEPTH)?.map(|depth| depth as Depth),
        table,
        deepen,
        techniques: changed(techniques, without).map_err(bad_value)?,
        playouts,
        window,
        root: Some(root.into()),
        graph,
    };
    let folding = Folding {
        plies: limited("fold", fold, 0..=MAX_DEPTH)?.map(|plies| plies as usize),
        most_nodes: limited("most_nodes", most_nodes, 1..=MAX_POSITIONS as i64)?.map(|nodes| nodes as usize),
    };
    let drawing = py.detach(|| options.draw(MAX_POSITIONS)).map_err(bad_value)?;
    let svg = drawing.svg(options.searcher().map_err(bad_value)?, folding);
    let head = if deepen { drawing.root_searches.as_str() } else { "" };
    let record = json::line(&drawing.record).map_err(failure)?;
    let texts = [drawing.tree.diagram(), drawing.tree.steps()].map(|text| head.to_string() + &text);
    results::trace(py, algorithm, &drawing, texts, svg, record)
}

/// The techniques of `pvs` with those that are added and without those that are left out; None for the usual ones.
fn changed(added: Option<Vec<String>>, without: Option<Vec<String>>) -> Result<Option<Vec<String>>, String> {
    if added.is_none() && without.is_none() {
        return Ok(None);
    }
    let without = without.unwrap_or_default();
    without.iter().try_for_each(|name| technique(name).map(drop))?;
    let usual = [Technique::Aspiration.name().to_string()].into_iter();
    Ok(Some(usual.chain(added.unwrap_or_default()).filter(|name| !without.contains(name)).collect()))
}
