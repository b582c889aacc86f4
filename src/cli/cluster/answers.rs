//! Taking answers one by one.

use super::state::{State, Taken};
use flipside_support::diagnostics;
use std::path::Path;

/// Takes a line of a file, or of the standard input; false if it was refused, which is said on stderr.
///
/// # Errors
/// The state file cannot be written.
pub fn take(state: &mut State, file: Option<&Path>, text: &str, number: u64) -> anyhow::Result<bool> {
    match state.take(text)? {
        Ok(Taken::New) => {}
        Ok(Taken::Again) => log::warn!("line {number}: the task was answered before, in the same way"),
        Err(refusal) => {
            // A closed stderr is no reason to lose answers.
            let _ = diagnostics::report(file, format_args!("line {number}: refused: {refusal}"));
            return Ok(false);
        }
    }
    Ok(true)
}
