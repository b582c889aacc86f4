//! The command line: a module for each subcommand, with its arguments and a `run` that returns the exit status.
//!
//! The arguments of `match`, `lint` and `openings` stand in [`referee`], those of `train` in [`train`], beside the code
//! that they configure. A new subcommand is a module, a variant of [`Command`] and a line in [`run`].

pub mod analyze;
pub mod bench;
mod bench_endgame;
pub mod chart;
pub mod engine;
mod game_chart;
mod game_records;
pub mod growth;
mod growth_game;
mod logging;
pub mod perft;
pub mod search;
pub mod solve;
mod solve_check;
mod solve_feed;
pub mod tables;
pub mod trace;

use crate::referee;
#[cfg(feature = "train")]
use crate::train;
use anyhow::Context;
use clap::{Parser, Subcommand};
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;
use std::process::ExitCode;

/// A game engine that talks: Reversi, MiniChess and more, over GTP, NBoard, UCI and XBoard.
///
/// Without a subcommand the engine reads commands from standard input and answers on standard
/// output; the first line decides the protocol.
#[derive(Parser, Debug)]
#[command(name = "flipside", version)]
pub struct Cli {
    #[command(flatten)]
    engine: engine::EngineArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
enum Command {
    /// Search a fixed list of positions; the total node count is the fingerprint of the search
    Bench(bench::BenchArgs),
    /// Count the leaves of the game tree
    Perft(perft::PerftArgs),
    /// Play matches between engines, with Elo, LOS and SPRT
    Match(Box<referee::MatchArgs>),
    /// Check that an engine follows the rules of its protocol
    Lint(referee::lint::LintArgs),
    /// Search random openings and print the balanced ones
    Openings(referee::find_openings::OpeningsArgs),
    /// Solve Reversi positions exactly, one answer a line
    Solve(solve::SolveArgs),
    /// Analyse Reversi games: for every move its score, the best move and the loss
    Analyze(analyze::AnalyzeArgs),
    /// Search a position with an algorithm of the textbook
    Search(search::SearchArgs),
    /// Show every step of a textbook algorithm on a given tree or a position
    Trace(trace::TraceArgs),
    /// Measure how search trees grow with depth
    Growth(growth::GrowthArgs),
    /// Generate the endgame tables of MiniChess, or probe them
    Tables(tables::TablesArgs),
    /// Train the evaluations of Reversi and MiniChess: self-play, labels, regression
    #[cfg(feature = "train")]
    Train(train::TrainArgs),
}

/// Runs what the command line asks for.
///
/// # Errors
/// Whatever keeps the subcommand from its work, in words for the user.
pub fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    let Some(command) = &cli.command else { return engine::run(&cli.engine) };
    logging::start(command.log_file())?;
    match command {
        Command::Bench(args) => bench::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Match(args) => referee::run(args),
        Command::Lint(args) => referee::lint::run(args),
        Command::Openings(args) => referee::find_openings::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Search(args) => search::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Growth(args) => growth::run(args),
        Command::Tables(args) => tables::run(args),
        #[cfg(feature = "train")]
        Command::Train(args) => train::run(args),
    }
}

impl Command {
    /// The file that diagnostics go to instead of stderr.
    fn log_file(&self) -> Option<&Path> {
        match self {
            Command::Match(args) => args.log(),
            _ => None,
        }
    }
}

/// The lines of a file; of standard input for `-` or nothing.
///
/// # Errors
/// When the file cannot be opened.
fn lines_of(file: Option<&Path>) -> anyhow::Result<Box<dyn BufRead + Send>> {
    match file {
        Some(path) if path != Path::new("-") => {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(Box::new(BufReader::new(file)))
        }
        _ => Ok(Box::new(BufReader::new(stdin()))),
    }
}
