//! `flipside train merge`: merges shards of games into the file that one process would have written.

use super::summary::GamesSummary;
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::Context;
use clap::Args;
use flipside_support::diagnostics;
use flipside_train::game_file;
use flipside_train::shard::Merged;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train merge`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train merge --out my.games a.lines b.lines"])]
pub struct MergeArgs {
    /// Outputs of selfplay or label with --range, in any order, one or more per file; `-` reads standard input
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// File of games to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
}

/// Merges all shards, or writes nothing if games are missing. Unusable lines are reported on stderr, and the status is
/// then 1.
///
/// # Errors
/// A file cannot be read or written, or games are missing.
pub fn run(args: &MergeArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let mut merged = Merged::default();
    let mut refused = 0;
    for path in &args.shards {
        for (index, line) in input_lines::open(Some(path), &interrupt)?.enumerate() {
            let bytes = line.with_context(|| format!("cannot read {}", path.display()))?;
            let text = String::from_utf8_lossy(&bytes);
            if text.trim().is_empty() {
                continue;
            }
            if let Err(error) = merged.take(text.trim()) {
                refused += 1;
                diagnostics::report(Some(path), format_args!("line {}: refused: {error:#}", index + 1))?;
            }
        }
    }
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let count = merged.games();
    let (header, games) = merged.finish()?;
    let file = game_file::whole(&header, games)?;
    whole_file::write(&args.out, &file)?;
    GamesSummary::merged(&args.out, count, refused).print(args.json, out)?;
    Ok(ExitCode::from(u8::from(refused > 0)))
}
