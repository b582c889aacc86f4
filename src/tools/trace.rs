//! `flipside trace`: a textbook searcher on an explicit tree, node by node.

use crate::games::tree::Tree;
use crate::search::game::{Depth, Game, MAX_DEPTH, Side};
use crate::textbook::order::Order;
use crate::textbook::plan::{Algorithm, Plan, Task};
use crate::textbook::searcher;
use crate::textbook::trace::{Trace, shown};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside trace`.
#[derive(Args, Debug)]
pub struct TraceArgs {
    /// minimax, alphabeta, alphabeta-hard, negamax, scout or pvs
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// The tree, such as '(((1 5 6) (8 3)) (L (1 W)))'
    #[arg(long, conflicts_with = "file")]
    tree: Option<String>,
    /// A file with the tree (default: standard input)
    #[arg(long)]
    file: Option<PathBuf>,
    /// Stop at this depth and take the static values there
    #[arg(long, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Option<Depth>,
    /// natural, reverse, random:SEED, static, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: Order,
    /// Whose turn it is at the root
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
    /// One line an event
    Steps,
}

/// Searches the tree and prints what was visited.
///
/// # Errors
/// A tree that cannot be read, a searcher that cannot be traced, a visited `?`.
pub fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let text = match (&args.tree, &args.file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => {
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?
        }
        (None, None) => {
            let mut text = String::new();
            stdin().read_to_string(&mut text).context("cannot read standard input")?;
            text
        }
    };
    let root = match args.root {
        Root::Max => Side::First,
        Root::Min => Side::Second,
    };
    let tree = Tree::read(&text, root)?;
    let plan = Plan::fixed(args.algorithm, args.order, args.depth.unwrap_or(MAX_DEPTH));
    let mut trace = Trace::new(root);
    let answer = searcher::search(&Task::new(&tree, &tree, &tree.start()), plan, &mut trace);
    if trace.visits.iter().any(|visit| visit.position.is_some_and(|node| tree.is_hidden(node))) {
        bail!("a leaf marked ? was visited");
    }
    let name = |mv: u32| tree.name(mv).map(str::to_string);
    let body = match args.format {
        Format::Diagram => trace.diagram(&name),
        Format::Steps => trace.steps(&name),
    };
    let value = trace.visits.first().map_or(answer.score, |visit| visit.value);
    let total = positions(&tree, 0, plan.depth);
    let end = format!("value {}, visited {} of {total}\n", shown(value), trace.visited());
    // A closed pipe wants nothing more.
    let _ = stdout().lock().write_all((body + &end).as_bytes());
    Ok(ExitCode::SUCCESS)
}

fn positions(tree: &Tree, node: u32, depth: Depth) -> u64 {
    let below = |child| positions(tree, child, depth - 1);
    1 + if depth > 0 { tree.moves(&node).map(below).sum() } else { 0 }
}
