//! `flipside trace`: a textbook algorithm on a given tree or on a position, node by node.

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::args::position;
use crate::cli::args::technique_args::TechniqueArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::io::input_lines::announce;
use crate::cli::io::output::Output;
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use flipside_core::games::tree::Tree;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::policy::TechniqueSet;
use flipside_core::search::types::{Depth, Side};
use flipside_host::api::settings::Settings;
use flipside_host::engine::textbook_position::{DrawnSearch, TextbookPosition};
use flipside_support::json;
use flipside_support::text::without_bom;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::policy_tree::{self, Policy};
use flipside_textbook::svg;
use flipside_textbook::trace_tree::{format_score, json_score};
use flipside_textbook::traced_search::{Drawing, TRACED_PLAYOUTS, TracedSearch, TracedTree, tree_names, unsearched};
use flipside_textbook::types::{RootSearch, SearchConfig};
use flipside_textbook::window::Window;
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write, stdin};
use std::path::PathBuf;
use std::process::ExitCode;

/// Longest text of a tree, in bytes: a few million leaves.
const MAX_TREE_LENGTH: usize = 16 << 20;

/// Arguments of `flipside trace`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside trace --algorithm alphabeta-hard --tree '(((1 5 6) (8 3)) (L (1 W)))'",
    "flipside trace --depth 2 --evaluation discs --format svg --position \
     '---------------------------OX------XO--------------------------- X' > trace.svg",
])]
pub struct TraceArgs {
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout, pvs or uct
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// Tree to search, such as '(((1 5 6) (8 3)) (L (1 W)))'
    #[arg(long, conflicts_with_all = ["file", "position"], allow_hyphen_values = true)]
    tree: Option<String>,
    /// File with the tree (default: standard input)
    #[arg(long, conflicts_with = "position")]
    file: Option<PathBuf>,
    /// Search this position of the game instead of a tree
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Game of the position
    #[arg(long, default_value = "reversi")]
    game: String,
    #[command(flatten)]
    variant: VariantArgs,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
    /// Depth in plies, at which static values are taken (default: 2 for positions, the whole tree for trees)
    #[arg(long, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Option<Depth>,
    /// Move order: natural, reverse, random:SEED, static, heuristic, rule, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: MoveOrder,
    /// Window of the root, ALPHA,BETA for Max: 2,5 or L,6 (alphabeta, alphabeta-hard, negamax, scout)
    #[arg(long, default_value_t = Window::FULL, allow_hyphen_values = true)]
    window: Window,
    /// Use a transposition table
    #[arg(long)]
    table: bool,
    #[command(flatten)]
    techniques: TechniqueArgs,
    /// Playouts of `uct`; its trace shows visits and means
    #[arg(long, default_value_t = TRACED_PLAYOUTS, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    playouts: u64,
    /// Search by iterative deepening; trace the last iteration and list the searches of its root
    #[arg(long)]
    deepen: bool,
    /// Draw a transposition, a position that several move orders reach, only once
    #[arg(long, conflicts_with = "policy")]
    graph: bool,
    /// Show the policy that the search proves: one move for the side to move at the root, every answer of the opponent
    #[arg(long, conflicts_with_all = ["with", "without", "deepen"])]
    policy: bool,
    /// Player to move at the root
    #[arg(long, default_value = "max")]
    root: Root,
    /// Format of the trace
    #[arg(long, default_value = "diagram")]
    format: Format,
    /// Print one JSON object, like --format json
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
    /// A list of steps, one per line
    Steps,
}

/// Searches the tree and prints the visited nodes.
///
/// # Errors
/// The tree or the position cannot be read, the game or evaluation is unknown, or the search visited a `?`.
pub fn run(args: &TraceArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let text = match &args.position {
        Some(position) => {
            let game = args.variant.game(&args.game)?;
            let settings = Settings { game, evaluation: args.evaluation.clone(), ..Settings::default() };
            trace_position(args, &*position::open(&settings, Some(position))?.textbook())?
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

    fn config(&self, techniques: TechniqueSet, default_depth: Depth) -> anyhow::Result<SearchConfig> {
        let fixed = SearchConfig::fixed(self.algorithm, self.order, self.depth.unwrap_or(default_depth));
        let playouts = Some(self.playouts);
        let window = self.window.of_root(self.algorithm, self.side())?;
        Ok(SearchConfig { table: self.table, deepen: self.deepen, techniques, playouts, window, ..fixed })
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
    let (traced_tree, names) = (TracedTree::new(&tree), tree_names(&tree));
    let (input, side) = (traced_tree.input(), args.side());
    let offers = |technique| input.heuristics.offers(technique);
    let techniques = args.techniques.checked(args.algorithm, args.order, offers, || false)?;
    let config = args.config(techniques, TracedTree::WHOLE)?;
    if args.policy {
        return args.show_policy(|| policy_tree::policy(&input, config, side, &names));
    }
    let search = TracedSearch { config, input, side, names: &names };
    let traced = search.run();
    if traced_tree.saw_hidden(&traced) {
        bail!("a leaf marked ? was visited: give it a value, or let another --order or --algorithm cut it off");
    }
    let drawing = search.draw(&traced, args.graph, &|_: &u32, mv: u32| unsearched(&tree, mv));
    let (depth, root_searches) = (traced.depth, traced.root_searches);
    args.show_search(drawing.map(|drawing| DrawnSearch { drawing, depth, root_searches }))
}

fn trace_position(args: &TraceArgs, position: &dyn TextbookPosition) -> anyhow::Result<String> {
    let config = args.config(args.techniques.checked_for(args.algorithm, args.order, position)?, 2)?;
    match args.policy {
        true => args.show_policy(|| position.policy(config, args.side())),
        false => args.show_search(position.trace(config, args.side(), args.graph)),
    }
}

impl TraceArgs {
    /// The search in the requested form.
    fn show_search(&self, drawn: Option<DrawnSearch>) -> anyhow::Result<String> {
        let drawn = drawn.context("nothing was searched")?;
        self.show(&drawn.drawing, &self.root_searches(&drawn))
    }

    /// With `--deepen`, a line for each search of the root in the last iteration.
    fn root_searches(&self, traced: &DrawnSearch) -> String {
        let shown: &[RootSearch] = if self.deepen { &traced.root_searches } else { &[] };
        let line = |search: &RootSearch| {
            // The trace has Max's point of view.
            let (value, (alpha, beta)) = (search.value, search.window);
            let result = if value <= alpha {
                " fails low"
            } else if value >= beta {
                " fails high"
            } else {
                ""
            };
            let sign = if self.side() == Side::First { 1 } else { -1 };
            let (low, high) = if sign == 1 { (alpha, beta) } else { (-beta, -alpha) };
            let [low, high, value] = [low, high, sign * value].map(format_score);
            format!("depth {} [{low},{high}]{result}: {value}, {} nodes\n", traced.depth, search.nodes)
        };
        shown.iter().map(line).collect()
    }

    /// The policy that the search proves.
    fn show_policy(&self, found: impl FnOnce() -> Option<Policy>) -> anyhow::Result<String> {
        ensure!(self.algorithm != Algorithm::Uct, "uct does not prove a policy: choose another --algorithm");
        let found = found().context("the policy is too large: choose a smaller --depth")?;
        let Policy { tree, value, answers, lines } = found;
        let summary = format!("value {}, moves in {answers} positions, {lines} lines", format_score(value));
        let record = json!({
            "algorithm": self.algorithm.to_string(),
            "value": json_score(value),
            "answers": answers,
            "lines": lines,
            "tree": tree.json(),
        });
        self.show(&Drawing { tree, summary, record }, "")
    }

    /// The tree in the requested format.
    fn show(&self, drawing: &Drawing, head: &str) -> anyhow::Result<String> {
        let Drawing { tree, summary, record } = drawing;
        let format = if self.json { Format::Json } else { self.format };
        Ok(match format {
            Format::Diagram => format!("{head}{}{summary}\n", tree.diagram()),
            Format::Steps => {
                ensure!(
                    !self.graph && !self.policy,
                    "--format steps lists the steps of a search, without --graph and --policy"
                );
                format!("{head}{}{summary}\n", tree.steps())
            }
            Format::Svg => svg::render(tree, &format!("{}: {summary}", self.algorithm)),
            Format::Json => json::line(record)? + "\n",
        })
    }
}
