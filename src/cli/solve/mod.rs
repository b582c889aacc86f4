//! `flipside solve`: the best moves and scores of Reversi positions, printed in the order of the input as soon as they are
//! known.

mod answer;
mod args;
mod check;
mod input;
mod worker;

pub use args::SolveArgs;

use super::input_lines;
use super::interrupt::{INTERRUPTED, Interrupt};
use super::progress;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::obf::ObfLine;
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::settings::SolverSettings;
use crate::search::evaluation::Eval;
use crate::search::worker::SearchContext;
use crate::support::{json, thread_pool};
use anyhow::Context;
use check::{CheckSummary, compare};
use indicatif::ProgressBar;
use input::{PositionReader, answer_all, answered_lines};
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;
use std::time::Instant;
use worker::SolveWorker;

/// Solves the positions of a file or of standard input.
///
/// # Errors
/// Files that cannot be read or written; an evaluation that cannot be opened.
pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let input = input_lines::open(args.file.as_deref())?;
    let (out, done): (Box<dyn Write>, u64) = match &args.resume {
        Some(path) => {
            let done = answered_lines(path).with_context(|| format!("cannot resume {}", path.display()))?;
            let file = OpenOptions::new().append(true).create(true).open(path);
            (Box::new(file.with_context(|| format!("cannot write {}", path.display()))?), done)
        }
        None => (Box::new(stdout().lock()), 0),
    };
    let evaluation = ReversiEvaluation::open(&args.evaluation, args.weights.as_deref())?;
    with_evaluation(&evaluation, SolvePositions { args, positions: PositionReader::new(input, done), out })
}

/// All positions, with an evaluation, compiled for the processor's level.
struct SolvePositions<'a> {
    args: &'a SolveArgs,
    positions: PositionReader,
    out: Box<dyn Write + 'a>,
}

impl WithEvaluation for SolvePositions<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<ExitCode> {
        let SolvePositions { args, mut positions, mut out } = self;
        let interrupt = Interrupt::new()?;
        let bar = positions_counter(args);
        let started = Instant::now();
        let mut summary = CheckSummary::default();
        let jobs = thread_pool::useful(usize::from(args.jobs));
        let mut policy = ReversiPolicy::with_probcut(&game, 1, probcut_model);
        if let Some(selectivity) = args.selectivity {
            policy = policy.with_selectivity(selectivity);
        }
        let context = SearchContext { game, eval, policy };
        let settings = SolverSettings::with_probcut(probcut_model);
        let worker = || SolveWorker::new(args, jobs, &context, &interrupt, settings);
        let work = |worker: &mut SolveWorker<'_, K, E>, line: &ObfLine, number| worker.answer(line, number);
        let written = answer_all(&mut positions, jobs, &interrupt, worker, work, |line, answer| {
            bar.inc(1);
            if args.check {
                summary.add(compare(line, answer));
            }
            let text = if args.json { json::line(answer)? } else { answer.text() };
            writeln!(out, "{text}")?;
            out.flush()
        });
        bar.finish_and_clear();
        match written {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            other => other.context("cannot write an answer")?,
        }
        if args.check {
            writeln!(stderr(), "{}", summary.text(started.elapsed()))?;
        }
        if interrupt.is_raised() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let failed = args.check && summary.wrong > 0 || positions.bad_lines() > 0;
        Ok(ExitCode::from(u8::from(failed)))
    }
}

/// A counter of positions, hidden unless stderr is a terminal to which no answers are printed.
fn positions_counter(args: &SolveArgs) -> ProgressBar {
    let wanted = stderr().is_terminal() && (args.resume.is_some() || !stdout().is_terminal());
    if !wanted {
        return ProgressBar::hidden();
    }
    progress::counter("{pos} positions, {elapsed}, {per_sec}")
}
