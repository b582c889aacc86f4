//! `flipside train label`: gives games new values, from searches with other weights.

use super::evaluation_args::EvaluationArgs;
use super::game_sources::GameSources;
use super::progress::games_bar;
use super::shard::ShardPrinter;
use super::summary::GamesSummary;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use anyhow::ensure;
use clap::Args;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_support::ordered_pool;
use flipside_support::range::parse_range;
use flipside_train::game_file::{FORMAT, GameFileHeader, GameFileWriter, TrainingGame};
use flipside_train::selfplay::ReversiSelfPlay;
use flipside_train::training_games::GamesIterator;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train label`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train label --games my.games --weights my.bin --out better.games"])]
pub struct LabelArgs {
    /// File of games, from train selfplay or label, or records in any format
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// File to write the games with new values to; an interrupted one is resumed
    #[arg(long, value_name = "FILE", required_unless_present = "range")]
    out: Option<PathBuf>,
    /// Print games A to B-1 with new values as a shard for train merge
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with = "out")]
    range: Option<Range<u64>>,
    /// Search depth of a value in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Solve positions with at most this many empty squares exactly
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    exact: u32,
    /// Games relabelled in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Print the summary as one JSON object
    #[arg(long, conflicts_with = "range")]
    json: bool,
}

/// Relabels all games of the file.
///
/// # Errors
/// A file cannot be read or written, or the evaluation cannot be opened.
pub fn run(args: &LabelArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation = args.evaluation.open()?;
    let mut files = GameSources::default();
    let games = files.open(&args.games)?;
    let (seed, played_by) = games.origin()?;
    let header = GameFileHeader {
        format: FORMAT.into(),
        seed,
        depth: args.depth,
        exact: args.exact,
        evaluation: format!("{} for games by {}", evaluation.identity(), played_by),
        openings: None,
        enumerated: None,
        moves: None,
    };
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let total = games.count()?;
    let games = games.games()?;
    if let (Some(path), None) = (&args.out, &args.range) {
        let mut writer = GameFileWriter::open(path, &header)?;
        drop(opening);
        let bar = games_bar(total, writer.games);
        let before = writer.games;
        args.relabel(&evaluation, games, before..total, &interrupt, &mut |game| {
            bar.inc(1);
            Ok(writer.write(game)?)
        })?;
        bar.abandon();
        GamesSummary::resumed(path, writer.games, before).print(args.json, out)?;
    } else if let Some(range) = &args.range {
        drop(opening);
        ensure!(range.end <= total, "{} holds {total} games, fewer than --range asks for", args.games.display());
        let mut printer = ShardPrinter::begin(out, range, &header)?;
        args.relabel(&evaluation, games, range.clone(), &interrupt, &mut |game| printer.game(game))?;
    }
    Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { u8::from(files.has_bad_game()) }))
}

impl LabelArgs {
    /// Gives the games with these numbers new values and passes them to `write` in order, until an interrupt.
    fn relabel(
        &self,
        evaluation: &ReversiEvaluation,
        games: GamesIterator,
        numbers: Range<u64>,
        interrupt: &Interrupt,
        write: &mut dyn FnMut(&TrainingGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let count = numbers.end.saturating_sub(numbers.start) as usize;
        let games = games.skip(numbers.start as usize).take(count).take_while(|_| !interrupt.is_raised());
        let players = (0..self.threads).map(|_| ReversiSelfPlay::new(evaluation, self.depth, self.exact)).collect();
        let relabel =
            |player: &mut ReversiSelfPlay, game: anyhow::Result<TrainingGame>| game.map(|game| player.relabel(game));
        ordered_pool::run(players, games, relabel, |game| write(&game?))
    }
}
