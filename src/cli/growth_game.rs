//! `flipside growth --game`: how fast the search tree of a real game grows, from minimax to the production search.

use super::chart::{Chart, Scale, Scales, Series};
use crate::api::settings::Settings;
use crate::engine::game_engine::EngineParts;
use crate::engine::registry::{self, WithContext};
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::Notation;
use crate::search::policy::SearchPolicy;
use crate::search::types::Depth;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::searcher;
use crate::textbook::tracer::NoTracer;
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{SearchConfig, SearchInput};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Node limit of a search. Where it is exceeded, the cell stays empty, and so do those of greater depths below it.
const MAX_NODES: u64 = 40_000_000;

/// The columns; each adds a technique to the one before it.
const COLUMNS: [&str; 5] =
    ["minimax", "alpha-beta, natural order", "with the game's order", "with a table", "with everything (pvs)"];

fn config(column: usize, depth: Depth) -> SearchConfig {
    match column {
        0 => SearchConfig::fixed(Algorithm::Minimax, MoveOrder::Natural, depth),
        1 => SearchConfig::fixed(Algorithm::AlphaBeta, MoveOrder::Natural, depth),
        2 => SearchConfig::fixed(Algorithm::AlphaBeta, MoveOrder::Heuristic, depth),
        3 => SearchConfig { table: true, ..SearchConfig::fixed(Algorithm::AlphaBeta, MoveOrder::Heuristic, depth) },
        _ => SearchConfig {
            table: true,
            deepen: true,
            ..SearchConfig::fixed(Algorithm::Pvs, MoveOrder::Heuristic, depth)
        },
    }
}

/// Nodes of each column, a row for each depth.
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

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        let erased = ErasedGame::new(Arc::new(parts.context));
        let root = erased.start();
        let input = SearchInput { scorer: erased.scorer(), ..SearchInput::new(&erased, &erased, &root) };
        let mut exceeded = [false; COLUMNS.len()];
        let nodes = |column: usize, depth: u32, exceeded: &mut bool| {
            if *exceeded {
                return None;
            }
            let config = config(column, depth.cast_signed());
            let stop = Stop::new(&Limits { nodes: Some(MAX_NODES), ..Limits::default() });
            let output = searcher::search_until(&input, config, &stop, &mut NoTracer);
            *exceeded = output.depth < config.depth;
            (!*exceeded).then_some(output.nodes)
        };
        self.0.map(|depth| (depth, std::array::from_fn(|column| nodes(column, depth, &mut exceeded[column])))).collect()
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

    /// Plots the nodes against the depth, on a logarithmic axis.
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
        let chart = Chart { title: &title, x_label: "depth in plies", y_label: "positions visited", series: &series };
        chart.svg_with_scales(Scales { x: Scale::Linear, y: Scale::Logarithmic })
    }
}
