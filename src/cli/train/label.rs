//! `flipside train label`: the same games with values of searches by other weights.

use super::evaluation_args::EvaluationArgs;
use super::progress::games_bar;
use crate::cli::interrupt::{INTERRUPTED, Interrupt};
use crate::games::reversi::evaluation::{WithEvaluation, with_evaluation};
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::search::evaluation::Eval;
use crate::support::ordered_pool;
use crate::train::game_file::{FORMAT, GameFileHeader, GameFileReader, GameFileWriter, TrainingGame};
use crate::train::selfplay::ReversiSelfPlay;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train label`.
#[derive(Args, Debug)]
pub struct LabelArgs {
    /// File of games
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// File of the same games with new values; an interrupted one is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Search depth of a value in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Solve positions with so many empty squares or fewer exactly
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    exact: u32,
    /// Games relabelled in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// Relabels all games of the file.
///
/// # Errors
/// Files that cannot be read or written; the evaluation cannot be opened.
pub fn run(args: &LabelArgs) -> anyhow::Result<ExitCode> {
    let evaluation = args.evaluation.open()?;
    let games = GameFileReader::open(&args.games)?;
    let header = GameFileHeader {
        format: FORMAT.into(),
        seed: games.header.seed,
        depth: args.depth,
        exact: args.exact,
        evaluation: format!("{} for games by {}", evaluation.identity(), games.header.evaluation),
    };
    let writer = GameFileWriter::open(&args.out, &header)?;
    let interrupt = Interrupt::new()?;
    with_evaluation(&evaluation, RelabelGames { args, games, writer, interrupt: &interrupt })?;
    Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { 0 }))
}

struct RelabelGames<'a> {
    args: &'a LabelArgs,
    games: GameFileReader,
    writer: GameFileWriter,
    interrupt: &'a Interrupt,
}

impl WithEvaluation for RelabelGames<'_> {
    type Output = anyhow::Result<()>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<()> {
        let RelabelGames { args, games, mut writer, interrupt } = self;
        let total = games.count_all()?;
        let bar = games_bar(total, writer.games);
        let rest = games.skip(writer.games as usize).take_while(|_| !interrupt.is_raised());
        let player = || ReversiSelfPlay::new(game.clone(), eval.clone(), probcut_model, args.depth, args.exact);
        let relabel = |player: &mut ReversiSelfPlay<K, E>, game: anyhow::Result<TrainingGame>| {
            game.map(|game| player.relabel(game))
        };
        ordered_pool::run(usize::from(args.threads), rest, player, relabel, |game| -> anyhow::Result<()> {
            bar.inc(1);
            Ok(writer.write(&game?)?)
        })?;
        bar.abandon();
        Ok(())
    }
}
