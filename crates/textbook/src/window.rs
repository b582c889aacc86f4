//! The window of the root, if it is not the full one.

use super::trace_tree::format_score;
use flipside_core::games::tree::read_value;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::types::{Score, Side, WIN};
use std::fmt::{self, Display};
use std::str::FromStr;

/// Alpha and beta in hundredths of a unit, alpha below beta. In text `2,5.5` in units, `L` for a loss, `W` for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    alpha: Score,
    beta: Score,
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
    /// The algorithm takes no window.
    #[error("{0} takes no window: choose alphabeta, alphabeta-hard, negamax or scout")]
    Algorithm(Algorithm),
}

impl Window {
    /// From a loss to a win: every value lies inside.
    pub const FULL: Window = Window { alpha: -WIN, beta: WIN };

    /// The window between two values.
    ///
    /// # Errors
    /// Alpha is not below beta.
    pub fn new(alpha: Score, beta: Score) -> Result<Window, WindowError> {
        let (alpha, beta) = (alpha.max(-WIN), beta.min(WIN));
        let empty = || WindowError::Empty(format_score(alpha), format_score(beta));
        if alpha < beta { Ok(Window { alpha, beta }) } else { Err(empty()) }
    }

    /// Whether an algorithm takes a window: minimax and UCT have none, and the production search chooses its own.
    pub fn is_for(algorithm: Algorithm) -> bool {
        !matches!(algorithm, Algorithm::Minimax | Algorithm::Pvs | Algorithm::Uct)
    }

    /// The window for a search by this algorithm with this player to move at the root; `self` is in the view of Max.
    ///
    /// # Errors
    /// The window is not the full one, and [the algorithm takes none](Window::is_for).
    pub fn of_root(self, algorithm: Algorithm, side: Side) -> Result<Window, WindowError> {
        if self != Window::FULL && !Window::is_for(algorithm) {
            return Err(WindowError::Algorithm(algorithm));
        }
        let Window { alpha, beta } = self;
        Ok(if side == Side::First { self } else { Window { alpha: -beta, beta: -alpha } })
    }

    /// Alpha and beta.
    pub fn bounds(self) -> (Score, Score) {
        (self.alpha, self.beta)
    }
}

impl Display for Window {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", format_score(self.alpha), format_score(self.beta))
    }
}

impl FromStr for Window {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<Window, WindowError> {
        let wrong = || WindowError::Text(text.to_string());
        let (alpha, beta) = text.split_once(',').ok_or_else(wrong)?;
        let value = |text: &str| read_value(text.trim()).ok_or_else(wrong);
        Window::new(value(alpha)?, value(beta)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_and_written() {
        for text in ["L,W", "2,5", "-0.5,0.25", "L,6"] {
            assert_eq!(text.parse::<Window>().map(|window| window.to_string()), Ok(text.to_string()));
        }
        assert_eq!("l, 5".parse::<Window>().ok(), None, "a loss is a capital letter, as in trees");
        assert_eq!(" 2 , 5 ".parse(), Window::new(200, 500));
        assert_eq!("W,L".parse::<Window>(), Err(WindowError::Empty("W".into(), "L".into())));
        for text in ["", "2", "2,", "2,5,6", "a,b", "5;6"] {
            assert_eq!(text.parse::<Window>(), Err(WindowError::Text(text.into())));
        }
    }

    #[test]
    fn a_root_of_min_sees_it_turned_round_and_minimax_has_none() {
        let window = Window::new(200, 500).expect("a window");
        let bounds = |side| window.of_root(Algorithm::AlphaBeta, side).map(Window::bounds);
        assert_eq!((bounds(Side::First), bounds(Side::Second)), (Ok((200, 500)), Ok((-500, -200))));
        assert_eq!(window.of_root(Algorithm::Minimax, Side::First), Err(WindowError::Algorithm(Algorithm::Minimax)));
        assert_eq!(Window::FULL.of_root(Algorithm::Uct, Side::Second), Ok(Window::FULL));
    }
}
