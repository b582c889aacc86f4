//! Words that several protocols write alike.

use crate::search::types::Certainty;

/// How sure a score is: `exact`, `wld` (only won, drawn or lost is certain), `end@P%` (the end of
/// the game was reached, some lines cut at that confidence) or `mid@P%` (an estimate).
pub fn certainty(certainty: Certainty) -> String {
    match certainty {
        Certainty::Exact => "exact".into(),
        Certainty::WinLossDraw => "wld".into(),
        Certainty::Selective(percent) => format!("end@{percent}%"),
        Certainty::Estimate(percent) => format!("mid@{percent}%"),
    }
}

/// What a host sent may contain anything; an answer about it is one line of moderate length.
pub fn one_line(text: &str) -> String {
    text.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
