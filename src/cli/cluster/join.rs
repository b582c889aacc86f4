//! `flipside join`: collects the answers to tasks and prints the remaining tasks until the value is proven.

use super::answers::take;
use super::args::StateArgs;
use super::estimator::Estimator;
use super::proof_file;
use super::state::State;
use super::stream;
use crate::cli::io::input_lines::{self, InputLines};
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use anyhow::{Context, bail};
use clap::Args;
use flipside_support::json;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside join`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside join --state proof.state answers.jsonl > tasks.jsonl",
    "flipside join --state proof.state --proof proof.jsonl",
])]
pub struct JoinArgs {
    /// Answers of `flipside solve --json` in any order; `-` reads standard input. Without them: print the remaining
    /// tasks
    #[arg(value_name = "ANSWERS")]
    answers: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
    /// Serve a program that distributes tasks: read answers and requests from standard input, answer each request at
    /// once
    #[arg(long, conflicts_with_all = ["answers", "proof"])]
    stream: bool,
    /// Write the proof to this file for flipside verify
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
}

/// Takes all answers and prints the remaining tasks, or the result.
///
/// # Errors
/// The state file cannot be used, the answers cannot be read, or the value is not proven and `--proof` is given.
pub fn run(args: &JoinArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation = args.state.open_evaluation()?;
    let mut state = State::open(&args.state.state, &evaluation.identity())?;
    let interrupt = Interrupt::new()?;
    let depth = state.split.depth;
    if args.stream {
        input_lines::announce(None, "answers of flipside solve --json, and requests");
        let lines = input_lines::open(None, &interrupt)?;
        let root = Some(state.root());
        return stream::serve(&mut state, lines, &mut Estimator::new(&evaluation, depth, root)?, out);
    }
    let mut refused = 0;
    if let Some(path) = &args.answers {
        input_lines::announce(Some(path), "answers of flipside solve --json");
        refused = take_all(&mut state, path, input_lines::open(Some(path), &interrupt)?)?;
    }
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(path) = &args.proof {
        if state.proven().is_none() {
            bail!("there is no proof yet: {}", state.summary());
        }
        proof_file::write(path, &state)?;
    }
    print_to_do(&mut state, args.state.most, &mut Estimator::new(&evaluation, depth, None)?, out)?;
    Ok(ExitCode::from(u8::from(refused > 0)))
}

/// Takes the answers; reports the refused ones and returns their number.
fn take_all(state: &mut State, path: &Path, lines: InputLines) -> anyhow::Result<u64> {
    let (mut number, mut refused) = (0, 0);
    for line in lines {
        let bytes = line.context("cannot read the answers")?;
        number += 1;
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() {
            continue;
        }
        if !take(state, Some(path), text.trim(), number)? {
            refused += 1;
        }
    }
    Ok(refused)
}

/// Prints the remaining tasks, or the result.
///
/// # Errors
/// The state file or the output cannot be written.
pub fn print_to_do(state: &mut State, most: u32, estimator: &mut Estimator, out: &mut Output) -> anyhow::Result<()> {
    let tasks = state.remaining(most as usize, &mut |board| estimator.moves(board))?;
    for task in &tasks {
        writeln!(out, "{}", json::sealed_line(task)?)?;
    }
    if let Some(proven) = state.proven() {
        writeln!(out, "{}", json::line(&proven)?)?;
    }
    let to_do = if tasks.is_empty() { String::new() } else { format!(", {} to do", tasks.len()) };
    // The result is on stdout.
    let _ = writeln!(stderr(), "{}{to_do}", state.summary());
    Ok(())
}
