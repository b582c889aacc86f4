//! `flipside train selfplay`: plays Reversi games by self-play.
//!
//! Each game depends only on the seed and its number, and games are written in order. So the file is the same for any
//! number of threads and interruptions.

use super::evaluation_args::EvaluationArgs;
use super::progress::games_bar;
use super::shard::ShardPrinter;
use super::summary::GamesSummary;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use anyhow::Context;
use clap::Args;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_support::ordered_pool;
use flipside_support::range::parse_range;
use flipside_train::enumerated_openings::{EnumeratedOpenings, MAX_PLIES};
use flipside_train::game_file::{FORMAT, GameFileHeader, GameFileWriter, MAX_GAME_MOVES, TrainingGame};
use flipside_train::opening::Openings;
use flipside_train::selfplay::ReversiSelfPlay;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `flipside train selfplay`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train selfplay --games 10000 --threads 4 --out my.games"])]
pub struct SelfplayArgs {
    /// File of games to write; an interrupted one is resumed
    #[arg(long, value_name = "FILE", required_unless_present = "range")]
    out: Option<PathBuf>,
    /// Number of games of the complete file
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Print games A to B-1 as a shard for train merge
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with_all = ["out", "games"])]
    range: Option<Range<u64>>,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lengths of the random openings: at least A, below B moves, all equally likely, one opening in nine random throughout
    /// (default: 8 to 42 moves, most of them short)
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    openings: Option<Range<u64>>,
    /// Begin each game with another position after this many plies, until each has been used (symmetric ones count once;
    /// 2,958,586 after ten)
    #[arg(long, value_name = "PLIES", conflicts_with = "openings", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PLIES)))]
    enumerate: Option<u32>,
    /// End each game after this many moves behind its opening: 1 values the openings alone
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=MAX_GAME_MOVES as i64))]
    moves: Option<u32>,
    /// Search depth of a move in plies
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Solve positions with at most this many empty squares exactly
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
/// The file cannot be written or holds other games, or the evaluation cannot be opened.
pub fn run(args: &SelfplayArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation = args.evaluation.open()?;
    let header = GameFileHeader {
        format: FORMAT.into(),
        seed: args.seed,
        depth: args.depth,
        exact: args.exact,
        evaluation: evaluation.identity(),
        openings: args.openings.as_ref().map(|lengths| (lengths.start, lengths.end)),
        enumerated: args.enumerate,
        moves: args.moves,
    };
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    if let (Some(path), None) = (&args.out, &args.range) {
        let mut writer = GameFileWriter::open(path, &header)?;
        drop(opening);
        let bar = games_bar(args.games, writer.games);
        let before = writer.games;
        args.play(&evaluation, before..args.games, &interrupt, &mut |game| {
            bar.inc(1);
            writer.write(game).context("cannot write a game")
        })?;
        bar.abandon();
        GamesSummary::resumed(path, writer.games, before).print(args.json, out)?;
    } else if let Some(range) = &args.range {
        drop(opening);
        let mut printer = ShardPrinter::begin(out, range, &header)?;
        args.play(&evaluation, range.clone(), &interrupt, &mut |game| printer.game(game))?;
    }
    Ok(ExitCode::from(if interrupt.is_raised() { INTERRUPTED } else { 0 }))
}

impl SelfplayArgs {
    /// Plays the games with these numbers and passes them to `write` in order, until an interrupt.
    fn play(
        &self,
        evaluation: &ReversiEvaluation,
        numbers: Range<u64>,
        interrupt: &Interrupt,
        write: &mut dyn FnMut(&TrainingGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let numbers = numbers.take_while(|_| !interrupt.is_raised());
        let openings = match (self.enumerate, &self.openings) {
            (Some(plies), _) => Openings::Enumerated(Arc::new(EnumeratedOpenings::new(plies, self.seed))),
            (None, Some(lengths)) => Openings::Lengths(lengths.clone()),
            (None, None) => Openings::Usual,
        };
        let player = |_| {
            let mut player = ReversiSelfPlay::new(evaluation, self.depth, self.exact);
            player.openings.clone_from(&openings);
            player.moves = self.moves.map_or(MAX_GAME_MOVES, |moves| moves as usize);
            player
        };
        let players = (0..self.threads).map(player).collect();
        let play = |player: &mut ReversiSelfPlay, number| player.play(self.seed, number);
        ordered_pool::run(players, numbers, play, |game| write(&game))
    }
}
