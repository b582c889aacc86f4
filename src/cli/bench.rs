//! `flipside bench`: searches a fixed list of positions to fixed depths. The total node count with one thread is the
//! fingerprint of the search: it changes only if the search does.

use super::bench_endgame;
use super::output::Output;
use crate::engine::bench::{MINICHESS, POSITIONS, measure};
use clap::Args;
use std::io::Write;
use std::process::ExitCode;

/// Arguments of `flipside bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Threads of one search; the fingerprint is that of one thread. More than the processors are not started
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the transposition tables in MiB; the fingerprint is that of 16
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Search the list of this game instead: minichess
    #[arg(long, value_name = "NAME", value_parser = ["minichess"], conflicts_with = "endgame")]
    game: Option<String>,
    /// Measure the endgame solver instead, on one thread: board kernels, 12 empty squares, FFO #40 to #49
    #[arg(long, conflicts_with = "threads")]
    endgame: bool,
}

/// Prints a line for each position and the totals.
///
/// # Errors
/// A search fails, or the output cannot be written.
pub fn run(args: &BenchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    if args.endgame {
        return bench_endgame::run(args.hash as usize, out);
    }
    let mut written = Ok(());
    let list = if args.game.is_some() { &MINICHESS[..] } else { &POSITIONS[..] };
    let sum = measure(list, usize::from(args.threads), args.hash as usize, |game, best_move| {
        let best = best_move.info.as_ref();
        let line = format!(
            "{game:13} {:5} {:+8.2} depth {:2} nodes {:>10}",
            best_move.mv.as_deref().unwrap_or("none"),
            best.map_or(0.0, |best| f64::from(best.score) / 100.0),
            best.map_or(0, |best| best.depth),
            best_move.statistics.nodes
        );
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    })
    .map_err(anyhow::Error::msg)?;
    let speed = sum.nodes as f64 / sum.time.as_secs_f64().max(1e-9);
    written?;
    writeln!(out, "nodes {}", sum.nodes)?;
    writeln!(out, "nps {speed:.0}")?;
    Ok(ExitCode::SUCCESS)
}
