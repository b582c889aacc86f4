//! `flipside search --iterations`: iterative deepening, one iteration per row.

use flipside_core::search::limits::{Limits, Stop};
use flipside_host::engine::textbook_position::TextbookPosition;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::types::{RootSearch, SearchConfig, SearchOutput};
use flipside_textbook::units::Units;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// An iteration of iterative deepening.
#[derive(Serialize)]
pub(super) struct IterationRow {
    depth: i32,
    score: Value,
    /// Positions of this iteration alone.
    nodes: u64,
    /// Positions of a direct search to this depth, without the earlier iterations.
    straight: u64,
    /// Since the search began.
    seconds: f64,
    pv: Vec<String>,
    windows: Vec<WindowRow>,
}

/// A search of the root.
#[derive(Serialize)]
struct WindowRow {
    window: [Value; 2],
    value: Value,
    result: &'static str,
    nodes: u64,
}

impl WindowRow {
    fn new(search: &RootSearch) -> WindowRow {
        let RootSearch { window: (alpha, beta), value, nodes } = *search;
        let result = match value {
            _ if value <= alpha => "fails low",
            _ if value >= beta => "fails high",
            _ => "exact",
        };
        WindowRow {
            window: [Units::from(alpha).json(), Units::from(beta).json()],
            value: Units::from(value).json(),
            result,
            nodes,
        }
    }

    fn label(&self) -> String {
        let [alpha, beta] = self.window.each_ref().map(|bound| bound.to_string().replace('"', ""));
        let remark = if self.result == "exact" { String::new() } else { format!(" {}", self.result) };
        format!("[{alpha},{beta}]{remark}")
    }
}

/// Searches by iterative deepening and returns the rows and the result. The direct searches to each depth, for
/// comparison, run afterwards; only the depth limits them.
pub(super) fn search(
    position: &dyn TextbookPosition,
    config: SearchConfig,
    stop: &Stop,
) -> (Vec<IterationRow>, SearchOutput<String>) {
    let mut rows: Vec<IterationRow> = Vec::new();
    let mut before = 0;
    let deepening = SearchConfig { deepen: true, ..config };
    let output = position.search(deepening, stop, &mut |finished| {
        let SearchOutput { score, nodes, depth, ref pv, .. } = *finished.output;
        rows.push(IterationRow {
            depth,
            score: Units::from(score).json(),
            nodes: nodes - before,
            straight: 0,
            seconds: finished.time.as_secs_f64(),
            pv: pv.clone(),
            windows: finished.root_searches.iter().map(WindowRow::new).collect(),
        });
        before = nodes;
    });
    // Without an earlier iteration the order `previous` has no moves to start from.
    let order = if config.order == MoveOrder::Previous { MoveOrder::Natural } else { config.order };
    for row in &mut rows {
        let straight = SearchConfig { order, depth: row.depth, deepen: false, ..config };
        row.straight = position.search(straight, &Stop::new(&Limits::default()), &mut |_| ()).nodes;
    }
    (rows, output)
}

/// The rows as a table in Markdown.
pub(super) fn table(rows: &[IterationRow]) -> String {
    let mut text = "| depth | score | nodes | straight | gained | seconds | line | windows |\n\
                    | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n"
        .to_string();
    for row in rows {
        let gained = 100.0 - 100.0 * row.nodes as f64 / row.straight.max(1) as f64;
        let windows: Vec<_> = row.windows.iter().map(WindowRow::label).collect();
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {gained:.0} % | {:.3} | {} | {} |",
            row.depth,
            row.score.to_string().replace('"', ""),
            row.nodes,
            row.straight,
            row.seconds,
            row.pv.join(" "),
            windows.join(", ")
        );
    }
    text
}
