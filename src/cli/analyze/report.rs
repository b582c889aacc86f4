//! The analysis of a move, and the summary of a game.

use crate::search::types::{Certainty, Score, Side, UNIT};
use crate::support::json;
use serde::{Serialize, Serializer};

/// The analysis of one move. Scores are for the side that moved.
#[derive(Debug, Serialize)]
pub struct MoveAnalysis {
    /// The game, counted from 1.
    pub game: usize,
    /// The move, counted from 1 without passes.
    pub number: usize,
    /// The side that moved.
    #[serde(serialize_with = "named_side")]
    pub side: Side,
    /// The move that was played, in lower case.
    pub played: String,
    /// The best move of the search; others may be as good.
    pub best: String,
    /// Score of the best move.
    #[serde(serialize_with = "in_discs")]
    pub score: Score,
    /// Score of the best move less that of the played move, at least 0.
    #[serde(serialize_with = "in_discs")]
    pub loss: Score,
    /// Depth of the search in plies.
    pub depth: i32,
    /// Certainty of the score.
    #[serde(serialize_with = "json::as_text")]
    pub certainty: Certainty,
    /// Principal variation.
    pub pv: Vec<String>,
}

fn named_side<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side_name(*side))
}

fn in_discs<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*score) / f64::from(UNIT))
}

fn side_name(side: Side) -> &'static str {
    if side == Side::First { "black" } else { "white" }
}

impl MoveAnalysis {
    /// The analysis as a line of text.
    pub fn text(&self) -> String {
        let (score, loss) = (f64::from(self.score) / f64::from(UNIT), f64::from(self.loss) / f64::from(UNIT));
        let MoveAnalysis { number, played, best, depth, certainty, .. } = self;
        let side = side_name(self.side);
        let pv = self.pv.join(" ");
        format!(
            "{number:3} {side} {played}  best {best} {score:+6.2}  loss {loss:5.2}  depth {depth:2} {certainty:8}  {pv}"
        )
    }
}

/// The accuracy of a side as a line of text: best moves, discs lost, and the worst move.
pub fn summary(moves: &[MoveAnalysis], side: Side) -> String {
    let own: Vec<_> = moves.iter().filter(|mv| mv.side == side).collect();
    let discs = |loss: Score| f64::from(loss) / f64::from(UNIT);
    let total: Score = own.iter().map(|mv| mv.loss).sum();
    let worst = own.iter().max_by_key(|mv| (mv.loss, std::cmp::Reverse(mv.number)));
    let worst = worst
        .filter(|mv| mv.loss > 0)
        .map(|mv| format!("; worst: move {} {} ({:.2}, best {})", mv.number, mv.played, discs(mv.loss), mv.best));
    let mean = discs(total) / own.len().max(1) as f64;
    let name = side_name(side);
    let best = own.iter().filter(|mv| mv.loss == 0).count();
    let count = own.len();
    format!(
        "{name}: {best} of {count} moves best, {:.2} discs lost, {mean:.2} a move{}",
        discs(total),
        worst.unwrap_or_default()
    )
}
