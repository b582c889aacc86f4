//! `flipside trace`: an algorithm of the textbook on a given tree or on a position, node by node.

use super::output::Output;
use crate::api::settings::Settings;
use crate::engine::{
    game_engine::EngineParts,
    registry::{self, WithContext},
};
use crate::games::tree::Tree;
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::notation::{Notation, Style};
use crate::search::policy::SearchPolicy;
use crate::search::types::{Depth, MAX_DEPTH, Side};
use crate::support::json;
use crate::support::text::without_bom;
use crate::textbook::count::positions;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::searcher;
use crate::textbook::svg;
use crate::textbook::trace::{MoveNames, PrunedSubtrees, Trace};
use crate::textbook::trace_tree::{TraceTree, format_score, json_score};
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{SearchConfig, SearchInput};
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::{Read, Write, stdin};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Longest text of a tree in bytes: a few million leaves.
const MAX_TREE_LENGTH: usize = 16 << 20;

/// Arguments of `flipside trace`.
#[derive(Args, Debug)]
pub struct TraceArgs {
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout or pvs
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// The tree, such as '(((1 5 6) (8 3)) (L (1 W)))'
    #[arg(long, conflicts_with_all = ["file", "position"])]
    tree: Option<String>,
    /// A file with the tree (default: standard input)
    #[arg(long, conflicts_with = "position")]
    file: Option<PathBuf>,
    /// Search a position of the game instead of a tree
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// The game of the position
    #[arg(long, default_value = "reversi")]
    game: String,
    /// Evaluation function of the game
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// Depth in plies, below which static values are taken (default: 2 on positions, the whole tree on trees)
    #[arg(long, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Option<Depth>,
    /// Move order: natural, reverse, random:SEED, static, heuristic, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: MoveOrder,
    /// Use a transposition table
    #[arg(long)]
    table: bool,
    /// The player to move at the root
    #[arg(long, default_value = "max")]
    root: Root,
    /// Format of the trace
    #[arg(long, default_value = "diagram")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Root {
    Max,
    Min,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The tree in characters, with values and windows
    Diagram,
    /// The tree as an SVG image
    Svg,
    /// The tree as nested JSON objects
    Json,
    /// A list of steps, one a line
    Steps,
}

/// Searches the tree and prints what was visited.
///
/// # Errors
/// A tree or a position that cannot be read, an unknown game or evaluation, a visited `?`.
pub fn run(args: &TraceArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let text = match &args.position {
        Some(position) => {
            let settings =
                Settings { game: args.game.clone(), evaluation: args.evaluation.clone(), ..Settings::default() };
            registry::with_context(&settings, TracePosition { args, position })??
        }
        None => trace_tree(args, &tree_text(args)?)?,
    };
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

impl TraceArgs {
    fn side(&self) -> Side {
        match self.root {
            Root::Max => Side::First,
            Root::Min => Side::Second,
        }
    }

    fn config(&self, default_depth: Depth) -> SearchConfig {
        let depth = self.depth.unwrap_or(default_depth);
        SearchConfig { table: self.table, ..SearchConfig::fixed(self.algorithm, self.order, depth) }
    }
}

fn tree_text(args: &TraceArgs) -> anyhow::Result<String> {
    if let Some(text) = &args.tree {
        return Ok(text.clone());
    }
    let mut text = String::new();
    let bound = MAX_TREE_LENGTH as u64 + 1;
    match &args.file {
        Some(path) => File::open(path)
            .and_then(|file| file.take(bound).read_to_string(&mut text))
            .with_context(|| format!("cannot read {}", path.display()))?,
        None => stdin().take(bound).read_to_string(&mut text).context("cannot read standard input")?,
    };
    ensure!(text.len() <= MAX_TREE_LENGTH, "a tree may have at most {MAX_TREE_LENGTH} bytes");
    Ok(text)
}

fn trace_tree(args: &TraceArgs, text: &str) -> anyhow::Result<String> {
    let tree = Tree::read(without_bom(text), args.side())?;
    let config = args.config(MAX_DEPTH);
    let mut trace = Trace::new(args.side());
    let start = tree.start();
    let input = SearchInput::new(&tree, &tree, &start);
    let output = searcher::search(&input, config, &mut trace);
    if trace.visits.iter().any(|visit| visit.position.is_some_and(|node| tree.is_hidden(node))) {
        bail!("a leaf marked ? was visited");
    }
    let names = |_: &u32, mv: u32| tree.name(mv).map(str::to_string);
    let pruned = |_: &u32, mv: u32| unsearched(&tree, mv);
    format_trace(args, &input, config.depth, &trace, &output.pv, &names, &pruned)
}

/// A pruned subtree, with the values of its leaves.
fn unsearched(tree: &Tree, node: u32) -> TraceTree {
    let named = |child| TraceTree { name: tree.name(child).map(str::to_string), ..unsearched(tree, child) };
    let children = tree.moves(&node).map(named).collect();
    TraceTree { max: tree.is_max(node), static_value: tree.leaf_value(node), children, ..TraceTree::default() }
}

struct TracePosition<'a> {
    args: &'a TraceArgs,
    position: &'a str,
}

impl WithContext for TracePosition<'_> {
    type Output = anyhow::Result<String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        let args = self.args;
        let context = Arc::new(parts.context);
        let rules = &context.game;
        let erased = ErasedGame::new(Arc::clone(&context));
        let (root, _) = rules.read_position(self.position, Style::Plain)?;
        let config = args.config(2);
        let mut trace = Trace::new(args.side());
        let input = SearchInput { scorer: erased.scorer(), ..SearchInput::new(&erased, &erased, &root) };
        let output = searcher::search(&input, config, &mut trace);
        let names = |position: &G::Position, mv: G::Move| {
            Some(rules.show_move(position, mv, Style::Plain).to_ascii_lowercase())
        };
        format_trace(args, &input, config.depth, &trace, &output.pv, &names, &|_, _| TraceTree::default())
    }
}

fn format_trace<G: Game, E>(
    args: &TraceArgs,
    input: &SearchInput<'_, G, E>,
    depth: Depth,
    trace: &Trace<G>,
    pv: &[G::Move],
    names: MoveNames<'_, G>,
    pruned: PrunedSubtrees<'_, G>,
) -> anyhow::Result<String> {
    let tree = trace.tree(pv, names, pruned).context("nothing was searched")?;
    let value = trace.value().unwrap_or_default();
    let (visited, again) = trace.visited(input.game);
    let total = positions(input.game, input.root, depth);
    let repeated = if again > 0 { format!(", visited again {again}") } else { String::new() };
    let summary = format!("value {}{repeated}, visited {visited} of {total}", format_score(value));
    Ok(match args.format {
        Format::Diagram => format!("{}{summary}\n", tree.diagram()),
        Format::Steps => format!("{}{summary}\n", tree.steps()),
        Format::Svg => svg::render(&tree, &format!("{}: {summary}", args.algorithm)),
        Format::Json => {
            let record = serde_json::json!({
                "algorithm": args.algorithm.to_string(),
                "value": json_score(value),
                "visited": visited,
                "again": again,
                "of": total,
                "tree": tree.json(),
            });
            json::line(&record)? + "\n"
        }
    })
}
