//! The engines that think for the games: one for each game at a time, because two games of a pair run side by side.

use super::client::{Choice, Turn};
use super::event::Event;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::limits::Stop;
use flipside_host::api::command::GoLimits;
use flipside_host::api::event::{BestMove, SearchEvent};
use flipside_host::api::settings::Settings;
use flipside_host::engine::clock::{self, Clock};
use flipside_host::engine::dyn_engine::{DynEngine, SearchRequest};
use flipside_host::engine::registry;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

/// The engines.
pub struct Thinkers {
    settings: Settings,
    seats: Vec<Seat>,
}

/// An engine and the game it thinks for.
struct Seat {
    engine: Box<dyn DynEngine>,
    game: String,
    stop: Option<Arc<Stop>>,
}

impl Thinkers {
    /// Opens the first engine.
    ///
    /// # Errors
    /// The settings name what does not exist, or the memory is not enough.
    pub fn open(settings: Settings) -> Result<Thinkers, OpenError> {
        let mut thinkers = Thinkers { settings, seats: Vec::new() };
        thinkers.add()?;
        Ok(thinkers)
    }

    /// Opens another engine; the index of its seat.
    fn add(&mut self) -> Result<usize, OpenError> {
        let engine = registry::open(&self.settings)?;
        engine.prepare();
        self.seats.push(Seat { engine, game: String::new(), stop: None });
        Ok(self.seats.len() - 1)
    }

    /// The index of the seat of a game, or of a free one.
    fn seat(&mut self, game: &str) -> Result<usize, OpenError> {
        let of = |name: &str| self.seats.iter().position(|seat| seat.game == name);
        of(game).or_else(|| of("")).map_or_else(|| self.add(), Ok)
    }

    /// Begins to think about a turn. The choice, or the failure of the game's engine, comes as an event.
    ///
    /// # Errors
    /// Another engine is needed and cannot be opened.
    pub fn think(&mut self, turn: Turn, events: &Sender<Event>) -> Result<(), OpenError> {
        let index = self.seat(&turn.game)?;
        let (settings, seat) = (&self.settings, &mut self.seats[index]);
        if seat.game != turn.game {
            seat.game.clone_from(&turn.game);
            seat.engine.new_game();
        }
        if let Some(stop) = seat.stop.take() {
            stop.raise();
        }
        seat.engine.resume(turn.position);
        let go = GoLimits { clocks: turn.left.map(Some), increments: [turn.increment; 2], ..GoLimits::default() };
        let side = seat.engine.side();
        let hint = seat.engine.time_hint();
        let limits = clock::limits(&go, &GoLimits::default(), &Clock::default(), side, hint, settings.move_overhead);
        let request = SearchRequest {
            guard: Some(side.of(turn.left)),
            searchmoves: turn.only,
            ..SearchRequest::played(settings, limits)
        };
        let (number, begun, events) = (turn.number, Instant::now(), events.clone());
        let sink = move |event| {
            if let SearchEvent::BestMove(best) = event {
                // The receiver is gone when the program ends.
                let _ = events.send(chosen(best, number, begun));
            }
        };
        seat.stop = Some(seat.engine.search(request, Arc::new(sink)).stop);
        Ok(())
    }

    /// Ends the thoughts about a game; its engine is free for another one.
    pub fn stop(&mut self, game: &str) {
        for seat in self.seats.iter_mut().filter(|seat| seat.game == game) {
            if let Some(stop) = seat.stop.take() {
                stop.raise();
            }
            seat.game.clear();
        }
    }
}

fn chosen(best: BestMove, number: u64, begun: Instant) -> Event {
    match best.mv {
        Some(mv) if best.failure.is_none() => {
            let score = best.info.as_ref().map(|info| info.score);
            Event::Chosen(Choice { number, mv, score, used: begun.elapsed() })
        }
        _ => Event::Failed(number),
    }
}
