//! Plain data of a search: scores, depths, sides, selectivity, certainty.

use std::fmt::{self, Display};
use std::str::FromStr;
use thiserror::Error;

/// A value in hundredths of the game's own unit (a disc, a pawn), for the side to move.
/// Always within `-INFINITE..=INFINITE`, so that it fits sixteen bits.
pub type Score = i32;

/// Plies still to search.
pub type Depth = i32;

/// Hundredths in one unit: a disc, a pawn.
pub const UNIT: Score = 100;

/// A bound that no score reaches.
pub const INFINITE: Score = 32_000;

/// The game is won now. A win found `n` plies deep scores `WIN - n`.
pub const WIN: Score = 30_000;

/// Scores of at least this (or at most its negative) are proven wins and losses; their distance
/// from the root is the difference to [`WIN`]. Games that end in numbers never reach it.
pub const WIN_IN_MAX_PLY: Score = WIN - 1_000;

/// Static evaluations stay within this bound: so far below wins that no margin of the search,
/// added to one, makes a win of it.
pub const MAX_EVAL: Score = WIN_IN_MAX_PLY - 2_500;

/// The deepest ply of a search, with extensions and quiescence.
pub const MAX_PLY: usize = 128;

/// the deepest iteration: it leaves plies for extensions and quiescence.
pub const MAX_DEPTH: Depth = MAX_PLY as Depth - 28;

/// Whose turn it is: the player who began the game, or the other.
///
/// Black is `First` in Reversi, White is `First` in MiniChess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who makes the first move of a game.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    #[inline(always)]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// This side's part of a pair, the first player's before the second's.
    #[inline(always)]
    pub fn of<T>(self, [first, second]: [T; 2]) -> T {
        match self {
            Side::First => first,
            Side::Second => second,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline(always)]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Selectivity: the confidence of ProbCut, from bold to exact, in the percentages that users of
/// other engines know. A level is a position in [`Selectivity::PERCENT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selectivity(pub u8);

impl Selectivity {
    /// The percentages of the levels, from the least sure to the exact one.
    pub const PERCENT: [u8; 7] = [73, 80, 87, 95, 98, 99, 100];
    /// The least sure level.
    pub const BOLDEST: Selectivity = Selectivity(0);
    /// What games are played with. Its margins come from self-play, not from a confidence; the
    /// level is named by what its values are worth: they miss those of full width by as much as
    /// the values of a confidence of 80 % would.
    pub const PLAY: Selectivity = Selectivity::from_percent(80);
    /// Full width: nothing is pruned by ProbCut.
    pub const EXACT: Selectivity = Selectivity::from_percent(100);

    /// The confidence in percent, one of [`Selectivity::PERCENT`].
    pub fn percent(self) -> u8 {
        Self::PERCENT[usize::from(self.min(Self::EXACT).0)]
    }

    /// The level of that percentage, or the next higher one.
    pub const fn from_percent(percent: u8) -> Selectivity {
        let mut level = 0;
        while level + 1 < Self::PERCENT.len() && Self::PERCENT[level] < percent {
            level += 1;
        }
        Selectivity(level as u8)
    }
}

/// The text is not the percentage of a selectivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected one of {:?}", Selectivity::PERCENT)]
pub struct UnknownSelectivity;

impl FromStr for Selectivity {
    type Err = UnknownSelectivity;

    fn from_str(text: &str) -> Result<Selectivity, UnknownSelectivity> {
        let percent = text.parse().ok().filter(|percent| Selectivity::PERCENT.contains(percent));
        percent.map(Selectivity::from_percent).ok_or(UnknownSelectivity)
    }
}

/// What an iteration of iterative deepening searches: depth and selectivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterationPlan {
    /// Plies to search.
    pub depth: Depth,
    /// How much ProbCut may prune.
    pub selectivity: Selectivity,
    /// Win/loss/draw only: the window is one unit on both sides of a draw.
    pub wld: bool,
}

impl IterationPlan {
    /// An iteration to this many plies at full width.
    pub fn plies(depth: Depth) -> IterationPlan {
        IterationPlan { depth, selectivity: Selectivity::EXACT, wld: false }
    }
}

/// Where iterative deepening leads: the last iteration that the limits of a search allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterationGoal {
    /// Plies at most.
    pub depth: Depth,
    /// Selectivity of the search; where a depth is set, that of the last iteration.
    pub selectivity: Selectivity,
    /// Only the best of all moves is asked for: once it is known to win, no value of another move matters.
    pub best_move_only: bool,
}

/// What a finished iteration claims about its value. Its text is the one vocabulary of all outputs: `exact`, `proven`, `wld`,
/// `end@P%`, `mid@P%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// An estimate at some depth, pruned by ProbCut at this confidence (100: full width).
    Estimate(u8),
    /// The end of the game was reached, but some lines were pruned at this confidence, in percent.
    Selective(u8),
    /// Only win, draw or loss is certain.
    WinLossDraw,
    /// The win or loss is certain. Its distance is that of the line found: best play may take another number of plies.
    Proven,
    /// The value of perfect play.
    Exact,
}

impl FromStr for Certainty {
    type Err = ();

    fn from_str(text: &str) -> Result<Certainty, ()> {
        let percent = |prefix| text.strip_prefix(prefix)?.strip_suffix('%')?.parse().ok();
        match text {
            "exact" => Ok(Certainty::Exact),
            "wld" => Ok(Certainty::WinLossDraw),
            "proven" => Ok(Certainty::Proven),
            _ => {
                percent("end@").map(Certainty::Selective).or_else(|| percent("mid@").map(Certainty::Estimate)).ok_or(())
            }
        }
    }
}

impl Certainty {
    /// The certainty of a search to some depth: wins and losses are proven by any search that
    /// finds them. A win in one ply is the shortest.
    pub fn of_search(score: Score, percent: u8) -> Certainty {
        match score.abs() {
            _ if score == WIN - 1 => Certainty::Exact,
            WIN_IN_MAX_PLY.. => Certainty::Proven,
            _ => Certainty::Estimate(percent),
        }
    }
}

impl Display for Certainty {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certainty::Exact => formatter.pad("exact"),
            Certainty::WinLossDraw => formatter.pad("wld"),
            Certainty::Proven => formatter.pad("proven"),
            Certainty::Selective(percent) => formatter.pad(&format!("end@{percent}%")),
            Certainty::Estimate(percent) => formatter.pad(&format!("mid@{percent}%")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selectivity_is_a_percentage_or_the_next_surer_one() {
        let percent = |percent| Selectivity::from_percent(percent).percent();
        assert_eq!(Selectivity::PERCENT.map(percent), Selectivity::PERCENT);
        assert_eq!([0, 74, 81, 96, 101].map(percent), [73, 80, 87, 98, 100]);
        assert_eq!(
            [Selectivity::BOLDEST, Selectivity::PLAY, Selectivity::EXACT].map(Selectivity::percent),
            [73, 80, 100]
        );
        assert_eq!(Selectivity(u8::MAX).percent(), 100);
        assert_eq!(["80", "100"].map(str::parse), [Ok(Selectivity::PLAY), Ok(Selectivity::EXACT)]);
        assert!(["", "79", "101", "80%"].iter().all(|text| text.parse::<Selectivity>() == Err(UnknownSelectivity)));
    }
}
