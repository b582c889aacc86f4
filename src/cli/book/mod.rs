//! `flipside book`: builds, asks, teaches, checks and shows opening books of Reversi.

mod build;
mod plan;
mod searches;

use super::output::Output;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Arguments of `flipside book`.
#[derive(Args, Debug)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

/// What can be done with a book.
#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Build a book by drop-out expansion, or go on with one; it may be interrupted at any time
    Build(build::BuildArgs),
}

/// Runs the command.
///
/// # Errors
/// Books that cannot be read or written.
pub fn run(args: &BookArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    match &args.command {
        BookCommand::Build(args) => build::run(args, out),
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
