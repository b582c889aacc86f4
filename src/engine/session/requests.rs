//! Requests that need no search: the engine, its position, the settings.

use super::Session;
use crate::api::command::{Command, CommandError, Query, Turn};
use crate::api::event::Event;
use crate::api::options::Effect;
use crate::api::protocol::Request;
use crate::api::settings::Settings;
use crate::engine::clock::Clock;
use crate::engine::dyn_engine::{DynEngine, SetupError, Start};
use crate::search::notation::Style;
use std::io::Write;

impl<W: Write> Session<W> {
    pub(super) fn serve(&mut self, request: Request) {
        let Request { request_id, command, .. } = request;
        let answer = match command {
            Command::Say(text) => Ok(Event::Text(text)),
            Command::Refuse(refusal) => Err(refusal),
            Command::Introduce => Ok(self.introduction()),
            Command::Ready => {
                self.engine.prepare();
                Ok(Event::Ready)
            }
            Command::NewGame => {
                self.engine.new_game();
                self.clock.reset();
                Ok(Event::Done)
            }
            Command::BoardSize(size) => self.board_size(size),
            Command::SelectGame(name) => self.select(&name),
            Command::Setup { start, moves, style, keep_prefix } => {
                let start = start.as_deref().map_or(Start::Initial, Start::Text);
                self.set_position(start, &moves, style, keep_prefix)
            }
            Command::Play { moves, style } => self.set_position(Start::Here, &moves, style, false),
            Command::Answer { to, style, go } => match self.set_position(Start::Here, &[to], style, false) {
                Ok(_) => return self.go(request_id, go),
                Err(refusal) => Err(refusal),
            },
            Command::Undo(count) => {
                if self.engine.undo(count) {
                    Ok(Event::Done)
                } else {
                    Err(CommandError::CannotUndo)
                }
            }
            Command::Go(go) => return self.go(request_id, go),
            Command::Analyze { player, lines, limits, until_input } => {
                return self.analyze(request_id, player, lines, limits, until_input);
            }
            Command::AnalyzeGame(limits) => return self.analyze_game(request_id, limits),
            Command::Perft(depth) => return self.perft(request_id, depth),
            Command::PonderHit(limits) => return self.ponder_hit(limits),
            Command::Stop => return self.stop(),
            Command::Cancel(number) => return self.cancel(&request_id, number),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::TimeControl(control) => {
                self.clock = Clock::new(control);
                Ok(Event::Done)
            }
            Command::Clock { player, left, stones } => player.side(self.engine.sides()).map(|side| {
                self.clock.show(side, left, stones);
                Event::Done
            }),
            Command::Show(query) => self.show(query),
            Command::Quit => {
                self.say(&request_id, &Event::Done);
                self.gone = true;
                return;
            }
        };
        self.say(&request_id, &answer.unwrap_or_else(Event::Refused));
    }

    fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &[Turn],
        style: Style,
        keep: bool,
    ) -> Result<Event, CommandError> {
        self.engine.set_position(start, moves, style, keep).map(|()| Event::Done).map_err(|misfit| match misfit {
            SetupError::Position(error) => CommandError::BadPosition(error.to_string()),
            SetupError::Move(text, reason) => CommandError::IllegalMove(text, reason),
        })
    }

    fn board_size(&mut self, size: usize) -> Result<Event, CommandError> {
        let rows = self.engine.grid().map(|grid| grid.rows).unwrap_or_default();
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return Err(CommandError::UnacceptableSize);
        }
        self.engine.new_game();
        self.clock.reset();
        Ok(Event::Done)
    }

    fn introduction(&self) -> Event {
        let variants = |drawn_only: bool| {
            let games = self.factory.games().iter().filter(|game| game.drawn_by_xboard || !drawn_only);
            games.filter_map(|game| game.uci_variant.map(str::to_string)).collect()
        };
        let options = self.settings.describe(self.factory.games());
        Event::Introduction { options, variants: variants(false), drawn: variants(true) }
    }

    fn selected(&self) -> Event {
        Event::Selected {
            game: self.engine.game().to_string(),
            variant: self.engine.variant().map(str::to_string),
            facts: self.engine.variant_facts(),
            drawing: self.engine.drawing(),
        }
    }

    fn select(&mut self, name: &str) -> Result<Event, CommandError> {
        let game = self.factory.games().iter().find(|game| game.is_called(name)).map(|game| game.name);
        let game = game.ok_or_else(|| CommandError::UnsupportedGame(name.to_string()))?;
        if game != self.engine.game() {
            let settings = self.settings.for_game(game);
            self.engine = self.factory.open(&settings).map_err(|error| CommandError::Unavailable(error.to_string()))?;
            self.settings = settings;
        }
        Ok(self.selected())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Event, CommandError> {
        let mut settings = self.settings.clone();
        let (option, effect) = settings.set(self.factory.games(), name, value)?;
        match effect {
            Effect::None => {}
            Effect::ClearHash => self.engine.forget(),
            Effect::Algorithm => self.engine.search_by(settings.algorithm),
            Effect::Contempt => self.engine.value_draws(settings.contempt),
            Effect::Reopen => self.reopen(&mut settings)?,
        }
        // UCI hosts want to hear of the variant even if it was chosen before.
        let changed_game = settings.game != self.settings.game || name.eq_ignore_ascii_case("UCI_Variant");
        self.settings = settings;
        Ok(if changed_game { self.selected() } else { Event::OptionSet(option) })
    }

    /// Opens the engine anew, at the same position if it is the same game.
    fn reopen(&mut self, settings: &mut Settings) -> Result<(), CommandError> {
        let same_game = settings.game == self.settings.game;
        if !same_game {
            *settings = settings.for_game(&settings.game);
        }
        let mut engine = self.factory.open(settings).map_err(|error| match settings.weights.clone() {
            Some(_) => CommandError::BadValue("Weights".into(), error.to_string()),
            None => CommandError::Unavailable(error.to_string()),
        })?;
        if same_game {
            let start = self.engine.start_position(Style::Plain);
            let moves: Vec<Turn> = turns(self.engine.as_ref());
            if engine.set_position(Start::Text(&start), &moves, Style::Plain, false).is_err() {
                return Err(CommandError::Internal("the position was lost when the engine was opened anew".into()));
            }
        }
        self.engine = engine;
        Ok(())
    }

    fn show(&self, query: Query) -> Result<Event, CommandError> {
        let style = self.style();
        Ok(match query {
            Query::Board => Event::Board { grid: self.engine.grid(), picture: self.engine.picture() },
            Query::Position => Event::Text(self.engine.position(Style::Plain)),
            Query::Moves => {
                let moves: Vec<String> = self.engine.history(style).into_iter().map(|(_, mv)| mv).collect();
                Event::Text(moves.join(" "))
            }
            Query::LegalMoves => Event::LegalMoves(self.engine.legal_moves(style)),
            Query::Side => {
                let side = self.engine.side();
                Event::Turn { side, name: side.of(self.engine.sides()).to_string() }
            }
            Query::Result => {
                let outcome = self.engine.outcome().ok_or(CommandError::CannotScore)?;
                let winner = outcome.winner.map(|side| side.of(self.engine.sides()).to_string());
                Event::Result { outcome, winner }
            }
            Query::Points => Event::Points(self.engine.points()),
            Query::Options => Event::Options(self.settings.describe(self.factory.games())),
            Query::Statistics => Event::Statistics(self.last.clone()),
            Query::Games => Event::Games(self.factory.games().iter().map(|game| game.name.to_string()).collect()),
            Query::Game => Event::Text(self.engine.game().to_string()),
            Query::Size => {
                let grid = self.engine.grid().map(|grid| grid.rows).unwrap_or_default();
                Event::Size(grid.first().map_or(0, Vec::len), grid.len())
            }
        })
    }
}

/// The moves of the engine's game, passes written out.
pub(super) fn turns(engine: &dyn DynEngine) -> Vec<Turn> {
    engine.history(Style::Plain).into_iter().map(|(side, text)| Turn::by(side, text)).collect()
}
