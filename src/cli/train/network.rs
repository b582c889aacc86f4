//! `flipside train network`: fits the network evaluation of Reversi to games; after every epoch a checkpoint, from which an
//! interrupted fit is resumed.

use super::game_sources::GameSources;
use crate::cli::chart::{Chart, Series};
use crate::cli::output::Output;
use crate::cli::whole_file;
use crate::games::reversi::evaluation::network::file;
use crate::games::reversi::evaluation::network::weights::PatternNetwork;
use crate::games::reversi::evaluation::pattern::open_weights;
use crate::support::json;
use crate::train::network::samples::NetworkSamples;
use crate::train::network::trainer::{EpochErrors, NetworkTrainer};
use anyhow::{Context, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside train network`.
#[derive(Args, Debug)]
pub struct NetworkArgs {
    /// Files of games: of train selfplay and label, or records in any format
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Linear weights that the network corrects; the default is the built-in ones, without which it cannot be loaded
    #[arg(long, value_name = "FILE")]
    linear: Option<PathBuf>,
    /// Passes over the samples
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Epochs without a smaller validation error after which the fit ends
    #[arg(long, default_value_t = 2)]
    patience: u32,
    /// Leave out positions with fewer empty squares: the solver plays them
    #[arg(long, value_name = "SQUARES", default_value_t = 10)]
    min_empties: u32,
    /// File of the network to write; beside it the errors (.json), their chart (.svg), and until the end a checkpoint
    /// (.part), from which an interrupted fit is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object an epoch
    #[arg(long)]
    json: bool,
}

/// The epochs of a fit that are done.
#[derive(Serialize, Deserialize)]
struct FitRecord {
    /// Everything that the network depends on; a checkpoint of another request is not resumed.
    request: String,
    /// Samples of the training set.
    training: usize,
    /// Samples of the validation set.
    validation: usize,
    /// Errors after each epoch.
    curve: Vec<EpochErrors>,
    /// The epoch with the least validation error, from 1, whose network is written.
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
/// Files that cannot be read or written.
pub fn run(args: &NetworkArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let linear = open_weights(args.linear.as_deref())?;
    let mut files = GameSources::default();
    let games = files.open_all(&args.games)?;
    let mut samples = NetworkSamples::read(&games, &linear, args.min_empties)?;
    ensure!(
        !samples.training.is_empty(),
        "no positions to learn from: at least two games, the first is for validation"
    );
    let part = args.out.with_extension("part");
    let request = args.request()?;
    let (mut record, mut trainer) = match open(&part, &request)? {
        Some(found) => found,
        None => {
            let (training, validation) = (samples.training.len(), samples.validation.len());
            (FitRecord { request, training, validation, curve: Vec::new(), best: 0 }, NetworkTrainer::new())
        }
    };
    for (number, &errors) in (1..).zip(&record.curve) {
        writeln!(out, "{}", args.line(number, errors)?)?;
    }
    while trainer.epoch < args.epochs as usize && trainer.epoch < record.best + args.patience.max(1) as usize {
        let errors = trainer.train(&mut samples.training, &samples.validation, args.epochs as usize);
        record.curve.push(errors);
        let best = record.best.checked_sub(1).and_then(|best| record.curve.get(best));
        if best.is_none_or(|best| errors.validation < best.validation) {
            record.best = trainer.epoch;
            let network = PatternNetwork::new(&trainer.quantised(), linear.clone(), linear.probcut_model);
            whole_file::write(&args.out, &file::pack(&network.context("the network is out of range")?))?;
        }
        save(&part, &record, &trainer)?;
        writeln!(out, "{}", args.line(trainer.epoch, errors)?)?;
        out.flush()?;
    }
    whole_file::write(&args.out.with_extension("json"), json::lines(&record)?.as_bytes())?;
    whole_file::write(&args.out.with_extension("svg"), chart(&record.curve)?.as_bytes())?;
    std::fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    if !args.json {
        writeln!(out, "{} written, of epoch {}", args.out.display(), record.best)?;
    }
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

impl NetworkArgs {
    /// Everything that the network depends on; files by their names and sizes.
    fn request(&self) -> anyhow::Result<String> {
        let mut words = format!("epochs {} min-empties {}", self.epochs, self.min_empties);
        for path in self.linear.iter().chain(&self.games) {
            let size = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
            words += &format!(" {} {size}", path.display());
        }
        Ok(words)
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
fn chart(curve: &[EpochErrors]) -> anyhow::Result<String> {
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

/// The checkpoint of this request, if there is one.
fn open(path: &Path, request: &str) -> anyhow::Result<Option<(FitRecord, NetworkTrainer)>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let broken = || format!("{} is damaged: remove it to begin anew", path.display());
    let end = bytes.iter().position(|&byte| byte == b'\n').with_context(broken)?;
    let record: FitRecord = serde_json::from_slice(&bytes[..end]).with_context(broken)?;
    ensure!(record.request == request, "{} belongs to another fit: {}", path.display(), record.request);
    let trainer = NetworkTrainer::resumed(record.curve.len(), &bytes[end + 1..]).with_context(broken)?;
    Ok(Some((record, trainer)))
}

fn save(path: &Path, record: &FitRecord, trainer: &NetworkTrainer) -> anyhow::Result<()> {
    let mut bytes = serde_json::to_vec(record)?;
    bytes.push(b'\n');
    bytes.extend(trainer.state());
    whole_file::write(path, &bytes)
}
