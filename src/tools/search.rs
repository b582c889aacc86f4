//! `flipside search`: a textbook searcher on a position of Reversi.

use crate::games::reversi::board::{Board, Reversi};
use crate::games::reversi::evaluation::PlainEvaluation;
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::tactics::ReversiTactics;
use crate::games::reversi::{ForLevel, at_best_level, notation, obf};
use crate::search::game::{Depth, Score, UNIT};
use crate::search::limits::{Limits, Stop};
use crate::search::worker::Brain;
use crate::textbook::order::Order;
use crate::textbook::plan::{Algorithm, Answer, Plan, Silent, Task};
use crate::textbook::searcher;
use crate::textbook::stand::AsItStands;
use clap::Args;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of `flipside search`.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// minimax, alphabeta, alphabeta-hard, negamax, scout or pvs
    #[arg(long, default_value = "alphabeta")]
    algorithm: Algorithm,
    /// discs, mobility, corners, positional, potential-mobility, stability or weighted
    #[arg(long, default_value = "weighted", value_parser = evaluation)]
    evaluation: PlainEvaluation,
    /// Plies; a pass is one. With --move-time the most plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(i32).range(0..=60))]
    depth: Depth,
    /// Deepen step by step for this many seconds
    #[arg(long, value_parser = seconds)]
    move_time: Option<Duration>,
    /// natural, reverse, random:SEED, static, heuristic, killers, history, previous or perfect
    #[arg(long, default_value = "natural")]
    order: Order,
    /// Remember positions
    #[arg(long)]
    table: bool,
    /// 64 squares and the side to move (default: the start)
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn evaluation(text: &str) -> Result<PlainEvaluation, String> {
    let names = PlainEvaluation::NAMES.join(", ");
    PlainEvaluation::named(text).ok_or_else(|| format!("expected one of {names}, saw '{text}'"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|value| Duration::try_from_secs_f64(value).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| format!("expected seconds such as 0.5, saw '{text}'"))
}

struct Job<'a> {
    args: &'a SearchArgs,
    board: Board,
}

impl ForLevel for Job<'_> {
    type Output = Answer<crate::games::reversi::board::Placement>;

    fn run<K: Kernels>(self, game: Reversi<K>) -> Self::Output {
        let SearchArgs { algorithm, evaluation, depth, move_time, order, table, .. } = *self.args;
        let tactics = ReversiTactics::new(&game, 1);
        let game = AsItStands::new(Arc::new(Brain { game, eval: evaluation, tactics }));
        let plan = Plan { algorithm, order, depth, table, deepen: move_time.is_some() };
        let stop = Stop::new(&Limits { soft: move_time, hard: move_time, ..Limits::default() });
        let task = Task { rank: game.rank(), ..Task::new(&game, &game, &self.board) };
        searcher::search_until(&task, plan, &stop, &mut Silent)
    }
}

/// Searches the position and prints `bestmove`, `score`, `nodes` and `cutoffs`.
///
/// # Errors
/// A position that cannot be read.
pub fn run(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    let board =
        args.position.as_deref().map_or(Ok(Board::START), |text| obf::position(text).map(|(board, _)| board))?;
    let answer = at_best_level(Job { args, board });
    let Answer { score, nodes, cutoffs, .. } = answer;
    let best = match answer.best() {
        None => "none".to_string(),
        Some(mv) if mv.flips == 0 => "pass".to_string(),
        Some(mv) => notation::square_name(mv.square).to_ascii_lowercase(),
    };
    let score = whole(score);
    let text = if args.json {
        serde_json::json!({ "bestmove": best, "score": score, "nodes": nodes, "cutoffs": cutoffs }).to_string()
    } else {
        format!("bestmove {best}\nscore {score}\nnodes {nodes}\ncutoffs {cutoffs}")
    };
    // A closed pipe wants nothing more.
    let _ = writeln!(stdout().lock(), "{text}");
    Ok(ExitCode::SUCCESS)
}

/// Whole discs, halves away from nought.
fn whole(score: Score) -> Score {
    (score + score.signum() * UNIT / 2) / UNIT
}
