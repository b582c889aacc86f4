//! The search algorithms by name: the production search and those of the textbook.

use std::fmt;
use std::str::FromStr;

/// A search algorithm by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Minimax: every position to the full depth.
    Minimax,
    /// Fail-soft alpha-beta: cuts at a value of at least beta, and values may lie outside the window.
    AlphaBeta,
    /// Fail-hard alpha-beta: values are clamped to the window, and only a value above beta cuts.
    AlphaBetaHard,
    /// Alpha-beta written as one function for both players: the same tree as [`Algorithm::AlphaBeta`].
    Negamax,
    /// Scout: the first move with the full window, the others with a null window, and again where that fails high.
    Scout,
    /// The production search: principal variation search with its own transposition table.
    Pvs,
}

impl Algorithm {
    /// The names on the command line and in the protocols, with their algorithms.
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
