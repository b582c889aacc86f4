//! `flipside solve`: finds the best moves and scores of Reversi positions, or the results of MiniChess positions, and
//! prints each as soon as it is known, in the order of the input.

pub mod answer;
mod args;
mod check;
mod input;
pub mod minichess;
mod positions;
mod resume;
mod worker;

pub use args::SolveArgs;

use crate::cli::io::input_lines;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::progress;
use anyhow::{Context, bail, ensure};
use check::{CheckSummary, compare};
use flipside_core::games::names;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_support::resume::GrowingFile;
use flipside_support::thread_pool;
use indicatif::ProgressBar;
use input::{PositionReader, Request, answer_all};
use positions::Positions;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use worker::SolveWorker;

/// Solves the positions of a file or of standard input.
///
/// # Errors
/// The game cannot be solved, a file cannot be read or written, or the evaluation cannot be opened.
pub fn run(args: &SolveArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    match names::find(&args.game).map(|game| game.name) {
        Some(name) if name == names::MINICHESS.name => minichess::run(args, out),
        Some(name) if name == names::REVERSI.name => run_reversi(args, out),
        _ => bail!("--game {}: expected reversi or minichess", args.game),
    }
}

fn run_reversi(args: &SolveArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    ensure!(args.ask.is_none(), "--ask: --wld tells win, loss and draw of Reversi");
    ensure!(args.certificate.is_none(), "--certificate: flipside split and join prove a value of Reversi");
    ensure!(args.checkpoint.is_none(), "--checkpoint: flipside split makes tasks of a long solve of Reversi");
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let evaluation = ReversiEvaluation::open(&args.evaluation, args.weights.as_deref()).with_context(|| {
        args.weights
            .as_ref()
            .map_or("cannot use the evaluation".into(), |path| format!("cannot use the weights {}", path.display()))
    })?;
    input_lines::announce(args.file.as_deref(), "positions, one a line");
    let lines = input_lines::open(args.file.as_deref(), &interrupt)?;
    let reader = PositionReader::new(lines, args.file.as_deref(), args.tasks_of(evaluation.identity()));
    let mut positions = Positions::new(reader);
    let mut summary = CheckSummary::default();
    let bar = match shows_progress(args, out) {
        true => progress::counter("{pos} positions, {elapsed}, {per_sec}"),
        false => ProgressBar::hidden(),
    };
    let mut answers = match &args.resume {
        Some(path) => {
            let check = |answer: &str, number, request: &Request| {
                summary.add(compare(&request.line, &resume::check(answer, number, request, args)?));
                Ok(())
            };
            Answers::File(positions.resume(path, args, check)?, path.clone())
        }
        None => Answers::Printed(out),
    };
    drop(opening);
    let started = Instant::now();
    let jobs = thread_pool::useful(usize::from(args.jobs));
    let workers: Result<Vec<_>, _> = (0..jobs).map(|_| SolveWorker::new(args, jobs, &evaluation, &interrupt)).collect();
    let workers = workers.context("--hash is too large")?;
    let work = |worker: &mut SolveWorker<'_>, request: &Request, number| worker.answer(request, number);
    let written = answer_all(&mut positions, workers, &interrupt, work, |request, answer| {
        bar.inc(1);
        if args.check {
            summary.add(compare(&request.line, &answer));
        }
        answers.write(&answer.line(args.json)?)
    });
    bar.finish_and_clear();
    written?;
    if args.check {
        writeln!(stderr(), "{}", summary.text(started.elapsed()))?;
    }
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let failed = positions.finish()? > 0 || args.check && summary.wrong > 0;
    Ok(ExitCode::from(u8::from(failed)))
}

/// The destination of the answers.
enum Answers<'a> {
    Printed(&'a mut Output),
    File(GrowingFile, PathBuf),
}

impl Answers<'_> {
    fn write(&mut self, line: &str) -> anyhow::Result<()> {
        match self {
            Answers::Printed(out) => Ok(writeln!(out, "{line}")?),
            Answers::File(file, path) => {
                file.append_line(line).with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }
}

/// Whether to show the progress: only if stderr is a terminal and the answers go elsewhere.
fn shows_progress(args: &SolveArgs, out: &Output) -> bool {
    stderr().is_terminal() && (args.resume.is_some() || !out.is_terminal())
}
