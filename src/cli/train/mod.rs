//! `flipside train`: the steps of training the evaluations.

mod checkpoint;
mod evaluation_args;
mod fit;
mod game_sources;
mod gomoku;
mod label;
mod merge;
mod minichess;
mod minichess_records;
mod network;
mod probcut;
mod progress;
mod self_play_args;
mod selfplay;
mod shard;
mod summary;
mod wdl;
mod weighted;

use crate::cli::io::output::Output;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Arguments of `flipside train`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside train selfplay --games 10000 --out my.games",
    "flipside train fit --games my.games --out my.bin",
])]
pub struct TrainArgs {
    #[command(subcommand)]
    step: TrainStep,
}

/// The steps of training.
#[derive(Subcommand, Debug)]
enum TrainStep {
    /// Play Reversi games by self-play and write them to a file
    Selfplay(selfplay::SelfplayArgs),
    /// Give the positions of games new values, from searches with other weights
    Label(label::LabelArgs),
    /// Merge the outputs of selfplay or label with --range into a file of games
    Merge(merge::MergeArgs),
    /// Fit pattern weights to games by least squares
    Fit(fit::FitArgs),
    /// Fit the network of the evaluation `network` to games by back-propagation
    Network(network::NetworkArgs),
    /// Fit the weights of the evaluation `weighted` to games by linear regression
    Weighted(weighted::WeightedArgs),
    /// Fit the chances of win, draw and loss that scores stand for to games of self-play
    Wdl(wdl::WdlArgs),
    /// Balance an evaluation for the side to move, and measure the errors of shallow searches for ProbCut
    Probcut(probcut::ProbcutArgs),
    /// Play MiniChess games by self-play and fit the weights or the network to them
    Minichess(minichess::MiniChessArgs),
    /// Play Gomoku games by self-play and fit the weights of line patterns to them
    Gomoku(gomoku::GomokuArgs),
}

/// Runs the step.
///
/// # Errors
/// A file cannot be read, written or resumed.
pub fn run(args: &TrainArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    match &args.step {
        TrainStep::Selfplay(args) => selfplay::run(args, out),
        TrainStep::Label(args) => label::run(args, out),
        TrainStep::Merge(args) => merge::run(args, out),
        TrainStep::Fit(args) => fit::run(args, out),
        TrainStep::Network(args) => network::run(args, out),
        TrainStep::Weighted(args) => weighted::run(args, out),
        TrainStep::Wdl(args) => wdl::run(args, out),
        TrainStep::Probcut(args) => probcut::run(args, out),
        TrainStep::Minichess(args) => minichess::run(args, out),
        TrainStep::Gomoku(args) => gomoku::run(args, out),
    }
}
