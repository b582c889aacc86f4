//! The arguments of `flipside solve`.

use anyhow::bail;
use clap::{Args, ValueEnum};
use flipside_core::search::types::{Certainty, Selectivity};
use std::path::PathBuf;

/// Arguments of `flipside solve`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside solve --check ffo.obf",
    "flipside solve --all-moves --json < positions.obf",
    "flipside solve --jobs 4 --resume answers.txt positions.obf",
    "flipside solve --game minichess --certificate proof.jsonl position.txt",
])]
pub struct SolveArgs {
    /// File of positions in OBF or of tasks of `flipside split`, one per line, or of games in any format, whose last
    /// positions are solved; for MiniChess, of states or FEN, one per line; `-` or no file reads standard input
    pub file: Option<PathBuf>,
    /// Game of the positions: reversi, or minichess, which proves a win, loss or draw within the move limit
    #[arg(long, value_name = "NAME", default_value = "reversi")]
    pub game: String,
    /// Solve every legal move, not only the best one
    #[arg(long)]
    pub all_moves: bool,
    /// Find win, loss or draw only: scores are 1, 0 or -1; for MiniChess, do not look for a shorter win than the one
    /// found
    #[arg(long, conflicts_with = "selectivity")]
    pub wld: bool,
    /// Selectivity of ProbCut, as confidence in percent: 73, 80, 87, 95, 98, 99 or 100 (exact) [default: 100, with --depth 80]
    #[arg(long, value_name = "PERCENT")]
    pub selectivity: Option<Selectivity>,
    /// Search to this depth instead of solving to the end
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    #[arg(conflicts_with_all = ["wld", "all_moves"])]
    pub depth: Option<u32>,
    /// Evaluation function; affects nodes and the choice between equal moves, but not exact scores
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub evaluation: String,
    /// File of weights for the evaluation `network`, `linear` or `weighted` (default: the built-in weights)
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Positions solved in parallel, at most the number of processors
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Threads per position, at most the number of processors
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Memory of the transposition tables of all jobs together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    /// Keep the table between tasks of flipside split: fewer nodes for related tasks, but node counts depend on the
    /// order of the tasks
    #[arg(long)]
    pub keep_table: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Compare with the scores in the file; the exit status is 1 if an exact answer differs
    #[arg(long)]
    pub check: bool,
    /// Append answers to this file and skip the positions that it already answers
    #[arg(long, value_name = "OUT")]
    pub resume: Option<PathBuf>,
    /// Ask only whether the side to move wins, or only whether it loses; MiniChess only
    #[arg(long, value_name = "RESULT", conflicts_with_all = ["resume", "all_moves"])]
    pub ask: Option<Ask>,
    /// Write the proof of the one position to this file, for flipside verify; MiniChess only
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "all_moves"])]
    pub certificate: Option<PathBuf>,
    /// Write the proof as a strategy: one byte for a position instead of a line, from which flipside verify makes the
    /// positions again; an eighth of --hash remembers those that it has been through
    #[arg(long, requires = "certificate")]
    pub compact: bool,
    /// Keep what is proven for the one position in this file, from which an interrupted proof goes on; MiniChess only
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "all_moves"])]
    pub checkpoint: Option<PathBuf>,
}

/// The one question of `--ask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ask {
    /// Whether the side to move wins.
    Win,
    /// Whether the side to move loses.
    Loss,
}

impl SolveArgs {
    /// Refuses the options that only Reversi has.
    ///
    /// # Errors
    /// One of them is set.
    pub fn check_for_minichess(&self) -> anyhow::Result<()> {
        let set = [
            ("--selectivity", self.selectivity.is_some()),
            ("--depth", self.depth.is_some()),
            ("--evaluation", self.evaluation != "default"),
            ("--weights", self.weights.is_some()),
            ("--keep-table", self.keep_table),
            ("--check", self.check),
        ];
        match set.iter().find(|(_, is_set)| *is_set) {
            Some((name, _)) => bail!("{name}: an option for Reversi only"),
            None => Ok(()),
        }
    }

    /// True if an option is for one position.
    pub fn takes_one_position(&self) -> bool {
        self.certificate.is_some() || self.checkpoint.is_some()
    }

    /// The evaluation that tasks of `flipside split` must ask for, or why this command cannot solve tasks.
    pub fn tasks_of(&self, evaluation: String) -> Result<String, &'static str> {
        let is_selective = !matches!(self.selectivity, None | Some(Selectivity::EXACT));
        match () {
            () if !self.json => Err("a task needs --json"),
            () if self.wld || self.all_moves || self.depth.is_some() || is_selective => {
                Err("a task sets what to solve: drop --wld, --all-moves, --depth and --selectivity")
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
