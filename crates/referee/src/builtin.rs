//! A player inside this process: a separate engine that searches on the calling thread.

use super::limits::PlayerLimits;
use super::player::MatchPlayer;
use super::spec::PlayerSpec;
use super::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::api::command::GoLimits;
use flipside_host::api::event::BestMove;
use flipside_host::api::settings::{BookSource, Settings};
use flipside_host::engine::clock::{self, Clock};
use flipside_host::engine::dyn_engine::{DynEngine, SearchRequest};
use flipside_host::engine::registry;
use std::time::Instant;

/// An engine with its settings.
pub struct Builtin {
    engine: Box<dyn DynEngine>,
    settings: Settings,
}

impl Builtin {
    /// Opens an engine with the player's options.
    ///
    /// # Errors
    /// The engine does not have the option or the game.
    pub fn open(spec: &PlayerSpec, game: &str) -> Result<Builtin, PlayerError> {
        let unusable = |text: String| PlayerError::Unusable(format!("{}: {text}", spec.name));
        // By default a match measures searches, without a book.
        let book = BookSource::None;
        let mut settings = Settings { game: game.to_string(), book, ..Settings::default() };
        for (name, value) in &spec.options {
            settings.set(names::GAMES, name, Some(value)).map_err(|error| unusable(error.to_string()))?;
        }
        let engine = registry::open(&settings).map_err(|error| unusable(error.to_string()))?;
        Ok(Builtin { engine, settings })
    }

    /// Goes on with the board's game.
    fn set_position(&mut self, board: &dyn DynEngine) -> Result<(), PlayerError> {
        let resumed = self.engine.resume(board.save());
        resumed.then_some(()).ok_or_else(|| PlayerError::Refused("a board of another game".into()))
    }

    fn request(&self, side: Side, times: &MoveTimes) -> SearchRequest {
        let go = GoLimits {
            depth: times.limits.depth,
            nodes: times.limits.nodes,
            move_time: times.limits.move_time,
            ..GoLimits::default()
        };
        let defaults = GoLimits::default();
        let clock = times.clocks[side.index()].map_or_else(Clock::default, Clock::from);
        let limits = clock::limits(&go, &defaults, &clock, side, self.engine.time_hint(), self.settings.move_overhead);
        SearchRequest::played(&self.settings, limits)
    }
}

impl MatchPlayer for Builtin {
    fn style(&self) -> Style {
        Style::Plain
    }

    fn new_game(&mut self, board: &dyn DynEngine, _limits: &PlayerLimits) -> Result<(), PlayerError> {
        self.engine.new_game();
        self.set_position(board)
    }

    fn choose_move(&mut self, board: &dyn DynEngine, times: &MoveTimes) -> Result<MoveReply, PlayerError> {
        let side = board.side();
        let deadline = times.deadline(side);
        let begun = Instant::now();
        self.set_position(board)?;
        // A search bounded by depth or nodes alone must end before the stall timeout, too.
        let guard = Some(deadline.saturating_duration_since(begun));
        let best_move = self.engine.search_blocking(SearchRequest { guard, ..self.request(side, times) });
        if Instant::now() < deadline { reply(best_move, begun) } else { Err(PlayerError::Stalled("a search".into())) }
    }
}

fn reply(best_move: BestMove, begun: Instant) -> Result<MoveReply, PlayerError> {
    if let Some(failure) = best_move.failure {
        return Err(PlayerError::Crashed(failure));
    }
    let mv = best_move.mv.ok_or_else(|| PlayerError::Refused("no move".into()))?;
    Ok(MoveReply {
        mv,
        elapsed: begun.elapsed(),
        score: best_move.info.as_ref().map(|info| info.score),
        depth: best_move.info.as_ref().map(|info| info.depth),
        nodes: Some(best_move.statistics.nodes),
        from_book: best_move.book.is_some(),
    })
}
