//! Requests that need no search: the room, its position, the settings.

use super::Session;
use crate::dialect::Request;
use crate::engine::clock::Clock;
use crate::engine::command::{Command, Query, Refusal, Turn};
use crate::engine::event::Event;
use crate::engine::options::{Effect, Settings};
use crate::engine::registry;
use crate::engine::room::{Misfit, Room, Start};
use crate::search::game::Style;
use std::io::Write;

impl<W: Write> Session<W> {
    pub(super) fn serve(&mut self, request: Request) {
        let Request { ticket, command, .. } = request;
        let answer = match command {
            Command::Say(text) => Ok(Event::Text(text)),
            Command::Refuse(refusal) => Err(refusal),
            Command::Introduce => Ok(self.introduction()),
            Command::Ready => {
                self.room.prepare();
                Ok(Event::Ready)
            }
            Command::NewGame => {
                self.room.new_game();
                self.clock.reset();
                Ok(Event::Done)
            }
            Command::BoardSize(size) => self.board_size(size),
            Command::SelectGame(name) => self.select(&name),
            Command::Setup { start, moves, style, keep_prefix } => {
                let start = start.as_deref().map_or(Start::Initial, Start::Text);
                self.arrange(start, &moves, style, keep_prefix)
            }
            Command::Play { moves, style } => self.arrange(Start::Here, &moves, style, false),
            Command::Answer { to, style, go } => match self.arrange(Start::Here, &[to], style, false) {
                Ok(_) => return self.go(ticket, go),
                Err(refusal) => Err(refusal),
            },
            Command::Undo(count) => {
                if self.room.undo(count) {
                    Ok(Event::Done)
                } else {
                    Err(Refusal::CannotUndo)
                }
            }
            Command::Go(go) => return self.go(ticket, go),
            Command::Analyze { player, lines, limits, until_input } => {
                return self.analyze(ticket, player, lines, limits, until_input);
            }
            Command::Retrograde(limits) => return self.retrograde(ticket, limits),
            Command::Perft(depth) => return self.perft(ticket, depth),
            Command::PonderHit(limits) => return self.ponder_hit(limits),
            Command::Stop => return self.stop(),
            Command::Cancel(number) => return self.cancel(&ticket, number),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::TimeControl(control) => {
                self.clock = Clock::new(control);
                Ok(Event::Done)
            }
            Command::Clock { player, left, stones } => player.side(self.room.sides()).map(|side| {
                self.clock.show(side, left, stones);
                Event::Done
            }),
            Command::Show(query) => self.show(query),
            Command::Quit => {
                self.say(&ticket, &Event::Done);
                self.gone = true;
                return;
            }
        };
        self.say(&ticket, &answer.unwrap_or_else(Event::Refused));
    }

    fn arrange(&mut self, start: Start<'_>, moves: &[Turn], style: Style, keep: bool) -> Result<Event, Refusal> {
        self.room.arrange(start, moves, style, keep).map(|()| Event::Done).map_err(|misfit| match misfit {
            Misfit::Position(error) => Refusal::BadPosition(error.to_string()),
            Misfit::Move(text, reason) => Refusal::IllegalMove(text, reason),
        })
    }

    fn board_size(&mut self, size: usize) -> Result<Event, Refusal> {
        let rows = self.room.grid().map(|grid| grid.rows).unwrap_or_default();
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return Err(Refusal::UnacceptableSize);
        }
        self.room.new_game();
        self.clock.reset();
        Ok(Event::Done)
    }

    fn introduction(&self) -> Event {
        let variants = registry::variants();
        let options = self.settings.describe(self.room.evaluations());
        Event::Introduction { options, variants, drawn: registry::drawn_variants() }
    }

    fn selected(&self) -> Event {
        Event::Selected {
            game: self.room.game().to_string(),
            variant: self.room.variant().map(str::to_string),
            facts: self.room.variant_facts(),
            drawing: self.room.drawing(),
        }
    }

    fn select(&mut self, name: &str) -> Result<Event, Refusal> {
        let game = registry::canonical(name).ok_or_else(|| Refusal::UnsupportedGame(name.to_string()))?;
        if game != self.room.game() {
            let settings = self.settings.for_game(game);
            self.room = registry::open(&settings).map_err(|error| Refusal::Unavailable(error.to_string()))?;
            self.settings = settings;
        }
        Ok(self.selected())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Event, Refusal> {
        let mut settings = self.settings.clone();
        match settings.set(self.room.evaluations(), name, value)? {
            Effect::None => {}
            Effect::Forget => self.room.forget(),
            Effect::Algorithm => self.room.search_by(settings.algorithm),
            Effect::Draws => self.room.value_draws(settings.contempt),
            Effect::Reopen => self.reopen(&mut settings)?,
        }
        // UCI hosts want to hear of the variant even if it was chosen before.
        let changed_game = settings.game != self.settings.game || name.eq_ignore_ascii_case("UCI_Variant");
        self.settings = settings;
        if changed_game {
            return Ok(self.selected());
        }
        let options = self.settings.describe(self.room.evaluations());
        let set = options.into_iter().find(|info| info.name.eq_ignore_ascii_case(name));
        Ok(set.map_or(Event::Done, Event::OptionSet))
    }

    /// Opens the room anew, at the same position if it is the same game.
    fn reopen(&mut self, settings: &mut Settings) -> Result<(), Refusal> {
        let same_game = settings.game == self.settings.game;
        if !same_game {
            *settings = settings.for_game(&settings.game);
        }
        let mut room = registry::open(settings).map_err(|error| match settings.weights.clone() {
            Some(_) => Refusal::BadValue("Weights".into(), error.to_string()),
            None => Refusal::Unavailable(error.to_string()),
        })?;
        if same_game {
            let start = self.room.start_position(Style::Plain);
            let moves: Vec<Turn> = turns(self.room.as_ref());
            if room.arrange(Start::Text(&start), &moves, Style::Plain, false).is_err() {
                return Err(Refusal::Internal("the position was lost when the room was opened anew".into()));
            }
        }
        self.room = room;
        Ok(())
    }

    fn show(&self, query: Query) -> Result<Event, Refusal> {
        let style = self.style();
        Ok(match query {
            Query::Board => Event::Board { grid: self.room.grid(), picture: self.room.picture() },
            Query::Position => Event::Text(self.room.position(Style::Plain)),
            Query::Moves => {
                let moves: Vec<String> = self.room.history(style).into_iter().map(|(_, mv)| mv).collect();
                Event::Text(moves.join(" "))
            }
            Query::LegalMoves => Event::LegalMoves(self.room.legal_moves(style)),
            Query::Side => {
                let side = self.room.side();
                Event::Turn { side, name: side.of(self.room.sides()).to_string() }
            }
            Query::Result => {
                let outcome = self.room.outcome().ok_or(Refusal::CannotScore)?;
                let winner = outcome.winner.map(|side| side.of(self.room.sides()).to_string());
                Event::Result { outcome, winner }
            }
            Query::Points => Event::Points(self.room.points()),
            Query::Options => Event::Options(self.settings.describe(self.room.evaluations())),
            Query::Statistics => Event::Statistics(self.last.clone()),
            Query::Games => Event::Games(registry::NAMES.iter().map(|name| name.to_string()).collect()),
            Query::Game => Event::Text(self.room.game().to_string()),
            Query::Size => {
                let grid = self.room.grid().map(|grid| grid.rows).unwrap_or_default();
                Event::Size(grid.first().map_or(0, Vec::len), grid.len())
            }
        })
    }
}

/// The moves of the room's game, passes written out.
pub(super) fn turns(room: &dyn Room) -> Vec<Turn> {
    room.history(Style::Plain).into_iter().map(|(side, text)| Turn::by(side, text)).collect()
}
