//! The answer to a position: what `flipside solve` prints.

use flipside_core::search::types::Certainty;
use flipside_support::json;
use serde::{Deserialize, Serialize};

/// The answer to one position.
#[derive(Debug, Serialize, Deserialize)]
pub struct SolveAnswer {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The position as read.
    pub position: String,
    /// Best moves in lower case; empty if the game is over.
    pub best: Vec<String>,
    /// Disc difference for the side to move; an integer if solved, with a fraction if searched to a depth.
    pub score: serde_json::Number,
    /// Certainty of the score.
    #[serde(serialize_with = "json::as_text", deserialize_with = "json::from_text")]
    pub certainty: Certainty,
    /// Depth of the search in plies; for a solve, to the end of the game.
    pub depth: u32,
    /// Positions entered by the search.
    pub nodes: u64,
    /// Positions entered, ranked or looked up by a solve; unknown in answers as text, and for a search to a depth.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generated: Option<u64>,
    /// Time spent on this position in seconds.
    pub seconds: f64,
    /// Principal variation.
    pub pv: Vec<String>,
    /// With `--all-moves`, every move with its score.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<Vec<(String, i32)>>,
    /// The task that it answers.
    #[serde(flatten)]
    pub task: Option<AnsweredTask>,
}

/// The part of an answer that identifies its task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweredTask {
    /// Number of the task.
    pub task: u64,
    /// Alpha and beta in discs; a score outside is a bound.
    pub window: (i32, i32),
    /// The meaning of the score: `exact`, `at least` or `at most`.
    pub bound: String,
    /// The program that answers.
    pub program: String,
    /// Name of its evaluation, with the checksum of its weights if it has any.
    pub evaluation: String,
}

impl SolveAnswer {
    fn text(&self) -> String {
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

impl SolveAnswer {
    /// Reads a line of answers, as JSON or as text. Text lacks the position and the depth of a solve.
    pub fn read(line: &str, json: bool) -> Option<SolveAnswer> {
        if json {
            return serde_json::from_str(line).ok();
        }
        let mut parts = line.split("; ");
        let words: Vec<&str> = parts.next()?.split(' ').collect();
        let (start, end) = words.split_at_checked(words.iter().position(|&word| word == "nodes")?)?;
        let [line, best, score, depth @ .., certainty, nodes] = start else { return None };
        let depth = match depth {
            [] => "0",
            ["depth", plies] => plies,
            _ => return None,
        };
        let ["nodes", seconds, "s", pv @ ..] = end else { return None };
        let scored =
            |text: &str| text.split_once(':').and_then(|(name, score)| Some((name.into(), score.parse().ok()?)));
        let moves: Vec<(String, i32)> = parts.map(scored).collect::<Option<_>>()?;
        Some(SolveAnswer {
            line: line.parse().ok()?,
            position: String::new(),
            best: best.split(',').filter(|name| *name != "-").map(str::to_string).collect(),
            score: score.trim_start_matches('+').parse().ok()?,
            certainty: certainty.parse().ok()?,
            depth: depth.parse().ok()?,
            nodes: nodes.parse().ok()?,
            generated: None,
            seconds: seconds.parse().ok()?,
            pv: pv.iter().filter(|name| !name.is_empty()).map(ToString::to_string).collect(),
            moves: (!moves.is_empty()).then_some(moves),
            task: None,
        })
    }

    /// The answer as a line of `flipside solve`. The answer to a task is always JSON with a checksum.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn line(&self, json: bool) -> serde_json::Result<String> {
        match self.task {
            // The answer travels between machines; the reader refuses a changed line.
            Some(_) => json::sealed_line(self),
            None if json => json::line(self),
            None => Ok(self.text()),
        }
    }
}

/// The score with its sign, `+` for 0.
fn signed(score: &serde_json::Number) -> String {
    let plus = score.as_f64().is_some_and(|value| value >= 0.0);
    format!("{}{score}", if plus { "+" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in [
            "3 f5,d3 +18 exact 127090 nodes 0.017 s f5 d6 c3; f5:+18; d3:+18; c4:-2",
            "4 - -64 exact 0 nodes 0.000 s ",
            "5 pass -3.5 depth 12 mid@80% 81 nodes 1.250 s pass a1",
            "6 a1 +0 wld 81 nodes 1.250 s a1",
        ] {
            let answer = SolveAnswer::read(line, false).expect(line);
            assert_eq!(answer.line(false).expect("text"), line);
            let json = answer.line(true).expect("JSON");
            assert_eq!(SolveAnswer::read(&json, true).expect("JSON").line(false).expect("text"), line);
        }
        for line in ["", "3", "--XXXXX--OOOXX-O X; g8:+18", "3 d3 +1 exact 3 nodes", "x d3 +1 exact 3 nodes 0.000 s d3"]
        {
            assert!(SolveAnswer::read(line, false).is_none() && SolveAnswer::read(line, true).is_none(), "{line}");
        }
    }
}
