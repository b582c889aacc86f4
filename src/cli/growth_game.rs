//! How fast the searched tree of a real game grows, from plain minimax to the production search.

use super::chart::{Chart, Look, Scale, Series};
use crate::api::settings::Settings;
use crate::engine::game_engine::Parts;
use crate::engine::registry::{self, WithContext};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::Notation;
use crate::search::policy::SearchPolicy;
use crate::search::types::Depth;
use crate::textbook::order::Order;
use crate::textbook::plan::{Algorithm, Plan, Silent, Task};
use crate::textbook::searcher;
use crate::textbook::stand::AsItStands;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// No search visits more positions: its cell stays empty, and so do the deeper ones below it.
const MOST_NODES: u64 = 40_000_000;

/// The columns, each adding something to the one before it.
const COLUMNS: [&str; 5] =
    ["minimax", "alpha-beta, natural order", "with the game's order", "with a table", "with everything (pvs)"];

fn plan(column: usize, depth: Depth) -> Plan {
    match column {
        0 => Plan::fixed(Algorithm::Minimax, Order::Natural, depth),
        1 => Plan::fixed(Algorithm::AlphaBeta, Order::Natural, depth),
        2 => Plan::fixed(Algorithm::AlphaBeta, Order::Heuristic, depth),
        3 => Plan { table: true, ..Plan::fixed(Algorithm::AlphaBeta, Order::Heuristic, depth) },
        _ => Plan { table: true, deepen: true, ..Plan::fixed(Algorithm::Pvs, Order::Heuristic, depth) },
    }
}

/// Positions visited, a row a depth.
pub(super) struct Growth {
    game: String,
    rows: Vec<(u32, [Option<u64>; COLUMNS.len()])>,
}

/// Searches the game from its start to each depth.
///
/// # Errors
/// An unknown game or evaluation.
pub(super) fn measure(game: &str, evaluation: &str, depths: RangeInclusive<u32>) -> anyhow::Result<Growth> {
    let settings = Settings { game: game.to_string(), evaluation: evaluation.to_string(), ..Settings::default() };
    let rows = registry::with_context(&settings, Measure(depths))?;
    Ok(Growth { game: game.to_string(), rows })
}

struct Measure(RangeInclusive<u32>);

impl WithContext for Measure {
    type Output = Vec<(u32, [Option<u64>; COLUMNS.len()])>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: Parts<G, E, T>) -> Self::Output {
        let lesson = AsItStands::new(Arc::new(parts.context));
        let root = lesson.start();
        let task = Task { rank: lesson.rank(), ..Task::new(&lesson, &lesson, &root) };
        let mut given_up = [false; COLUMNS.len()];
        let nodes = |column: usize, depth: u32, given_up: &mut bool| {
            if *given_up {
                return None;
            }
            let plan = plan(column, depth.cast_signed());
            let stop = Stop::new(&Limits { nodes: Some(MOST_NODES), ..Limits::default() });
            let answer = searcher::search_until(&task, plan, &stop, &mut Silent);
            *given_up = answer.depth < plan.depth;
            (!*given_up).then_some(answer.nodes)
        };
        self.0.map(|depth| (depth, std::array::from_fn(|column| nodes(column, depth, &mut given_up[column])))).collect()
    }
}

impl Growth {
    /// A table in Markdown.
    pub(super) fn table(&self) -> String {
        let mut text = format!("| depth | {} |\n|{}\n", COLUMNS.join(" | "), " ---: |".repeat(1 + COLUMNS.len()));
        for (depth, counts) in &self.rows {
            let cells = counts.map(|count| count.map_or("–".to_string(), |count| count.to_string()));
            text.push_str(&format!("| {depth} | {} |\n", cells.join(" | ")));
        }
        text
    }

    /// Positions visited over depth, on a logarithmic axis.
    pub(super) fn svg(&self) -> anyhow::Result<String> {
        let series = |column: usize| Series {
            name: COLUMNS[column].to_string(),
            points: self
                .rows
                .iter()
                .filter_map(|(depth, counts)| counts[column].map(|count| (f64::from(*depth), count as f64)))
                .collect(),
            joined: true,
        };
        let series: Vec<Series> = (0..COLUMNS.len()).map(series).collect();
        let title = format!("{} from the start", self.game);
        let chart = Chart { title: &title, across: "depth in plies", up: "positions visited", series: &series };
        chart.svg_with(Look { across: Scale::Linear, up: Scale::Logarithmic })
    }
}
