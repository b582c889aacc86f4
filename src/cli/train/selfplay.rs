//! `flipside train selfplay`: Reversi games by self-play.
//!
//! Each game depends on the seed and its number alone, and games are written in order, so that a file is the same however
//! many threads wrote it and however often it was interrupted.

use super::evaluation_args::EvaluationArgs;
use super::progress::games_bar;
use super::shard::ShardPrinter;
use super::summary::GamesSummary;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::games::reversi::evaluation::{WithEvaluation, with_evaluation};
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::search::evaluation::Eval;
use crate::support::ordered_pool;
use crate::support::range::parse_range;
use crate::train::game_file::{FORMAT, GameFileHeader, GameFileWriter, TrainingGame};
use crate::train::selfplay::ReversiSelfPlay;
use anyhow::Context;
use clap::Args;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train selfplay`.
#[derive(Args, Debug)]
pub struct SelfplayArgs {
    /// File of games; an interrupted one is resumed
    #[arg(long, value_name = "FILE", required_unless_present = "range")]
    out: Option<PathBuf>,
    /// Games of the complete file
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Print the games with these numbers, from A on and below B, as a shard for train merge
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with_all = ["out", "games"])]
    range: Option<Range<u64>>,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search depth of a move in plies
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Solve positions with so many empty squares or fewer exactly
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    exact: u32,
    /// Games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Print the summary as one JSON object
    #[arg(long, conflicts_with = "range")]
    json: bool,
}

/// Plays until the file is complete.
///
/// # Errors
/// The file cannot be written or holds other games; the evaluation cannot be opened.
pub fn run(args: &SelfplayArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation = args.evaluation.open()?;
    let header = GameFileHeader {
        format: FORMAT.into(),
        seed: args.seed,
        depth: args.depth,
        exact: args.exact,
        evaluation: evaluation.identity(),
    };
    let interrupt = Interrupt::new()?;
    if let (Some(path), None) = (&args.out, &args.range) {
        let mut writer = GameFileWriter::open(path, &header)?;
        let bar = games_bar(args.games, writer.games);
        let before = writer.games;
        let numbers = before..args.games;
        let mut write = |game: &TrainingGame| {
            bar.inc(1);
            writer.write(game).context("cannot write a game")
        };
        with_evaluation(&evaluation, PlayGames { args, numbers, write: &mut write, interrupt: &interrupt })?;
        bar.abandon();
        GamesSummary::resumed(path, writer.games, before).print(args.json, out)?;
    } else if let Some(range) = &args.range {
        let mut printer = ShardPrinter::begin(out, range, &header)?;
        let mut write = |game: &TrainingGame| printer.game(game);
        let numbers = range.clone();
        with_evaluation(&evaluation, PlayGames { args, numbers, write: &mut write, interrupt: &interrupt })?;
    }
    Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { 0 }))
}

/// The games with these numbers, with an evaluation, compiled for the processor's level.
struct PlayGames<'a> {
    args: &'a SelfplayArgs,
    numbers: Range<u64>,
    write: &'a mut dyn FnMut(&TrainingGame) -> anyhow::Result<()>,
    interrupt: &'a Interrupt,
}

impl WithEvaluation for PlayGames<'_> {
    type Output = anyhow::Result<()>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<()> {
        let PlayGames { args, numbers, write, interrupt } = self;
        let numbers = numbers.take_while(|_| !interrupt.is_raised());
        let player = || ReversiSelfPlay::new(game.clone(), eval.clone(), probcut_model, args.depth, args.exact);
        let play = |player: &mut ReversiSelfPlay<K, E>, number| player.play(args.seed, number);
        ordered_pool::run(usize::from(args.threads), numbers, player, play, |game| write(&game))
    }
}
