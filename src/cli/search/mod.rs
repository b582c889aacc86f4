//! `flipside search`: an algorithm of the textbook on a position.

mod exact;
mod iterations;

use crate::api::settings::Settings;
use crate::cli::args::technique_args::TechniqueArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::engine::evaluation_help;
use crate::cli::io::output::Output;
use crate::engine::{
    game_engine::EngineParts,
    registry::{self, WithContext},
};
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::{Notation, Style};
use crate::search::policy::SearchPolicy;
use crate::search::types::{Depth, UNIT};
use crate::search::worker::SearchContext;
use crate::support::json;
use crate::support::seconds::parse_seconds;
use crate::textbook::count::positions;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::searcher;
use crate::textbook::tracer::NoTracer;
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{DEFAULT_PLAYOUTS, SearchConfig, SearchInput, SearchOutput};
use anyhow::{Context, bail};
use clap::Args;
use exact::Solved;
use iterations::IterationRow;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Arguments of `flipside search`.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout, pvs or uct
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
    /// File of weights for the evaluation
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Depth in plies, a pass counting as one; with --move-time the greatest depth
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Depth,
    /// Iterative deepening for this many seconds
    #[arg(long, value_parser = parse_seconds)]
    move_time: Option<Duration>,
    /// At most so many positions, by iterative deepening
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Playouts of `uct` (default: 10000, or as many as --nodes and --move-time allow)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Move order: natural, reverse, random:SEED, static, heuristic, rule, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: MoveOrder,
    /// Use a transposition table
    #[arg(long)]
    table: bool,
    /// The game
    #[arg(long, default_value = "reversi")]
    game: String,
    #[command(flatten)]
    variant: VariantArgs,
    /// The position: for Reversi 64 squares and the side to move (default: the start)
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    techniques: TechniqueArgs,
    /// Iterative deepening up to the depth, an iteration a row: what it cost and what a search straight to its depth costs
    #[arg(long)]
    iterations: bool,
    /// Solve the position with the game's exact solver, within --nodes and --move-time if they are given
    #[arg(long, conflicts_with_all = ["algorithm", "depth", "order", "table", "playouts", "with", "without", "iterations"])]
    exact: bool,
    /// MiB of the tables of --exact
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
/// A position that cannot be read, an unknown game or evaluation.
pub fn run(args: &SearchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        game: args.variant.game(&args.game)?,
        evaluation: args.evaluation.clone(),
        weights: args.weights.clone(),
        hash: args.hash.map_or(Settings::default().hash, usize::from),
        ..Settings::default()
    };
    let text = registry::with_context(&settings, SearchPosition(args))??;
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

struct SearchPosition<'a>(&'a SearchArgs);

impl WithContext for SearchPosition<'_> {
    type Output = anyhow::Result<String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        let args = self.0;
        let hash = parts.hash;
        let context = Arc::new(parts.context);
        let erased = ErasedGame::new(Arc::clone(&context));
        let root = match &args.position {
            Some(text) => context.game.read_position(text, Style::Plain).context("--position")?.0,
            None => erased.start(),
        };
        if args.exact {
            return solved(&context, hash, &root, args);
        }
        let input = erased.input(&root);
        if args.compare {
            return comparison(&input, args);
        }
        let SearchArgs { algorithm, depth, move_time, nodes, order, table, .. } = *args;
        let techniques = args.techniques.checked(&input, algorithm, order)?;
        let is_limited = move_time.is_some() || nodes.is_some();
        let playouts = args.playouts.or(if is_limited { None } else { Some(DEFAULT_PLAYOUTS) });
        let fixed = SearchConfig::fixed(algorithm, order, depth);
        let config = SearchConfig { table, techniques, playouts, deepen: is_limited, ..fixed };
        let stop = Stop::new(&Limits { soft: move_time, hard: move_time, nodes, ..Limits::default() });
        let name = |position: &G::Position, mv| move_name(&context.game, position, mv);
        let started = Instant::now();
        let (iterations, output) = if args.iterations {
            let (rows, output) = iterations::search(&input, config, &stop, &name);
            (Some(rows), output)
        } else {
            (None, searcher::search_until(&input, config, &stop, &mut NoTracer))
        };
        let seconds = started.elapsed().as_secs_f64();
        let pv = line_names(&context.game, &root, &output.pv);
        let SearchOutput { score, depth, nodes, cutoffs, .. } = output;
        let score = f64::from(score) / f64::from(UNIT);
        let bestmove = pv.first().map_or("none", String::as_str).to_string();
        let answer = SearchAnswer { bestmove, score, depth, nodes, cutoffs: Some(cutoffs), seconds, pv, iterations };
        Ok(if args.json { json::line(&answer)? + "\n" } else { answer.text() })
    }
}

/// The answer of the game's exact solver, text or JSON.
fn solved<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(
    context: &SearchContext<G, E, T>,
    hash: usize,
    root: &G::Position,
    args: &SearchArgs,
) -> anyhow::Result<String> {
    let limits = Limits { hard: args.move_time, nodes: args.nodes, ..Limits::default() };
    let threads = args.threads.map_or(1, usize::from);
    let started = Instant::now();
    let Solved { pv, score, depth, nodes } = exact::solve(context, hash, root, limits, threads)?;
    let pv = line_names(&context.game, root, &pv);
    let answer = SearchAnswer {
        bestmove: pv.first().map_or("none", String::as_str).to_string(),
        score: f64::from(score) / f64::from(UNIT),
        depth,
        nodes,
        cutoffs: None,
        seconds: started.elapsed().as_secs_f64(),
        pv,
        iterations: None,
    };
    Ok(if args.json { json::line(&answer)? + "\n" } else { answer.text() })
}

const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];

/// The nodes of every algorithm as a table in Markdown, a row for each move order. Minimax visits the whole tree in any
/// order: its nodes are counted without a search.
fn comparison<G, E>(input: &SearchInput<'_, G, E>, args: &SearchArgs) -> anyhow::Result<String>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
{
    let search = |algorithm, order| {
        let config = SearchConfig { table: args.table, ..SearchConfig::fixed(algorithm, order, args.depth) };
        searcher::search(input, config, &mut NoTracer)
    };
    let pruning: Vec<_> =
        Algorithm::minimax_family().filter(|(_, algorithm)| *algorithm != Algorithm::Minimax).collect();
    let names: Vec<_> = pruning.iter().map(|(name, _)| *name).collect();
    let all = positions(input.game, input.root, args.depth);
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

/// The move in lower case; a pass is `pass`.
fn move_name<G: Notation>(game: &G, position: &G::Position, mv: G::Move) -> String {
    match game.is_pass(mv) {
        true => "pass".to_string(),
        false => game.show_move(position, mv, Style::Plain).to_ascii_lowercase(),
    }
}

/// The moves of a variation.
fn line_names<G: Notation>(game: &G, root: &G::Position, moves: &[G::Move]) -> Vec<String> {
    let mut position = root.clone();
    let name = |&mv: &G::Move| {
        let name = move_name(game, &position, mv);
        position = game.play(&position, mv);
        name
    };
    moves.iter().map(name).collect()
}
