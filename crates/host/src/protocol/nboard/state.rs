//! The settings of an NBoard host for later requests: depth and clocks.

use crate::api::command::GoLimits;
use crate::record::ggf::{GgfGame, GgfMove};
use flipside_core::search::types::Side;
use std::time::Duration;

#[derive(Debug, Default)]
pub(super) struct NBoardState {
    /// `set depth`, in plies.
    pub depth: Option<u32>,
    clocks: Clocks,
    /// The clocks after the latest parsed game or move, until the session accepts it.
    pending: Option<Clocks>,
}

/// The clocks of a game.
#[derive(Clone, Debug, Default)]
struct Clocks {
    left: [Option<Duration>; 2],
    increments: [Duration; 2],
    /// The player of the last move, if the game says so.
    last_mover: Option<Side>,
}

impl NBoardState {
    /// Sets the clocks from a game, less the time of its moves.
    pub fn take_clocks(&mut self, game: &GgfGame) {
        let white_begins = game.board.as_ref().is_some_and(|board| board.trim_end().ends_with(['O', 'o']));
        let before_first = if white_begins { Side::First } else { Side::Second };
        self.pending = Some(Clocks {
            left: [Side::First, Side::Second].map(|side| game.time_left(side)),
            increments: [Side::First, Side::Second]
                .map(|side| game.clock(side).and_then(|clock| clock.increment).unwrap_or_default()),
            last_mover: Some(game.moves.last().map_or(before_first, |mv| mv.side)),
        });
    }

    /// Takes the time of a further move off its player's clock.
    pub fn spend(&mut self, mv: &GgfMove) {
        let mut clocks = self.clocks.clone();
        let Some(side) = clocks.last_mover.map(Side::other) else { return };
        clocks.last_mover = Some(side);
        let [first, second] = &mut clocks.left;
        let (clock, increment) = (side.of([first, second]), side.of(clocks.increments));
        if let (Some(left), Some(time)) = (clock.as_mut(), mv.time) {
            *left = left.saturating_sub(time) + increment;
        }
        self.pending = Some(clocks);
    }

    /// Adopts the clocks after the game or move was accepted.
    pub fn commit(&mut self) {
        if let Some(clocks) = self.pending.take() {
            self.clocks = clocks;
        }
    }

    /// Drops the clocks after the game or move was refused.
    pub fn discard(&mut self) {
        self.pending = None;
    }

    /// The limits of a move: the depth if the host set one, else the clocks of the game.
    pub fn move_limits(&self) -> GoLimits {
        match self.depth {
            Some(_) => GoLimits { depth: self.depth, ..GoLimits::default() },
            None => GoLimits { clocks: self.clocks.left, increments: self.clocks.increments, ..GoLimits::default() },
        }
    }

    /// The limits of an analysis that goes on until the next line of input.
    pub fn hint_limits(&self) -> GoLimits {
        GoLimits { depth: self.depth, infinite: true, ..GoLimits::default() }
    }

    /// The limits of each position of a game analysis.
    pub fn game_analysis_limits(&self) -> GoLimits {
        match self.depth {
            Some(_) => GoLimits { depth: self.depth, ..GoLimits::default() },
            None => GoLimits { move_time: Some(Duration::from_millis(500)), ..GoLimits::default() },
        }
    }
}
