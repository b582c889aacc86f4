//! Carries out commands; `search` has those that start, change or end a search.

use super::Session;
use crate::api::command::{Command, CommandError, PlayedMove, Query};
use crate::api::event::Event;
use crate::api::options::Effect;
use crate::api::protocol::{Request, RequestId};
use crate::api::settings::{BookSource, Settings};
use crate::engine::clock::Clock;
use crate::engine::dyn_engine::{DynEngine, SetupError, Start};
use crate::games::open::OpenError;
use crate::search::notation::Style;
use std::io::Write;

/// The answer to a command; `None` where it has been sent, or is sent when a search is over.
pub(super) type Answer = Result<Option<Event>, CommandError>;

impl<W: Write> Session<W> {
    /// Carries out a request and answers it.
    pub(super) fn serve(&mut self, request: Request) {
        let Request { request_id, command } = request;
        let answer = self.execute(&request_id, command);
        self.send_answer(&request_id, answer);
    }

    pub(super) fn send_answer(&mut self, request_id: &RequestId, answer: Answer) {
        match answer {
            Ok(Some(event)) => self.send(request_id, &event),
            Ok(None) => {}
            Err(error) if !self.closed => self.send(request_id, &Event::Error(error)),
            Err(_) => {}
        }
    }

    fn execute(&mut self, request_id: &RequestId, command: Command) -> Answer {
        let event = match command {
            Command::Go(go) => return self.go(request_id, go),
            Command::PlayAndGo { played, style, go } => {
                self.set_position(Start::Here, &[played], style, false)?;
                return self.go(request_id, go);
            }
            Command::Analyze { player, multipv, limits, until_input } => {
                return self.analyze(request_id, player, multipv, limits, until_input);
            }
            Command::AnalyzeGame(limits) => return self.analyze_game(request_id, limits),
            Command::Perft(depth) => return self.perft(request_id, depth),
            Command::PonderHit(go) => return self.ponder_hit(request_id, go),
            Command::Stop => {
                self.last_stop = self.serving;
                return Ok(None);
            }
            Command::Reply(text) => Event::Text(text),
            Command::Invalid(error) => return Err(error),
            Command::Handshake => self.handshake(),
            Command::Ready => {
                self.engine.prepare();
                Event::Ready
            }
            Command::NewGame => self.new_game(),
            Command::BoardSize(size) => self.board_size(size)?,
            Command::SelectGame(name) => self.select_game(&name)?,
            Command::SetPosition { start, moves, style, keep_prefix } => {
                let start = start.as_deref().map_or(Start::Initial, Start::Text);
                self.set_position(start, &moves, style, keep_prefix)?
            }
            Command::Play { moves, style } => self.set_position(Start::Here, &moves, style, false)?,
            Command::LearnGame => self.learn_game()?,
            Command::LoadSgf { path, max_moves } => self.load_sgf(path, max_moves)?,
            Command::Undo(count) if self.engine.undo(count) => Event::Done,
            Command::Undo(_) => return Err(CommandError::CannotUndo),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::TimeControl(control) => {
                self.clock = Clock::new(control);
                Event::Done
            }
            Command::Clock { player, left, stones } => {
                let side = player.side(self.engine.sides())?;
                self.clock.set(side, left, stones);
                Event::Done
            }
            Command::Show(query) => self.show(query)?,
            Command::Quit => {
                self.closed = true;
                Event::Done
            }
        };
        Ok(Some(event))
    }

    fn new_game(&mut self) -> Event {
        self.engine.new_game();
        self.clock.reset();
        Event::Done
    }

    pub(super) fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<Event, CommandError> {
        self.engine.set_position(start, moves, style, keep_prefix).map_err(|error| match error {
            SetupError::Position(error) => CommandError::BadPosition(error.to_string()),
            SetupError::Move(text, reason) => CommandError::IllegalMove(text, reason),
        })?;
        Ok(Event::Done)
    }

    fn board_size(&mut self, size: usize) -> Result<Event, CommandError> {
        let rows = self.engine.grid().map(|grid| grid.rows).unwrap_or_default();
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return Err(CommandError::UnacceptableSize);
        }
        Ok(self.new_game())
    }

    fn handshake(&self) -> Event {
        let drawn = self.factory.games().iter().filter(|game| game.drawn_by_xboard);
        Event::Handshake {
            options: self.settings.describe(self.factory.games()),
            xboard_variants: drawn.filter_map(|game| game.uci_variant.map(str::to_string)).collect(),
        }
    }

    fn game_selected(&self) -> Event {
        Event::GameSelected {
            game: self.engine.game().to_string(),
            variant: self.engine.variant().map(str::to_string),
            variant_facts: self.engine.variant_facts(),
            xboard_setup: self.engine.drawing(),
        }
    }

    fn select_game(&mut self, name: &str) -> Result<Event, CommandError> {
        let game = self.factory.games().iter().find(|game| game.is_called(name)).map(|game| game.name);
        let game = game.ok_or_else(|| CommandError::UnsupportedGame(name.to_string()))?;
        if game != self.engine.game() {
            let settings = self.settings.for_game(game);
            self.engine = self.open(&settings)?.map_err(|error| CommandError::Unavailable(error.to_string()))?;
            self.settings = settings;
        }
        Ok(self.game_selected())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Event, CommandError> {
        let mut settings = self.settings.clone();
        let (option, effect) = settings.set(self.factory.games(), name, value)?;
        match effect {
            Effect::None => {}
            Effect::ClearHash => self.engine.clear_hash(),
            Effect::Algorithm => self.engine.set_algorithm(settings.algorithm),
            Effect::Contempt => self.engine.set_contempt(settings.contempt),
            Effect::Book => self.open_book(&settings.book)?,
            Effect::Reopen => self.reopen(&mut settings)?,
        }
        // UCI hosts want to hear of the variant even if it was selected before.
        let selects_game = settings.game != self.settings.game || option.name == "UCI_Variant";
        self.settings = settings;
        Ok(if selects_game { self.game_selected() } else { Event::OptionSet(option) })
    }

    fn open_book(&mut self, source: &BookSource) -> Result<(), CommandError> {
        let opening = self.engine.book_opening(source);
        self.beside(opening)?.map_err(refused_value)
    }

    /// Opens the engine anew, at the same position if it is the same game.
    fn reopen(&mut self, settings: &mut Settings) -> Result<(), CommandError> {
        let same_game = settings.game == self.settings.game;
        if !same_game {
            *settings = settings.for_game(&settings.game);
        }
        let mut engine = self.open(settings)?.map_err(refused_value)?;
        if same_game {
            let start = self.engine.start_position(Style::Plain);
            let moves = played_moves(self.engine.as_ref());
            if engine.set_position(Start::Text(&start), &moves, Style::Plain, false).is_err() {
                return Err(CommandError::Internal("the position was lost when the engine was opened anew".into()));
            }
        }
        self.engine = engine;
        Ok(())
    }

    fn show(&mut self, query: Query) -> Result<Event, CommandError> {
        let style = self.style();
        Ok(match query {
            Query::Board => Event::Board { grid: self.engine.grid(), picture: self.engine.picture(style) },
            Query::Position => Event::Text(self.engine.position(Style::Plain)),
            Query::Moves => {
                let moves: Vec<String> = self.engine.history(style).into_iter().map(|(_, mv)| mv).collect();
                Event::Text(moves.join(" "))
            }
            Query::LegalMoves => Event::LegalMoves(self.engine.legal_moves(style)),
            Query::Side => {
                let side = self.engine.side();
                Event::SideToMove { side, name: side.of(self.engine.sides()).to_string() }
            }
            Query::Result => {
                let outcome = self.engine.outcome().ok_or(CommandError::CannotScore)?;
                let winner = outcome.winner.map(|side| side.of(self.engine.sides()).to_string());
                Event::Result { outcome, winner }
            }
            Query::Points => Event::Points(self.engine.points()),
            Query::Options => Event::Options(self.settings.describe(self.factory.games())),
            Query::Statistics => Event::Statistics(self.last_statistics.clone(), self.last_book_line.clone()),
            Query::Book { moves_back } => self.look_up_in_book(moves_back)?,
            Query::Games => Event::Games(self.factory.games().iter().map(|game| game.name.to_string()).collect()),
            Query::Game => Event::Text(self.engine.game().to_string()),
            Query::Size => {
                let rows = self.engine.grid().map(|grid| grid.rows).unwrap_or_default();
                Event::Size(rows.first().map_or(0, Vec::len), rows.len())
            }
        })
    }
}

/// The option to blame for an engine or a book that does not open.
fn refused_value(error: OpenError) -> CommandError {
    match error {
        OpenError::Weights(_) => CommandError::BadValue("Weights".into(), error.to_string()),
        OpenError::Book { .. } | OpenError::NoBook { .. } => CommandError::BadValue("Book".into(), error.to_string()),
        _ => CommandError::Unavailable(error.to_string()),
    }
}

/// The moves of the engine's game with their players, passes written out.
pub(super) fn played_moves(engine: &dyn DynEngine) -> Vec<PlayedMove> {
    engine.history(Style::Plain).into_iter().map(|(side, text)| PlayedMove::by(side, text)).collect()
}
