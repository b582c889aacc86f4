//! The command line: a module for each subcommand, with its arguments and a `run` that returns the exit status.
//!
//! A new subcommand is a module, a variant of `Command` and a line in [`run`].

pub mod analyze;
pub mod bench;
mod bench_endgame;
pub mod chart;
pub mod engine;
mod examples;
pub mod growth;
mod growth_game;
mod input_lines;
mod interrupt;
pub mod lint;
mod logging;
pub mod match_engines;
pub mod openings;
pub mod perft;
mod progress;
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
#[command(name = "flipside", version, after_help = examples::FLIPSIDE)]
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
    #[command(after_help = examples::PERFT)]
    Perft(perft::PerftArgs),
    /// Play matches between engines, with Elo, LOS and SPRT
    #[command(after_help = examples::MATCH)]
    Match(Box<match_engines::MatchArgs>),
    /// Check that an engine follows the rules of its protocol
    #[command(after_help = examples::LINT)]
    Lint(lint::LintArgs),
    /// Search random openings and print the balanced ones
    #[command(after_help = examples::OPENINGS)]
    Openings(openings::OpeningsArgs),
    /// Solve Reversi positions exactly, one answer a line
    #[command(after_help = examples::SOLVE)]
    Solve(solve::SolveArgs),
    /// Analyse Reversi games: for every move its score, the best move and the loss
    #[command(after_help = examples::ANALYZE)]
    Analyze(analyze::AnalyzeArgs),
    /// Search a position with an algorithm of the textbook
    #[command(after_help = examples::SEARCH)]
    Search(search::SearchArgs),
    /// Show every step of a textbook algorithm on a given tree or a position
    #[command(after_help = examples::TRACE)]
    Trace(trace::TraceArgs),
    /// Measure how search trees grow with depth
    #[command(after_help = examples::GROWTH)]
    Growth(growth::GrowthArgs),
    /// Generate the endgame tables of MiniChess, or probe them
    #[command(after_help = examples::TABLES)]
    Tables(tables::TablesArgs),
    /// Train the evaluations of Reversi and MiniChess: self-play, labels, regression
    #[command(after_help = examples::TRAIN)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    /// Scripts may still use the earlier words; the help does not show them.
    #[test]
    fn earlier_names_of_arguments_are_hidden_aliases() {
        for line in [
            "match --grace 0.1 --patience 30",
            "lint --cmd x --protocol gtp --patience 5",
            "tables --ask x",
            #[cfg(feature = "train")]
            "train fit --games x --out y --result-share 0.5 --passes 3",
            #[cfg(feature = "train")]
            "train minichess --games x --out y --passes 3",
        ] {
            let words = ["flipside"].into_iter().chain(line.split(' '));
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
        }
    }
}
