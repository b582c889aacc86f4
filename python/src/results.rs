//! The results of searches and solves.

use flipside::engine::bindings::{IterationView, ResultView};
use pyo3::prelude::*;

/// A finished iteration of one line of play.
///
/// - `rank`: 1 for the best line.
/// - `depth`: plies.
/// - `score`: in units (discs, pawns) for the side to move; 300 less a hundredth for each ply is a proven win.
/// - `certainty`: `exact`, `proven` (a sure win or loss; best play may take another number of plies), `wld` (win, loss or
///   draw), `end@P%` (played out, some lines pruned at that confidence) or `mid@P%` (an estimate).
/// - `nodes`: positions searched, over all threads; `time`: seconds since the search began.
/// - `line`: principal variation.
#[pyclass(frozen, get_all, module = "flipside")]
#[derive(Clone)]
pub struct Iteration {
    rank: usize,
    depth: u32,
    score: f64,
    certainty: String,
    nodes: u64,
    time: f64,
    line: Vec<String>,
}

impl From<IterationView> for Iteration {
    fn from(view: IterationView) -> Iteration {
        let IterationView { rank, depth, score, certainty, nodes, time, line } = view;
        Iteration { rank, depth, score, certainty, nodes, time: time / 1e3, line }
    }
}

#[pymethods]
impl Iteration {
    fn __repr__(&self) -> String {
        let Iteration { depth, score, certainty, line, .. } = self;
        format!("Iteration(depth={depth}, score={score:+.2}, certainty={certainty:?}, line={:?})", line.join(" "))
    }
}

/// The result of a search.
///
/// - `move`: the best move; None when the game is over.
/// - `score`, `certainty`, `depth`, `line`: those of its last iteration (`Iteration`); None, None, 0 and `[]` if no iteration
///   was finished.
/// - `nodes`: positions searched, over all threads; `time`: seconds.
/// - `lines`: the last iteration of each line of play, the best first.
#[pyclass(frozen, get_all, module = "flipside")]
pub struct Analysis {
    r#move: Option<String>,
    score: Option<f64>,
    certainty: Option<String>,
    depth: u32,
    nodes: u64,
    time: f64,
    line: Vec<String>,
    lines: Vec<Iteration>,
}

impl Analysis {
    /// The result, with the latest iteration of each line of play.
    pub fn new(result: ResultView, lines: Vec<Iteration>) -> Analysis {
        let best = result.best.map(Iteration::from);
        Analysis {
            r#move: result.mv,
            score: best.as_ref().map(|best| best.score),
            certainty: best.as_ref().map(|best| best.certainty.clone()),
            depth: best.as_ref().map_or(0, |best| best.depth),
            nodes: result.nodes,
            time: result.time / 1e3,
            line: best.map_or_else(Vec::new, |best| best.line),
            lines,
        }
    }
}

#[pymethods]
impl Analysis {
    /// Whether the score is the value of perfect play, the distance to a win or loss included.
    #[getter]
    fn is_exact(&self) -> bool {
        self.certainty.as_deref() == Some("exact")
    }

    fn __repr__(&self) -> String {
        let mv = self.r#move.as_deref().unwrap_or("None");
        let score = self.score.map_or_else(|| "None".to_string(), |score| format!("{score:+.2}"));
        format!("Analysis(move={mv}, score={score}, depth={}, nodes={})", self.depth, self.nodes)
    }
}

/// The value of perfect play in a position of Reversi.
///
/// - `score`: discs of the side to move less those of its opponent at the end, -64 to 64, empty squares to the winner.
/// - `move`: a best move; None when the game is over. `line`: best play of both sides to the end.
/// - `nodes`: positions searched, over all threads; `time`: seconds.
#[pyclass(frozen, get_all, module = "flipside")]
pub struct Solution {
    pub score: i32,
    pub r#move: Option<String>,
    pub line: Vec<String>,
    pub nodes: u64,
    pub time: f64,
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        let mv = self.r#move.as_deref().unwrap_or("None");
        format!("Solution(score={:+}, move={mv}, nodes={})", self.score, self.nodes)
    }
}
