//! `flipside bench`: searches a fixed list of positions to fixed depths. The total node count with one thread is the
//! fingerprint of the search: it changes only if the search changes. `--endgame` measures the endgame solver instead,
//! `--scaling` what more threads gain. `--compare` compares two programs by either bench.

mod compare;
mod cost;
mod endgame;
mod scaling;

use crate::cli::io::output::Output;
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::ArgPredicate;
use compare::Comparison;
use endgame::EndgameBench;
use flipside_core::search::types::UNIT;
use flipside_host::api::event::BestMove;
use flipside_host::engine::bench::{self, measure};
use flipside_support::json;
use scaling::{Scaling, Workload};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside bench`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside bench",
    "flipside bench --game minichess",
    "flipside bench --endgame ffo.obf --json",
    "flipside bench --endgame --compare old/flipside",
    "flipside bench --scaling --threads 1,2,4",
])]
pub struct BenchArgs {
    /// Threads of one search, at most the number of processors; the fingerprint is that of one thread. With --scaling a
    /// list: the others are compared with the first
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=256), default_value = "1",
          default_value_if("scaling", ArgPredicate::IsPresent, "1,2,4,8,16"))]
    threads: Vec<u16>,
    /// Memory of the transposition tables in MiB; the fingerprint is that of 16
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Search the positions of this game instead: minichess or gomoku
    #[arg(long, value_name = "NAME", value_parser = ["minichess", "gomoku"], conflicts_with = "endgame")]
    game: Option<String>,
    /// Evaluation for Reversi; the fingerprint is that of linear, which every build has
    #[arg(long, value_name = "NAME", value_parser = ["linear", "network"], default_value = bench::EVALUATION,
          conflicts_with_all = ["endgame", "game"])]
    evaluation: String,
    /// Measure the endgame solver instead, on one thread: FFO #40 to #49 and board kernels, or an OBF file of positions
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "threads")]
    endgame: Option<Option<PathBuf>>,
    /// Measure what more threads gain in exact solves, in short ones and in the middle game; on positions of its own, or
    /// on an OBF file of positions
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["endgame", "game", "evaluation", "compare"])]
    scaling: Option<Option<PathBuf>>,
    /// What --scaling measures
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_enum, requires = "scaling",
          default_values_t = [Workload::Solver, Workload::Short, Workload::Middle])]
    workload: Vec<Workload>,
    /// Most positions of each workload of --scaling
    #[arg(long, value_name = "COUNT", default_value_t = u16::MAX, requires = "scaling", hide_default_value = true)]
    positions: u16,
    /// Measure on virtual processors: the time on as many processors as threads, however few this machine has
    #[cfg(feature = "virtual-processors")]
    #[arg(long = "virtual", requires = "scaling")]
    is_virtual: bool,
    /// Run another program and this one alternately, with the same arguments, and print the ratio of their times with
    /// its 95 % interval
    #[arg(long, value_name = "PROGRAM")]
    compare: Option<PathBuf>,
    /// Measured runs of each program in --compare
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=1000), requires = "compare")]
    rounds: u16,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl BenchArgs {
    /// The arguments of the same bench without `--compare`.
    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["bench".into(), "--hash".into(), self.hash.to_string().into()];
        match &self.endgame {
            Some(file) => words.extend(["--endgame".into()].into_iter().chain(file.clone().map(PathBuf::into))),
            None => {
                words.extend(self.threads.iter().flat_map(|threads| ["--threads".into(), threads.to_string().into()]))
            }
        }
        if let Some(game) = &self.game {
            words.extend(["--game".into(), game.into()]);
        }
        if self.evaluation != bench::EVALUATION {
            words.extend(["--evaluation".into(), (&self.evaluation).into()]);
        }
        words
    }
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

/// Prints a line for each position, and the totals.
///
/// # Errors
/// A search fails, or the output cannot be written.
pub fn run(args: &BenchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    if let Some(other) = &args.compare {
        let rounds = usize::from(args.rounds);
        return compare::run(&Comparison { other, rounds, arguments: args.words(), json: args.json }, out);
    }
    if let Some(file) = &args.endgame {
        let bench = EndgameBench { hash: args.hash as usize, file: file.as_deref(), json: args.json };
        return endgame::run(&bench, out);
    }
    if let Some(file) = &args.scaling {
        #[cfg(feature = "virtual-processors")]
        let is_virtual = args.is_virtual;
        #[cfg(not(feature = "virtual-processors"))]
        let is_virtual = false;
        let (threads, workloads, positions) = (&args.threads, &args.workload, usize::from(args.positions));
        let (hash, file, json) = (args.hash as usize, file.as_deref(), args.json);
        return scaling::run(&Scaling { hash, file, threads, workloads, positions, is_virtual, json }, out);
    }
    let &[threads] = args.threads.as_slice() else { bail!("--threads: only --scaling takes more than one number") };
    let mut written = Ok(());
    let mut positions = Vec::new();
    let game = args.game.as_deref().unwrap_or("reversi");
    let list = bench::of_game(game).with_context(|| format!("no bench of {game}"))?;
    let sum = measure(list, &args.evaluation, usize::from(threads), args.hash as usize, |game, best_move| {
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
