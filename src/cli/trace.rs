//! `flipside trace`: an algorithm of the textbook on a given tree or on a position, node by node.

use super::engine::evaluation_help;
use super::input_lines::announce;
use super::output::Output;
use super::technique_args::TechniqueArgs;
use crate::api::settings::Settings;
use crate::engine::{
    game_engine::EngineParts,
    registry::{self, WithContext},
};
use crate::games::tree::Tree;
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::{Notation, Style};
use crate::search::policy::SearchPolicy;
use crate::search::types::{Depth, MAX_DEPTH, Side};
use crate::support::json;
use crate::support::text::without_bom;
use crate::textbook::count::positions;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::policy_tree::{self, Policy};
use crate::textbook::searcher;
use crate::textbook::svg;
use crate::textbook::trace::{MoveNames, PrunedSubtrees, Trace};
use crate::textbook::trace_graph;
use crate::textbook::trace_tree::{TraceTree, format_score, json_score};
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{RootSearch, SearchConfig, SearchInput};
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
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
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout, pvs or uct
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// The tree, such as '(((1 5 6) (8 3)) (L (1 W)))'
    #[arg(long, conflicts_with_all = ["file", "position"], allow_hyphen_values = true)]
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
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
    /// Depth in plies, below which static values are taken (default: 2 on positions, the whole tree on trees)
    #[arg(long, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Option<Depth>,
    /// Move order: natural, reverse, random:SEED, static, heuristic, rule, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: MoveOrder,
    /// Use a transposition table
    #[arg(long)]
    table: bool,
    #[command(flatten)]
    techniques: TechniqueArgs,
    /// Playouts of `uct`, whose trace shows visits and means
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    playouts: u64,
    /// Iterative deepening: the trace is that of the last iteration, and the searches of its root are listed
    #[arg(long)]
    deepen: bool,
    /// Draw a position that several orders of the same moves reach once
    #[arg(long, conflicts_with = "policy")]
    graph: bool,
    /// Show the policy that the search proves: one move of the side to move at the root, every answer of its opponent
    #[arg(long, conflicts_with_all = ["with", "without", "deepen"])]
    policy: bool,
    /// The player to move at the root
    #[arg(long, default_value = "max")]
    root: Root,
    /// Format of the trace
    #[arg(long, default_value = "diagram")]
    format: Format,
    /// Print one JSON object: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
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

    fn config<G: Game, E>(&self, input: &SearchInput<'_, G, E>, default_depth: Depth) -> anyhow::Result<SearchConfig> {
        let depth = self.depth.unwrap_or(default_depth);
        let techniques = self.techniques.checked(input, self.algorithm, self.order)?;
        let fixed = SearchConfig::fixed(self.algorithm, self.order, depth);
        let playouts = Some(self.playouts);
        Ok(SearchConfig { table: self.table, deepen: self.deepen, techniques, playouts, ..fixed })
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
        None => {
            announce(None, "a tree such as ((3 5) (2 9))");
            stdin().take(bound).read_to_string(&mut text).context("cannot read standard input")?
        }
    };
    ensure!(text.len() <= MAX_TREE_LENGTH, "a tree may have at most {MAX_TREE_LENGTH} bytes");
    Ok(text)
}

fn trace_tree(args: &TraceArgs, text: &str) -> anyhow::Result<String> {
    let tree = Tree::read(without_bom(text), args.side()).with_context(|| match (&args.tree, &args.file) {
        (Some(_), _) => "--tree".to_string(),
        (None, Some(path)) => path.display().to_string(),
        (None, None) => "standard input".to_string(),
    })?;
    let start = tree.start();
    let input = SearchInput::new(&tree, &tree, &start);
    let names = |_: &u32, mv: u32| tree.name(mv).map(str::to_string);
    let search = Search { args, config: args.config(&input, MAX_DEPTH)?, input, names: &names };
    if args.policy {
        return search.policy();
    }
    let mut trace = Trace::new(args.side());
    let found = search.run(&mut trace);
    if trace.visits.iter().any(|visit| visit.position.is_some_and(|node| tree.is_hidden(node))) {
        bail!("a leaf marked ? was visited: give it a value, or let another --order or --algorithm cut it off");
    }
    search.format(&trace, &found, &|_: &u32, mv: u32| unsearched(&tree, mv))
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
        let (root, _) = rules.read_position(self.position, Style::Plain).context("--position")?;
        let input = erased.input(&root);
        let names = |position: &G::Position, mv: G::Move| {
            Some(rules.show_move(position, mv, Style::Plain).to_ascii_lowercase())
        };
        let search = Search { args, config: args.config(&input, 2)?, input, names: &names };
        if args.policy {
            return search.policy();
        }
        let mut trace = Trace::new(args.side());
        let found = search.run(&mut trace);
        search.format(&trace, &found, &|_, _| TraceTree::default())
    }
}

/// A search to be traced.
struct Search<'a, G: Game, E> {
    args: &'a TraceArgs,
    config: SearchConfig,
    input: SearchInput<'a, G, E>,
    names: MoveNames<'a, G>,
}

/// What it found: the principal variation, and the searches of the root in the last iteration.
struct Found<M> {
    pv: Vec<M>,
    depth: Depth,
    root_searches: Vec<RootSearch>,
}

impl<G: Game + Clone, E: Eval<G> + Clone> Search<'_, G, E> {
    fn run(&self, trace: &mut Trace<G>) -> Found<G::Move> {
        let mut root_searches = Vec::new();
        let stop = Stop::new(&Limits::default());
        let output = searcher::search_reporting(&self.input, self.config, &stop, trace, &mut |finished| {
            root_searches = finished.root_searches.to_vec();
        });
        Found { pv: output.pv, depth: output.depth, root_searches }
    }

    fn format(
        &self,
        trace: &Trace<G>,
        found: &Found<G::Move>,
        pruned: PrunedSubtrees<'_, G>,
    ) -> anyhow::Result<String> {
        let Search { args, config, input, names } = self;
        let tree = if args.graph {
            trace_graph::graph(trace, input.game, &found.pv, names, pruned)
        } else {
            trace.tree(&found.pv, names, pruned)
        };
        let tree = tree.context("nothing was searched")?;
        let value = trace.value().unwrap_or_default();
        let (visited, again) = trace.visited(input.game);
        let is_sampled = args.algorithm == Algorithm::Uct;
        // A whole game's tree is only sampled, not counted.
        let total = (!is_sampled).then(|| positions(input.game, input.root, config.depth));
        let some = |count: usize, what: &str| if count > 0 { format!(", {what} {count}") } else { String::new() };
        let summary = format!(
            "value {}{}{}, visited {visited}{}",
            format_score(value),
            some(again, "visited again"),
            some(trace.beside(), "beside the tree"),
            total.map_or_else(String::new, |total| format!(" of {total}")),
        );
        let mut record = json!({
            "algorithm": args.algorithm.to_string(),
            "value": json_score(value),
            "visited": visited,
            "again": again,
            "beside": trace.beside(),
            "tree": tree.json(),
        });
        if let (Some(total), Some(fields)) = (total, record.as_object_mut()) {
            fields.insert("of".into(), json!(total));
        }
        let head = self.root_searches(found);
        self.show(&tree, &head, &summary, &record)
    }

    /// A line for each search of the root in the last iteration, if iterations were asked for.
    fn root_searches(&self, found: &Found<G::Move>) -> String {
        let shown: &[RootSearch] = if self.args.deepen { &found.root_searches } else { &[] };
        let line = |search: &RootSearch| {
            // The trace is in the view of Max.
            let (value, (alpha, beta)) = (search.value, search.window);
            let result = if value <= alpha {
                " fails low"
            } else if value >= beta {
                " fails high"
            } else {
                ""
            };
            let sign = if self.args.side() == Side::First { 1 } else { -1 };
            let (low, high) = if sign == 1 { (alpha, beta) } else { (-beta, -alpha) };
            let [low, high, value] = [low, high, sign * value].map(format_score);
            format!("depth {} [{low},{high}]{result}: {value}, {} nodes\n", found.depth, search.nodes)
        };
        shown.iter().map(line).collect()
    }

    /// The policy that the search proves.
    fn policy(&self) -> anyhow::Result<String> {
        ensure!(self.args.algorithm != Algorithm::Uct, "uct proves no policy: choose another --algorithm");
        let found = policy_tree::policy(&self.input, self.config, self.args.side(), self.names)
            .context("the policy is too large: choose a smaller --depth")?;
        let Policy { tree, value, answers, lines } = found;
        let summary = format!("value {}, moves in {answers} positions, {lines} lines", format_score(value));
        let record = json!({
            "algorithm": self.args.algorithm.to_string(),
            "value": json_score(value),
            "answers": answers,
            "lines": lines,
            "tree": tree.json(),
        });
        self.show(&tree, "", &summary, &record)
    }

    /// The tree in the format that was asked for.
    fn show(&self, tree: &TraceTree, head: &str, summary: &str, record: &Value) -> anyhow::Result<String> {
        let format = if self.args.json { Format::Json } else { self.args.format };
        Ok(match format {
            Format::Diagram => format!("{head}{}{summary}\n", tree.diagram()),
            Format::Steps => {
                ensure!(
                    !self.args.graph && !self.args.policy,
                    "--format steps lists the steps of a search, without --graph and --policy"
                );
                format!("{head}{}{summary}\n", tree.steps())
            }
            Format::Svg => svg::render(tree, &format!("{}: {summary}", self.args.algorithm)),
            Format::Json => json::line(record)? + "\n",
        })
    }
}
