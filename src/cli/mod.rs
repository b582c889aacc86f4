//! The command line: a module for each subcommand, with its arguments and a `run` that returns the exit status.
//!
//! A new subcommand is a module, a variant of `Command` and a line in `run`. Four folders hold what subcommands share:
//! `start` (the command line), `args` (arguments), `io` (reading and writing) and `review` (verdicts on moves).

#[macro_use]
mod start;

pub mod analyze;
mod args;
pub mod bench;
pub mod book;
pub mod cluster;
pub mod connect;
pub mod convert;
pub mod engine;
pub mod growth;
pub mod io;
pub mod lint;
pub mod match_engines;
pub mod openings;
pub mod perft;
pub mod play;
mod review;
pub mod search;
pub mod solve;
pub mod tables;
pub mod trace;
pub mod train;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use flipside_core::search::level;
use io::output::{self, Output};
use start::command_line::{self, CommandLine, Stop};
use start::{completions, logging, version};
use std::env;
use std::io::{Write, stderr};
use std::path::Path;
use std::process::ExitCode;

/// Columns of the help in scripts and manuals.
const PAGE_WIDTH: usize = 80;

/// A game engine for Reversi, MiniChess and more that speaks GTP, NBoard, UCI, XBoard, Gomocup, Cassio and JSON.
#[derive(Parser, Debug)]
#[command(name = "flipside", version)]
#[command(after_help = examples!["flipside --gtp --game minichess", "flipside --uci --threads 4 --hash 1024"])]
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
    Play(play::PlayArgs),
    /// Search a fixed list of positions and print the node count, the fingerprint of the search
    Bench(bench::BenchArgs),
    /// Count the leaves of the game tree
    Perft(perft::PerftArgs),
    /// Play matches between engines, with Elo, LOS and SPRT
    Match(Box<match_engines::MatchArgs>),
    /// Play on a game server: Othello on GGS, MiniChess on IMCS
    Connect(connect::ConnectArgs),
    /// Check that an engine follows the rules of its protocol
    Lint(lint::LintArgs),
    /// Search random openings and print the balanced ones
    Openings(openings::OpeningsArgs),
    /// Solve Reversi positions exactly, or prove MiniChess positions, one answer per line
    Solve(solve::SolveArgs),
    /// Split a hard Reversi position into tasks for flipside solve, on one machine or many
    Split(cluster::split::SplitArgs),
    /// Collect the answers to the tasks of flipside split; print the remaining tasks or the value
    Join(cluster::join::JoinArgs),
    /// Check a proof of flipside join or solve independently of the program that wrote it
    Verify(cluster::verify::VerifyArgs),
    /// Analyse Reversi games: the score of every move, the best move and the loss
    Analyze(analyze::AnalyzeArgs),
    /// Build, query, extend and check opening books of Reversi
    Book(book::BookArgs),
    /// Convert games and positions between formats, or draw them
    Convert(convert::ConvertArgs),
    /// Search a position with a textbook algorithm
    Search(search::SearchArgs),
    /// Show every step of a textbook algorithm on a tree or a position
    Trace(trace::TraceArgs),
    /// Measure how search trees grow with depth
    Growth(growth::GrowthArgs),
    /// Generate or probe the endgame tables of MiniChess
    Tables(tables::TablesArgs),
    /// Train the evaluations of Reversi and MiniChess: self-play, labels, regression
    Train(train::TrainArgs),
    /// Print the completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print a manual page
    Man(completions::ManArgs),
}

/// Runs the command line of this process. The status is 2 if the command fails or its output cannot be written. A
/// reader that closes the pipe early is not an error.
pub fn main() -> ExitCode {
    let mut out = Output::of_process();
    let status = match command_line::read(Cli::command(), env::args_os().collect()) {
        Ok(line) => run(&line, &mut out),
        Err(Stop::Parser(error)) => explain(&error, &mut out),
        Err(Stop::Error(error)) => Err(error),
    };
    let status = status.and_then(|status| {
        out.finish()?;
        Ok(status)
    });
    status.unwrap_or_else(|error| {
        if output::is_closed(&error) {
            return ExitCode::SUCCESS;
        }
        // If stderr is closed as well, the message is lost.
        let _ = writeln!(stderr(), "flipside: {error:#}");
        ExitCode::from(2)
    })
}

/// Prints the parser's message: the help, the version, or an error in the form that all errors have.
fn explain(error: &clap::Error, out: &mut Output) -> anyhow::Result<ExitCode> {
    match error.kind() {
        ErrorKind::DisplayVersion => out.write_all(version::text().as_bytes())?,
        _ if error.use_stderr() => {
            let text = with_expectation(&error.to_string());
            // If stderr is closed, the message is lost.
            let _ = write!(stderr(), "flipside: {}", text.strip_prefix("error: ").unwrap_or(&text));
        }
        _ => out.checked(error.print())?,
    }
    Ok(ExitCode::from(error.exit_code() as u8))
}

/// The text of a command-line error. Where the standard library says why a number cannot be read, it says what is
/// expected.
fn with_expectation(text: &str) -> String {
    const REASONS: [(&str, &str); 5] = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("number too large to fit in target type", "expected a smaller number"),
        ("invalid float literal", "expected a number"),
        ("cannot parse float from empty string", "expected a number"),
    ];
    REASONS.iter().fold(text.to_string(), |text, (reason, expected)| text.replace(reason, expected))
}

/// Runs the subcommand.
fn run(line: &CommandLine, out: &mut Output) -> anyhow::Result<ExitCode> {
    let cli = match Cli::from_arg_matches(&line.matches) {
        Ok(cli) => cli,
        Err(error) => return explain(&error, out),
    };
    level::asked()?;
    let Some(command) = &cli.command else { return engine::run(&cli.engine, &line.warnings, out) };
    logging::start(command.log_file())?;
    match command {
        Command::Bench(args) => bench::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Match(args) => match_engines::run(args, out),
        Command::Connect(args) => connect::run(args, out),
        Command::Lint(args) => lint::run(args, out),
        Command::Openings(args) => openings::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Split(args) => cluster::split::run(args, out),
        Command::Join(args) => cluster::join::run(args, out),
        Command::Verify(args) => cluster::verify::run(args, out),
        Command::Analyze(args) => analyze::run(args, out),
        Command::Book(args) => book::run(args, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Search(args) => search::run(args, out),
        Command::Trace(args) => trace::run(args, out),
        Command::Growth(args) => growth::run(args, out),
        Command::Tables(args) => tables::run(args, out),
        Command::Train(args) => train::run(args, out),
        Command::Completions(args) => {
            completions::run_completions(args, command_line::command(Cli::command(), PAGE_WIDTH), out)
        }
        Command::Man(args) => completions::run_man(args, command_line::command(Cli::command(), PAGE_WIDTH), out),
    }
}

impl Command {
    /// The file for diagnostics, if they do not go to stderr.
    fn log_file(&self) -> Option<&Path> {
        match self {
            Command::Match(args) => args.log(),
            _ => None,
        }
    }
}
