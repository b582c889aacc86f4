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
    /// UCT: sampled games, more of them where they went well. Its values are means, not those of minimax.
    Uct,
}

impl Algorithm {
    /// The names on the command line and in the protocols, with their algorithms.
    pub const ALL: [(&'static str, Algorithm); 7] = [
        ("minimax", Algorithm::Minimax),
        ("alphabeta", Algorithm::AlphaBeta),
        ("alphabeta-hard", Algorithm::AlphaBetaHard),
        ("negamax", Algorithm::Negamax),
        ("scout", Algorithm::Scout),
        ("pvs", Algorithm::Pvs),
        ("uct", Algorithm::Uct),
    ];

    /// Those that find the value of minimax, all of them the same.
    pub fn minimax_family() -> impl Iterator<Item = (&'static str, Algorithm)> {
        Self::ALL.into_iter().filter(|(_, algorithm)| *algorithm != Algorithm::Uct)
    }
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
