//! `flipside trace`: a textbook searcher on an explicit tree or on a position, node by node.

use crate::api::settings::Settings;
use crate::engine::{
    game_engine::Parts,
    registry::{self, WithContext},
};
use crate::games::tree::Tree;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::notation::{Notation, Style};
use crate::search::policy::SearchPolicy;
use crate::search::types::{Depth, MAX_DEPTH, Side};
use crate::textbook::count::positions;
use crate::textbook::order::Order;
use crate::textbook::picture;
use crate::textbook::plan::{Algorithm, Plan, Task};
use crate::textbook::searcher;
use crate::textbook::sketch::{Sketch, number, shown};
use crate::textbook::stand::AsItStands;
use crate::textbook::trace::{Beyond, Names, Trace};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `flipside trace`.
#[derive(Args, Debug)]
pub struct TraceArgs {
    /// minimax, alphabeta, alphabeta-hard, negamax, scout or pvs
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// The tree, such as '(((1 5 6) (8 3)) (L (1 W)))'
    #[arg(long, conflicts_with_all = ["file", "position"])]
    tree: Option<String>,
    /// A file with the tree (default: standard input)
    #[arg(long, conflicts_with = "position")]
    file: Option<PathBuf>,
    /// A position of the game instead of a tree
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// The game of the position
    #[arg(long, default_value = "reversi")]
    game: String,
    /// How the position is judged
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// Stop at this depth and take the static values there (default: 2 for positions, the leaves of trees)
    #[arg(long, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Option<Depth>,
    /// natural, reverse, random:SEED, static, heuristic, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: Order,
    /// Remember positions
    #[arg(long)]
    table: bool,
    /// Who is to move at the root
    #[arg(long, default_value = "max")]
    root: Root,
    /// How the trace is written
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
    /// The tree with values and windows
    Diagram,
    /// A drawing
    Svg,
    /// Nested objects
    Json,
    /// One line an event
    Steps,
}

/// Searches the tree and prints what was visited.
///
/// # Errors
/// A tree or a position that cannot be read, an unknown game or evaluation, a visited `?`.
pub fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let text = match &args.position {
        Some(position) => {
            let settings =
                Settings { game: args.game.clone(), evaluation: args.evaluation.clone(), ..Settings::default() };
            registry::with_context(&settings, OnPosition { args, position })??
        }
        None => on_tree(args, &tree_text(args)?)?,
    };
    // A closed pipe wants nothing more.
    let _ = stdout().lock().write_all(text.as_bytes());
    Ok(ExitCode::SUCCESS)
}

impl TraceArgs {
    fn side(&self) -> Side {
        match self.root {
            Root::Max => Side::First,
            Root::Min => Side::Second,
        }
    }

    fn plan(&self, usual_depth: Depth) -> Plan {
        let depth = self.depth.unwrap_or(usual_depth);
        Plan { table: self.table, ..Plan::fixed(self.algorithm, self.order, depth) }
    }
}

fn tree_text(args: &TraceArgs) -> anyhow::Result<String> {
    if let Some(text) = &args.tree {
        return Ok(text.clone());
    }
    if let Some(path) = &args.file {
        return std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    }
    let mut text = String::new();
    stdin().read_to_string(&mut text).context("cannot read standard input")?;
    Ok(text)
}

fn on_tree(args: &TraceArgs, text: &str) -> anyhow::Result<String> {
    let tree = Tree::read(text, args.side())?;
    let plan = args.plan(MAX_DEPTH);
    let mut trace = Trace::new(args.side());
    let start = tree.start();
    let task = Task::new(&tree, &tree, &start);
    let answer = searcher::search(&task, plan, &mut trace);
    if trace.visits.iter().any(|visit| visit.position.is_some_and(|node| tree.is_hidden(node))) {
        bail!("a leaf marked ? was visited");
    }
    let names = |_: &u32, mv: u32| tree.name(mv).map(str::to_string);
    let beyond = |_: &u32, mv: u32| tree_sketch(&tree, mv);
    shown_trace(args, &task, plan.depth, &trace, &answer.line, &names, &beyond)
}

/// A subtree as it would have been searched.
fn tree_sketch(tree: &Tree, node: u32) -> Sketch {
    let named = |child| Sketch { name: tree.name(child).map(str::to_string), ..tree_sketch(tree, child) };
    let children = tree.moves(&node).map(named).collect();
    Sketch { max: tree.is_max(node), static_value: tree.leaf_value(node), children, ..Sketch::default() }
}

struct OnPosition<'a> {
    args: &'a TraceArgs,
    position: &'a str,
}

impl WithContext for OnPosition<'_> {
    type Output = anyhow::Result<String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: Parts<G, E, T>) -> Self::Output {
        let args = self.args;
        let context = Arc::new(parts.context);
        let rules = &context.game;
        let lesson = AsItStands::new(Arc::clone(&context));
        let (root, _) = rules.read_position(self.position, Style::Plain)?;
        let plan = args.plan(2);
        let mut trace = Trace::new(args.side());
        let task = Task { rank: lesson.rank(), ..Task::new(&lesson, &lesson, &root) };
        let answer = searcher::search(&task, plan, &mut trace);
        let names = |position: &G::Position, mv: G::Move| {
            Some(rules.show_move(position, mv, Style::Plain).to_ascii_lowercase())
        };
        shown_trace(args, &task, plan.depth, &trace, &answer.line, &names, &|_, _| Sketch::default())
    }
}

fn shown_trace<G: Game, E>(
    args: &TraceArgs,
    task: &Task<'_, G, E>,
    depth: Depth,
    trace: &Trace<G>,
    line: &[G::Move],
    names: Names<'_, G>,
    beyond: Beyond<'_, G>,
) -> anyhow::Result<String> {
    let sketch = trace.sketch(line, names, beyond).context("nothing was searched")?;
    let value = trace.value().unwrap_or_default();
    let (visited, again) = trace.visited();
    let total = positions(task.game, task.root, depth);
    let twice = if again > 0 { format!(", visited again {again}") } else { String::new() };
    let summary = format!("value {}{twice}, visited {visited} of {total}", shown(value));
    Ok(match args.format {
        Format::Diagram => format!("{}{summary}\n", sketch.diagram()),
        Format::Steps => format!("{}{summary}\n", sketch.steps()),
        Format::Svg => picture::svg(&sketch, &format!("{}: {summary}", args.algorithm)),
        Format::Json => {
            let record = serde_json::json!({
                "algorithm": args.algorithm.to_string(),
                "value": number(value),
                "visited": visited,
                "again": again,
                "of": total,
                "tree": sketch.json(),
            });
            format!("{record}\n")
        }
    })
}
