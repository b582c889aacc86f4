//! The players, and the rules by which they win.

/// The first player: black.
pub const FIRST: usize = 0;
/// The other.
pub const SECOND: usize = 1;

/// What wins, and what is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more.
    Freestyle,
    /// Exactly five: six in a row do not win.
    ExactlyFive,
    /// Exactly five for Black, who may not make six, two fours or two threes at once; five or more for White.
    Renju,
    /// Five that is not between two stones of the opponent, or six and more.
    Caro,
    /// Exactly five that is not between two stones of the opponent.
    CaroExactlyFive,
}

/// The rules in the order of their [names](crate::games::names::GOMOKU_RULES).
pub const RULES: [Rule; 5] = [Rule::Freestyle, Rule::ExactlyFive, Rule::Renju, Rule::Caro, Rule::CaroExactlyFive];

impl Rule {
    /// Whether a five may be blocked by stones at both of its ends. The edge of the board does not block then.
    pub fn blocks_fives(self) -> bool {
        matches!(self, Rule::Caro | Rule::CaroExactlyFive)
    }

    /// Whether this player's forks and overlines are forbidden.
    #[inline(always)]
    pub fn forbids(self, player: usize) -> bool {
        self == Rule::Renju && player == FIRST
    }

    /// Whether a line of this many own stones wins, given whether the opponent has a stone at both of its ends.
    pub fn wins(self, player: usize, length: usize, is_blocked: bool) -> bool {
        match self {
            Rule::Freestyle => length >= 5,
            Rule::Renju if player == SECOND => length >= 5,
            Rule::ExactlyFive | Rule::Renju => length == 5,
            Rule::Caro => length > 5 || length == 5 && !is_blocked,
            Rule::CaroExactlyFive => length == 5 && !is_blocked,
        }
    }
}
