//! `flipside train network`: fits the network evaluation of Reversi to games. It writes a checkpoint after every epoch,
//! from which an interrupted fit resumes.

use super::checkpoint;
use super::game_sources::GameSources;
use crate::cli::io::chart::{Chart, Series};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::{Context, ensure};
use clap::Args;
use flipside_core::games::reversi::evaluation::network::weights::PatternNetwork;
use flipside_core::games::reversi::evaluation::network::{file, open_network};
use flipside_core::games::reversi::evaluation::pattern::open_weights;
use flipside_support::json;
use flipside_train::network::parameters::Parameters;
use flipside_train::network::samples::NetworkSamples;
use flipside_train::network::trainer::{EpochErrors, LEARNING_RATE, NetworkTrainer};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train network`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train network --games my.games --out network.bin"])]
pub struct NetworkArgs {
    /// Files of games, from train selfplay or label, or records in any format
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Network to start from (default: small random numbers)
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Initial learning rate, which falls linearly to a hundredth; with --start use a smaller one
    #[arg(long, value_name = "RATE", default_value_t = LEARNING_RATE)]
    rate: f32,
    /// Number of epochs, passes over the samples
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Epochs without a smaller validation error that end the fit
    #[arg(long, default_value_t = 2)]
    patience: u32,
    /// Skip positions with fewer empty squares, which the solver plays
    #[arg(long, value_name = "SQUARES", default_value_t = 10)]
    min_empties: u32,
    /// File of the network to write; beside it go the errors (.json), their chart (.svg) and, until the end, a
    /// checkpoint (.part), from which an interrupted fit resumes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object per epoch
    #[arg(long)]
    json: bool,
}

/// The finished epochs of a fit.
#[derive(Serialize, Deserialize)]
struct FitRecord {
    /// All that the network depends on; a checkpoint of another request is not resumed.
    request: String,
    /// Samples of the training set.
    training: usize,
    /// Samples of the validation set.
    validation: usize,
    /// Errors after each epoch.
    curve: Vec<EpochErrors>,
    /// The epoch with the smallest validation error, from 1, whose network is written.
    best: usize,
}

/// An epoch: the object of `--json`.
#[derive(Serialize)]
struct EpochLine {
    epoch: usize,
    #[serde(flatten)]
    errors: EpochErrors,
}

/// Fits the network.
///
/// # Errors
/// A file cannot be read or written.
pub fn run(args: &NetworkArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let linear = open_weights(None)?;
    let mut files = GameSources::default();
    let games = files.open_all(&args.games)?;
    let samples = NetworkSamples::read(&games, &linear, args.min_empties)?;
    ensure!(
        !samples.training.is_empty(),
        "no positions to learn from: at least two games, the first is for validation"
    );
    let part = args.out.with_extension("part");
    let request = args.request()?;
    let (mut record, mut trainer) = match checkpoint::read::<FitRecord>(&part, &request)? {
        Some((record, bytes)) => {
            let trainer = NetworkTrainer::resumed(record.curve.len(), &checkpoint::numbers(&bytes), args.rate);
            (record, trainer.with_context(|| checkpoint::damaged(&part))?)
        }
        None => {
            let (training, validation) = (samples.training.len(), samples.validation.len());
            let trainer = NetworkTrainer::new(args.first_parameters()?, args.rate);
            (FitRecord { request, training, validation, curve: Vec::new(), best: 0 }, trainer)
        }
    };
    for (number, &errors) in (1..).zip(&record.curve) {
        writeln!(out, "{}", args.line(number, errors)?)?;
    }
    while trainer.epoch < args.epochs as usize && trainer.epoch < record.best + args.patience.max(1) as usize {
        let errors = trainer.train(&samples.training, &samples.validation, args.epochs as usize);
        record.curve.push(errors);
        let best = record.best.checked_sub(1).and_then(|best| record.curve.get(best));
        if best.is_none_or(|best| errors.validation < best.validation) {
            record.best = trainer.epoch;
            let network = PatternNetwork::new(&trainer.quantised(), linear.clone(), linear.probcut_model);
            whole_file::write(&args.out, &file::pack(&network.context("the network is out of range")?))?;
        }
        checkpoint::write(&part, &record, trainer.state())?;
        writeln!(out, "{}", args.line(trainer.epoch, errors)?)?;
        out.flush()?;
    }
    whole_file::write(&args.out.with_extension("json"), json::lines(&record)?.as_bytes())?;
    whole_file::write(&args.out.with_extension("svg"), chart(&record.curve).as_bytes())?;
    std::fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    if !args.json {
        writeln!(out, "{} written, of epoch {}", args.out.display(), record.best)?;
    }
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

impl NetworkArgs {
    /// All that the network depends on.
    fn request(&self) -> anyhow::Result<String> {
        let files = checkpoint::words("games", &self.games)?;
        let start = checkpoint::words("start", self.start.as_slice())?;
        Ok(format!("epochs {} rate {} min-empties {}{files}{start}", self.epochs, self.rate, self.min_empties))
    }

    /// The start of the fit.
    fn first_parameters(&self) -> anyhow::Result<Parameters> {
        let Some(start) = &self.start else { return Ok(Parameters::new()) };
        Ok(Parameters::of(&open_network(Some(start))?.values()))
    }

    /// An epoch as a line of text or of JSON.
    fn line(&self, epoch: usize, errors: EpochErrors) -> serde_json::Result<String> {
        if self.json {
            return json::line(&EpochLine { epoch, errors });
        }
        let EpochErrors { training, validation, absolute, linear } = errors;
        Ok(format!(
            "epoch {epoch}: root mean square {validation:.3} ({training:.3} in training, {linear:.3} linear), mean \
             {absolute:.3} discs"
        ))
    }
}

/// The validation and training errors by epoch.
fn chart(curve: &[EpochErrors]) -> String {
    let line = |name: &str, pick: fn(&EpochErrors) -> f64| Series {
        name: name.into(),
        points: (1..).map(f64::from).zip(curve.iter().map(pick)).collect(),
        joined: true,
    };
    let series = [
        line("training", |errors| errors.training),
        line("validation", |errors| errors.validation),
        line("linear weights, validation", |errors| errors.linear),
    ];
    Chart { title: "Error by epoch", x_label: "epoch", y_label: "root mean square, discs", series: &series }.svg()
}
