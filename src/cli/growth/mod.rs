//! `flipside growth`: how fast search trees grow with depth, on uniform trees (beside the formulas) and on a real game.

mod game_tree;

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::io::chart::{Chart, Scale, Scales, Series};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use clap::{Args, ValueEnum};
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::evaluation::ZeroEval;
use flipside_core::search::game::Game;
use flipside_core::search::policy::Technique;
use flipside_support::json;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::searcher;
use flipside_textbook::techniques::technique;
use flipside_textbook::tracer::NoTracer;
use flipside_textbook::types::{SearchConfig, SearchInput};
use flipside_textbook::uniform::UniformTree;
use game_tree::Growth;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Largest tree that is searched; the rows of larger ones hold the formulas only.
const MAX_LEAVES: u64 = 10_000_000;

/// Arguments of `flipside growth`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside growth --branching 2..8 --depth 6",
    "flipside growth --game reversi --depth 1..8 --svg growth.svg",
])]
pub struct GrowthArgs {
    /// Branching factors of uniform trees, such as 4 or 2..8
    #[arg(long, default_value = "2..8", value_parser = range)]
    branching: RangeInclusive<u32>,
    /// Depths in plies, such as 6 or 1..10
    #[arg(long, default_value = "1..10", value_parser = range)]
    depth: RangeInclusive<u32>,
    /// Move orders; `worst` also shows the reversed perfect order
    #[arg(long, value_delimiter = ',', default_value = "perfect,random,worst")]
    order: Vec<TreeOrder>,
    /// Seed of the random leaf values
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search this game from its start position instead of uniform trees
    #[arg(long, conflicts_with_all = ["branching", "order", "seed"])]
    game: Option<String>,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
    /// Techniques to show in a column of their own, with --game: quiescence, extensions, null-move, reductions, probcut
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique, requires = "game")]
    with: Vec<Technique>,
    /// Write a plot with logarithmic axes to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
}

/// A row of a table: the object of `--json`.
#[derive(Serialize)]
struct GrowthLine<'a> {
    /// The game; `None` for uniform trees.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a str>,
    /// Branching factor of a uniform tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    branching: Option<u32>,
    depth: u32,
    /// The leaves of a uniform tree, and the fewest that prove its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<u64>,
    /// Leaves (uniform trees) or positions (games) by column; columns that were not searched are missing.
    visited: Vec<(&'a str, u64)>,
}

/// The order in which the moves of a uniform tree are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeOrder {
    /// The best move first
    Perfect,
    /// Random
    Random,
    /// The worst case: a tree on which nothing is cut
    Worst,
}

fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let bad = || format!("expected a number or a range such as 2..8, each from 1 to 60, saw '{text}'");
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim_start_matches('=').parse::<u32>().ok().filter(|n| (1..=60).contains(n));
    let (low, high) = (number(low).ok_or_else(bad)?, number(high).ok_or_else(bad)?);
    if low <= high { Ok(low..=high) } else { Err(bad()) }
}

/// Prints the table and writes the plot.
///
/// # Errors
/// The game or evaluation is unknown, or the plot cannot be written.
pub fn run(args: &GrowthArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    if let Some(game) = &args.game {
        let growth = game_tree::measure(game, &args.evaluation, &args.with, args.depth.clone())?;
        let text = if args.json { game_lines(&growth)? } else { growth.table() };
        return finish(&text, args.svg.as_deref(), || growth.svg(), out);
    }
    let rows = measure(args);
    let text = if args.json { tree_lines(&rows, &args.order)? } else { table(&rows, &args.order) };
    finish(&text, args.svg.as_deref(), || svg(&rows, &args.order), out)
}

fn finish(
    table: &str,
    file: Option<&Path>,
    svg: impl FnOnce() -> String,
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    if let Some(path) = file {
        whole_file::write(path, svg().as_bytes())?;
    }
    out.write_all(table.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// A uniform tree and the leaves that alpha-beta visited in each column; empty if the tree is too large to search.
struct Row {
    branching: u32,
    depth: u32,
    visited: Vec<Option<u64>>,
}

/// A column of leaf counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Ordered(TreeOrder),
    Reversed,
}

fn columns(orders: &[TreeOrder]) -> Vec<Column> {
    let beside = |&order: &TreeOrder| match order {
        TreeOrder::Worst => vec![Column::Ordered(order), Column::Reversed],
        _ => vec![Column::Ordered(order)],
    };
    orders.iter().flat_map(beside).collect()
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Column::Ordered(TreeOrder::Perfect) => "perfect",
            Column::Ordered(TreeOrder::Random) => "random",
            Column::Ordered(TreeOrder::Worst) => "worst",
            Column::Reversed => "reversed",
        }
    }

    /// The leaves that alpha-beta visits. All columns but `worst` search the same random tree.
    fn leaves(self, random: &UniformTree, worst_case: &UniformTree, depth: u32) -> u64 {
        let (tree, order, scorer) = match self {
            Column::Ordered(TreeOrder::Perfect) => (random, MoveOrder::Heuristic, random.scorer(true)),
            Column::Reversed => (random, MoveOrder::Heuristic, random.scorer(false)),
            Column::Ordered(TreeOrder::Random) => (random, MoveOrder::Natural, random.scorer(true)),
            Column::Ordered(TreeOrder::Worst) => (worst_case, MoveOrder::Natural, worst_case.scorer(true)),
        };
        let start = tree.start();
        let input = SearchInput { scorer, ..SearchInput::new(tree, &ZeroEval, &start) };
        let config = SearchConfig::fixed(Algorithm::AlphaBeta, order, depth.cast_signed());
        searcher::search(&input, config, &mut NoTracer).leaves
    }
}

impl Row {
    /// All leaves of the tree: b^d.
    fn all(&self) -> u64 {
        u64::from(self.branching).saturating_pow(self.depth)
    }

    /// The minimal tree of alpha-beta: b^ceil(d/2) + b^floor(d/2) - 1 leaves (Knuth and Moore, 1975).
    fn minimal(&self) -> u64 {
        let power = |plies| u64::from(self.branching).saturating_pow(plies);
        power(self.depth.div_ceil(2)).saturating_add(power(self.depth / 2)) - 1
    }

    /// The leaves with randomly ordered moves grow as b^(3d/4) (Pearl, 1982).
    fn three_quarters(&self) -> f64 {
        f64::from(self.branching).powf(0.75 * f64::from(self.depth))
    }
}

fn measure(args: &GrowthArgs) -> Vec<Row> {
    let mut rows = Vec::new();
    for branching in args.branching.clone() {
        for depth in args.depth.clone() {
            let mut row = Row { branching, depth, visited: Vec::new() };
            let columns = columns(&args.order);
            if row.all() <= MAX_LEAVES {
                let random = UniformTree::random(branching as usize, depth, args.seed);
                let worst_case = UniformTree::worst_case(branching as usize, depth);
                row.visited = columns.iter().map(|column| Some(column.leaves(&random, &worst_case, depth))).collect();
            } else {
                row.visited = vec![None; columns.len()];
            }
            rows.push(row);
        }
    }
    rows
}

/// A table in Markdown.
fn table(rows: &[Row], orders: &[TreeOrder]) -> String {
    let names: Vec<_> = columns(orders).iter().map(|column| column.name()).collect();
    let mut text = format!("| b | d | b^d | b^⌈d/2⌉ + b^⌊d/2⌋ - 1 | b^(3d/4) | {} |\n", names.join(" | "));
    text.push_str(&format!("|{}\n", " ---: |".repeat(5 + names.len())));
    for row in rows {
        let cells: Vec<_> =
            row.visited.iter().map(|count| count.map_or("–".to_string(), |count| count.to_string())).collect();
        let (all, minimal, three_quarters) = (row.all(), row.minimal(), row.three_quarters());
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {all} | {minimal} | {three_quarters:.0} | {} |",
            row.branching,
            row.depth,
            cells.join(" | ")
        );
    }
    text
}

/// The rows of uniform trees as JSON.
fn tree_lines(rows: &[Row], orders: &[TreeOrder]) -> serde_json::Result<String> {
    let columns = columns(orders);
    let line = |row: &Row| {
        let named = columns.iter().map(|column| column.name()).zip(&row.visited);
        json::line(&GrowthLine {
            game: None,
            branching: Some(row.branching),
            depth: row.depth,
            leaves: Some(row.all()),
            minimal: Some(row.minimal()),
            visited: named.filter_map(|(name, count)| Some((name, (*count)?))).collect(),
        })
    };
    rows.iter().map(|row| Ok(line(row)? + "\n")).collect()
}

/// The rows of a game as JSON.
fn game_lines(growth: &Growth) -> serde_json::Result<String> {
    let line = |(depth, visited)| {
        json::line(&GrowthLine {
            game: Some(growth.game()),
            branching: None,
            depth,
            leaves: None,
            minimal: None,
            visited,
        })
    };
    growth.visited().map(|row| Ok(line(row)? + "\n")).collect()
}

/// Plots the leaves visited against all leaves, with the formulas as series of their own.
fn svg(rows: &[Row], orders: &[TreeOrder]) -> String {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by_key(|row| row.all());
    let formula = |name: &str, joined, value: &dyn Fn(&Row) -> f64| Series {
        name: name.to_string(),
        points: rows.iter().map(|row| (row.all() as f64, value(row))).collect(),
        joined,
    };
    let mut series = vec![
        formula("b^d", true, &|row| row.all() as f64),
        formula("b^(3d/4)", true, &Row::three_quarters),
        formula("least possible", false, &|row| row.minimal() as f64),
    ];
    for (index, column) in columns(orders).into_iter().enumerate() {
        let counted = |row: &&Row| row.visited[index].map(|count| (row.all() as f64, count as f64));
        let points = rows.iter().filter_map(counted).collect();
        series.push(Series { name: column.name().to_string(), points, joined: false });
    }
    let chart =
        Chart { title: "Uniform trees", x_label: "leaves of the tree", y_label: "leaves visited", series: &series };
    chart.svg_with_scales(Scales { x: Scale::Logarithmic, y: Scale::Logarithmic })
}
