//! The objects of answers and reports.

use crate::api::event::{BestMove, BookLine, Bound, Iteration, Outcome, PerftCounts, SearchStatistics};
use crate::api::options::{OptionInfo, OptionKind};
use flipside_core::search::notation::Grid;
use flipside_core::search::types::{Score, UNIT, WIN, WIN_IN_MAX_PLY};
use flipside_core::search::wdl::Wdl;
use serde::Serialize;

/// A score: in the game's unit, or the plies to a forced end.
#[derive(Debug, Serialize)]
pub struct ScoreReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_in: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss_in: Option<Score>,
}

impl From<Score> for ScoreReport {
    fn from(score: Score) -> ScoreReport {
        let plies = Some(WIN - score.abs()).filter(|_| score.abs() >= WIN_IN_MAX_PLY);
        ScoreReport {
            score: plies.is_none().then(|| f64::from(score) / f64::from(UNIT)),
            win_in: plies.filter(|_| score > 0),
            loss_in: plies.filter(|_| score < 0),
        }
    }
}

/// A variation of a search.
#[derive(Debug, Serialize)]
pub struct LineReport {
    rank: usize,
    #[serde(flatten)]
    score: ScoreReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u16; 3]>,
    bound: &'static str,
    certainty: String,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    seconds: f64,
    hashfull: u32,
    pv: Vec<String>,
}

impl From<&Iteration<String>> for LineReport {
    fn from(info: &Iteration<String>) -> LineReport {
        LineReport {
            rank: info.rank,
            score: info.score.into(),
            wdl: info.wdl.map(Wdl::array),
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "at least",
                Bound::Upper => "at most",
            },
            certainty: info.certainty.to_string(),
            depth: info.depth,
            seldepth: info.seldepth.max(info.depth),
            nodes: info.nodes,
            seconds: info.time.as_secs_f64(),
            hashfull: info.hashfull,
            pv: lower(&info.pv),
        }
    }
}

/// The opening book's facts about a move, beside its value.
#[derive(Debug, Serialize)]
pub struct BookReport {
    grade: &'static str,
    games: u64,
}

impl From<&BookLine> for BookReport {
    fn from(line: &BookLine) -> BookReport {
        BookReport { grade: line.grade.name(), games: line.games }
    }
}

/// A move of the opening book with the line of play after it.
#[derive(Debug, Serialize)]
pub struct BookLineReport {
    #[serde(flatten)]
    line: LineReport,
    book: BookReport,
}

impl From<&BookLine> for BookLineReport {
    fn from(line: &BookLine) -> BookLineReport {
        BookLineReport { line: (&line.info).into(), book: line.into() }
    }
}

/// The answer to `go`.
#[derive(Debug, Serialize)]
pub struct MoveReport {
    /// `None` if the game is over.
    r#move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ponder: Option<String>,
    #[serde(flatten)]
    score: Option<ScoreReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u16; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv: Option<Vec<String>>,
    /// For a move from the opening book.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<BookReport>,
    /// What happened, if the search failed inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

impl From<&BestMove> for MoveReport {
    fn from(best: &BestMove) -> MoveReport {
        let info = best.info.as_ref();
        MoveReport {
            r#move: best.mv.as_deref().map(str::to_ascii_lowercase),
            ponder: best.ponder.as_deref().map(str::to_ascii_lowercase),
            score: info.map(|info| info.score.into()),
            wdl: info.and_then(|info| info.wdl).map(Wdl::array),
            certainty: info.map(|info| info.certainty.to_string()),
            depth: info.map(|info| info.depth),
            nodes: best.statistics.nodes,
            seconds: best.statistics.time.as_secs_f64(),
            pv: info.map(|info| lower(&info.pv)),
            book: best.book.as_ref().map(BookReport::from),
            failure: best.failure.clone(),
        }
    }
}

/// The answer to `analyze`, and with no lines to `analyze_game`.
#[derive(Debug, Serialize)]
pub struct AnalysisReport {
    nodes: u64,
    seconds: f64,
    lines: Vec<LineReport>,
}

impl AnalysisReport {
    /// The end of an analysis that found these lines.
    pub fn new(statistics: &SearchStatistics, lines: &[Iteration<String>]) -> AnalysisReport {
        let lines = lines.iter().map(LineReport::from).collect();
        AnalysisReport { nodes: statistics.nodes, seconds: statistics.time.as_secs_f64(), lines }
    }
}

/// The answer to `perft`.
#[derive(Debug, Serialize)]
pub struct PerftReport {
    leaves: u64,
    divided: Vec<(String, u64)>,
}

impl From<&PerftCounts> for PerftReport {
    fn from(counts: &PerftCounts) -> PerftReport {
        let divided = counts.divided.iter().map(|(mv, leaves)| (mv.to_ascii_lowercase(), *leaves)).collect();
        PerftReport { leaves: counts.total, divided }
    }
}

/// An option.
#[derive(Debug, Serialize)]
pub struct OptionReport {
    name: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    default: String,
    value: String,
    help: &'static str,
}

impl From<&OptionInfo> for OptionReport {
    fn from(option: &OptionInfo) -> OptionReport {
        let (kind, min, max, choices) = match &option.kind {
            OptionKind::Spin { min, max } => ("number", Some(*min), Some(*max), Vec::new()),
            OptionKind::Check => ("flag", None, None, Vec::new()),
            OptionKind::Combo(words) => ("choice", None, None, words.clone()),
            OptionKind::Text => ("text", None, None, Vec::new()),
            OptionKind::Button => ("button", None, None, Vec::new()),
        };
        let OptionInfo { name, default, value, help, .. } = option.clone();
        OptionReport { name, kind, min, max, choices, default, value, help }
    }
}

/// The answer to `show`, collected part by part.
#[derive(Debug, Default, Serialize)]
pub struct State {
    /// The game's name.
    pub game: String,
    /// In the game's notation.
    pub position: String,
    /// Whose turn it is, by name.
    pub side: String,
    /// Legal moves.
    pub legal: Vec<String>,
    /// Moves played from the start.
    pub moves: Vec<String>,
    /// Of the first player and the second, where the game counts points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<[u32; 2]>,
    #[serde(flatten)]
    board: Option<Rows>,
    /// Of a finished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultReport>,
}

#[derive(Debug, Serialize)]
struct Rows {
    /// From top to bottom, a character a square.
    rows: Vec<String>,
    /// The number of the first row: 1, or that of the last row.
    top_row: usize,
}

#[derive(Debug, Serialize)]
struct ResultReport {
    /// None for a draw.
    winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<u32>,
}

impl State {
    /// Adds the board.
    pub fn set_board(&mut self, grid: Option<&Grid>) {
        self.board = grid.map(|grid| Rows {
            rows: grid.rows.iter().map(|row| row.iter().collect()).collect(),
            top_row: if grid.first_row_on_top { 1 } else { grid.rows.len() },
        });
    }

    /// Adds the result of a finished game.
    pub fn set_result(&mut self, outcome: &Outcome, winner: Option<&str>) {
        self.result = Some(ResultReport { winner: winner.map(str::to_string), margin: outcome.margin });
    }
}

/// Moves in lower case, as docs/json.md specifies.
pub fn lower(moves: &[String]) -> Vec<String> {
    moves.iter().map(|mv| mv.to_ascii_lowercase()).collect()
}
