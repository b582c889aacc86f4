//! The settings of an XBoard host for later requests, and the engine's latest reports.

use crate::api::command::{GoLimits, TimeControl};
use crate::api::event::Iteration;
use flipside_core::search::types::Certainty;
use std::time::Duration;

/// How the engine reacts to a move of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// It answers.
    #[default]
    Play,
    /// It only plays the move on its board.
    Force,
    /// It analyses the position after the move.
    Analyze,
}

/// Mode, limits, and the latest reports.
#[derive(Debug, Default)]
pub(super) struct XBoardState {
    pub mode: Mode,
    /// Whether the host wants to see the search's variations.
    pub post: bool,
    /// Whether to ponder: think on the opponent's time.
    pub hard: bool,
    /// `sd`, in plies.
    pub depth: Option<u32>,
    /// `level` or `st`.
    pub control: Option<TimeControl>,
    /// The time on the engine's own clock.
    pub own_clock: Option<Duration>,
    /// Moves that the engine has made since `new`.
    pub moves_made: u32,
    /// The user's expected move while the engine ponders on it.
    pub ponder_move: Option<String>,
    /// The expected answer of the user.
    pub expected_move: Option<String>,
    /// Whether the game goes on after the expected move.
    pub worth_pondering: bool,
    /// The latest iteration of the best variation.
    pub latest: Option<Iteration<String>>,
    /// The certainty of the last comment about it.
    pub announced: Option<Certainty>,
}

impl XBoardState {
    /// A new game: fresh clocks, no depth limit, no expected move.
    pub fn start_game(&mut self) {
        if self.mode == Mode::Force {
            self.mode = Mode::Play;
        }
        (self.depth, self.own_clock, self.moves_made) = (None, None, 0);
        self.expect(None, false);
    }

    /// Sets the move that the user is expected to play next.
    pub fn expect(&mut self, mv: Option<String>, worth_pondering: bool) {
        self.expected_move = mv;
        self.worth_pondering = worth_pondering;
    }

    /// Whether the engine ponders or analyses.
    pub fn thinks_without_end(&self) -> bool {
        self.mode == Mode::Analyze || self.ponder_move.is_some()
    }

    /// Whether the engine ponders on this move.
    pub fn is_pondered(&self, mv: &str) -> bool {
        self.ponder_move.as_ref().is_some_and(|predicted| predicted.eq_ignore_ascii_case(mv))
    }

    /// The limits of a move. The engine has one clock, whichever side it plays, so both sides get it; the session knows
    /// the time control.
    pub fn move_limits(&self) -> GoLimits {
        let limits = GoLimits { depth: self.depth, ..GoLimits::default() };
        let (increment, moves_to_go) = match self.control {
            Some(TimeControl::Canadian { period, .. } | TimeControl::ByoYomi { period, .. }) => {
                return GoLimits { move_time: Some(period), ..limits };
            }
            Some(TimeControl::Classical { moves, increment, .. }) => {
                (increment, self.moves_made.checked_rem(moves).map(|made| moves - made))
            }
            Some(TimeControl::Game { increment, .. }) => (increment, None),
            Some(TimeControl::Unlimited) | None => (Duration::ZERO, None),
        };
        GoLimits { clocks: [self.own_clock; 2], increments: [increment; 2], moves_to_go, ..limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_of_moves_runs_out_and_begins_again() {
        let second = Duration::from_secs(1);
        let control = TimeControl::Classical { moves: 40, main: 300 * second, increment: second };
        let mut state = XBoardState { control: Some(control), own_clock: Some(100 * second), ..XBoardState::default() };
        for (made, to_go) in [(0, 40), (1, 39), (39, 1), (40, 40), (41, 39)] {
            state.moves_made = made;
            let limits = state.move_limits();
            assert_eq!(
                (limits.moves_to_go, limits.clocks[1], limits.increments[0]),
                (Some(to_go), Some(100 * second), second)
            );
        }
    }

    #[test]
    fn a_fixed_time_is_not_a_clock() {
        let second = Duration::from_secs(1);
        let control = TimeControl::Canadian { main: Duration::ZERO, period: second, stones: 1 };
        let state = XBoardState { control: Some(control), own_clock: Some(9 * second), ..XBoardState::default() };
        let limits = state.move_limits();
        assert_eq!((limits.move_time, limits.clocks), (Some(second), [None; 2]));
    }

    #[test]
    fn a_new_game_forgets_but_analysis_goes_on() {
        let mut state = XBoardState { mode: Mode::Force, depth: Some(3), moves_made: 7, ..XBoardState::default() };
        state.start_game();
        assert_eq!((state.mode, state.depth, state.moves_made), (Mode::Play, None, 0));
        state.mode = Mode::Analyze;
        state.start_game();
        assert_eq!(state.mode, Mode::Analyze);
    }
}
