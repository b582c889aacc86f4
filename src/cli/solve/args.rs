//! The arguments of `flipside solve`.

use clap::Args;
use flipside_core::search::types::{Certainty, Selectivity};
use std::path::PathBuf;

/// Arguments of `flipside solve`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside solve --check ffo.obf",
    "flipside solve --all-moves --json < positions.obf",
    "flipside solve --jobs 4 --resume answers.txt positions.obf",
])]
pub struct SolveArgs {
    /// File of positions in OBF or of tasks of `flipside split`, one a line, or of games in any format, which are solved from
    /// their ends; `-` or nothing reads standard input
    pub file: Option<PathBuf>,
    /// Solve every legal move, not the best one alone
    #[arg(long)]
    pub all_moves: bool,
    /// Win, loss or draw only: scores are 1, 0 or -1
    #[arg(long, conflicts_with = "selectivity")]
    pub wld: bool,
    /// Selectivity of ProbCut, as confidence in percent: 73, 80, 87, 95, 98, 99 or 100 (exact) [default: 100, with --depth 80]
    #[arg(long, value_name = "PERCENT")]
    pub selectivity: Option<Selectivity>,
    /// Search to this depth instead of solving to the end
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    #[arg(conflicts_with_all = ["wld", "all_moves"])]
    pub depth: Option<u32>,
    /// Evaluation function; exact scores do not depend on it, nodes and best moves of equal score do
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub evaluation: String,
    /// File of weights for the evaluation `network`, `linear` or `weighted` (default: the built-in weights)
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Positions solved in parallel, no more than there are processors
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Threads of one position; more than the processors are not started
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Memory of the transposition tables of all jobs together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    /// Keep what the table knows from one task of flipside split to the next: fewer nodes where tasks have to do with each
    /// other, but other nodes in another order
    #[arg(long)]
    pub keep_table: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Compare with the scores in the file; the exit status is 1 if an exact answer differs
    #[arg(long)]
    pub check: bool,
    /// Append answers to this file and skip the positions that it answers already
    #[arg(long, value_name = "OUT")]
    pub resume: Option<PathBuf>,
}

impl SolveArgs {
    /// The evaluation that tasks of `flipside split` must be for, or why this command solves none: the task says what is asked.
    pub fn tasks_of(&self, evaluation: String) -> Result<String, &'static str> {
        let is_selective = !matches!(self.selectivity, None | Some(Selectivity::EXACT));
        match () {
            () if !self.json => Err("a task needs --json"),
            () if self.wld || self.all_moves || self.depth.is_some() || is_selective => {
                Err("a task says itself what is asked: drop --wld, --all-moves, --depth and --selectivity")
            }
            () => Ok(evaluation),
        }
    }

    /// The certainty of an answer that reaches the end of the game.
    pub fn solved_certainty(&self) -> Certainty {
        match self.selectivity {
            _ if self.wld => Certainty::WinLossDraw,
            None | Some(Selectivity::EXACT) => Certainty::Exact,
            Some(selectivity) => Certainty::Selective(selectivity.percent()),
        }
    }
}
