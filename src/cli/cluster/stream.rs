//! `flipside join --stream`: serves a program that distributes tasks to workers.
//!
//! It reads answers and requests, one JSON object per line. `{"want":3}` asks for three tasks that were not given out
//! yet. `{"lost":[17]}` reports that no worker solves task 17 any more. One object may hold both. The reply to a
//! request is its tasks, if there are any, and then one line with the progress of the proof or the result. Any other
//! line must be an answer, or it is refused.

use super::answers::take;
use super::estimator::Estimator;
use super::line::Open;
use super::state::State;
use crate::cli::io::input_lines::InputLines;
use crate::cli::io::output::Output;
use anyhow::Context;
use flipside_support::json;
use serde::Deserialize;
use std::collections::{BTreeSet, HashSet};
use std::io::{Write, stderr};
use std::process::ExitCode;

/// A request of the program that distributes the tasks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// Number of tasks wanted.
    want: Option<u32>,
    /// Tasks whose workers are gone.
    lost: Option<Vec<u64>>,
}

impl Request {
    /// Reads a line; `None` if it is not a request. An empty request does not count, nor does a list, which serde would
    /// accept.
    fn read(text: &str) -> Option<Request> {
        let request: Request = serde_json::from_str(text).ok()?;
        (text.starts_with('{') && (request.want.is_some() || request.lost.is_some())).then_some(request)
    }
}

/// Serves until the end of the input. The status is 1 if answers were refused.
///
/// # Errors
/// The input cannot be read, the state file or the output cannot be written.
pub fn serve(
    state: &mut State,
    lines: InputLines,
    estimator: &mut Estimator,
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    let (mut number, mut refused) = (0, false);
    let mut given_out: BTreeSet<u64> = BTreeSet::new();
    for line in lines {
        let bytes = line.context("cannot read the answers")?;
        number += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let Some(request) = Request::read(text) else {
            refused |= !take(state, None, text, number)?;
            continue;
        };
        let (want, lost) = (request.want.unwrap_or(0), request.lost.unwrap_or_default());
        given_out.retain(|task| !lost.contains(task) && !state.is_answered(*task));
        give_out(state, want as usize, &mut given_out, estimator, out)?;
        let status = match state.proven() {
            Some(proven) => json::line(&proven)?,
            None => json::line(&open(state, &given_out)?)?,
        };
        writeln!(out, "{status}")?;
        out.flush()?;
    }
    // The result is on stdout.
    let _ = writeln!(stderr(), "{}", state.summary());
    Ok(ExitCode::from(u8::from(refused)))
}

/// Prints up to `wanted` tasks for positions that no worker solves.
fn give_out(
    state: &mut State,
    wanted: usize,
    given_out: &mut BTreeSet<u64>,
    estimator: &mut Estimator,
    out: &mut Output,
) -> anyhow::Result<()> {
    if wanted == 0 {
        return Ok(());
    }
    let busy: HashSet<usize> = given_out.iter().filter_map(|&task| state.node_of(task)).collect();
    let mut left = wanted;
    for task in state.remaining(wanted + busy.len(), &mut |board| estimator.moves(board))? {
        let is_busy = state.node_of(task.task).is_some_and(|node| busy.contains(&node));
        if is_busy || left == 0 {
            continue;
        }
        writeln!(out, "{}", json::sealed_line(&task)?)?;
        given_out.insert(task.task);
        left -= 1;
    }
    Ok(())
}

fn open(state: &mut State, given_out: &BTreeSet<u64>) -> anyhow::Result<Open> {
    let wanted: HashSet<usize> = state.wanted()?.into_iter().collect();
    let is_needless = |task: &&u64| state.node_of(**task).is_none_or(|node| !wanted.contains(&node));
    let needless = given_out.iter().filter(is_needless).copied().collect();
    let bounds = state.bounds();
    let answers = state.answers();
    Ok(Open { bounds: (bounds.lower, bounds.upper), open: given_out.len() as u64, answers, needless })
}
