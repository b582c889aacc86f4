//! `flipside train fit`: weights from games, stage by stage from the end of the game backwards.
//!
//! Each stage starts from the weights of the stage after it and is drawn towards them, so that
//! configurations that it has seldom seen are judged as the next stage judges them.

use super::least_squares::{self, Errors};
use super::samples::{self, Sampler, Source};
use crate::cli::chart::{Chart, Series};
use crate::games::reversi::evaluation::pattern::geometry::{GEOMETRY, PATTERN_WEIGHTS};
use crate::games::reversi::evaluation::pattern::weights::{
    PatternWeights, STAGE_DISCS, STAGE_WEIGHTS, STAGES, WEIGHT_UNIT,
};
use crate::games::reversi::evaluation::pattern::weights_file;
use crate::games::reversi::probcut::ProbCutModel;
use anyhow::{Context, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside train fit`.
#[derive(Args, Debug)]
pub struct FitArgs {
    /// Files of games
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Files of games of which only the exact values are used
    #[arg(long, value_name = "FILE", num_args = 1..)]
    endings: Vec<PathBuf>,
    /// Of a value that is not exact, the share of the game's result; a search's value has the rest
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    result_share: f32,
    /// How strongly weights are drawn towards those of the next stage: as by so many samples
    #[arg(long, default_value_t = 20.0)]
    ridge: f32,
    /// Most passes over the samples of a stage
    #[arg(long, default_value_t = 60)]
    passes: usize,
    /// File of weights to write; beside it go the errors (.json), two charts (.svg), and, until all is
    /// done, what is finished (.part)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What is known about a fitted stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageReport {
    /// The stage; 0 is the start of the game.
    pub stage: usize,
    /// Samples learned from, those of the neighbourhood included.
    pub learned: usize,
    /// Samples held out.
    pub held_out: usize,
    /// Held-out errors before the first pass and after each.
    pub curve: Vec<Errors>,
    /// The pass that was kept.
    pub best: usize,
}

impl StageReport {
    fn kept(&self) -> Errors {
        self.curve.get(self.best).copied().unwrap_or_default()
    }
}

/// Finished stages, the last of the game first.
#[derive(Serialize, Deserialize)]
struct Progress {
    /// What was asked; a file of something else is not continued.
    request: String,
    reports: Vec<StageReport>,
    /// Weights of each stage in discs.
    #[serde(skip)]
    weights: Vec<Vec<f32>>,
}

/// Fits all stages.
///
/// # Errors
/// Files that cannot be read or written.
pub fn run(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let source = Source { games: args.games.clone(), endings: args.endings.clone(), result_share: args.result_share };
    let part = args.out.with_extension("part");
    let mut progress = Progress::open(&part, request(args)?)?;
    let sampler = Sampler::new();
    let mut out = stdout().lock();
    for report in &progress.reports {
        writeln!(out, "{}", line(report))?;
    }
    for stage in (0..STAGES - progress.reports.len()).rev() {
        let samples = samples::of_stage(stage, &source, &sampler)?;
        let start = progress.weights.last().cloned().unwrap_or_else(|| vec![0.0; STAGE_WEIGHTS]);
        let fit = least_squares::fit(&samples, &start, args.ridge, args.passes);
        let (learned, held_out) = (samples.learned.len(), samples.held_out.len());
        progress.reports.push(StageReport { stage, learned, held_out, curve: fit.curve, best: fit.best });
        progress.weights.push(fit.weights);
        progress.save(&part)?;
        writeln!(out, "{}", progress.reports.last().map(line).unwrap_or_default())?;
        out.flush()?;
    }
    progress.reports.reverse();
    progress.weights.reverse();
    let bytes = weights_file::pack(&rounded(&progress.weights)?);
    replace(&args.out, &bytes)?;
    replace(&args.out.with_extension("json"), serde_json::to_string_pretty(&progress)?.as_bytes())?;
    replace(&args.out.with_extension("curves.svg"), curves(&progress.reports)?.as_bytes())?;
    replace(&args.out.with_extension("stages.svg"), by_stage(&progress.reports)?.as_bytes())?;
    std::fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    writeln!(out, "{} written, {} bytes", args.out.display(), bytes.len())?;
    Ok(ExitCode::SUCCESS)
}

/// All that decides the weights, files by their names and sizes.
fn request(args: &FitArgs) -> anyhow::Result<String> {
    let mut words = format!("share {} ridge {} passes {}", args.result_share, args.ridge, args.passes);
    for (kind, files) in [("games", &args.games), ("endings", &args.endings)] {
        for path in files {
            let size = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
            words += &format!(" {kind} {} {size}", path.display());
        }
    }
    Ok(words)
}

fn line(report: &StageReport) -> String {
    let first = 4 + STAGE_DISCS as usize * report.stage;
    let kept = report.kept();
    format!(
        "discs {first:2}-{:2}: {:8} samples, {:6} held out, mean error {:5.2}, root mean square {:5.2} after pass {}",
        (first + STAGE_DISCS as usize - 1).max(if report.stage + 1 == STAGES { 64 } else { 0 }),
        report.learned,
        report.held_out,
        kept.absolute,
        kept.squared,
        report.best
    )
}

/// Weights in discs as the evaluation keeps them; mirror images get the weight of the one that
/// stands for both.
fn rounded(stages: &[Vec<f32>]) -> anyhow::Result<PatternWeights> {
    let mut values = Vec::with_capacity(STAGES * STAGE_WEIGHTS);
    for stage in stages {
        let unit = |weight: f32| (weight * WEIGHT_UNIT as f32).round().clamp(-32_000.0, 32_000.0) as i16;
        for shape in &GEOMETRY.shapes {
            let half = (shape.configurations / 2) as i32;
            let place = |index| (shape.offset as i32 + shape.representative(index)) as usize;
            values.extend((-half..=half).map(|index| unit(stage[place(index)])));
        }
        values.extend(stage[PATTERN_WEIGHTS..].iter().map(|&weight| unit(weight)));
    }
    PatternWeights::new(values, ProbCutModel::UNKNOWN).context("too few stages")
}

fn curves(reports: &[StageReport]) -> anyhow::Result<String> {
    let points = |report: &StageReport| (0..).map(f64::from).zip(report.curve.iter().map(|e| e.squared)).collect();
    let name = |report: &StageReport| format!("from {} discs", 4 + STAGE_DISCS as usize * report.stage);
    let series: Vec<_> = reports
        .iter()
        .filter(|report| report.held_out > 0)
        .map(|report| Series { name: name(report), points: points(report), joined: true })
        .collect();
    Chart { title: "Held-out error by pass", across: "pass", up: "root mean square, discs", series: &series }.svg()
}

fn by_stage(reports: &[StageReport]) -> anyhow::Result<String> {
    let line = |name: &str, pick: fn(Errors) -> f64| {
        let discs = |report: &StageReport| f64::from(4 + STAGE_DISCS * report.stage as u32);
        let seen = reports.iter().filter(|report| report.held_out > 0);
        Series {
            name: name.into(),
            points: seen.map(|report| (discs(report), pick(report.kept()))).collect(),
            joined: true,
        }
    };
    let series = [line("mean absolute", |e| e.absolute), line("root mean square", |e| e.squared)];
    Chart { title: "Held-out error by stage", across: "discs on the board", up: "discs", series: &series }.svg()
}

/// Writes a file whole or not at all.
///
/// # Errors
/// It cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, bytes).with_context(|| format!("cannot write {}", new.display()))?;
    std::fs::rename(&new, path).with_context(|| format!("cannot write {}", path.display()))
}

impl Progress {
    /// What is finished of this request, if anything is.
    fn open(path: &Path, request: String) -> anyhow::Result<Progress> {
        let nothing = Progress { request, reports: Vec::new(), weights: Vec::new() };
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(nothing),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let broken = || format!("{} is damaged: remove it to begin anew", path.display());
        let end = bytes.iter().position(|&byte| byte == b'\n').with_context(broken)?;
        let mut found: Progress = serde_json::from_slice(&bytes[..end]).with_context(broken)?;
        ensure!(found.request == nothing.request, "{} belongs to another fit: {}", path.display(), found.request);
        let (words, _) = bytes[end + 1..].as_chunks::<4>();
        let values: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        found.weights = values.chunks_exact(STAGE_WEIGHTS).map(<[f32]>::to_vec).collect();
        ensure!(found.weights.len() == found.reports.len() && found.reports.len() <= STAGES, broken());
        Ok(found)
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        bytes.extend(self.weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        replace(path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_stages_are_found_again_for_the_same_request_only() {
        let path = std::env::temp_dir().join(format!("flipside-fit-{}.part", std::process::id()));
        let report = StageReport { stage: 14, learned: 9, held_out: 1, curve: vec![Errors::default()], best: 0 };
        let weights = vec![vec![0.5; STAGE_WEIGHTS]];
        Progress { request: "this".into(), reports: vec![report], weights: weights.clone() }.save(&path).unwrap();
        let found = Progress::open(&path, "this".into()).unwrap();
        assert_eq!((found.weights, found.reports.len()), (weights, 1));
        let refusal = Progress::open(&path, "that".into()).err().map(|error| error.to_string()).unwrap();
        assert!(refusal.contains("another fit"), "{refusal}");
        std::fs::write(&path, "nonsense").unwrap();
        assert!(Progress::open(&path, "this".into()).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(Progress::open(&path, "this".into()).unwrap().reports.is_empty());
    }
}
