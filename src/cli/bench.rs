//! `flipside bench`: searches a fixed list of positions to fixed depths. The total node count with one thread is the
//! fingerprint of the search: it changes only if the search does.

use super::bench_endgame;
use super::output::Output;
use crate::api::event::BestMove;
use crate::engine::bench::{MINICHESS, POSITIONS, measure};
use crate::search::types::UNIT;
use crate::support::json;
use clap::Args;
use serde::Serialize;
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
    /// Print one JSON object
    #[arg(long, conflicts_with = "endgame")]
    json: bool,
}

/// A searched position of `--json`.
#[derive(Serialize)]
struct BenchLine {
    game: String,
    bestmove: String,
    /// In the game's unit, for the side to move.
    score: f64,
    depth: u32,
    nodes: u64,
}

impl BenchLine {
    fn new(game: &str, best_move: &BestMove) -> BenchLine {
        let best = best_move.info.as_ref();
        BenchLine {
            game: game.to_string(),
            bestmove: best_move.mv.as_deref().map_or("none".to_string(), str::to_ascii_lowercase),
            score: best.map_or(0.0, |best| f64::from(best.score) / f64::from(UNIT)),
            depth: best.map_or(0, |best| best.depth),
            nodes: best_move.statistics.nodes,
        }
    }
}

/// The object of `--json`.
#[derive(Serialize)]
struct BenchReport {
    nodes: u64,
    seconds: f64,
    positions: Vec<BenchLine>,
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
    let mut positions = Vec::new();
    let list = if args.game.is_some() { &MINICHESS[..] } else { &POSITIONS[..] };
    let sum = measure(list, usize::from(args.threads), args.hash as usize, |game, best_move| {
        let line = BenchLine::new(game, best_move);
        if args.json {
            return positions.push(line);
        }
        let BenchLine { score, depth, nodes, .. } = line;
        let mv = best_move.mv.as_deref().unwrap_or("none");
        if written.is_ok() {
            written = writeln!(out, "{game:13} {mv:5} {score:+8.2} depth {depth:2} nodes {nodes:>10}");
        }
    })
    .map_err(anyhow::Error::msg)?;
    if args.json {
        let report = BenchReport { nodes: sum.nodes, seconds: sum.time.as_secs_f64(), positions };
        writeln!(out, "{}", json::line(&report)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let speed = sum.nodes as f64 / sum.time.as_secs_f64().max(1e-9);
    written?;
    writeln!(out, "nodes {}", sum.nodes)?;
    writeln!(out, "nps {speed:.0}")?;
    Ok(ExitCode::SUCCESS)
}
