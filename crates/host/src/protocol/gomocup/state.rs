//! The settings of a Gomocup manager for later requests, and the stones on the board.

use super::coordinates::Coordinates;
use crate::api::command::GoLimits;
use flipside_core::games::names::{self, GOMOKU_RULES};
use flipside_core::search::types::Side;
use std::time::Duration;

/// A stone on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stone {
    pub at: Coordinates,
    pub side: Side,
}

/// Stones, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub stones: Vec<Stone>,
    pub to_move: Side,
}

impl Default for Placed {
    fn default() -> Placed {
        Placed { stones: Vec::new(), to_move: Side::First }
    }
}

impl Placed {
    /// Puts a stone of the side to move on a point.
    pub fn play(&mut self, at: Coordinates) {
        self.stones.push(Stone { at, side: self.to_move });
        self.to_move = self.to_move.other();
    }
}

/// A list of stones that the manager sends line by line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BoardList {
    /// What is done with it at its end.
    pub kind: BoardKind,
    /// The engine's own stones; for `SWAP2BOARD` all of them in the order of play.
    pub own: Vec<Coordinates>,
    pub other: Vec<Coordinates>,
    /// The first line that is not a stone of this board.
    pub bad_line: Option<String>,
}

/// What is done with a list of stones at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BoardKind {
    /// The engine moves.
    #[default]
    Answered,
    /// The stones are only set up.
    Silent,
    /// The engine chooses a colour, or puts the first stones (`SWAP2BOARD`).
    Swap2,
    /// The list is ignored, because the command before it was not understood.
    Ignored,
}

/// Size and rule, clock, stones.
#[derive(Debug)]
pub(super) struct GomocupState {
    /// Points a side, once `START` was accepted.
    pub size: Option<usize>,
    /// A rule of [`GOMOKU_RULES`].
    pub rule: &'static str,
    /// `timeout_turn`: time for a move, zero for as fast as possible.
    pub turn_time: Option<Duration>,
    /// `timeout_match`: time for all moves.
    pub match_time: Option<Duration>,
    /// `time_left` of the match.
    pub time_left: Option<Duration>,
    /// `time_increment`: added to the time of the match after each move.
    pub increment: Duration,
    /// `max_depth`, in plies.
    pub max_depth: Option<u32>,
    /// `max_node`.
    pub max_nodes: Option<u64>,
    /// The option `Hash` derived from `max_memory` or `hash_size`.
    pub hash: Option<u64>,
    /// The stones on the board.
    pub placed: Placed,
    /// The stones if the present request succeeds.
    pub pending: Option<Placed>,
    /// The list of stones being received.
    pub board: Option<BoardList>,
    /// Whether the game could not be opened: `START` has been answered then.
    pub refused: bool,
    /// Whether the running search answers `SWAP2BOARD`.
    pub may_swap: bool,
}

impl Default for GomocupState {
    fn default() -> GomocupState {
        GomocupState {
            size: None,
            rule: GOMOKU_RULES[0],
            turn_time: None,
            match_time: None,
            time_left: None,
            increment: Duration::ZERO,
            max_depth: None,
            max_nodes: None,
            hash: None,
            placed: Placed::default(),
            pending: None,
            board: None,
            refused: false,
            may_swap: false,
        }
    }
}

/// Time for a move that must come as fast as possible.
const FASTEST: Duration = Duration::from_millis(50);
/// If the match clock shows the time of this many moves, each move may use its own time.
const AMPLE_MOVES: u32 = 40;
/// With a shorter match clock, a move gets a part that never exceeds its own time if the clock shows this many times
/// that.
const CLOCK_TURNS: u32 = 3;

impl GomocupState {
    /// The registry's name of the game.
    pub fn game(&self) -> &'static str {
        names::variant_of("gomoku", self.size, Some(self.rule)).map_or("gomoku", |game| game.name)
    }

    /// The limits of a move.
    pub fn move_limits(&self) -> GoLimits {
        GoLimits { depth: self.max_depth, nodes: self.max_nodes, ..self.time_limits() }
    }

    /// The limits of time of a move. Time management takes one clock or one fixed time, so a short match clock is reduced to
    /// what keeps each move within its own time.
    fn time_limits(&self) -> GoLimits {
        let turn = self.turn_time.map(|time| if time.is_zero() { FASTEST } else { time });
        let left = self.time_left.filter(|_| self.match_time.is_none_or(|time| !time.is_zero())).or(self.match_time);
        let left = left.filter(|left| !left.is_zero() || self.match_time.is_some_and(|time| !time.is_zero()));
        match (turn, left) {
            (turn, None) => GoLimits { move_time: turn, ..GoLimits::default() },
            (Some(turn), Some(left)) if left >= turn * AMPLE_MOVES => {
                GoLimits { move_time: Some(turn), ..GoLimits::default() }
            }
            (turn, Some(left)) => {
                let shown = turn.map_or(left, |turn| left.min(turn * CLOCK_TURNS));
                GoLimits { clocks: [Some(shown); 2], increments: [self.increment; 2], ..GoLimits::default() }
            }
        }
    }

    /// The name of a point in the game's own notation, if it is on the board.
    pub fn name_of(&self, at: Coordinates) -> Option<String> {
        at.name(self.size?)
    }

    /// The point of that name.
    pub fn coordinates_of(&self, name: &str) -> Option<Coordinates> {
        Coordinates::of_name(name, self.size?)
    }

    /// The position in the game's own notation.
    pub fn position(&self, placed: &Placed) -> String {
        let size = self.size.unwrap_or_default();
        let mut rows = vec![vec!['.'; size]; size];
        for Stone { at, side } in &placed.stones {
            if let Some(point) = rows.get_mut(at.y).and_then(|row| row.get_mut(at.x)) {
                *point = side.of(['x', 'o']);
            }
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        format!("{} {}", rows.join("/"), placed.to_move.of(['x', 'o']))
    }

    /// Adopts the pending stones after the request succeeded.
    pub fn commit(&mut self) {
        if let Some(placed) = self.pending.take() {
            self.placed = placed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_move_takes_longer_than_its_own_time() {
        let seconds = |n| Some(Duration::from_secs(n));
        let limits = |turn, all, left| {
            let state = GomocupState { turn_time: turn, match_time: all, time_left: left, ..GomocupState::default() };
            let GoLimits { move_time, clocks: [clock, _], .. } = state.move_limits();
            (move_time, clock)
        };
        assert_eq!(limits(None, None, None), (None, None));
        assert_eq!(limits(seconds(0), None, None), (Some(FASTEST), None));
        assert_eq!(limits(seconds(5), None, None), (seconds(5), None));
        assert_eq!(limits(seconds(5), seconds(0), seconds(0)), (seconds(5), None), "no clock of the match");
        assert_eq!(limits(seconds(5), seconds(0), seconds(2_147_483)), (seconds(5), None));
        assert_eq!(limits(seconds(5), seconds(1000), seconds(900)), (seconds(5), None), "ample");
        assert_eq!(limits(seconds(5), seconds(100), seconds(90)), (None, seconds(15)));
        assert_eq!(limits(seconds(30), seconds(100), seconds(20)), (None, seconds(20)));
        assert_eq!(limits(seconds(30), seconds(100), seconds(0)), (None, seconds(0)), "run out");
        assert_eq!(limits(None, seconds(100), None), (None, seconds(100)));
    }
}
