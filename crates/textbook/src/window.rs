//! The window of the root, if it is not the full one.

use super::units::Units;
use flipside_core::games::tree::read_value;
use flipside_core::games::tree_scale::Scale;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::types::{Score, Side, WIN};
use std::fmt::{self, Display};
use std::str::FromStr;

/// Alpha and beta in scores, alpha below beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

/// A window as a user gives it: alpha and beta in units for Max, alpha below beta. In text `2,5.5`, `L` for a loss, `W`
/// for a win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootWindow {
    alpha: f64,
    beta: f64,
}

/// Why a window cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    /// The text is not a pair of values.
    #[error("expected a window such as 2,5 or L,6, saw '{0}'")]
    Text(String),
    /// The window contains no value.
    #[error("the window [{0},{1}] is empty: alpha must be below beta")]
    Empty(String, String),
    /// A bound is no score of the game.
    #[error("the window [{0},{1}] reaches beyond the scores of a game, which have two decimals and stay below 290")]
    Range(String, String),
    /// The algorithm takes no window.
    #[error("{0} takes no window: choose alphabeta, alphabeta-hard, negamax or scout")]
    Algorithm(Algorithm),
}

impl Window {
    /// From a loss to a win: every value lies inside.
    pub const FULL: Window = Window { alpha: -WIN, beta: WIN };

    /// The window between two values; `None` unless alpha is below beta.
    pub fn new(alpha: Score, beta: Score) -> Option<Window> {
        let (alpha, beta) = (alpha.max(-WIN), beta.min(WIN));
        (alpha < beta).then_some(Window { alpha, beta })
    }

    /// Whether an algorithm takes a window: minimax and UCT have none, and the production search chooses its own.
    pub fn is_for(algorithm: Algorithm) -> bool {
        !matches!(algorithm, Algorithm::Minimax | Algorithm::Pvs | Algorithm::Uct)
    }

    /// Alpha and beta.
    pub fn bounds(self) -> (Score, Score) {
        (self.alpha, self.beta)
    }
}

impl RootWindow {
    /// From a loss to a win.
    pub const FULL: RootWindow = RootWindow { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };

    /// Alpha and beta.
    pub fn values(self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The window for a search by this algorithm with this player to move at the root, in scores of this scale.
    ///
    /// # Errors
    /// The window is not the full one, and [the algorithm takes none](Window::is_for); or it is none on the scale.
    pub fn of_root(self, algorithm: Algorithm, side: Side, scale: &Scale) -> Result<Window, WindowError> {
        if self != RootWindow::FULL && !Window::is_for(algorithm) {
            return Err(WindowError::Algorithm(algorithm));
        }
        let [alpha, beta] = self.values().map(|bound| scale.score(bound));
        let is_exact = self.values() == [alpha, beta].map(|bound| scale.value(bound));
        let (alpha, beta) = if side == Side::First { (alpha, beta) } else { (-beta, -alpha) };
        Window::new(alpha, beta).filter(|_| is_exact).ok_or_else(|| self.error(WindowError::Range))
    }

    fn error(self, kind: fn(String, String) -> WindowError) -> WindowError {
        kind(Units(self.alpha).to_string(), Units(self.beta).to_string())
    }
}

impl Display for RootWindow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", Units(self.alpha), Units(self.beta))
    }
}

impl FromStr for RootWindow {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<RootWindow, WindowError> {
        let wrong = || WindowError::Text(text.to_string());
        let (alpha, beta) = text.split_once(',').ok_or_else(wrong)?;
        let value = |text: &str| read_value(text.trim()).ok_or_else(wrong);
        let window = RootWindow { alpha: value(alpha)?, beta: value(beta)? };
        if window.alpha < window.beta { Ok(window) } else { Err(window.error(WindowError::Empty)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RootWindow, WindowError> {
        text.parse()
    }

    #[test]
    fn windows_are_read_and_written() {
        for text in ["L,W", "2,5", "-0.5,0.25", "L,6", "-1000,1000000"] {
            assert_eq!(read(text).map(|window| window.to_string()), Ok(text.to_string()));
        }
        assert_eq!(read("l, 5").ok(), None, "a loss is a capital letter, as in trees");
        assert_eq!(read(" 2 , 5 "), read("2,5"));
        assert_eq!(read("W,L"), Err(WindowError::Empty("W".into(), "L".into())));
        for text in ["", "2", "2,", "2,5,6", "a,b", "5;6"] {
            assert_eq!(read(text), Err(WindowError::Text(text.into())));
        }
    }

    #[test]
    fn a_root_of_min_sees_it_turned_round_and_minimax_has_none() {
        let scores =
            |text: &str, algorithm, side| read(text)?.of_root(algorithm, side, &Scale::HUNDREDTHS).map(Window::bounds);
        assert_eq!(scores("2,5", Algorithm::AlphaBeta, Side::First), Ok((200, 500)));
        assert_eq!(scores("2,5", Algorithm::AlphaBeta, Side::Second), Ok((-500, -200)));
        let refused = scores("2,5", Algorithm::Minimax, Side::First);
        assert_eq!(refused, Err(WindowError::Algorithm(Algorithm::Minimax)));
        assert_eq!(scores("L,W", Algorithm::Uct, Side::Second), Ok(Window::FULL.bounds()));
        for text in ["2,2.001", "2,400"] {
            assert!(matches!(scores(text, Algorithm::AlphaBeta, Side::First), Err(WindowError::Range(..))), "{text}");
        }
    }
}
