//! A player inside this process: a room of its own and its search.

use super::player::{Fault, Player, Thought, Times};
use super::spec::{PlayerSpec, Terms};
use crate::api::command::{GoLimits, PlayedMove};
use crate::api::event::BestMove;
use crate::api::settings::Settings;
use crate::engine::clock::{self, Clock};
use crate::engine::dyn_engine::{DynEngine, SearchRequest, SetupError, Start};
use crate::engine::registry;
use crate::engine::skill::{Skill, limited};
use crate::games::names;
use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::Instant;

/// A room with its settings.
pub struct Builtin {
    room: Box<dyn DynEngine>,
    settings: Settings,
}

impl Builtin {
    /// Opens a room with the player's options.
    pub fn open(spec: &PlayerSpec, game: &str) -> Result<Builtin, Fault> {
        let unusable = |text: String| Fault::Unusable(format!("{}: {text}", spec.name));
        let mut settings = Settings { game: game.to_string(), ..Settings::default() };
        let open = |settings: &Settings| registry::open(settings).map_err(|error| unusable(error.to_string()));
        for (name, value) in &spec.options {
            settings.set(&names::GAMES, name, Some(value)).map_err(|refusal| unusable(refusal.to_string()))?;
        }
        let room = open(&settings)?;
        Ok(Builtin { room, settings })
    }

    /// Sets up the position with its history.
    fn follow(&mut self, room: &dyn DynEngine) -> Result<(), Fault> {
        let start = room.start_position(Style::Plain);
        let moves: Vec<PlayedMove> =
            room.history(Style::Plain).into_iter().map(|(side, text)| PlayedMove::by(side, text)).collect();
        self.room.set_position(Start::Text(&start), &moves, Style::Plain, false).map_err(|misfit| match misfit {
            SetupError::Position(error) => Fault::Refused(error.to_string()),
            SetupError::Move(text, reason) => Fault::Refused(format!("{text}: {reason}")),
        })
    }

    fn request(&self, side: Side, times: &Times) -> SearchRequest {
        let words = GoLimits {
            depth: times.terms.depth,
            nodes: times.terms.nodes,
            move_time: times.terms.move_time,
            clocks: times.left,
            increments: times.increments,
            ..GoLimits::default()
        };
        let limits = clock::limits(
            &words,
            &GoLimits::default(),
            &Clock::default(),
            side,
            self.room.time_hint(),
            self.settings.move_overhead,
        );
        let limits = limited(limits, self.settings.level, self.settings.strength);
        SearchRequest {
            threads: self.settings.threads,
            skill: Skill::new(self.settings.strength, self.settings.variety, self.settings.seed),
            ..SearchRequest::new(limits)
        }
    }
}

impl Player for Builtin {
    fn style(&self) -> Style {
        Style::Plain
    }

    fn new_game(&mut self, room: &dyn DynEngine, _terms: &Terms) -> Result<(), Fault> {
        self.room.new_game();
        self.follow(room)
    }

    fn think(&mut self, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault> {
        let side = room.side();
        let deadline = times.deadline(side);
        let begun = Instant::now();
        self.follow(room)?;
        let mut request = self.request(side, times);
        // Not even a search that knows no time outlasts the referee's patience.
        let most = deadline.saturating_duration_since(begun);
        request.limits.hard = Some(request.limits.hard.map_or(most, |hard| hard.min(most)));
        let best_move = self.room.search_blocking(request);
        if Instant::now() < deadline { thought(best_move, begun) } else { Err(Fault::Hung("a search".into())) }
    }
}

fn thought(best_move: BestMove, begun: Instant) -> Result<Thought, Fault> {
    if let Some(failure) = best_move.failure {
        return Err(Fault::Crashed(failure));
    }
    let mv = best_move.mv.ok_or_else(|| Fault::Refused("no move".into()))?;
    Ok(Thought {
        mv,
        used: begun.elapsed(),
        value: best_move.info.as_ref().map(|info| info.score),
        depth: best_move.info.as_ref().map(|info| info.depth),
        nodes: Some(best_move.statistics.nodes),
    })
}
