//! Verdicts on moves. docs/analysis.md explains them to users.

use super::noise;
use flipside_core::search::types::{Score, UNIT};
use serde::Serialize;

/// The quality of a move, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No other move has a better score.
    Best,
    /// Perhaps as good as the best move: the difference is within the noise of the search.
    Equal,
    /// A small loss.
    Inaccuracy,
    /// A large loss.
    Mistake,
    /// A very large loss.
    Blunder,
}

impl Verdict {
    /// All verdicts, the best first.
    pub const ALL: [Verdict; 5] =
        [Verdict::Best, Verdict::Equal, Verdict::Inaccuracy, Verdict::Mistake, Verdict::Blunder];

    /// The verdict on a loss in hundredths. Exact scores have no noise, but a slower forced win is as good as a faster
    /// one; the difference is less than half a unit.
    pub fn of(loss: Score, is_exact: bool, thresholds: &Thresholds) -> Verdict {
        let noise = if is_exact { thresholds.noise.min(UNIT / 2) } else { thresholds.noise };
        match loss {
            ..=0 => Verdict::Best,
            loss if loss <= noise => Verdict::Equal,
            loss if loss < thresholds.mistake => Verdict::Inaccuracy,
            loss if loss < thresholds.blunder => Verdict::Mistake,
            _ => Verdict::Blunder,
        }
    }

    /// The verdict's name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Best => "best",
            Verdict::Equal => "equal",
            Verdict::Inaccuracy => "inaccuracy",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
        }
    }
}

/// The loss of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// Loss in hundredths against the best move; at least 0.
    pub loss: Score,
    /// The verdict.
    pub verdict: Verdict,
}

/// The losses, in hundredths, at which the verdict changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Up to this a loss counts as noise, unless both scores are exact.
    pub noise: Score,
    /// From this on a loss is a mistake.
    pub mistake: Score,
    /// From this on it is a blunder.
    pub blunder: Score,
}

impl Thresholds {
    /// The thresholds for a position searched `depth` plies deep; `empties` is the number of empty squares in Reversi and
    /// `None` in other games.
    pub fn new(depth: u32, empties: Option<u32>) -> Thresholds {
        match empties {
            Some(empties) => Thresholds { noise: noise::of_loss(depth, empties), mistake: 3 * UNIT, blunder: 8 * UNIT },
            // Hundredths of a pawn.
            None => Thresholds { noise: UNIT / 2, mistake: UNIT, blunder: 3 * UNIT },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_get_worse_with_the_loss() {
        let thresholds = Thresholds { noise: 120, mistake: 300, blunder: 800 };
        let losses = [0, 1, 120, 121, 299, 300, 799, 800, 30_000];
        let verdicts = losses.map(|loss| Verdict::of(loss, false, &thresholds).name());
        let words = ["best", "equal", "equal", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder"];
        assert_eq!(verdicts, words);
        assert_eq!([4, 100].map(|loss| Verdict::of(loss, true, &thresholds)), [Verdict::Equal, Verdict::Inaccuracy]);
        assert!(Verdict::ALL.is_sorted());
    }

    #[test]
    fn a_pawn_is_more_than_a_disc() {
        let (reversi, chess) = (Thresholds::new(12, Some(40)), Thresholds::new(12, None));
        assert!(chess.mistake < reversi.mistake && chess.blunder < reversi.blunder);
        assert!(chess.noise < chess.mistake && reversi.noise < reversi.mistake);
    }
}
