//! `flipside verify` for proofs of `flipside solve --game minichess`: by the rules and the endgame tables alone.

use super::long_proof::Watch;
use super::proof_file::{self, FORMAT, Theorem};
use super::strategy_file;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use flipside_core::games::minichess::proof::Leaves;
use flipside_core::games::minichess::proof::certificate::check;
use flipside_core::games::minichess::tables::file;
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{BufRead, IsTerminal, stderr};
use std::process::ExitCode;

/// The result of the check: the object of `--json`.
#[derive(Serialize)]
struct Verdict<'a> {
    position: &'a str,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// What a proof rests on.
struct Checked {
    /// Claims, or positions of a strategy.
    claims: u64,
    /// Moves that a strategy names.
    moves: Option<u64>,
    /// Claims or positions that the tables decide.
    by_table: u64,
}

fn names_format(start: &[u8], format: &str) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).contains(&format!("\"format\":\"{format}\""))
}

/// Whether the beginning of a file is that of such a proof.
pub fn is_proof(start: &[u8]) -> bool {
    [FORMAT, strategy_file::FORMAT].into_iter().any(|format| names_format(start, format))
}

/// Checks the proof and prints what it proves. The status is 1 if it proves nothing. `leaves` makes room for the search of a
/// strategy's.
///
/// # Errors
/// The file cannot be read or is not a proof, there is no room, or the output cannot be written.
pub fn run(
    mut input: impl BufRead,
    leaves: impl FnOnce() -> anyhow::Result<Leaves>,
    json: bool,
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    if names_format(input.fill_buf()?, strategy_file::FORMAT) {
        return run_strategy(input, leaves()?, json, out);
    }
    let (header, claims) = proof_file::read(input)?;
    let checked =
        proof_file::check_roots(&header, &claims).and_then(|()| Ok(check(&claims, file::installed().as_deref())?));
    let claims = claims.len() as u64;
    let checked = checked.map(|by_table| Checked { claims, moves: None, by_table: by_table as u64 });
    print(&header.theorem, Some(claims), checked, json, out)
}

fn run_strategy(mut input: impl BufRead, leaves: Leaves, json: bool, out: &mut Output) -> anyhow::Result<ExitCode> {
    let header = strategy_file::read(&mut input)?;
    let interrupt = Interrupt::new()?;
    let watch = Watch::new(&interrupt);
    let bar = match stderr().is_terminal() {
        true => watch.counter("{searched} positions checked, {elapsed}"),
        false => ProgressBar::hidden(),
    };
    let walked = header.check(&mut input, file::installed().as_deref(), leaves, &watch.stop(None));
    bar.finish_and_clear();
    if interrupt.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let checked =
        walked.map(|walked| Checked { claims: walked.positions, moves: Some(walked.moves), by_table: walked.by_table });
    print(&header.theorem, None, checked, json, out)
}

/// Prints the result of a check. A proof of claims tells their number before they are checked.
fn print(
    theorem: &Theorem,
    claims: Option<u64>,
    checked: anyhow::Result<Checked>,
    json: bool,
    out: &mut Output,
) -> anyhow::Result<ExitCode> {
    let position = theorem.position.as_str();
    let nothing = Verdict { position, proven: false, result: None, claims, moves: None, tables: None, reason: None };
    match checked {
        Ok(Checked { claims, moves, by_table }) => {
            let words = theorem.words();
            let by = moves.map_or_else(String::new, |moves| format!("a strategy of {moves} moves, "));
            let text = format!("{position}: {words}, by {by}{claims} claims, {by_table} of them by the endgame tables");
            let (result, claims, tables) = (Some(words), Some(claims), Some(by_table));
            out.print(json, &Verdict { proven: true, result, claims, moves, tables, ..nothing }, text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let reason = Some(format!("{error:#}"));
            out.print(json, &Verdict { reason, ..nothing }, format!("no proof: {error:#}"))?;
            Ok(ExitCode::FAILURE)
        }
    }
}
