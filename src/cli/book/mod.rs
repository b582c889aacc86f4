//! `flipside book`: builds, queries, extends, checks and shows opening books of Reversi.

mod ask;
mod build;
mod check;
mod draw;
mod exchange;
mod json_lines;
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

/// The subcommands of `book`.
#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Build a book by drop-out expansion, or continue one; may be interrupted at any time
    Build(build::BuildArgs),
    /// Show what a book knows about a position
    Ask(ask::AskArgs),
    /// Add the moves of games and, after a loss, the loser's best alternative
    Learn(learn::LearnArgs),
    /// Search the least certain values again, deeper, and report the changes
    Check(check::CheckArgs),
    /// Print the lines near best play and the number of positions to remember
    Lines(lines::LinesArgs),
    /// Merge other books into a book
    Merge(rewrite::MergeArgs),
    /// Remove positions far from best play or from the start
    Prune(rewrite::PruneArgs),
    /// Count positions, grades, depths, damaged blocks
    Stats(stats::StatsArgs),
    /// Print all positions as JSON lines, or write a book of Edax or Egaroucid
    Export(exchange::ExportArgs),
    /// Import positions as `export` prints them, or a book of Edax or Egaroucid
    Import(exchange::ImportArgs),
    /// Draw the lines near best play as an SVG tree
    Draw(draw::DrawArgs),
}

/// Runs the command.
///
/// # Errors
/// A book cannot be read or written.
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

/// Parses discs into hundredths.
fn hundredths(text: &str) -> Result<i32, String> {
    let discs: f64 = text.parse().map_err(|_| "expected discs such as 0.5 or 4".to_string())?;
    if (0.0..=128.0).contains(&discs) {
        Ok((discs * 100.0).round() as i32)
    } else {
        Err("expected 0 to 128 discs".into())
    }
}
