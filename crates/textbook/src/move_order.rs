//! The order in which the moves of a position are searched.

use std::str::FromStr;

/// A move ordering. The sort is stable: moves of equal rank stay in the order in which the game generates them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// As the game generates them.
    Natural,
    /// The last generated move first.
    Reverse,
    /// Shuffled by a seed.
    Random(u64),
    /// By the static evaluation of the position after the move.
    Static,
    /// By the game's own move ordering.
    Heuristic,
    /// By the rule of chess books: captures, then threats, then moves forward, then backward.
    Rule,
    /// Killer moves first: those that caused the last two cutoffs at the same ply.
    Killers,
    /// History heuristic: moves that caused cutoffs anywhere first, weighted by depth squared.
    History,
    /// The best move of the previous iteration first.
    Previous,
    /// By the true value, from a search of its own that is not counted.
    Perfect,
}

impl FromStr for MoveOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<MoveOrder, String> {
        Ok(match text {
            "natural" => MoveOrder::Natural,
            "reverse" => MoveOrder::Reverse,
            "static" => MoveOrder::Static,
            "heuristic" => MoveOrder::Heuristic,
            "rule" => MoveOrder::Rule,
            "killers" => MoveOrder::Killers,
            "history" => MoveOrder::History,
            "previous" => MoveOrder::Previous,
            "perfect" => MoveOrder::Perfect,
            _ => {
                let seed = text.strip_prefix("random:").and_then(|seed| seed.parse().ok());
                let words =
                    "natural, reverse, random:SEED, static, heuristic, rule, killers, history, previous or perfect";
                MoveOrder::Random(seed.ok_or_else(|| format!("expected {words}, saw '{text}'"))?)
            }
        })
    }
}
