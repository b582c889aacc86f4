//! `flipside book`: builds, asks, teaches, checks and shows opening books of Reversi.

mod ask;
mod build;
mod check;
mod draw;
mod exchange;
mod learn;
mod lines;
mod plan;
mod rewrite;
mod searches;
mod source;
mod stats;

use crate::cli::io::output::Output;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Arguments of `flipside book`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book ask f5d6c3", "flipside book learn --book my.book games.txt"])]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

/// What can be done with a book.
#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Build a book by drop-out expansion, or go on with one; it may be interrupted at any time
    Build(build::BuildArgs),
    /// Say what a book knows of a position
    Ask(ask::AskArgs),
    /// Add the moves of games, and after a loss the best other move that the loser had
    Learn(learn::LearnArgs),
    /// Search the least sure values again, deeper, and report what changed
    Check(check::CheckArgs),
    /// Print all lines near best play, and how many positions a player must remember
    Lines(lines::LinesArgs),
    /// Take in other books
    Merge(rewrite::MergeArgs),
    /// Remove positions far from best play or from the start
    Prune(rewrite::PruneArgs),
    /// Count positions, grades, depths, damaged blocks
    Stats(stats::StatsArgs),
    /// Print all positions as JSON lines
    Export(exchange::ExportArgs),
    /// Take in positions as `export` prints them
    Import(exchange::ImportArgs),
    /// Draw the tree near best play as SVG
    Draw(draw::DrawArgs),
}

/// Runs the command.
///
/// # Errors
/// Books that cannot be read or written.
pub fn run(args: &BookArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    match &args.command {
        BookCommand::Build(args) => build::run(args, out),
        BookCommand::Ask(args) => ask::run(args, out),
        BookCommand::Learn(args) => learn::run(args, out),
        BookCommand::Check(args) => check::run(args, out),
        BookCommand::Lines(args) => lines::run(args, out),
        BookCommand::Merge(args) => rewrite::merge(args, out),
        BookCommand::Prune(args) => rewrite::prune(args, out),
        BookCommand::Stats(args) => stats::run(args, out),
        BookCommand::Export(args) => exchange::export(args, out),
        BookCommand::Import(args) => exchange::import(args, out),
        BookCommand::Draw(args) => draw::run(args, out),
    }
}

/// Hundredths of what the user gives in discs.
fn hundredths(text: &str) -> Result<i32, String> {
    let discs: f64 = text.parse().map_err(|_| "expected discs, as 0.5 or 4".to_string())?;
    if (0.0..=128.0).contains(&discs) {
        Ok((discs * 100.0).round() as i32)
    } else {
        Err("expected 0 to 128 discs".into())
    }
}
