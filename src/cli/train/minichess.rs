//! `flipside train minichess`: plays MiniChess games by self-play, fits the tapered weights or trains the network on
//! their quiet positions, and writes the result. It made the weights and the network in the binary.

use super::minichess_records::MiniChessRecords;
use super::self_play_args::SelfPlayArgs;
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
use flipside_core::games::names::MINICHESS;
use flipside_support::bounded_file;
use flipside_train::logistic::Samples;
use flipside_train::minichess::{fit, games, network, quiet, samples};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside train minichess`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train minichess --games chess.games --network --out my.net"])]
pub struct MiniChessArgs {
    #[command(flatten)]
    shared: SelfPlayArgs,
    /// Weights that play the games and start the fit, or a network that plays them: a file, `network`, `tuned` or
    /// `by-hand`
    #[arg(long, default_value = "by-hand")]
    start: String,
    /// Further files of games for the fit, from train minichess, or records in any format whose moves have evaluations
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// Train the network instead of fitting the weights
    #[arg(long)]
    network: bool,
}

/// Plays the games, fits or trains, and writes the result.
///
/// # Errors
/// A file cannot be read, written or resumed.
pub fn run(args: &MiniChessArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let start = Start::named(&args.start)?;
    let interrupt = Interrupt::new()?;
    let evaluation = match &start {
        Start::Weights(weights) => {
            MiniChessEvaluation::Plain(PlainEvaluation::Tapered(TaperedEvaluation::new(weights)))
        }
        Start::Network(network, _) => MiniChessEvaluation::Network(network.clone()),
    };
    let shared = &args.shared;
    let player = || games::player(evaluation.clone(), shared.nodes);
    if !shared.play(MINICHESS.name, &start.bytes(), &interrupt, player)? {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    // The games are safe, and the rest begins anew.
    let _fitting = interrupt.ends_at_once();
    let files = shared.files(&args.also);
    let mut records = MiniChessRecords::default();
    let read = |path: &Path| records.read(path);
    let lambda = shared.lambda(if args.network { 10 } else { 70 });
    let result = if args.network {
        let mut samples = network::NetworkSamples::default();
        let counts = quiet::gather(files, read, lambda, |game, board, points| samples.add(game, board, points))?;
        shared.print_counts(counts, out)?;
        network::train(&samples, shared.epochs, &mut |epoch| shared.print_epoch(epoch, out))?
    } else {
        let Start::Weights(start) = start else { bail!("a fit of weights starts from weights: use --network") };
        let mut samples = Samples::default();
        let add = |game, board: &_, points| samples.add(game, samples::features(board), points);
        let counts = quiet::gather(files, read, lambda, add)?;
        shared.print_counts(counts, out)?;
        fit::fit(&samples, &start, shared.epochs, &mut |epoch| shared.print_epoch(epoch, out))?.show().into_bytes()
    };
    whole_file::write(&shared.out, &result)?;
    Ok(ExitCode::from(u8::from(records.has_bad_game())))
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
