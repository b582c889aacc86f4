//! The answer to a position: what `flipside solve` prints.

use crate::search::types::Certainty;
use crate::support::json;
use serde::Serialize;

/// The answer to one position.
#[derive(Debug, Serialize)]
pub struct SolveAnswer {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The position as it was read.
    pub position: String,
    /// Best moves in lower case; empty if the game is over.
    pub best: Vec<String>,
    /// Disc difference for the side to move: whole if solved, with fractions if searched to a depth.
    pub score: serde_json::Number,
    /// Certainty of the score.
    #[serde(serialize_with = "json::as_text")]
    pub certainty: Certainty,
    /// Plies of the search: to the end of the game for a solve.
    pub depth: u32,
    /// Positions entered by the search.
    pub nodes: u64,
    /// Time spent on this position in seconds.
    pub seconds: f64,
    /// Principal variation.
    pub pv: Vec<String>,
    /// Every move with its score, with `--all-moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<(String, i32)>>,
}

impl SolveAnswer {
    /// The answer as a line of text.
    pub fn text(&self) -> String {
        let best = if self.best.is_empty() { "-".to_string() } else { self.best.join(",") };
        let estimate_depth = match self.certainty {
            Certainty::Estimate(_) => format!("depth {} ", self.depth),
            _ => String::new(),
        };
        let mut text = format!(
            "{} {best} {} {estimate_depth}{} {} nodes {:.3} s {}",
            self.line,
            signed(&self.score),
            self.certainty,
            self.nodes,
            self.seconds,
            self.pv.join(" ")
        );
        for (name, score) in self.moves.iter().flatten() {
            text += &format!("; {name}:{score:+}");
        }
        text
    }
}

/// The score with its sign, `+` for 0.
fn signed(score: &serde_json::Number) -> String {
    let plus = score.as_f64().is_some_and(|value| value >= 0.0);
    format!("{}{score}", if plus { "+" } else { "" })
}
