//! The session: one loop that alone owns the engine, the settings, the clocks and the output.
//!
//! Lines of input and events of searches arrive through one channel. While a search runs, urgent requests are served
//! beside it and the others wait in their order.
//!
//! The loop is here; `serve` carries out commands, `search` starts and ends searches, `search_events` takes in what they
//! send.

mod active_search;
mod files;
mod search;
mod search_events;
mod serve;

use super::clock::Clock;
use super::dyn_engine::{DynEngine, EngineFactory, OpenError};
use super::message::Message;
use super::stdio::{self, Backpressure};
use crate::api::command::GoLimits;
use crate::api::event::{Event, SearchStatistics};
use crate::api::protocol::{Protocol, Request, RequestId, Urgency};
use crate::api::settings::Settings;
use crate::search::notation::Style;
use active_search::{ActiveSearch, SearchPurpose};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

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
    pub factory: Box<dyn EngineFactory>,
}

/// The engine between an input and an output.
pub struct Session<W> {
    protocol: Option<Box<dyn Protocol>>,
    recognize: fn(&str) -> Option<Box<dyn Protocol>>,
    factory: Box<dyn EngineFactory>,
    engine: Box<dyn DynEngine>,
    settings: Settings,
    default_limits: GoLimits,
    clock: Clock,
    /// Requests that wait, each with the bytes of input that it releases when it is served.
    queue: VecDeque<(Request, usize)>,
    active: Option<ActiveSearch>,
    /// The number of the latest search.
    search_number: u64,
    last_statistics: SearchStatistics,
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    backpressure: Backpressure,
    output: W,
    /// The output is closed, or the host has quit.
    closed: bool,
    /// The input has ended.
    input_ended: bool,
}

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
            active: None,
            search_number: 0,
            last_statistics: SearchStatistics::default(),
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
        while !self.closed {
            match self.receive() {
                Some(Message::Line(line)) => self.line(&line),
                Some(Message::End) => {
                    self.end_of_input();
                    break;
                }
                Some(Message::Search(number, event)) => self.search_event(number, event),
                None => self.answer_for_search(),
            }
            self.serve_queue();
        }
        if let Some(active) = &self.active {
            active.handle.stop.raise();
        }
    }

    /// The next message; `None` when the time of the active search to answer is over.
    fn receive(&self) -> Option<Message> {
        let due = self.active.as_ref().filter(|active| !active.answer_held).and_then(|active| active.answer_by);
        match due {
            None => Some(self.inbox.recv().unwrap_or(Message::End)),
            Some(due) => match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::End),
            },
        }
    }

    fn line(&mut self, line: &str) {
        if self.protocol.is_none() {
            self.protocol = (self.recognize)(line);
            if self.protocol.as_ref().is_some_and(|protocol| protocol.wants_silent_stderr()) {
                stdio::silence_stderr();
            }
        }
        stdio::log_input(line);
        let requests = self.protocol.as_mut().map(|protocol| protocol.parse(line)).unwrap_or_default();
        let mut cost = Backpressure::cost(line);
        for request in requests {
            if request.urgency == Urgency::Now {
                self.serve(request);
            } else {
                self.queue.push_back((request, std::mem::take(&mut cost)));
            }
        }
        self.backpressure.release(cost);
        self.end_analysis_until_input();
    }

    /// GTP's analysis ends with the next line, even a blank one.
    fn end_analysis_until_input(&mut self) {
        if let Some(active) = &mut self.active
            && matches!(active.purpose, SearchPurpose::Analysis { until_input: true })
        {
            active.stop();
        }
    }

    fn serve_queue(&mut self) {
        while self.active.is_none() && !self.closed {
            let Some((request, cost)) = self.queue.pop_front() else { return };
            self.backpressure.release(cost);
            self.serve(request);
            if !self.queue.is_empty() {
                self.end_analysis_until_input();
            }
        }
    }

    /// Everything that is queued is answered: searches with limits finish, searches without are stopped.
    fn end_of_input(&mut self) {
        self.input_ended = true;
        loop {
            self.serve_queue();
            let Some(active) = &mut self.active else { return };
            if self.closed {
                return;
            }
            let analysis = matches!(active.purpose, SearchPurpose::Analysis { .. });
            if active.answer_held || analysis && active.limits.infinite && !active.handle.stop.is_raised() {
                active.answer_held = false;
                active.stop();
            }
            if let Some(best_move) = self.active.as_mut().and_then(|active| active.finished.take()) {
                self.finish(best_move);
                continue;
            }
            match self.receive() {
                Some(Message::Search(number, event)) => self.search_event(number, event),
                Some(_) => {}
                None => self.answer_for_search(),
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
