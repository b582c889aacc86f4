//! `flipside verify` for proofs of `flipside solve --game minichess`: by the rules and the endgame tables alone.

use super::proof_file::{self, FORMAT, ProofHeader};
use crate::cli::io::output::Output;
use flipside_core::games::minichess::proof::certificate::check;
use flipside_core::games::minichess::tables::file;
use serde::Serialize;
use std::io::BufRead;
use std::process::ExitCode;

/// The result of the check: the object of `--json`.
#[derive(Serialize)]
struct Verdict<'a> {
    position: &'a str,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    claims: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Whether the beginning of a file is that of such a proof.
pub fn is_proof(start: &[u8]) -> bool {
    String::from_utf8_lossy(start).contains(&format!("\"format\":\"{FORMAT}\""))
}

/// Checks the proof and prints what it proves. The status is 1 if it proves nothing.
///
/// # Errors
/// The file cannot be read or is not a proof, or the output cannot be written.
pub fn run(input: impl BufRead, json: bool, out: &mut Output) -> anyhow::Result<ExitCode> {
    let (header, claims) = proof_file::read(input)?;
    let checked =
        proof_file::check_roots(&header, &claims).and_then(|()| Ok(check(&claims, file::installed().as_deref())?));
    let ProofHeader { position, result, plies, shortest, .. } = &header;
    let (claims, words) = (claims.len(), result.words(*plies, *shortest));
    match checked {
        Ok(tables) => {
            let text = format!("{position}: {words}, by {claims} claims, {tables} of them by the endgame tables");
            let (result, tables) = (Some(words), Some(tables));
            out.print(json, &Verdict { position, proven: true, result, claims, tables, reason: None }, text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let text = format!("no proof: {error:#}");
            let reason = Some(format!("{error:#}"));
            out.print(json, &Verdict { position, proven: false, result: None, claims, tables: None, reason }, text)?;
            Ok(ExitCode::FAILURE)
        }
    }
}
