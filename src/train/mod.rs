//! `flipside train`: from nothing to the weights of the evaluations.
//!
//! For Reversi, [`selfplay`] plays games and writes [`record`]s, [`label`] gives them better values, [`fit`] makes weights of them, and
//! [`probcut`] balances them by [`tempo`] and measures what may be bet on them; [`weighted`] sets the few weights of the textbook's
//! features; [`minichess`] trains MiniChess.

#![allow(clippy::print_stdout)]

pub mod fit;
pub mod judge;
pub mod label;
pub mod least_squares;
pub mod minichess;
pub mod opening;
pub mod probcut;
pub mod record;
pub mod regression;
pub mod samples;
pub mod selfplay;
pub mod tempo;
mod watch;
pub mod weighted;

use clap::{Args, Subcommand};
use std::process::ExitCode;

/// Arguments of `flipside train`.
#[derive(Args, Debug)]
pub struct TrainArgs {
    #[command(subcommand)]
    step: Step,
}

/// The steps of training.
#[derive(Subcommand, Debug)]
enum Step {
    /// Play games against itself and write them to a file
    Selfplay(selfplay::SelfplayArgs),
    /// Give the positions of games values by other weights
    Label(label::LabelArgs),
    /// Make weights from games
    Fit(fit::FitArgs),
    /// Make weights for the textbook's features, those of the evaluation `weighted`, from games
    Weighted(weighted::WeightedArgs),
    /// Measure how far shallow searches by an evaluation miss; balance odd and even depths of learned weights
    Probcut(probcut::ProbcutArgs),
    /// Play MiniChess games against itself and fit the weights of its evaluation to them
    Minichess(minichess::MiniChessArgs),
}

/// Does the step.
///
/// # Errors
/// Files that cannot be read, written or continued.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    match &args.step {
        Step::Selfplay(args) => selfplay::run(args),
        Step::Label(args) => label::run(args),
        Step::Fit(args) => fit::run(args),
        Step::Weighted(args) => weighted::run(args),
        Step::Probcut(args) => probcut::run(args),
        Step::Minichess(args) => minichess::run(args),
    }
}
