//! Texts that several protocols write alike.

use crate::search::types::Certainty;

/// The certainty of a score: `exact`, `wld` (only won, drawn or lost is certain), `end@P%` (the end of the game was
/// reached, some variations pruned at confidence P) or `mid@P%` (an estimate).
pub fn show_certainty(certainty: Certainty) -> String {
    match certainty {
        Certainty::Exact => "exact".into(),
        Certainty::WinLossDraw => "wld".into(),
        Certainty::Selective(percent) => format!("end@{percent}%"),
        Certainty::Estimate(percent) => format!("mid@{percent}%"),
    }
}

/// A text on one line of at most 300 characters: what a host sent, and errors quote, may contain anything.
pub fn one_line(text: &str) -> String {
    text.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
