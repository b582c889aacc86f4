//! A player inside this process: a room of its own and its search.

use super::player::{Fault, Player, Thought, Times};
use super::spec::{PlayerSpec, Terms};
use crate::api::command::{GoLimits, Turn};
use crate::api::event::Choice;
use crate::api::settings::Settings;
use crate::engine::clock::{self, Clock};
use crate::engine::dyn_engine::{DynEngine, News, Order, SetupError, Start};
use crate::engine::registry;
use crate::engine::skill::{Skill, limited};
use crate::games::names;
use crate::search::notation::Style;
use crate::search::types::Side;
use std::sync::Arc;
use std::sync::mpsc::channel;
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
        let moves: Vec<Turn> =
            room.history(Style::Plain).into_iter().map(|(side, text)| Turn::by(side, text)).collect();
        self.room.set_position(Start::Text(&start), &moves, Style::Plain, false).map_err(|misfit| match misfit {
            SetupError::Position(error) => Fault::Refused(error.to_string()),
            SetupError::Move(text, reason) => Fault::Refused(format!("{text}: {reason}")),
        })
    }

    fn order(&self, side: Side, times: &Times) -> Order {
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
        Order {
            limits,
            lines: 1,
            only: Vec::new(),
            style: Style::Plain,
            threads: self.settings.threads,
            skill: Skill::new(self.settings.strength, self.settings.variety, self.settings.seed),
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
        let mut order = self.order(side, times);
        // Not even a search that knows no time outlasts the referee's patience.
        let most = deadline.saturating_duration_since(begun);
        order.limits.hard = Some(order.limits.hard.map_or(most, |hard| hard.min(most)));
        let (sender, choices) = channel();
        let sink = move |item| {
            if let News::Done(choice) = item {
                // The receiver lives until this function returns.
                let _ = sender.send(choice);
            }
        };
        self.room.search_here(order, Arc::new(sink));
        match choices.try_recv() {
            Ok(choice) if Instant::now() < deadline => thought(choice, begun),
            _ => Err(Fault::Hung("a search".into())),
        }
    }
}

fn thought(choice: Choice, begun: Instant) -> Result<Thought, Fault> {
    if let Some(trouble) = choice.trouble {
        return Err(Fault::Crashed(trouble));
    }
    let mv = choice.mv.ok_or_else(|| Fault::Refused("no move".into()))?;
    Ok(Thought {
        mv,
        used: begun.elapsed(),
        value: choice.best.as_ref().map(|best| best.score),
        depth: choice.best.as_ref().map(|best| best.depth),
        nodes: Some(choice.totals.nodes),
    })
}
