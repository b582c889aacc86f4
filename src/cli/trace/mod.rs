//! `flipside trace`: a textbook algorithm on a given tree or on a position, node by node.

mod exercise_args;

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::args::position;
use crate::cli::args::technique_args::TechniqueArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::io::input_lines::announce;
use crate::cli::io::output::Output;
use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use exercise_args::ExerciseArgs;
use flipside_core::games::names;
use flipside_core::games::tree_scale::Scale;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::policy::TechniqueSet;
use flipside_core::search::types::{Depth, Side};
use flipside_host::api::settings::Settings;
use flipside_host::engine::textbook_position::TextbookPosition;
use flipside_support::json;
use flipside_support::text::without_bom;
use flipside_textbook::fold::Folding;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::policy_tree::Policy;
use flipside_textbook::traced_search::{Drawing, TRACED_PLAYOUTS, TracedTree};
use flipside_textbook::types::SearchConfig;
use flipside_textbook::window::RootWindow;
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
    "flipside trace --exercise 8 --seed 7 --html > exercises.html",
])]
pub struct TraceArgs {
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout, pvs or uct
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// Tree to search, such as '(((1 5 6) (8 3)) (L (1 W)))'
    #[arg(long, conflicts_with_all = ["file", "position", "game"], allow_hyphen_values = true)]
    tree: Option<String>,
    /// File with the tree (default: standard input)
    #[arg(long, conflicts_with_all = ["position", "game"])]
    file: Option<PathBuf>,
    /// Search this position of the game instead of a tree (default with --game: its start)
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Game whose position is searched (default with --position: reversi)
    #[arg(long)]
    game: Option<String>,
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
    #[arg(long, default_value_t = RootWindow::FULL, allow_hyphen_values = true)]
    window: RootWindow,
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
    /// In a picture, leave out nodes more than this many plies below the root
    #[arg(long, value_name = "PLIES")]
    fold: Option<usize>,
    /// Nodes of a picture (default: as many as fit 1,600 pixels of width); others are folded into marks such as +5
    #[arg(long, value_name = "NODES", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    most_nodes: Option<usize>,
    #[command(flatten)]
    exercises: ExerciseArgs,
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
    let text = if let Some(count) = args.exercises.exercise {
        ensure!(args.algorithm != Algorithm::Uct, "uct samples: choose another --algorithm for exercises");
        args.exercises.print(count, args.algorithm, args.side())
    } else if args.tree.is_none() && args.file.is_none() && (args.position.is_some() || args.game.is_some()) {
        let game = args.variant.game(args.game.as_deref().unwrap_or(names::REVERSI.name))?;
        let settings = Settings { game, evaluation: args.evaluation.clone(), ..Settings::default() };
        args.trace_position(&*position::open(&settings, args.position.as_deref())?.textbook())?
    } else {
        args.trace_tree(&args.tree_text()?)?
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

    fn config(&self, techniques: TechniqueSet, default_depth: Depth, scale: &Scale) -> anyhow::Result<SearchConfig> {
        let fixed = SearchConfig::fixed(self.algorithm, self.order, self.depth.unwrap_or(default_depth));
        let playouts = Some(self.playouts);
        let window = self.window.of_root(self.algorithm, self.side(), scale)?;
        Ok(SearchConfig { table: self.table, deepen: self.deepen, techniques, playouts, window, ..fixed })
    }

    fn tree_text(&self) -> anyhow::Result<String> {
        if let Some(text) = &self.tree {
            return Ok(text.clone());
        }
        let mut text = String::new();
        let bound = MAX_TREE_LENGTH as u64 + 1;
        match &self.file {
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

    fn trace_tree(&self, text: &str) -> anyhow::Result<String> {
        let tree = TracedTree::read(without_bom(text), self.side(), self.algorithm, self.window);
        let tree = tree.with_context(|| match (&self.tree, &self.file) {
            (Some(_), _) => "--tree".to_string(),
            (None, Some(path)) => path.display().to_string(),
            (None, None) => "standard input".to_string(),
        })?;
        let offers = |technique| tree.input().heuristics.offers(technique);
        let techniques = self.techniques.checked(self.algorithm, self.order, offers, || false)?;
        let config = self.config(techniques, tree.plies(), tree.scale())?;
        match self.policy {
            true => self.show_policy(|| tree.policy(config)),
            false => self.show_search(&tree.draw(config, self.graph)?),
        }
    }

    fn trace_position(&self, position: &dyn TextbookPosition) -> anyhow::Result<String> {
        let techniques = self.techniques.checked_for(self.algorithm, self.order, position)?;
        let config = self.config(techniques, 2, &Scale::HUNDREDTHS)?;
        match self.policy {
            true => self.show_policy(|| position.policy(config, self.side())),
            false => self.show_search(&position.trace(config, self.side(), self.graph)?),
        }
    }

    /// The search in the requested form; with `--deepen` after a line for each search of the root.
    fn show_search(&self, drawing: &Drawing) -> anyhow::Result<String> {
        self.show(drawing, if self.deepen { &drawing.root_searches } else { "" })
    }

    /// The policy that the search proves.
    fn show_policy(&self, found: impl FnOnce() -> Option<Policy>) -> anyhow::Result<String> {
        ensure!(self.algorithm != Algorithm::Uct, "uct does not prove a policy: choose another --algorithm");
        let found = found().context("the policy is too large: choose a smaller --depth")?;
        let Policy { tree, value, answers, lines } = found;
        let summary = format!("value {value}, moves in {answers} positions, {lines} lines");
        let record = json!({
            "algorithm": self.algorithm.to_string(),
            "value": value.json(),
            "answers": answers,
            "lines": lines,
            "tree": tree.json(),
        });
        self.show(&Drawing { tree, summary, record, root_searches: String::new() }, "")
    }

    /// The tree in the requested format.
    fn show(&self, drawing: &Drawing, head: &str) -> anyhow::Result<String> {
        let Drawing { tree, summary, record, .. } = drawing;
        let format = if self.json { Format::Json } else { self.format };
        let folding = Folding { plies: self.fold, most_nodes: self.most_nodes };
        let is_folded = folding.plies.or(folding.most_nodes).is_some();
        ensure!(!is_folded || matches!(format, Format::Svg), "--fold and --most-nodes need --format svg");
        Ok(match format {
            Format::Diagram => format!("{head}{}{summary}\n", tree.diagram()),
            Format::Steps => {
                ensure!(
                    !self.graph && !self.policy,
                    "--format steps lists the steps of a search, without --graph and --policy"
                );
                format!("{head}{}{summary}\n", tree.steps())
            }
            Format::Svg => drawing.svg(self.algorithm, folding),
            Format::Json => json::line(record)? + "\n",
        })
    }
}
