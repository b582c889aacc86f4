//! The answer to a MiniChess position: what `flipside solve --game minichess` prints.

use flipside_core::games::minichess::board::{Board, Move};
use flipside_core::games::minichess::proof::{Outcome, Verdict};
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::games::minichess::state_text::one_line;
use flipside_core::search::notation::{Notation, Style};
use flipside_core::search::types::Certainty;
use flipside_support::json;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The side to move wins.
    Win,
    /// Neither side can force a win within the move limit.
    Draw,
    /// The other side wins.
    Loss,
    /// The side to move does not win; the other one may.
    #[serde(rename = "no win")]
    NoWin,
    /// The side to move does not lose; it may win.
    #[serde(rename = "no loss")]
    NoLoss,
}

impl GameResult {
    /// The result of an outcome for the side to move, and the plies to the end of a game that is won.
    pub fn of(board: &Board, outcome: Outcome) -> (GameResult, Option<u32>) {
        match outcome {
            Outcome::Draw => (GameResult::Draw, None),
            Outcome::NoWin { side } if side == board.to_move() => (GameResult::NoWin, None),
            Outcome::NoWin { .. } => (GameResult::NoLoss, None),
            Outcome::Win { side, plies, .. } if side == board.to_move() => (GameResult::Win, Some(plies)),
            Outcome::Win { plies, .. } => (GameResult::Loss, Some(plies)),
        }
    }

    /// The outcome of a result; none if plies are missing, or given where no game is won.
    pub fn outcome(self, board: &Board, plies: Option<u32>, is_shortest: bool) -> Option<Outcome> {
        let (mover, other) = (board.to_move(), board.to_move().other());
        match (self, plies) {
            (GameResult::Draw, None) => Some(Outcome::Draw),
            (GameResult::NoWin, None) => Some(Outcome::NoWin { side: mover }),
            (GameResult::NoLoss, None) => Some(Outcome::NoWin { side: other }),
            (GameResult::Win, Some(plies)) => Some(Outcome::Win { side: mover, plies, is_shortest }),
            (GameResult::Loss, Some(plies)) => Some(Outcome::Win { side: other, plies, is_shortest }),
            _ => None,
        }
    }

    /// In words: `win in 5`, `loss in at most 8`, `draw`, `no win`.
    pub fn words(self, plies: Option<u32>, is_shortest: bool) -> String {
        let word = match self {
            GameResult::Win => "win",
            GameResult::Draw => "draw",
            GameResult::Loss => "loss",
            GameResult::NoWin => "no win",
            GameResult::NoLoss => "no loss",
        };
        let bound = if is_shortest { "" } else { "at most " };
        plies.map_or_else(|| word.to_string(), |plies| format!("{word} in {bound}{plies}"))
    }
}

/// A legal move of a position.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProvenMove {
    #[serde(rename = "move")]
    mv: String,
    result: GameResult,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    plies: Option<u32>,
    #[serde(serialize_with = "json::as_text", deserialize_with = "json::from_text")]
    certainty: Certainty,
}

/// The answer to one position.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProvenAnswer {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The position, as a state of one line.
    pub position: String,
    result: GameResult,
    /// Plies to the end of a game that is won.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    plies: Option<u32>,
    /// `exact`, or `proven` if a shorter win is not excluded.
    #[serde(serialize_with = "json::as_text", deserialize_with = "json::from_text")]
    certainty: Certainty,
    /// The best moves: the first of the line, or all of equal merit; empty if the game is over.
    pub best: Vec<String>,
    nodes: u64,
    seconds: f64,
    /// Principal variation.
    pv: Vec<String>,
    /// With `--all-moves`, every move, the best first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moves: Option<Vec<ProvenMove>>,
}

/// How sure an outcome is.
fn certainty(outcome: Outcome) -> Certainty {
    match outcome {
        Outcome::Win { is_shortest: false, .. } => Certainty::Proven,
        _ => Certainty::Exact,
    }
}

impl ProvenAnswer {
    /// The answer with this verdict.
    pub fn new(line: u64, board: &Board, verdict: &Verdict, nodes: u64, time: Duration) -> ProvenAnswer {
        let (result, plies) = GameResult::of(board, verdict.outcome);
        let certainty = certainty(verdict.outcome);
        let pv: Vec<String> = verdict.line.iter().map(|&mv| MiniChess.show_move(board, mv, Style::Plain)).collect();
        let best = pv.first().cloned().into_iter().collect();
        let (position, seconds) = (one_line(board), time.as_secs_f64());
        ProvenAnswer { line, position, result, plies, certainty, best, nodes, seconds, pv, moves: None }
    }

    /// The answer with the verdicts on all moves, the best first.
    pub fn with_moves(self, board: &Board, moves: &[(Move, Verdict)]) -> ProvenAnswer {
        let proven = |(mv, verdict): &(Move, Verdict)| {
            let (result, plies) = GameResult::of(board, verdict.outcome);
            let mv = MiniChess.show_move(board, *mv, Style::Plain);
            ProvenMove { mv, result, plies, certainty: certainty(verdict.outcome) }
        };
        let moves: Vec<ProvenMove> = moves.iter().map(proven).collect();
        let is_best = |other: &&ProvenMove| {
            moves.first().is_some_and(|best| (best.result, best.plies) == (other.result, other.plies))
        };
        let best = moves.iter().filter(is_best).map(|best| best.mv.clone()).collect();
        ProvenAnswer { best, moves: Some(moves), ..self }
    }

    /// The answer as a line.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn line(&self, json: bool) -> serde_json::Result<String> {
        if json {
            return json::line(self);
        }
        let best = if self.best.is_empty() { "-".to_string() } else { self.best.join(",") };
        let result = self.result.words(self.plies, self.certainty == Certainty::Exact);
        let ProvenAnswer { line, certainty, nodes, seconds, pv, .. } = self;
        let mut text = format!("{line} {best} {result} {certainty} {nodes} nodes {seconds:.3} s {}", pv.join(" "));
        for ProvenMove { mv, result, plies, certainty } in self.moves.iter().flatten() {
            text += &format!("; {mv}: {}", result.words(*plies, *certainty == Certainty::Exact));
        }
        Ok(text)
    }
}
