//! Taking answers one by one.

use super::state::{State, Taken};
use flipside_support::diagnostics;
use std::path::Path;

/// Takes a line of a file or of standard input. Reports a refused line on stderr and returns false.
///
/// # Errors
/// The state file cannot be written.
pub fn take(state: &mut State, file: Option<&Path>, text: &str, number: u64) -> anyhow::Result<bool> {
    match state.take(text)? {
        Ok(Taken::New) => {}
        Ok(Taken::Again) => log::warn!("line {number}: the task already has this answer"),
        Err(refusal) => {
            // Answers are taken even if stderr is closed.
            let _ = diagnostics::report(file, format_args!("line {number}: refused: {refusal}"));
            return Ok(false);
        }
    }
    Ok(true)
}
