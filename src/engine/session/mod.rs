//! The session: one loop that alone owns the engine, the settings, the clocks and the output.
//!
//! Lines of input and events of searches arrive through one channel. While a search runs, urgent lines are served
//! beside it and the others wait in their order, unparsed: the protocol's state changes when a line is served.
//!
//! Lines are numbered. A stop, a ponder hit or the end of an analysis by further input concerns the searches that lines
//! before it asked for, whether they run already or wait.
//!
//! The loop is here; `serve` carries out commands, `search` starts and ends searches, `search_events` takes in what they
//! send.

mod active_search;
mod files;
mod search;
mod search_events;
mod serve;

use super::book_learning::LearningStop;
use super::clock::{self, Clock};
use super::dyn_engine::{DynEngine, EngineFactory};
use super::message::Message;
use super::stdio::{self, Backpressure};
use crate::api::command::{Command, GoLimits};
use crate::api::event::{BookLine, Event, SearchStatistics};
use crate::api::protocol::{Protocol, Request, RequestId, Urgency};
use crate::api::settings::Settings;
use crate::games::open::OpenError;
use crate::search::notation::Style;
use active_search::{ActiveSearch, Hold, SearchPurpose};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What the binary joins to make a session.
pub struct SessionConfig {
    /// The settings to begin with.
    pub settings: Settings,
    /// Limits of a move where neither the host nor the clock sets one.
    pub default_limits: GoLimits,
    /// The protocol, if it is known before the first line.
    pub protocol: Option<Box<dyn Protocol>>,
    /// The protocol of a first line; asked line by line until it returns one, where `protocol` is `None`.
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
    default_limits: GoLimits,
    clock: Clock,
    /// Lines that wait.
    queue: VecDeque<Line>,
    /// Whether a line is being served that waits for a file.
    busy: bool,
    /// Ends the learning of a game that such a line waits for.
    learning: Option<Arc<LearningStop>>,
    /// Lines that came while it waited: one that drops searches, and those after it.
    postponed: VecDeque<Line>,
    /// The number of the latest line.
    lines: u64,
    /// The number of the line that is being served.
    serving: u64,
    /// The number of the latest line that stopped the searches before it.
    last_stop: u64,
    /// The number of the latest line that was a ponder hit.
    last_ponder_hit: u64,
    active: Option<ActiveSearch>,
    /// The number of the latest search.
    search_number: u64,
    last_statistics: SearchStatistics,
    /// The line of the opening book, if the book gave the latest answer.
    last_book_line: Option<BookLine>,
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    backpressure: Backpressure,
    output: W,
    /// The output is closed, or the host has quit.
    closed: bool,
    /// The input has ended.
    input_ended: bool,
}

/// A line of input.
struct Line {
    number: u64,
    text: String,
}

/// How long a search that neither time nor nodes bound goes on after the end of input: as long as a move takes without
/// any limit.
const FINISH_TIME: Duration = clock::DEFAULT_MOVE_TIME;
/// The same for a perft, which has nothing to answer before all is counted.
const FINISH_PERFT_TIME: Duration = Duration::from_secs(60);
/// Time of a search of a game analysis whose time to finish is over.
const LEAST_FINISH_TIME: Duration = Duration::from_millis(10);

impl<W: Write> Session<W> {
    /// A session with its engine open. Without a protocol the first line of input decides.
    ///
    /// # Errors
    /// The engine that the settings name cannot be opened.
    pub fn new(config: SessionConfig, output: W) -> Result<Self, OpenError> {
        let SessionConfig { settings, default_limits, protocol, recognize, factory } = config;
        let engine = factory.open(&settings)?;
        let (sender, inbox) = channel();
        Ok(Session {
            protocol,
            recognize,
            factory,
            engine,
            settings,
            default_limits,
            clock: Clock::default(),
            queue: VecDeque::new(),
            busy: false,
            learning: None,
            postponed: VecDeque::new(),
            lines: 0,
            serving: 0,
            last_stop: 0,
            last_ponder_hit: 0,
            active: None,
            search_number: 0,
            last_statistics: SearchStatistics::default(),
            last_book_line: None,
            sender,
            inbox,
            backpressure: Backpressure::default(),
            output,
            closed: false,
            input_ended: false,
        })
    }

    /// Where lines of input are to be sent, and the backpressure that the sender of many lines must respect.
    pub fn input(&self) -> (Sender<Message>, Backpressure) {
        (self.sender.clone(), self.backpressure.clone())
    }

    /// Serves until the end of input, `quit`, or a closed output.
    pub fn run(mut self) {
        loop {
            self.serve_queue();
            if self.closed {
                break;
            }
            if let Some(line) = self.postponed.pop_front() {
                // The lines before it may have ended what it would have been served beside.
                let urgency = self.urgency(&line.text);
                self.dispatch(line, urgency);
                continue;
            }
            if self.input_ended {
                self.end_of_input();
                break;
            }
            match self.receive() {
                Some(Message::Line(text)) => self.line(text),
                Some(Message::End) => self.input_ended = true,
                Some(Message::Search(number, event)) => self.search_event(number, *event),
                Some(Message::WorkDone) => {}
                None => self.answer_for_search(),
            }
        }
        if let Some(active) = &self.active {
            active.stop.raise();
        }
    }

    /// The next message; `None` when the time of the active search to answer is over.
    fn receive(&self) -> Option<Message> {
        let due =
            self.active.as_ref().filter(|active| active.hold == Hold::Nothing).and_then(|active| active.answer_by);
        match due {
            None => Some(self.inbox.recv().unwrap_or(Message::End)),
            Some(due) => match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::End),
            },
        }
    }

    fn line(&mut self, text: String) {
        if self.protocol.is_none() {
            self.protocol = (self.recognize)(&text);
            if self.protocol.as_ref().is_some_and(|protocol| protocol.wants_silent_stderr()) {
                stdio::silence_stderr();
            }
        }
        stdio::log_input(&text);
        let urgency = self.urgency(&text);
        self.lines += 1;
        self.dispatch(Line { number: self.lines, text }, urgency);
    }

    fn urgency(&self, text: &str) -> Urgency {
        self.protocol.as_ref().map(|protocol| protocol.urgency(text)).unwrap_or_default()
    }

    /// Serves a line at once or puts it into the queue.
    fn dispatch(&mut self, line: Line, urgency: Urgency) {
        let waits = match urgency {
            Urgency::Now => false,
            Urgency::Cancel => true,
            Urgency::Queue | Urgency::Beside => !self.postponed.is_empty(),
        };
        if self.busy && waits {
            if let Some(learning) = &self.learning {
                learning.raise();
            }
            return self.postponed.push_back(line);
        }
        match urgency {
            Urgency::Queue => self.queue.push_back(line),
            Urgency::Now | Urgency::Beside => self.serve_line(&line, Some),
            Urgency::Cancel => {
                self.drop_searches(line.number);
                self.serve_line(&line, Some);
            }
        }
        self.heed_later_lines();
    }

    /// Serves what `keep` leaves of a line's requests.
    fn serve_line(&mut self, line: &Line, keep: fn(Command) -> Option<Command>) {
        self.backpressure.release(Backpressure::cost(&line.text));
        self.serving = line.number;
        let requests = self.protocol.as_mut().map(|protocol| protocol.parse(&line.text)).unwrap_or_default();
        for Request { request_id, command } in requests {
            if let Some(command) = keep(command) {
                self.serve(Request { request_id, command });
            }
        }
        self.heed_later_lines();
    }

    fn serve_queue(&mut self) {
        while self.active.is_none() && !self.closed {
            match self.queue.pop_front() {
                Some(line) => self.serve_line(&line, Some),
                None if self.input_ended || !self.follow_up() => return,
                None => {}
            }
        }
    }

    /// Serves the requests that the protocol makes by itself while the host is silent; false if there are none.
    fn follow_up(&mut self) -> bool {
        let requests = self.protocol.as_mut().map(|protocol| protocol.follow_up()).unwrap_or_default();
        let any = !requests.is_empty();
        self.serving = self.lines;
        requests.into_iter().for_each(|request| self.serve(request));
        any
    }

    /// Everything that is queued is answered: searches that time or nodes bound finish, others get a bounded time to
    /// finish, and those that only the host can end are stopped.
    fn end_of_input(&mut self) {
        loop {
            self.serve_queue();
            let Some(active) = &self.active else { return };
            let time = if matches!(active.purpose, SearchPurpose::Perft) { FINISH_PERFT_TIME } else { FINISH_TIME };
            let finish_by = Instant::now() + time;
            while !self.closed
                && let Some(active) = &mut self.active
            {
                if active.is_endless() {
                    active.stop();
                    self.finish_unless_held();
                    continue;
                }
                active.bound(finish_by.saturating_duration_since(Instant::now()).max(LEAST_FINISH_TIME));
                match self.receive() {
                    Some(Message::Search(number, event)) => self.search_event(number, *event),
                    Some(_) => {}
                    None => self.answer_for_search(),
                }
            }
            if self.closed {
                return;
            }
        }
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
