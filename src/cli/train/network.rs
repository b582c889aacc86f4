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
use flipside_support::range::parse_range;
use flipside_train::game_file::ResultShare;
use flipside_train::network::parameters::Parameters;
use flipside_train::network::samples::NetworkSamples;
use flipside_train::network::trainer::{EpochErrors, LEARNING_RATE, NetworkTrainer};
use flipside_train::network::validation::{self, EmptiesErrors, errors_by_empties};
use flipside_train::samples::SampleSources;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train network`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train network --games my.games --out network.bin"])]
pub struct NetworkArgs {
    /// Files of games, from train selfplay or label, or records in any format
    #[arg(long, value_name = "FILE", required_unless_present = "endings", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Files of games of which only the exact values are used
    #[arg(long, value_name = "FILE", num_args = 1..)]
    endings: Vec<PathBuf>,
    /// Network to start from, or several: the mean of their weights; errors are compared with those of the first, whose
    /// ProbCut model stays (default: small random numbers)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    start: Vec<PathBuf>,
    /// Initial learning rate, which falls linearly to a hundredth; with --start use a smaller one
    #[arg(long, value_name = "RATE", default_value_t = LEARNING_RATE)]
    rate: f32,
    /// With --start: keep its first layer, so that its outputs for numbers of empty squares without games stay as they are
    #[arg(long, requires = "start")]
    only_outputs: bool,
    /// Number of epochs, passes over the samples; 0 writes the network of --start and measures its errors
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=1000))]
    epochs: u32,
    /// Epochs without a smaller validation error that end the fit
    #[arg(long, default_value_t = 2)]
    patience: u32,
    /// Skip positions with fewer empty squares
    #[arg(long, value_name = "SQUARES", default_value_t = 1)]
    min_empties: u32,
    /// Share of the game's result in the target of a position, as in TD(lambda); the rest is the value of the search;
    /// exact values are used unchanged
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    lambda: f32,
    /// Numbers of moves made between which that share grows from nothing, because how a game ended says little about its
    /// first positions; 0..1 for the same share from the first move on
    #[arg(long, value_name = "A..B", default_value = "10..30", value_parser = parse_range)]
    lambda_moves: Range<u64>,
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
    /// Errors of the written network on the validation set.
    #[serde(default)]
    by_empties: Vec<EmptiesErrors>,
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
    let (games, endings) = (files.open_all(&args.games)?, files.open_all(&args.endings)?);
    let results = ResultShare { lambda: args.lambda, moves: args.lambda_moves.clone() };
    let sources = SampleSources { games, endings, results };
    let samples = NetworkSamples::read(&sources, &linear, args.min_empties)?;
    ensure!(
        !samples.training.is_empty(),
        "no positions to learn from: at least two games, the first is for validation"
    );
    let start = args.start.iter().map(|start| open_network(Some(start))).collect::<Result<Vec<_>, _>>()?;
    let part = args.out.with_extension("part");
    let request = args.request()?;
    let (mut record, mut trainer) = match checkpoint::read::<FitRecord>(&part, &request)? {
        Some((record, bytes)) => {
            let trainer = NetworkTrainer::resumed(record.curve.len(), &checkpoint::numbers(&bytes), args.rate);
            (record, trainer.with_context(|| checkpoint::damaged(&part))?)
        }
        None => {
            let (training, validation) = (samples.training.len(), samples.validation.len());
            let parameters = start.iter().map(|start| Parameters::of(&start.values())).collect::<Vec<_>>();
            let parameters = if parameters.is_empty() { Parameters::new() } else { Parameters::mean(&parameters) };
            let trainer = NetworkTrainer::new(parameters, args.rate);
            let (curve, by_empties) = (Vec::new(), Vec::new());
            (FitRecord { request, training, validation, curve, best: 0, by_empties }, trainer)
        }
    };
    trainer.only_outputs = args.only_outputs;
    for (number, &errors) in (1..).zip(&record.curve) {
        writeln!(out, "{}", args.line(number, errors)?)?;
    }
    let write = |trainer: &NetworkTrainer| {
        let model = start.first().map_or(linear.probcut_model, |start| start.probcut_model);
        let network = PatternNetwork::new(&trainer.quantised(), linear.clone(), model);
        whole_file::write(&args.out, &file::pack(&network.context("the network is out of range")?))
    };
    if args.epochs == 0 {
        write(&trainer)?;
    }
    while trainer.epoch < args.epochs as usize && trainer.epoch < record.best + args.patience.max(1) as usize {
        let errors = trainer.train(&samples.training, &samples.validation, args.epochs as usize);
        record.curve.push(errors);
        let best = record.best.checked_sub(1).and_then(|best| record.curve.get(best));
        if best.is_none_or(|best| errors.validation < best.validation) {
            record.best = trainer.epoch;
            write(&trainer)?;
        }
        checkpoint::write(&part, &record, trainer.state())?;
        writeln!(out, "{}", args.line(trainer.epoch, errors)?)?;
        out.flush()?;
    }
    record.by_empties =
        errors_by_empties(&*open_network(Some(&args.out))?, start.first().map(|start| &**start), &samples.validation);
    whole_file::write(&args.out.with_extension("json"), json::lines(&record)?.as_bytes())?;
    whole_file::write(&args.out.with_extension("svg"), chart(&record.curve).as_bytes())?;
    if part.exists() {
        std::fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    }
    if !args.json {
        write!(out, "{}", validation::table(&record.by_empties))?;
        writeln!(out, "{} written, of epoch {}", args.out.display(), record.best)?;
    }
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

impl NetworkArgs {
    /// All that the network depends on.
    fn request(&self) -> anyhow::Result<String> {
        let files = checkpoint::words("games", &self.games)? + &checkpoint::words("endings", &self.endings)?;
        let only_outputs = if self.only_outputs { " only-outputs" } else { "" };
        let start = checkpoint::words("start", &self.start)?;
        Ok(format!(
            "epochs {} rate {} min-empties {} share {} moves {:?}{only_outputs}{files}{start}",
            self.epochs, self.rate, self.min_empties, self.lambda, self.lambda_moves
        ))
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
