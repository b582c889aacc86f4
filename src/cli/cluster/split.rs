//! `flipside split`: splits a hard position into many easier ones, the tasks of `flipside solve`.

use super::args::StateArgs;
use super::estimator::Estimator;
use super::join::print_to_do;
use super::state::{Split, State};
use crate::cli::io::output::Output;
use clap::Args;
use flipside_core::games::reversi::obf;
use flipside_support::json::PROGRAM;
use std::process::ExitCode;

/// Default difference in empty squares between the position and the tasks.
const LEVELS: u32 = 6;

/// Arguments of `flipside split`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside split --state proof.state \"$POSITION\" > tasks.jsonl",
    "flipside solve --json tasks.jsonl > answers.jsonl",
])]
pub struct SplitArgs {
    /// Position: 64 squares from a1 to h8 (X, O or -) and the side to move
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
    /// Most empty squares of a task [default: 6 fewer than the position]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=60))]
    empties: Option<u32>,
    /// Prove win, loss or draw only
    #[arg(long)]
    wld: bool,
    /// Depth of the searches that order the moves above the tasks, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    #[command(flatten)]
    state: StateArgs,
}

/// Splits a position, or continues its state file, and prints the tasks.
///
/// # Errors
/// The position cannot be read, the state file cannot be used.
pub fn run(args: &SplitArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let (board, black_to_move) =
        obf::position(&args.position).map_err(|error| anyhow::anyhow!("POSITION: {}", error.0))?;
    let evaluation = args.state.open_evaluation()?;
    let split = Split {
        program: PROGRAM.into(),
        evaluation: evaluation.identity(),
        position: obf::show(board, black_to_move),
        empties: args.empties.unwrap_or_else(|| board.empties().saturating_sub(LEVELS).max(1)),
        wld: args.wld,
        depth: args.depth,
    };
    let mut state = State::create(&args.state.state, &split)?;
    let root = state.is_new().then_some(board);
    print_to_do(&mut state, args.state.most, &mut Estimator::new(&evaluation, split.depth, root)?, out)?;
    Ok(ExitCode::SUCCESS)
}
