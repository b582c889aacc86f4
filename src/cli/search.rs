//! `flipside search`: a textbook searcher on a position.

use crate::api::settings::Settings;
use crate::engine::{
    game_engine::Parts,
    registry::{self, WithContext},
};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::{Notation, Style};
use crate::search::policy::SearchPolicy;
use crate::search::types::{Depth, Score, UNIT};
use crate::support::seconds::parse_seconds;
use crate::textbook::count::positions;
use crate::textbook::order::Order;
use crate::textbook::plan::{Algorithm, Answer, Plan, Silent, Task};
use crate::textbook::searcher;
use crate::textbook::stand::AsItStands;
use anyhow::bail;
use clap::Args;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of `flipside search`.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// minimax, alphabeta, alphabeta-hard, negamax, scout or pvs
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// How positions are judged; for Reversi discs, mobility, corners, positional, potential-mobility, stability,
    /// weighted, or the game's own best
    #[arg(long, value_name = "NAME", default_value = "default")]
    evaluation: String,
    /// File of weights for the evaluation
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Plies; a pass is one. With --move-time the most plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(0..=100))]
    depth: Depth,
    /// Deepen step by step for this many seconds
    #[arg(long, value_parser = parse_seconds)]
    move_time: Option<Duration>,
    /// natural, reverse, random:SEED, static, heuristic, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: Order,
    /// Remember positions
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
    /// Search by every algorithm in every order and print a table of the positions visited
    #[arg(long, conflicts_with_all = ["algorithm", "order", "move_time", "json"])]
    compare: bool,
}

/// Searches the position and prints `bestmove`, `score`, `nodes` and `cutoffs`.
///
/// # Errors
/// A position that cannot be read, an unknown game or evaluation.
pub fn run(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        game: args.game.clone(),
        evaluation: args.evaluation.clone(),
        weights: args.weights.clone(),
        ..Settings::default()
    };
    let text = registry::with_context(&settings, Job(args))??;
    // A closed pipe wants nothing more.
    let _ = stdout().lock().write_all(text.as_bytes());
    Ok(ExitCode::SUCCESS)
}

struct Job<'a>(&'a SearchArgs);

impl WithContext for Job<'_> {
    type Output = anyhow::Result<String>;

    fn run<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>>(self, parts: Parts<G, E, T>) -> Self::Output {
        let args = self.0;
        let context = Arc::new(parts.context);
        let lesson = AsItStands::new(Arc::clone(&context));
        let root = match &args.position {
            Some(text) => context.game.read_position(text, Style::Plain)?.0,
            None => lesson.start(),
        };
        let task = Task { rank: lesson.rank(), ..Task::new(&lesson, &lesson, &root) };
        if args.compare {
            return compared(&task, args);
        }
        let SearchArgs { algorithm, depth, move_time, order, table, .. } = *args;
        let plan = Plan { algorithm, order, depth, table, deepen: move_time.is_some() };
        let stop = Stop::new(&Limits { soft: move_time, hard: move_time, ..Limits::default() });
        let answer = searcher::search_until(&task, plan, &stop, &mut Silent);
        let best = named(&context.game, &root, answer.best());
        let Answer { nodes, cutoffs, .. } = answer;
        let score = whole(answer.score);
        Ok(if args.json {
            format!("{}\n", serde_json::json!({ "bestmove": best, "score": score, "nodes": nodes, "cutoffs": cutoffs }))
        } else {
            format!("bestmove {best}\nscore {score}\nnodes {nodes}\ncutoffs {cutoffs}\n")
        })
    }
}

const ORDERS: [&str; 9] =
    ["natural", "reverse", "random:1", "static", "heuristic", "killers", "history", "previous", "perfect"];

/// A table in Markdown, a row an order. Minimax leaves nothing out whatever the order: its positions are counted, not
/// searched.
fn compared<G, E>(task: &Task<'_, G, E>, args: &SearchArgs) -> anyhow::Result<String>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
{
    let search = |algorithm, order| {
        let plan = Plan { table: args.table, ..Plan::fixed(algorithm, order, args.depth) };
        searcher::search(task, plan, &mut Silent)
    };
    let pruning: Vec<_> = Algorithm::ALL.into_iter().filter(|(_, way)| *way != Algorithm::Minimax).collect();
    let names: Vec<_> = pruning.iter().map(|(name, _)| *name).collect();
    let all = positions(task.game, task.root, args.depth);
    let mut text = format!("minimax: {all} positions\n\n| order | {} |\n", names.join(" | "));
    text.push_str(&format!("| --- |{}\n", " ---: |".repeat(names.len())));
    let mut first = None;
    for order in ORDERS {
        text.push_str(&format!("| {order} |"));
        for (name, algorithm) in &pruning {
            let answer = search(*algorithm, order.parse().map_err(anyhow::Error::msg)?);
            let score = *first.get_or_insert(answer.score);
            if answer.score != score {
                bail!("{name} in {order} order finds {}, others {score}", answer.score);
            }
            text.push_str(&format!(" {} |", answer.nodes));
        }
        text.push('\n');
    }
    Ok(text)
}

/// The move in lower case, `pass`, or `none` on a finished game.
fn named<G: Notation>(game: &G, root: &G::Position, best: Option<G::Move>) -> String {
    match best {
        None => "none".to_string(),
        Some(mv) if game.is_pass(mv) => "pass".to_string(),
        Some(mv) => game.show_move(root, mv, Style::Plain).to_ascii_lowercase(),
    }
}

/// Whole units, halves away from nought.
fn whole(score: Score) -> Score {
    (score + score.signum() * UNIT / 2) / UNIT
}
