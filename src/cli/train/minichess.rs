//! `flipside train minichess`: plays MiniChess games by self-play, fits the tapered weights or trains the network on
//! their quiet positions, and writes the result. It made the weights and the network in the binary.

use super::minichess_records::MiniChessRecords;
use super::progress::games_bar;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::{Context, bail};
use clap::Args;
use flipside_core::games::minichess::evaluation::network::{Network, NetworkError};
use flipside_core::games::minichess::evaluation::plain::PlainEvaluation;
use flipside_core::games::minichess::evaluation::tapered::TaperedEvaluation;
use flipside_core::games::minichess::evaluation::weights::TermWeights;
use flipside_core::games::minichess::searcher::MiniChessEvaluation;
use flipside_support::bounded_file;
use flipside_support::json;
use flipside_train::minichess::epoch::EpochReport;
use flipside_train::minichess::games::{self, GameFile, SelfPlayConfig};
use flipside_train::minichess::{fit, network, quiet, samples};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside train minichess`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train minichess --games chess.games --network --out my.net"])]
pub struct MiniChessArgs {
    /// File of games; missing games are played and appended
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Number of games of the complete file
    #[arg(long, default_value_t = 20_000)]
    count: usize,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes searched per move
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Weights that play the games and start the fit, or a network that plays them: a file, `network`, `tuned` or
    /// `by-hand`
    #[arg(long, default_value = "by-hand")]
    start: String,
    /// Further files of games for the fit, from train minichess, or records in any format whose moves have evaluations
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// Share of the game's result in the target of a position, in percent (lambda); the rest is the value of the search
    /// [default: 70, with --network 10]
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=100))]
    result: Option<u8>,
    /// Number of epochs
    #[arg(long, default_value_t = 60, alias = "passes")]
    epochs: usize,
    /// Train the network instead of fitting the weights
    #[arg(long)]
    network: bool,
    /// File of weights, or of the network, to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print the errors as one JSON object per epoch
    #[arg(long)]
    json: bool,
}

/// Plays the games, fits or trains, and writes the result.
///
/// # Errors
/// A file cannot be read, written or resumed.
pub fn run(args: &MiniChessArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let start = Start::named(&args.start)?;
    let config = SelfPlayConfig {
        seed: args.seed,
        nodes: args.nodes,
        threads: usize::from(args.threads),
        evaluation: games::fingerprint(&start.bytes()),
    };
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let mut file = GameFile::open(&args.games, &config)?;
    drop(opening);
    let bar = games_bar(args.count as u64, file.games as u64);
    let go_on = || !interrupt.is_raised();
    let on_game = || bar.inc(1);
    let evaluation = match &start {
        Start::Weights(weights) => {
            MiniChessEvaluation::Plain(PlainEvaluation::Tapered(TaperedEvaluation::new(weights)))
        }
        Start::Network(network, _) => MiniChessEvaluation::Network(network.clone()),
    };
    file.play(args.count, &config, &evaluation, &go_on, on_game)?;
    bar.abandon();
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    // The games are safe, and the rest begins anew.
    let _fitting = interrupt.ends_at_once();
    let files = std::iter::once(&args.games).chain(&args.also).map(PathBuf::as_path);
    let mut records = MiniChessRecords::default();
    let read = |path: &Path| records.read(path);
    let lambda = f64::from(args.result.unwrap_or(if args.network { 10 } else { 70 })) / 100.0;
    let result = if args.network {
        let mut samples = network::NetworkSamples::default();
        let counts = quiet::gather(files, read, lambda, |game, board, points| samples.add(game, board, points))?;
        args.print_counts(counts, out)?;
        network::train(&samples, args.epochs, &mut |epoch| args.print_epoch(epoch, out))?
    } else {
        let Start::Weights(start) = start else { bail!("a fit of weights starts from weights: use --network") };
        let mut samples = samples::TermSamples::default();
        let counts = quiet::gather(files, read, lambda, |game, board, points| samples.add(game, board, points))?;
        args.print_counts(counts, out)?;
        fit::fit(&samples, &start, args.epochs, &mut |epoch| args.print_epoch(epoch, out))?.show().into_bytes()
    };
    whole_file::write(&args.out, &result)?;
    Ok(ExitCode::from(u8::from(records.has_bad_game())))
}

/// The first line of `--json`.
#[derive(Serialize)]
struct Counts {
    positions: usize,
    games: usize,
}

impl MiniChessArgs {
    fn print_counts(&self, (positions, games): (usize, usize), out: &mut Output) -> anyhow::Result<()> {
        let words = format_args!("{positions} positions of {games} games");
        out.print(self.json, &Counts { positions, games }, words)
    }

    fn print_epoch(&self, report: EpochReport, out: &mut Output) -> io::Result<()> {
        if self.json {
            return writeln!(out, "{}", json::line(&report)?);
        }
        let EpochReport { epoch, error, validation_error } = report;
        let when = if epoch == 0 { "error before".to_string() } else { format!("epoch {epoch}: error") };
        let separator = if epoch == 0 { ":" } else { "" };
        writeln!(out, "{when}{separator} {error:.6}, validation {validation_error:.6}")
    }
}

/// The evaluation that plays the games.
enum Start {
    Weights(TermWeights),
    /// A network and its file.
    Network(Box<Network>, Vec<u8>),
}

impl Start {
    /// The file of the evaluation.
    fn bytes(&self) -> Vec<u8> {
        match self {
            Start::Weights(weights) => weights.show().into_bytes(),
            Start::Network(_, bytes) => bytes.clone(),
        }
    }

    fn named(name: &str) -> anyhow::Result<Start> {
        let bytes = match name {
            "tuned" => return Ok(Start::Weights(TermWeights::tuned()?)),
            "by-hand" => return Ok(Start::Weights(TermWeights::by_hand())),
            Network::NAME => Network::FILE.to_vec(),
            path => bounded_file::read(path.as_ref(), Network::MAX_FILE_SIZE).with_context(|| path.to_string())?,
        };
        Ok(match Network::read(&bytes) {
            Ok(network) => Start::Network(Box::new(network), bytes),
            Err(NetworkError::Foreign) => Start::Weights(TermWeights::read(&String::from_utf8_lossy(&bytes))?),
            Err(damage) => return Err(damage).context(name.to_string()),
        })
    }
}
