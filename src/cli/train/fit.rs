//! `flipside train fit`: fits pattern weights to games, stage by stage from the end of the game backwards.
//!
//! The fit of each stage starts from the weights of the stage after it and is regularised towards them, so that
//! configurations with few samples keep the weights of the next stage.

use super::checkpoint;
use super::game_sources::GameSources;
use crate::cli::io::chart::{Chart, Series};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::{Context, ensure};
use clap::Args;
use flipside_core::games::reversi::evaluation::pattern::geometry::{GEOMETRY, PATTERN_WEIGHTS};
use flipside_core::games::reversi::evaluation::pattern::weights::{
    PatternWeights, STAGE_DISCS, STAGE_WEIGHTS, STAGES, WEIGHT_UNIT,
};
use flipside_core::games::reversi::evaluation::pattern::weights_file;
use flipside_core::games::reversi::probcut::ProbCutModel;
use flipside_support::json;
use flipside_train::game_file::ResultShare;
use flipside_train::least_squares::{self, MeanErrors};
use flipside_train::samples::{self, SampleSources, Sampler};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside train fit`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train fit --games my.games --out my.bin"])]
pub struct FitArgs {
    /// Files of games, from train selfplay or label, or records in any format
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Files of games of which only the exact values are used
    #[arg(long, value_name = "FILE", num_args = 1..)]
    endings: Vec<PathBuf>,
    /// Share of the game's result in the target of a position, as in TD(lambda); the rest is the value of the search;
    /// exact values are used unchanged
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, alias = "result-share")]
    lambda: f32,
    /// Strength of the ridge regularisation towards the weights of the next stage, in samples
    #[arg(long, default_value_t = 20.0)]
    ridge: f32,
    /// Most epochs of a stage
    #[arg(long, default_value_t = 60, alias = "passes")]
    epochs: usize,
    /// File of weights to write; beside it go the errors (.json), two charts (.svg) and, until the end, the finished
    /// stages (.part), from which an interrupted fit resumes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object per stage
    #[arg(long)]
    json: bool,
}

/// The fit of a stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageReport {
    /// The stage; 0 is the start of the game.
    pub stage: usize,
    /// Samples of the training set, neighbouring stages included.
    #[serde(rename = "learned")]
    pub training: usize,
    /// Samples of the validation set.
    #[serde(rename = "held_out")]
    pub validation: usize,
    /// Validation errors before the first epoch and after each.
    pub curve: Vec<MeanErrors>,
    /// The epoch with the smallest error, whose weights are used.
    pub best: usize,
}

impl StageReport {
    fn best_errors(&self) -> MeanErrors {
        self.curve.get(self.best).copied().unwrap_or_default()
    }
}

/// The finished stages of a fit, the last of the game first.
#[derive(Serialize, Deserialize)]
struct FitState {
    /// All that the weights depend on; a file with another request is not resumed.
    request: String,
    reports: Vec<StageReport>,
    /// Weights of each finished stage in discs.
    #[serde(skip)]
    weights: Vec<Vec<f32>>,
}

/// Fits all stages.
///
/// # Errors
/// A file cannot be read or written.
pub fn run(args: &FitArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let part = args.out.with_extension("part");
    let mut state = FitState::open(&part, request(args)?)?;
    let mut files = GameSources::default();
    let (games, endings) = (files.open_all(&args.games)?, files.open_all(&args.endings)?);
    let sources = SampleSources { games, endings, results: ResultShare::constant(args.lambda) };
    let sampler = Sampler::new();
    for report in &state.reports {
        writeln!(out, "{}", args.line(report)?)?;
    }
    for stage in (0..STAGES - state.reports.len()).rev() {
        let samples = samples::of_stage(stage, &sources, &sampler)?;
        let start = state.weights.last().cloned().unwrap_or_else(|| vec![0.0; STAGE_WEIGHTS]);
        let fit = least_squares::fit(&samples, &start, args.ridge, args.epochs);
        let (training, validation) = (samples.training.len(), samples.validation.len());
        state.reports.push(StageReport { stage, training, validation, curve: fit.curve, best: fit.best });
        state.weights.push(fit.weights);
        state.save(&part)?;
        if let Some(report) = state.reports.last() {
            writeln!(out, "{}", args.line(report)?)?;
        }
        out.flush()?;
    }
    state.reports.reverse();
    state.weights.reverse();
    let bytes = weights_file::pack(&rounded(&state.weights)?);
    whole_file::write(&args.out, &bytes)?;
    whole_file::write(&args.out.with_extension("json"), json::lines(&state)?.as_bytes())?;
    whole_file::write(&args.out.with_extension("curves.svg"), error_curves(&state.reports).as_bytes())?;
    whole_file::write(&args.out.with_extension("stages.svg"), errors_by_stage(&state.reports).as_bytes())?;
    std::fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    if !args.json {
        writeln!(out, "{} written, {} bytes", args.out.display(), bytes.len())?;
    }
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

/// All that the weights depend on. Do not change the words: the `.part` files of unfinished fits contain them.
fn request(args: &FitArgs) -> anyhow::Result<String> {
    let mut words = format!("share {} ridge {} passes {}", args.lambda, args.ridge, args.epochs);
    words += &checkpoint::words("games", &args.games)?;
    words += &checkpoint::words("endings", &args.endings)?;
    Ok(words)
}

/// A fitted stage: the object of `--json`.
#[derive(Serialize)]
struct StageLine {
    /// Discs on the board, from and to.
    discs: [usize; 2],
    training: usize,
    validation: usize,
    /// Validation error of the kept epoch.
    #[serde(flatten)]
    errors: MeanErrors,
    epoch: usize,
}

impl FitArgs {
    /// A stage as a line of text or of JSON.
    fn line(&self, report: &StageReport) -> serde_json::Result<String> {
        let first = 4 + STAGE_DISCS as usize * report.stage;
        let last = (first + STAGE_DISCS as usize - 1).max(if report.stage + 1 == STAGES { 64 } else { 0 });
        let StageReport { training, validation, best: epoch, .. } = *report;
        let errors = report.best_errors();
        if self.json {
            return json::line(&StageLine { discs: [first, last], training, validation, errors, epoch });
        }
        Ok(format!(
            "discs {first:2}-{last:2}: {training:8} samples, {validation:6} for validation, mean error {:5.2}, root mean \
             square {:5.2} after epoch {epoch}",
            errors.absolute, errors.squared
        ))
    }
}

/// Rounds weights in discs to the units of the evaluation. Mirror images share the weight of their representative.
fn rounded(stages: &[Vec<f32>]) -> anyhow::Result<PatternWeights> {
    let mut values = Vec::with_capacity(STAGES * STAGE_WEIGHTS);
    for stage in stages {
        let unit = |weight: f32| (weight * WEIGHT_UNIT as f32).round().clamp(-32_000.0, 32_000.0) as i16;
        for shape in &GEOMETRY.shapes {
            let half = (shape.configurations / 2) as i32;
            let weight_index = |index| (shape.offset as i32 + shape.representative(index)) as usize;
            values.extend((-half..=half).map(|index| unit(stage[weight_index(index)])));
        }
        values.extend(stage[PATTERN_WEIGHTS..].iter().map(|&weight| unit(weight)));
    }
    PatternWeights::new(values, ProbCutModel::UNKNOWN).context("too few stages")
}

fn error_curves(reports: &[StageReport]) -> String {
    let points = |report: &StageReport| (0..).map(f64::from).zip(report.curve.iter().map(|e| e.squared)).collect();
    let name = |report: &StageReport| format!("from {} discs", 4 + STAGE_DISCS as usize * report.stage);
    let series: Vec<_> = reports
        .iter()
        .filter(|report| report.validation > 0)
        .map(|report| Series { name: name(report), points: points(report), joined: true })
        .collect();
    Chart { title: "Validation error by epoch", x_label: "epoch", y_label: "root mean square, discs", series: &series }
        .svg()
}

fn errors_by_stage(reports: &[StageReport]) -> String {
    let line = |name: &str, pick: fn(MeanErrors) -> f64| {
        let discs = |report: &StageReport| f64::from(4 + STAGE_DISCS * report.stage as u32);
        let measured = reports.iter().filter(|report| report.validation > 0);
        Series {
            name: name.into(),
            points: measured.map(|report| (discs(report), pick(report.best_errors()))).collect(),
            joined: true,
        }
    };
    let series = [line("mean absolute", |e| e.absolute), line("root mean square", |e| e.squared)];
    Chart { title: "Validation error by stage", x_label: "discs on the board", y_label: "discs", series: &series }.svg()
}

impl FitState {
    /// The finished stages of this request, if any.
    fn open(path: &Path, request: String) -> anyhow::Result<FitState> {
        let Some((mut found, bytes)) = checkpoint::read::<FitState>(path, &request)? else {
            return Ok(FitState { request, reports: Vec::new(), weights: Vec::new() });
        };
        found.weights = checkpoint::numbers(&bytes).chunks_exact(STAGE_WEIGHTS).map(<[f32]>::to_vec).collect();
        let is_whole = found.weights.len() == found.reports.len() && found.reports.len() <= STAGES;
        ensure!(is_whole, checkpoint::damaged(path));
        Ok(found)
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        checkpoint::write(path, self, self.weights.iter().flatten().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_stages_are_resumed_for_the_same_request_only() {
        let path = std::env::temp_dir().join(format!("flipside-fit-{}.part", std::process::id()));
        let report = StageReport { stage: 14, training: 9, validation: 1, curve: vec![MeanErrors::default()], best: 0 };
        let weights = vec![vec![0.5; STAGE_WEIGHTS]];
        FitState { request: "this".into(), reports: vec![report], weights: weights.clone() }.save(&path).unwrap();
        let found = FitState::open(&path, "this".into()).unwrap();
        assert_eq!((found.weights, found.reports.len()), (weights, 1));
        let refusal = FitState::open(&path, "that".into()).err().map(|error| error.to_string()).unwrap();
        assert!(refusal.contains("another fit"), "{refusal}");
        std::fs::write(&path, "nonsense").unwrap();
        assert!(FitState::open(&path, "this".into()).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(FitState::open(&path, "this".into()).unwrap().reports.is_empty());
    }
}
