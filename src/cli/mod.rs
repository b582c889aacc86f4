//! The command line: a module for each subcommand, with its arguments and a `run` that returns the exit status.
//!
//! A new subcommand is a module, a variant of `Command` and a line in `run`.

pub mod analyze;
pub mod bench;
mod bench_endgame;
pub mod book;
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
pub mod output;
pub mod perft;
pub mod play;
mod progress;
pub mod search;
mod search_iterations;
pub mod solve;
pub mod tables;
mod technique_args;
pub mod trace;
#[cfg(feature = "train")]
pub mod train;
mod whole_file;

use clap::{Parser, Subcommand};
use output::Output;
use std::io::{Write, stderr};
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
    /// Play against the engine in the terminal
    #[command(after_help = examples::PLAY)]
    Play(play::PlayArgs),
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
    /// Build, ask, teach and check opening books of Reversi
    #[command(after_help = examples::BOOK)]
    Book(book::BookArgs),
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

/// Runs what the command line of this process asks for. The status is 2 if that cannot be done or the output cannot be
/// written; a reader that has seen enough of the output is no fault.
pub fn main() -> ExitCode {
    let mut out = Output::of_process();
    let status = match Cli::try_parse() {
        Ok(cli) => run(&cli, &mut out),
        Err(error) => explain(&error, &mut out),
    };
    let status = status.and_then(|status| {
        out.finish()?;
        Ok(status)
    });
    status.unwrap_or_else(|error| {
        if output::is_closed(&error) {
            return ExitCode::SUCCESS;
        }
        // Nothing is left to do if even stderr is gone.
        let _ = writeln!(stderr(), "flipside: {error:#}");
        ExitCode::from(2)
    })
}

/// Prints what the parser of the command line has to say: the help, the version, or what is wrong.
fn explain(error: &clap::Error, out: &mut Output) -> anyhow::Result<ExitCode> {
    let printed = error.print();
    if !error.use_stderr() {
        out.checked(printed)?;
    }
    Ok(ExitCode::from(error.exit_code() as u8))
}

/// Runs the subcommand.
fn run(cli: &Cli, out: &mut Output) -> anyhow::Result<ExitCode> {
    let Some(command) = &cli.command else { return engine::run(&cli.engine, out) };
    logging::start(command.log_file())?;
    match command {
        Command::Bench(args) => bench::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Match(args) => match_engines::run(args, out),
        Command::Lint(args) => lint::run(args, out),
        Command::Openings(args) => openings::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Analyze(args) => analyze::run(args, out),
        Command::Book(args) => book::run(args, out),
        Command::Search(args) => search::run(args, out),
        Command::Trace(args) => trace::run(args, out),
        Command::Growth(args) => growth::run(args, out),
        Command::Tables(args) => tables::run(args, out),
        #[cfg(feature = "train")]
        Command::Train(args) => train::run(args, out),
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
