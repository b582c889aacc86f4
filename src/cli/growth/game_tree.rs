//! `flipside growth --game`: how fast the search tree of a real game grows, from minimax to the production search.

use crate::cli::io::chart::{Chart, Scale, Scales, Series};
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::policy::Technique;
use flipside_core::search::types::Depth;
use flipside_host::api::settings::Settings;
use flipside_host::engine::registry;
use flipside_host::engine::textbook_position::TextbookPosition;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::techniques::{check_offered, default_techniques};
use flipside_textbook::types::SearchConfig;
use std::ops::RangeInclusive;

/// Node limit of a search. Beyond it, the cell and those of greater depths in its column stay empty.
const MAX_NODES: u64 = 40_000_000;

/// The first columns; each adds a technique to the one before it.
const COLUMNS: [&str; 5] =
    ["minimax", "alpha-beta, natural order", "with the game's order", "with a table", "with everything (pvs)"];

/// The search of a column. Each column after the first ones adds one of the named techniques.
fn config(column: usize, added: &[Technique], depth: Depth) -> SearchConfig {
    let game_order = |algorithm| SearchConfig::fixed(algorithm, MoveOrder::Heuristic, depth);
    match column {
        0 => SearchConfig::fixed(Algorithm::Minimax, MoveOrder::Natural, depth),
        1 => SearchConfig::fixed(Algorithm::AlphaBeta, MoveOrder::Natural, depth),
        2 => game_order(Algorithm::AlphaBeta),
        3 => SearchConfig { table: true, ..game_order(Algorithm::AlphaBeta) },
        _ => {
            let added = &added[..column + 1 - COLUMNS.len()];
            let techniques = added.iter().fold(default_techniques(), |set, &technique| set.with(technique));
            SearchConfig { table: true, deepen: true, techniques, ..game_order(Algorithm::Pvs) }
        }
    }
}

/// A depth with the nodes of each column.
type Row = (u32, Vec<Option<u64>>);

/// Nodes of each column, a row for each depth.
pub(super) struct Growth {
    game: String,
    columns: Vec<String>,
    rows: Vec<Row>,
}

/// Searches the game from its start to each depth, with a column for each of the added techniques.
///
/// # Errors
/// The game or evaluation is unknown, or the game does not offer a technique.
pub(super) fn measure(
    game: &str,
    evaluation: &str,
    added: &[Technique],
    depths: RangeInclusive<u32>,
) -> anyhow::Result<Growth> {
    let settings = Settings { game: game.to_string(), evaluation: evaluation.to_string(), ..Settings::default() };
    let rows = rows(&*registry::open(&settings)?.textbook(), added, depths)?;
    let names = added.iter().map(|&technique| format!("and {}", technique.name()));
    let columns = COLUMNS.into_iter().map(str::to_string).chain(names).collect();
    Ok(Growth { game: game.to_string(), columns, rows })
}

fn rows(position: &dyn TextbookPosition, added: &[Technique], depths: RangeInclusive<u32>) -> anyhow::Result<Vec<Row>> {
    let offers = |technique| position.offers(technique);
    check_offered(added.iter().copied().collect(), MoveOrder::Heuristic, offers, || false)?;
    let columns = COLUMNS.len() + added.len();
    let mut exceeded = vec![false; columns];
    let mut nodes = |column: usize, depth: u32| {
        if exceeded[column] {
            return None;
        }
        let config = config(column, added, depth.cast_signed());
        let stop = Stop::new(&Limits { nodes: Some(MAX_NODES), ..Limits::default() });
        let output = position.search(config, &stop, &mut |_| ());
        exceeded[column] = output.depth < config.depth;
        (!exceeded[column]).then_some(output.nodes)
    };
    Ok(depths.map(|depth| (depth, (0..columns).map(|column| nodes(column, depth)).collect())).collect())
}

impl Growth {
    /// The game's name.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// The depths, each with the nodes of its searched columns by name.
    pub(super) fn visited(&self) -> impl Iterator<Item = (u32, Vec<(&str, u64)>)> {
        self.rows.iter().map(|(depth, counts)| {
            let named = self.columns.iter().map(String::as_str).zip(counts);
            (*depth, named.filter_map(|(name, count)| Some((name, (*count)?))).collect())
        })
    }

    /// A table in Markdown.
    pub(super) fn table(&self) -> String {
        let names = self.columns.join(" | ");
        let mut text = format!("| depth | {names} |\n|{}\n", " ---: |".repeat(1 + self.columns.len()));
        for (depth, counts) in &self.rows {
            let cell = |count: &Option<u64>| count.map_or("–".to_string(), |count| count.to_string());
            let cells: Vec<_> = counts.iter().map(cell).collect();
            text.push_str(&format!("| {depth} | {} |\n", cells.join(" | ")));
        }
        text
    }

    /// Plots the nodes against the depth, on a logarithmic axis.
    pub(super) fn svg(&self) -> String {
        let series = |column: usize| Series {
            name: self.columns[column].clone(),
            points: self
                .rows
                .iter()
                .filter_map(|(depth, counts)| counts[column].map(|count| (f64::from(*depth), count as f64)))
                .collect(),
            joined: true,
        };
        let series: Vec<Series> = (0..self.columns.len()).map(series).collect();
        let title = format!("{} from the start", self.game);
        let chart = Chart { title: &title, x_label: "depth in plies", y_label: "positions visited", series: &series };
        chart.svg_with_scales(Scales { x: Scale::Linear, y: Scale::Logarithmic })
    }
}
