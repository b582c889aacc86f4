//! The results of the searches of `flipside play` as text.

use flipside_core::search::types::{Certainty, Score, Side, UNIT, WIN, WIN_IN_MAX_PLY};
use flipside_host::api::event::Iteration;

/// The value of a position from a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The side that the score is for.
    pub side: Side,
    /// In hundredths of a unit.
    pub score: Score,
    /// The certainty of the score.
    pub certainty: Certainty,
    /// Plies searched.
    pub depth: u32,
}

impl Value {
    /// The value of a line for the side to move.
    pub fn new(side: Side, info: &Iteration<String>) -> Value {
        Value { side, score: info.score, certainty: info.certainty, depth: info.depth }
    }

    /// As text: `black +1.25 (depth 12)`, or `black -1.25 (depth 12)` if White is ahead. The sign is for the value's
    /// side, so that the moves of a position can be compared. `wins in at most 3` if a faster win is possible.
    pub fn words(self, sides: [&str; 2]) -> String {
        let winner = if self.score < 0 { self.side.other() } else { self.side };
        let size = self.score.abs();
        let how = match self.certainty {
            Certainty::Estimate(_) => format!("depth {}", self.depth),
            certainty => certainty.to_string(),
        };
        match size {
            0 => format!("even ({how})"),
            WIN_IN_MAX_PLY.. => {
                let bound = if self.certainty == Certainty::Proven { "at most " } else { "" };
                format!("{} wins in {bound}{}", winner.of(sides), (WIN - size + 1) / 2)
            }
            _ => format!("{} {:+.2} ({how})", self.side.of(sides), f64::from(self.score) / f64::from(UNIT)),
        }
    }

    /// The first player's share of the evaluation bar, in thousandths. `scale` is the lead in units that fills seven
    /// eighths of the bar.
    pub fn share(self, scale: f64) -> u32 {
        let units = f64::from(self.score.clamp(-WIN, WIN)) / f64::from(UNIT);
        let lead = if self.side == Side::First { units } else { -units };
        (500.0 + 500.0 * (lead / scale).tanh()).round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(score: Score, certainty: Certainty) -> Value {
        Value { side: Side::Second, score, certainty, depth: 9 }
    }

    #[test]
    fn values_in_words() {
        let sides = ["black", "white"];
        assert_eq!(value(125, Certainty::Estimate(80)).words(sides), "white +1.25 (depth 9)");
        assert_eq!(value(-400, Certainty::Exact).words(sides), "white -4.00 (exact)");
        assert_eq!(value(0, Certainty::WinLossDraw).words(sides), "even (wld)");
        assert_eq!(value(WIN - 5, Certainty::Exact).words(sides), "white wins in 3");
        assert_eq!(value(7 - WIN, Certainty::Proven).words(sides), "black wins in at most 4");
    }

    #[test]
    fn the_bar_is_the_first_players_share() {
        assert_eq!(value(0, Certainty::Exact).share(12.0), 500);
        assert!(value(600, Certainty::Exact).share(12.0) < 300);
        assert_eq!(value(-WIN, Certainty::Exact).share(3.0), 1000);
    }
}
