//! `flipside train minichess`: plays games, fits the weights of the evaluation or the network to them,
//! and writes what it learned: that is how the weights and the network inside the binary are made.

pub mod adam;
pub mod fit;
pub mod games;
pub mod network;
pub mod quiet;
pub mod samples;

use super::watch::watch_interrupts;
use crate::games::minichess::evaluation::TaperedEvaluation;
use crate::games::minichess::evaluation::network::Network;
use crate::games::minichess::evaluation::weights::TermWeights;
use anyhow::{Context, bail};
use clap::Args;
use games::Judge;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train minichess`.
#[derive(Args, Debug)]
pub struct MiniChessArgs {
    /// File of games; what it holds already is kept, what is missing is played
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Games that the file shall hold in the end
    #[arg(long, default_value_t = 20_000)]
    count: usize,
    /// Decides the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions searched for each move
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games side by side
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Weights to play with and to begin the fit from, or a network to play with: a file, `network`,
    /// `tuned` or `by-hand`
    #[arg(long, default_value = "by-hand")]
    start: String,
    /// Further files of games for the fit
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// Share of the result in what a position is fitted to, in percent; the rest is the search's value
    /// [default: 70, for the network 10]
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=100))]
    result: Option<u8>,
    /// Passes over the positions
    #[arg(long, default_value_t = 60)]
    passes: usize,
    /// Train the network instead of the weights
    #[arg(long)]
    network: bool,
    /// File to write the weights to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Plays, fits and writes.
///
/// # Errors
/// Files that cannot be read, written or continued.
pub fn run(args: &MiniChessArgs) -> anyhow::Result<ExitCode> {
    let start = Start::named(&args.start)?;
    let terms = games::Terms { seed: args.seed, nodes: args.nodes, threads: usize::from(args.threads) };
    let interrupted = watch_interrupts()?;
    let all_played = match &start {
        Start::Weights(weights) => {
            let (eval, text) = (TaperedEvaluation::new(weights), weights.show());
            games::play(&args.games, args.count, &terms, &Judge { eval: &eval, bytes: text.as_bytes() }, &interrupted)?
        }
        Start::Network(network, bytes) => {
            games::play(&args.games, args.count, &terms, &Judge { eval: network.as_ref(), bytes }, &interrupted)?
        }
    };
    if !all_played {
        return Ok(ExitCode::from(130));
    }
    let files = std::iter::once(&args.games).chain(&args.also).map(PathBuf::as_path);
    let share = f64::from(args.result.unwrap_or(if args.network { 10 } else { 70 })) / 100.0;
    let learned = if args.network {
        let mut positions = network::Positions::default();
        quiet::gather(files, share, |game, board, points| positions.add(game, board, points))?;
        network::train(&positions, args.passes)
    } else {
        let Start::Weights(start) = start else { bail!("a fit of weights begins with weights: use --network") };
        let mut set = samples::Samples::default();
        quiet::gather(files, share, |game, board, points| set.add(game, board, points))?;
        fit::fit(&set, &start, args.passes).show().into_bytes()
    };
    std::fs::write(&args.out, learned).with_context(|| args.out.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Who plays the games.
enum Start {
    Weights(TermWeights),
    /// With the bytes of its file.
    Network(Box<Network>, Vec<u8>),
}

impl Start {
    fn named(name: &str) -> anyhow::Result<Start> {
        let bytes = match name {
            "tuned" => return Ok(Start::Weights(TermWeights::tuned()?)),
            "by-hand" => return Ok(Start::Weights(TermWeights::by_hand())),
            Network::NAME => Network::FILE.to_vec(),
            path => std::fs::read(path).with_context(|| path.to_string())?,
        };
        Ok(match Network::read(&bytes) {
            Ok(network) => Start::Network(Box::new(network), bytes),
            Err(_) => Start::Weights(TermWeights::read(&String::from_utf8_lossy(&bytes))?),
        })
    }
}
