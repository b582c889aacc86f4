//! The search algorithms by name: the production search and those of the textbook.

use std::fmt;
use std::str::FromStr;

/// A searcher by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every position to the full depth.
    Minimax,
    /// Fail-soft alpha-beta, which cuts at a value of at least beta.
    AlphaBeta,
    /// Values stay inside the window; cuts only strictly outside it.
    AlphaBetaHard,
    /// Alpha-beta in one function for both players: the same tree as [`Algorithm::AlphaBeta`].
    Negamax,
    /// First move with the full window, others with a null window and a second search where that fails.
    Scout,
    /// The production search.
    Pvs,
}

impl Algorithm {
    /// The names with their searchers.
    pub const ALL: [(&'static str, Algorithm); 6] = [
        ("minimax", Algorithm::Minimax),
        ("alphabeta", Algorithm::AlphaBeta),
        ("alphabeta-hard", Algorithm::AlphaBetaHard),
        ("negamax", Algorithm::Negamax),
        ("scout", Algorithm::Scout),
        ("pvs", Algorithm::Pvs),
    ];
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(_, algorithm)| algorithm == self).map_or("", |(name, _)| *name);
        f.write_str(name)
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Algorithm, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, algorithm)| *algorithm);
        let names = Self::ALL.map(|(name, _)| name).join(", ");
        found.ok_or_else(|| format!("expected one of {names}, saw '{text}'"))
    }
}
