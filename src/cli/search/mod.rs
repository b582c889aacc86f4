//! `flipside search`: a textbook algorithm on a position.

mod iterations;

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::args::position;
use crate::cli::args::technique_args::TechniqueArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::io::output::Output;
use anyhow::bail;
use clap::Args;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::result::Iteration;
use flipside_core::search::types::{Depth, Score, UNIT};
use flipside_host::api::settings::Settings;
use flipside_host::engine::textbook_position::TextbookPosition;
use flipside_support::json;
use flipside_support::seconds::parse_seconds;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::types::{DEFAULT_PLAYOUTS, SearchConfig, SearchOutput};
use iterations::IterationRow;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Arguments of `flipside search`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside search --algorithm scout --order heuristic --table --depth 7",
    "flipside search --evaluation discs --depth 6 --compare",
])]
pub struct SearchArgs {
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout, pvs or uct
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
    /// File of weights for the evaluation
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Depth in plies, passes included; with --move-time the greatest depth
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Depth,
    /// Search by iterative deepening for this time, in seconds
    #[arg(long, value_parser = parse_seconds)]
    move_time: Option<Duration>,
    /// Search by iterative deepening for at most this number of positions
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Playouts of `uct` (default: 10000, or what --nodes and --move-time allow)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Move order: natural, reverse, random:SEED, static, heuristic, rule, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: MoveOrder,
    /// Use a transposition table
    #[arg(long)]
    table: bool,
    /// Game to search
    #[arg(long, default_value = "reversi")]
    game: String,
    #[command(flatten)]
    variant: VariantArgs,
    /// Position to search; for Reversi 64 squares and the side to move (default: the start)
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    techniques: TechniqueArgs,
    /// Search by iterative deepening; compare each iteration with a direct search to its depth, one per row
    #[arg(long)]
    iterations: bool,
    /// Solve the position with the game's exact solver, within --nodes and --move-time if given
    #[arg(long, conflicts_with_all = ["algorithm", "depth", "order", "table", "playouts", "with", "without", "iterations"])]
    exact: bool,
    /// Memory of the tables of --exact in MiB
    #[arg(long, requires = "exact", value_parser = clap::value_parser!(u16).range(1..))]
    hash: Option<u16>,
    /// Threads of --exact
    #[arg(long, requires = "exact", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Search with every algorithm in every move order and print a table of the nodes
    #[arg(long, conflicts_with_all = ["algorithm", "order", "move_time", "nodes", "playouts", "json", "exact", "with", "without", "iterations"])]
    compare: bool,
}

/// Searches the position and prints `bestmove`, `score`, `depth`, `nodes`, `cutoffs`, `seconds` and `pv`.
///
/// # Errors
/// The position cannot be read, or the game or evaluation is unknown.
pub fn run(args: &SearchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        game: args.variant.game(&args.game)?,
        evaluation: args.evaluation.clone(),
        weights: args.weights.clone(),
        hash: args.hash.map_or(Settings::default().hash, usize::from),
        ..Settings::default()
    };
    let position = position::open(&settings, args.position.as_deref())?.textbook();
    let text = match () {
        () if args.exact => solved(&*position, args)?,
        () if args.compare => comparison(&*position, args)?,
        () => searched(&*position, args)?,
    };
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The result of a search: the object of `--json`.
#[derive(Serialize)]
struct SearchAnswer {
    bestmove: String,
    /// In the game's unit, for the side to move.
    score: f64,
    /// Plies.
    depth: Depth,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cutoffs: Option<u64>,
    seconds: f64,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<Vec<IterationRow>>,
}

impl SearchAnswer {
    fn text(&self) -> String {
        let SearchAnswer { bestmove, score, depth, nodes, cutoffs, seconds, pv, iterations } = self;
        let rows = iterations.as_ref().map_or_else(String::new, |rows| iterations::table(rows) + "\n");
        let pv = pv.join(" ");
        let cutoffs = cutoffs.map_or_else(String::new, |cutoffs| format!("cutoffs {cutoffs}\n"));
        let line = if pv.is_empty() { String::new() } else { format!("pv {pv}\n") };
        format!(
            "{rows}bestmove {bestmove}\nscore {score:+.2}\ndepth {depth}\nnodes {nodes}\n{cutoffs}seconds {seconds:.3}\n{line}"
        )
    }
}

/// The answer of an algorithm, text or JSON.
fn searched(position: &dyn TextbookPosition, args: &SearchArgs) -> anyhow::Result<String> {
    let SearchArgs { algorithm, depth, move_time, nodes, order, table, .. } = *args;
    let techniques = args.techniques.checked_for(algorithm, order, position)?;
    let is_limited = move_time.is_some() || nodes.is_some();
    let playouts = args.playouts.or(if is_limited { None } else { Some(DEFAULT_PLAYOUTS) });
    let fixed = SearchConfig::fixed(algorithm, order, depth);
    let config = SearchConfig { table, techniques, playouts, deepen: is_limited, ..fixed };
    let stop = Stop::new(&Limits { soft: move_time, hard: move_time, nodes, ..Limits::default() });
    let started = Instant::now();
    let (iterations, output) = if args.iterations {
        let (rows, output) = iterations::search(position, config, &stop);
        (Some(rows), output)
    } else {
        (None, position.search(config, &stop, &mut |_| ()))
    };
    let SearchOutput { pv, score, depth, nodes, cutoffs, .. } = output;
    args.show(&SearchAnswer {
        bestmove: best_move(&pv),
        score: units(score),
        depth,
        nodes,
        cutoffs: Some(cutoffs),
        seconds: started.elapsed().as_secs_f64(),
        pv,
        iterations,
    })
}

/// The answer of the game's exact solver, text or JSON.
fn solved(position: &dyn TextbookPosition, args: &SearchArgs) -> anyhow::Result<String> {
    let limits = Limits { hard: args.move_time, nodes: args.nodes, ..Limits::default() };
    let started = Instant::now();
    let solved = position.solve(limits, args.threads.map_or(1, usize::from))?;
    let Iteration { pv, score, depth, nodes, .. } = solved;
    args.show(&SearchAnswer {
        bestmove: best_move(&pv),
        score: units(score),
        depth: depth as Depth,
        nodes,
        cutoffs: None,
        seconds: started.elapsed().as_secs_f64(),
        pv,
        iterations: None,
    })
}

fn units(score: Score) -> f64 {
    f64::from(score) / f64::from(UNIT)
}

fn best_move(pv: &[String]) -> String {
    pv.first().map_or("none", String::as_str).to_string()
}

impl SearchArgs {
    fn show(&self, answer: &SearchAnswer) -> anyhow::Result<String> {
        Ok(if self.json { json::line(answer)? + "\n" } else { answer.text() })
    }
}

const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];

/// The nodes of every algorithm as a Markdown table with a row for each move order. Minimax visits the whole tree in
/// any order, so its nodes are counted without a search.
fn comparison(position: &dyn TextbookPosition, args: &SearchArgs) -> anyhow::Result<String> {
    let search = |algorithm, order| {
        let config = SearchConfig { table: args.table, ..SearchConfig::fixed(algorithm, order, args.depth) };
        position.search(config, &Stop::new(&Limits::default()), &mut |_| ())
    };
    let pruning: Vec<_> =
        Algorithm::minimax_family().filter(|(_, algorithm)| *algorithm != Algorithm::Minimax).collect();
    let names: Vec<_> = pruning.iter().map(|(name, _)| *name).collect();
    let all = position.positions(args.depth);
    let mut text = format!("minimax: {all} positions\n\n| order | {} |\n", names.join(" | "));
    text.push_str(&format!("| --- |{}\n", " ---: |".repeat(names.len())));
    let mut first = None;
    for order in ORDERS {
        text.push_str(&format!("| {order} |"));
        for (name, algorithm) in &pruning {
            let output = search(*algorithm, order.parse().map_err(anyhow::Error::msg)?);
            let score = *first.get_or_insert(output.score);
            if output.score != score {
                bail!("{name} in {order} order finds {}, others {score}", output.score);
            }
            text.push_str(&format!(" {} |", output.nodes));
        }
        text.push('\n');
    }
    Ok(text)
}
