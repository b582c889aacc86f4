//! Carries out commands; those that start, change or end a search are in `search`.

use super::Session;
use super::pending::{Answer, Asked, WaitingLine};
use crate::api::command::{Command, CommandError, PlayedMove, Query};
use crate::api::event::Event;
use crate::api::options::{Effect, OptionInfo};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use crate::api::settings::Settings;
use crate::engine::clock::Clock;
use crate::engine::dyn_engine::{SetupError, Start};
use flipside_core::games::names;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::notation::Style;
use flipside_support::file_fault::FileFault;
use flipside_support::processor_time::{Whose, processor_time};
use std::io::Write;

impl<W: Write> Session<W> {
    /// Serves a line whose turn has come.
    pub(super) fn serve_line(&mut self, line: WaitingLine) {
        self.backpressure.release(line.cost);
        if line.parsed.urgency == Urgency::Cancel {
            self.drop_search();
        }
        let Some(protocol) = &mut self.protocol else { return };
        let mut requests = protocol.requests(line.parsed);
        if line.searches_dropped {
            let kept =
                |Request { request_id, command }| Some(Request { request_id, command: command.without_search()? });
            requests = requests.into_iter().filter_map(kept).collect();
        }
        self.carry_out(line.number, requests);
    }

    /// Carries out the requests of a line in order. If one of them continues in the background, the rest wait ahead of
    /// the other lines.
    pub(super) fn carry_out(&mut self, line: u64, requests: Vec<Request>) {
        let (mut requests, under_way) = (requests.into_iter(), self.background.len());
        while let Some(Request { request_id, command }) = requests.next() {
            let asked = Asked { line, request_id };
            let answer = self.execute(&asked, command);
            self.send_answer(&asked.request_id, answer);
            if self.background.len() > under_way {
                let parsed = ParsedLine::of_requests(Urgency::Beside, requests);
                self.queue.push_front(WaitingLine { number: line, parsed, cost: 0, searches_dropped: false });
                return;
            }
        }
    }

    pub(super) fn send_answer(&mut self, request_id: &RequestId, answer: Answer) {
        match answer {
            Ok(Some(event)) => self.send(request_id, &event),
            Ok(None) => {}
            Err(error) if !self.closed => self.send(request_id, &Event::Error(error)),
            Err(_) => {}
        }
    }

    fn execute(&mut self, asked: &Asked, command: Command) -> Answer {
        let event = match command {
            Command::Go(go) => return self.go(asked, go),
            Command::PlayAndGo { played, style, go } => {
                self.set_position(Start::Here, &[played], style, false)?;
                return self.go(asked, go);
            }
            Command::SetAndGo { start, style, go } => {
                self.set_position(Start::Text(&start), &[], style, false)?;
                return self.go(asked, go);
            }
            Command::Analyze { player, multipv, limits, until_input } => {
                return self.analyze(asked, player, multipv, limits, until_input);
            }
            Command::AnalyzeGame(limits) => return self.analyze_game(asked, limits),
            Command::Perft(depth) => return self.perft(asked, depth),
            Command::PonderHit(go) => return self.ponder_hit(asked, go),
            Command::Stop => {
                self.last_stop = asked.line;
                return Ok(None);
            }
            Command::DropSearch => {
                self.drop_search();
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
            Command::BoardSize(size) => return self.board_size(asked, size),
            Command::SelectGame(name) => return self.select_game(asked, &name),
            Command::SetPosition { start, moves, style, keep_prefix } => {
                let start = start.as_deref().map_or(Start::Initial, Start::Text);
                self.set_position(start, &moves, style, keep_prefix)?
            }
            Command::Play { moves, style } => self.set_position(Start::Here, &moves, style, false)?,
            Command::Suggest { start, moves, style } => {
                self.engine.suggest(&start, &moves, style).map_err(set_up_error)?;
                Event::Done
            }
            Command::LearnGame => return self.learn_game(asked),
            Command::LoadSgf { path, max_moves } => return self.load_sgf(asked, path, max_moves),
            Command::Undo(count) if self.engine.undo(count) => Event::Done,
            Command::Undo(_) => return Err(CommandError::CannotUndo),
            Command::SetOption { name, value } => return self.set_option(asked, &name, value.as_deref()),
            Command::TimeControl(control) => {
                self.clock = Clock::new(control);
                Event::Done
            }
            Command::Clock { player, left, stones } => {
                let side = player.side(self.engine.sides())?;
                self.clock.set(side, left, stones);
                Event::Done
            }
            Command::Show(query) => return self.show(asked, query),
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
        self.engine.set_position(start, moves, style, keep_prefix).map_err(set_up_error)?;
        Ok(Event::Done)
    }

    /// An empty board of that size: of this game, or of the same game in another size.
    fn board_size(&mut self, asked: &Asked, size: usize) -> Answer {
        let rows = self.engine.grid().map(|grid| grid.rows).unwrap_or_default();
        if rows.len() == size && rows.iter().all(|row| row.len() == size) {
            return Ok(Some(self.new_game()));
        }
        let resized = names::in_size(self.engine.game(), size).map(|game| game.name);
        let is_offered = |name: &&str| self.factory.games().iter().any(|game| game.name == *name);
        let game = resized.filter(is_offered).ok_or(CommandError::UnacceptableSize)?;
        self.open_game(asked, game, |session| Ok(Some(session.new_game())))
    }

    fn handshake(&self) -> Event {
        let drawn = self.factory.games().iter().filter(|game| game.drawn_by_xboard);
        Event::Handshake {
            options: self.settings.describe(self.factory.games()),
            xboard_variants: drawn.filter_map(|game| game.uci_variant.map(str::to_string)).collect(),
        }
    }

    /// What a host needs to know of the present game; `before` was played until now.
    fn game_selected(&self, before: &str) -> Event {
        let is_other = before != self.engine.game();
        let options = if is_other { self.settings.describe_of_game(self.factory.games()) } else { Vec::new() };
        Event::GameSelected {
            options,
            game: self.engine.game().to_string(),
            variant: self.engine.variant().map(str::to_string),
            variant_facts: self.engine.variant_facts(),
            xboard_setup: self.engine.drawing(),
        }
    }

    fn select_game(&mut self, asked: &Asked, name: &str) -> Answer {
        let game = self.factory.games().iter().find(|game| game.is_called(name)).map(|game| game.name);
        let game = game.ok_or_else(|| CommandError::UnsupportedGame(name.to_string()))?;
        if game == self.engine.game() {
            return Ok(Some(self.game_selected(game)));
        }
        let before = self.engine.game();
        self.open_game(asked, game, move |session| Ok(Some(session.game_selected(before))))
    }

    /// Opens the engine of another game.
    fn open_game(
        &mut self,
        asked: &Asked,
        game: &str,
        then: impl FnOnce(&mut Self) -> Answer + Send + 'static,
    ) -> Answer {
        let settings = self.settings.for_game(game);
        self.open(asked, settings.clone(), |session, opened| {
            session.engine = opened.map_err(|error| CommandError::Unavailable(error.without_content()))?;
            session.settings = settings;
            then(session)
        })
    }

    fn set_option(&mut self, asked: &Asked, name: &str, value: Option<&str>) -> Answer {
        let mut settings = self.settings.clone();
        let (option, effect) = settings.set(self.factory.games(), name, value)?;
        match effect {
            Effect::None => {}
            Effect::ClearHash => self.engine.clear_hash(),
            Effect::Algorithm => self.engine.set_algorithm(settings.algorithm),
            Effect::Contempt => self.engine.set_contempt(settings.contempt),
            Effect::Book => {
                let opening = self.engine.book_opening(&settings.book);
                return self.beside(asked, opening, |session, opened| {
                    opened.map_err(refused_value)?;
                    Ok(Some(session.option_set(settings, option)))
                });
            }
            Effect::Reopen => return self.reopen(asked, settings, option),
        }
        Ok(Some(self.option_set(settings, option)))
    }

    /// Opens the engine anew, at the same position if it is the same game.
    fn reopen(&mut self, asked: &Asked, settings: Settings, option: OptionInfo) -> Answer {
        let same_game = settings.game == self.settings.game;
        let settings = if same_game { settings } else { settings.for_game(&settings.game) };
        self.open(asked, settings.clone(), move |session, opened| {
            let mut engine = opened.map_err(refused_value)?;
            if same_game && session.copy_game(&mut *engine).is_none() {
                return Err(CommandError::Internal("the position was lost when the engine was opened anew".into()));
            }
            session.engine = engine;
            Ok(Some(session.option_set(settings, option)))
        })
    }

    /// Puts the settings with a newly set option into force.
    fn option_set(&mut self, settings: Settings, option: OptionInfo) -> Event {
        // UCI hosts expect the facts of the variant even if it was selected before.
        let selects_game = settings.game != self.settings.game || option.name == "UCI_Variant";
        let before = std::mem::replace(&mut self.settings, settings).game;
        if selects_game { self.game_selected(&before) } else { Event::OptionSet(option) }
    }

    fn show(&mut self, asked: &Asked, query: Query) -> Answer {
        let style = self.style();
        let event = match query {
            Query::Board => Event::Board { grid: self.engine.grid(), picture: self.engine.picture(style) },
            Query::Position => Event::Text(self.engine.position(Style::Plain)),
            Query::Moves => {
                let moves: Vec<String> = self.engine.history(style).into_iter().map(|(_, mv)| mv).collect();
                Event::Text(moves.join(" "))
            }
            Query::LegalMoves => Event::LegalMoves(self.engine.legal_moves(style)),
            Query::ForbiddenMoves => Event::ForbiddenMoves(self.engine.forbidden_moves()),
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
            Query::Progress => Event::Progress(self.progress()),
            Query::Book { moves_back } => return self.look_up_in_book(asked, moves_back),
            Query::ProcessorTime => {
                let unknown = || CommandError::Unavailable("the system does not tell the processor time".into());
                Event::ProcessorTime(processor_time(Whose::Own).ok_or_else(unknown)?.total())
            }
            Query::Games => Event::Games(self.factory.games().iter().map(|game| game.name.to_string()).collect()),
            Query::Game => Event::Text(self.engine.game().to_string()),
            Query::Size => {
                let rows = self.engine.grid().map(|grid| grid.rows).unwrap_or_default();
                Event::Size(rows.first().map_or(0, Vec::len), rows.len())
            }
        };
        Ok(Some(event))
    }
}

fn set_up_error(error: SetupError) -> CommandError {
    match error {
        SetupError::Position(error) => CommandError::BadPosition(error.to_string()),
        SetupError::Move(text, reason) => CommandError::IllegalMove(text, reason),
    }
}

/// The error for an engine or a book that does not open; it names the option at fault.
fn refused_value(error: OpenError) -> CommandError {
    match error {
        OpenError::Weights { .. } => CommandError::BadValue("Weights".into(), error.without_content()),
        OpenError::Book { .. } | OpenError::NoBook { .. } => {
            CommandError::BadValue("Book".into(), error.without_content())
        }
        _ => CommandError::Unavailable(error.without_content()),
    }
}
