//! `flipside search`: an algorithm of the textbook on a position.

use super::output::Output;
use crate::api::settings::Settings;
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
use crate::search::types::{Depth, Score, UNIT};
use crate::support::json;
use crate::support::seconds::parse_seconds;
use crate::textbook::count::positions;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::searcher;
use crate::textbook::tracer::NoTracer;
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{SearchConfig, SearchInput, SearchOutput};
use anyhow::bail;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of `flipside search`.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// Algorithm: minimax, alphabeta, alphabeta-hard, negamax, scout or pvs
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// Evaluation function: `default` is the game's strongest; Reversi also has discs, mobility, corners, positional,
    /// potential-mobility, stability and weighted
    #[arg(long, value_name = "NAME", default_value = "default")]
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
    /// Move order: natural, reverse, random:SEED, static, heuristic, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: MoveOrder,
    /// Use a transposition table
    #[arg(long)]
    table: bool,
    /// The game
    #[arg(long, default_value = "reversi")]
    game: String,
    /// The position: for Reversi 64 squares and the side to move (default: the start)
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Search with every algorithm in every move order and print a table of the nodes
    #[arg(long, conflicts_with_all = ["algorithm", "order", "move_time", "json"])]
    compare: bool,
}

/// Searches the position and prints `bestmove`, `score`, `nodes` and `cutoffs`.
///
/// # Errors
/// A position that cannot be read, an unknown game or evaluation.
pub fn run(args: &SearchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        game: args.game.clone(),
        evaluation: args.evaluation.clone(),
        weights: args.weights.clone(),
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
    /// In whole units of the game.
    score: Score,
    nodes: u64,
    cutoffs: u64,
}

struct SearchPosition<'a>(&'a SearchArgs);

impl WithContext for SearchPosition<'_> {
    type Output = anyhow::Result<String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: EngineParts<G, E, T>) -> Self::Output {
        let args = self.0;
        let context = Arc::new(parts.context);
        let erased = ErasedGame::new(Arc::clone(&context));
        let root = match &args.position {
            Some(text) => context.game.read_position(text, Style::Plain)?.0,
            None => erased.start(),
        };
        let input = SearchInput { scorer: erased.scorer(), ..SearchInput::new(&erased, &erased, &root) };
        if args.compare {
            return comparison(&input, args);
        }
        let SearchArgs { algorithm, depth, move_time, order, table, .. } = *args;
        let config = SearchConfig { algorithm, order, depth, table, deepen: move_time.is_some() };
        let stop = Stop::new(&Limits { soft: move_time, hard: move_time, ..Limits::default() });
        let output = searcher::search_until(&input, config, &stop, &mut NoTracer);
        let best = move_name(&context.game, &root, output.best());
        let SearchOutput { nodes, cutoffs, .. } = output;
        let score = in_units(output.score);
        Ok(if args.json {
            json::line(&SearchAnswer { bestmove: best, score, nodes, cutoffs })? + "\n"
        } else {
            format!("bestmove {best}\nscore {score}\nnodes {nodes}\ncutoffs {cutoffs}\n")
        })
    }
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
        Algorithm::ALL.into_iter().filter(|(_, algorithm)| *algorithm != Algorithm::Minimax).collect();
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

/// The move in lower case, `pass`, or `none` on a finished game.
fn move_name<G: Notation>(game: &G, root: &G::Position, best: Option<G::Move>) -> String {
    match best {
        None => "none".to_string(),
        Some(mv) if game.is_pass(mv) => "pass".to_string(),
        Some(mv) => game.show_move(root, mv, Style::Plain).to_ascii_lowercase(),
    }
}

/// Rounds to whole units, halves away from zero.
fn in_units(score: Score) -> Score {
    (score + score.signum() * UNIT / 2) / UNIT
}
