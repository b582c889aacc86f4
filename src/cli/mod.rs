//! The command line: a module for each subcommand, with its arguments and a `run` that returns the exit status.
//!
//! A new subcommand is a module, a variant of [`Command`] and a line in [`run`].

pub mod analyze;
pub mod bench;
mod bench_endgame;
pub mod chart;
pub mod engine;
pub mod growth;
mod growth_game;
mod input_lines;
mod interrupt;
pub mod lint;
mod logging;
pub mod match_engines;
pub mod openings;
pub mod perft;
pub mod search;
pub mod solve;
pub mod tables;
pub mod trace;
#[cfg(feature = "train")]
pub mod train;

use clap::{Parser, Subcommand};
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
    Match(Box<match_engines::MatchArgs>),
    /// Check that an engine follows the rules of its protocol
    Lint(lint::LintArgs),
    /// Search random openings and print the balanced ones
    Openings(openings::OpeningsArgs),
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
        Command::Match(args) => match_engines::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Openings(args) => openings::run(args),
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
