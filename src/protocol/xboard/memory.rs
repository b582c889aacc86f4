//! What an XBoard host says once and remaining until it says otherwise.

use crate::api::command::{GoLimits, TimeControl};
use crate::api::event::Info;
use crate::search::types::Certainty;
use std::time::Duration;

/// What the engine does with a move of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// It answers.
    #[default]
    Play,
    /// It takes note of it.
    Force,
    /// It evaluates the position after it.
    Analyze,
}

/// Mode, limits, and what was told last.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub mode: Mode,
    /// Whether the host wants to see lines of play.
    pub post: bool,
    /// Whether to think on the opponent's time.
    pub hard: bool,
    /// `sd`, in plies.
    pub depth: Option<u32>,
    /// `level` or `st`.
    pub control: Option<TimeControl>,
    /// What the engine's own clock shows.
    pub own_clock: Option<Duration>,
    /// Moves that the engine has made since `new`.
    pub made: u32,
    /// The move of the user that is being thought about before it is played.
    pub predicted: Option<String>,
    /// The move that the user is expected to answer with.
    pub expected: Option<String>,
    /// Whether the expected move leaves the engine something to think about.
    pub worth_pondering: bool,
    /// The best line told last.
    pub latest: Option<Info>,
    /// The certainty told last.
    pub announced: Option<Certainty>,
}

impl Memory {
    /// A new game: the clocks start again, there is no depth limit, and nothing is expected.
    pub fn start_game(&mut self) {
        if self.mode == Mode::Force {
            self.mode = Mode::Play;
        }
        (self.depth, self.own_clock, self.made) = (None, None, 0);
        self.expect(None, false);
    }

    /// What the user may play next.
    pub fn expect(&mut self, mv: Option<String>, worth_pondering: bool) {
        self.expected = mv;
        self.worth_pondering = worth_pondering;
    }

    /// The limits of a move. The clock is the engine's own, whichever side it plays, so it stands
    /// in both places; the control itself is known to the session.
    pub fn move_limits(&self) -> GoLimits {
        let limits = GoLimits { depth: self.depth, ..GoLimits::default() };
        let (increment, moves_to_go) = match self.control {
            Some(TimeControl::Canadian { period, .. }) => return GoLimits { move_time: Some(period), ..limits },
            Some(TimeControl::Classical { moves, increment, .. }) => {
                (increment, self.made.checked_rem(moves).map(|made| moves - made))
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
        let mut memory = Memory { control: Some(control), own_clock: Some(100 * second), ..Memory::default() };
        for (made, to_go) in [(0, 40), (1, 39), (39, 1), (40, 40), (41, 39)] {
            memory.made = made;
            let limits = memory.move_limits();
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
        let memory = Memory { control: Some(control), own_clock: Some(9 * second), ..Memory::default() };
        let limits = memory.move_limits();
        assert_eq!((limits.move_time, limits.clocks), (Some(second), [None; 2]));
    }

    #[test]
    fn a_new_game_forgets_but_analysis_goes_on() {
        let mut memory = Memory { mode: Mode::Force, depth: Some(3), made: 7, ..Memory::default() };
        memory.start_game();
        assert_eq!((memory.mode, memory.depth, memory.made), (Mode::Play, None, 0));
        memory.mode = Mode::Analyze;
        memory.start_game();
        assert_eq!(memory.mode, Mode::Analyze);
    }
}
