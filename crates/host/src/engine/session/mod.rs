//! The session: one loop that alone owns the engine, the settings, the clocks and the output.
//!
//! Lines of input, events of searches, results of background work and the end of input arrive through one channel. Each
//! line is parsed once, when it arrives, and its urgency says when it is served: at once, or in its turn. Work under way is
//! data: a search, and background work with the function that handles its result.
//!
//! Lines are numbered. A stop, a ponder hit or the end of an analysis by further input applies to the searches that earlier
//! lines asked for, whether they run already or wait.
//!
//! The loop is here; `serve` carries out commands, `search` starts searches, `search_events` takes in their events and
//! answers for them, and `background` runs work in threads beside the loop.

mod active_search;
mod background;
mod pending;
mod search;
mod search_events;
mod serve;

use super::book_learning::LearningStop;
use super::clock::Clock;
use super::dyn_engine::{DynEngine, EngineFactory};
use super::message::Message;
use super::stdio::{self, Backpressure};
use crate::api::command::GoLimits;
use crate::api::event::{BookLine, Event, SearchStatistics};
use crate::api::protocol::{Protocol, RequestId, Urgency};
use crate::api::settings::Settings;
use active_search::ActiveSearch;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::notation::Style;
use pending::{Pending, WaitingLine};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

/// What a session is made of.
pub struct SessionConfig {
    /// The settings to begin with.
    pub settings: Settings,
    /// Whether nobody has chosen the settings' game: a protocol whose hosts play another one begins with that.
    pub is_usual_game: bool,
    /// Limits of a move where neither the host nor the clock sets one.
    pub default_limits: GoLimits,
    /// The protocol, if known before the first line.
    pub protocol: Option<Box<dyn Protocol>>,
    /// Recognizes the protocol from a line; called for each line until it returns one, if `protocol` is `None`.
    pub recognize: fn(&str) -> Option<Box<dyn Protocol>>,
    /// Opens the engine, and others when the host changes game, evaluation or table size.
    pub factory: Arc<dyn EngineFactory>,
}

/// The engine between an input and an output.
pub struct Session<W> {
    protocol: Option<Box<dyn Protocol>>,
    recognize: fn(&str) -> Option<Box<dyn Protocol>>,
    factory: Arc<dyn EngineFactory>,
    engine: Box<dyn DynEngine>,
    settings: Settings,
    /// Whether the protocol may still choose the game.
    is_usual_game: bool,
    default_limits: GoLimits,
    clock: Clock,
    /// Waiting lines, in order.
    queue: VecDeque<WaitingLine>,
    /// The search under way.
    active: Option<ActiveSearch>,
    /// Requests whose work runs in the background.
    background: Vec<Pending<Session<W>>>,
    /// Ends the latest learning of the book.
    learning: Option<Arc<LearningStop>>,
    /// The number of the latest line.
    lines: u64,
    /// The number of the latest line that stopped the searches before it.
    last_stop: u64,
    /// The number of the latest line that was a ponder hit.
    last_ponder_hit: u64,
    /// The number of the latest search or background work.
    number: u64,
    last_statistics: SearchStatistics,
    /// The line of the opening book, if the latest answer came from the book.
    last_book_line: Option<BookLine>,
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    backpressure: Backpressure,
    output: W,
    /// The output is closed, or the host has quit.
    closed: bool,
    /// When the input has ended.
    input_ended: Option<Instant>,
}

/// The game that the hosts of the protocol play where nobody has chosen one, if it is on offer.
fn usual_game(protocol: Option<&dyn Protocol>, factory: &dyn EngineFactory) -> Option<&'static str> {
    let game = protocol?.usual_game()?;
    factory.games().iter().any(|offered| offered.name == game).then_some(game)
}

impl<W: Write> Session<W> {
    /// A session with its engine open. Without a protocol, the lines of input decide it.
    ///
    /// # Errors
    /// The engine that the settings name cannot be opened.
    pub fn new(config: SessionConfig, output: W) -> Result<Self, OpenError> {
        let SessionConfig { mut settings, is_usual_game, default_limits, protocol, recognize, factory } = config;
        if let Some(game) = usual_game(protocol.as_deref(), factory.as_ref()).filter(|_| is_usual_game) {
            // The choices for the engine are choices for this game; a book in a file is not.
            let book = settings.for_game(game).book;
            settings = Settings { game: game.into(), book, ..settings };
        }
        let engine = factory.open(&settings)?;
        let (sender, inbox) = channel();
        Ok(Session {
            protocol,
            recognize,
            factory,
            engine,
            settings,
            is_usual_game,
            default_limits,
            clock: Clock::default(),
            queue: VecDeque::new(),
            active: None,
            background: Vec::new(),
            learning: None,
            lines: 0,
            last_stop: 0,
            last_ponder_hit: 0,
            number: 0,
            last_statistics: SearchStatistics::default(),
            last_book_line: None,
            sender,
            inbox,
            backpressure: Backpressure::default(),
            output,
            closed: false,
            input_ended: None,
        })
    }

    /// The channel for lines of input, and the backpressure that a sender of many lines must respect.
    pub fn input(&self) -> (Sender<Message>, Backpressure) {
        (self.sender.clone(), self.backpressure.clone())
    }

    /// Serves until `quit`, a closed output, or the end of input; at the end of input it answers all requests first.
    pub fn run(mut self) {
        while !self.closed {
            if let Some(line) = self.next_line() {
                self.serve_line(line);
            } else if self.is_idle() && self.input_ended.is_some() {
                break;
            } else if !self.is_idle() || !self.follow_up() {
                self.take_in_message();
            }
            self.update_search();
        }
        self.drop_search();
        self.end_learning();
    }

    /// Whether nothing is under way.
    fn is_idle(&self) -> bool {
        self.active.is_none() && self.background.is_empty()
    }

    /// The first waiting line, if its turn has come.
    fn next_line(&mut self) -> Option<WaitingLine> {
        let (background, active) = (&self.background, &self.active);
        self.queue.pop_front_if(|line| {
            let passes = |active: &ActiveSearch| match line.parsed.urgency {
                Urgency::Cancel => true,
                Urgency::Beside => active.is_endless(),
                Urgency::Queue | Urgency::Now | Urgency::Clear => false,
            };
            background.is_empty() && active.as_ref().is_none_or(passes)
        })
    }

    /// Waits for the next message, or until something under way is overdue.
    fn take_in_message(&mut self) {
        let (search_due, work_due) = (self.active.as_ref().and_then(ActiveSearch::due), self.work_due());
        // The channel stays open because the session holds a sender, too.
        let message = match search_due.into_iter().chain(work_due).min() {
            None => self.inbox.recv().ok(),
            Some(due) => self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())).ok(),
        };
        match message {
            Some(Message::Line(text)) => self.line(&text),
            Some(Message::End) => self.input_ended = Some(Instant::now()),
            Some(Message::Search(number, event)) => self.search_event(number, *event),
            // Work that finished quickly is no longer pending.
            Some(Message::WorkDone(number)) => self.finish_work(|pending| pending.number == number),
            None if search_due.is_some_and(|due| due <= Instant::now()) => self.answer_for_search(),
            None => self.give_up_work(),
        }
    }

    /// Parses a line, and serves it if it is urgent; else it waits for its turn.
    fn line(&mut self, text: &str) {
        if self.protocol.is_none() {
            self.protocol = (self.recognize)(text);
            if self.protocol.as_ref().is_some_and(|protocol| protocol.wants_silent_stderr()) {
                stdio::silence_stderr();
            }
            if self.protocol.is_some() && std::mem::take(&mut self.is_usual_game) {
                self.open_usual_game();
            }
        }
        stdio::log_input(text);
        self.lines += 1;
        let (number, cost) = (self.lines, Backpressure::cost(text));
        let Some(protocol) = &self.protocol else { return self.backpressure.release(cost) };
        let line = WaitingLine { number, parsed: protocol.parse(text), cost, searches_dropped: false };
        match line.parsed.urgency {
            Urgency::Now => return self.serve_line(line),
            Urgency::Cancel => self.drop_searches(),
            Urgency::Clear => {
                self.drop_searches();
                self.drop_lines();
                return self.serve_line(line);
            }
            Urgency::Queue | Urgency::Beside => {}
        }
        self.queue.push_back(line);
    }

    /// Opens the game that the hosts of the protocol play, if that is another one.
    fn open_usual_game(&mut self) {
        let Some(game) = usual_game(self.protocol.as_deref(), self.factory.as_ref()) else { return };
        let settings = self.settings.for_game(game);
        match self.factory.open(&settings) {
            Ok(engine) => (self.engine, self.settings) = (engine, settings),
            Err(error) => log::warn!("{error}"),
        }
    }

    /// Serves the requests that the protocol makes by itself while the host is silent; false if there are none.
    fn follow_up(&mut self) -> bool {
        let requests = self.protocol.as_mut().map(|protocol| protocol.follow_up()).unwrap_or_default();
        let any = !requests.is_empty();
        self.carry_out(self.lines, requests);
        any
    }

    /// Writes an event to the host.
    fn send(&mut self, request_id: &RequestId, event: &Event) {
        let Some(protocol) = &mut self.protocol else { return };
        let text = protocol.write(request_id, event);
        if !stdio::write(&mut self.output, &text) {
            self.closed = true;
        }
    }

    fn style(&self) -> Style {
        self.protocol.as_ref().map_or(Style::Plain, |protocol| protocol.style())
    }
}
