//! The session: one loop that alone owns the engine, the settings, the clocks and stdout.
//!
//! Lines and news of the search arrive through one channel. While a search runs, urgent requests
//! are served beside it and the others wait in their order.
//!
//! Here is the loop; `requests` serves what needs no search, `searching` starts and ends searches,
//! `news` takes in what they tell.

mod news;
mod requests;
mod running;
mod searching;

use super::clock::Clock;
use super::dyn_engine::{DynEngine, EngineFactory, OpenError};
use super::message::Message;
use super::stdio::{self, Backpressure};
use crate::api::command::GoLimits;
use crate::api::event::{Event, Totals};
use crate::api::protocol::{Protocol, Request, RequestId, Urgency};
use crate::api::settings::Settings;
use crate::search::notation::Style;
use running::{Purpose, Running};
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
    /// The protocol that a first line belongs to; asked until it answers where `protocol` is `None`.
    pub recognize: fn(&str) -> Option<Box<dyn Protocol>>,
    /// Opens the engine, and others when the host changes game, evaluation or table size.
    pub factory: Box<dyn EngineFactory>,
}

/// The engine between a pair of pipes.
pub struct Session<W> {
    protocol: Option<Box<dyn Protocol>>,
    recognize: fn(&str) -> Option<Box<dyn Protocol>>,
    factory: Box<dyn EngineFactory>,
    engine: Box<dyn DynEngine>,
    settings: Settings,
    default_limits: GoLimits,
    clock: Clock,
    queue: VecDeque<(Request, usize)>,
    running: Option<Running>,
    searches: u64,
    last: Totals,
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    backpressure: Backpressure,
    output: W,
    /// Nobody reads any more, or the host said goodbye.
    gone: bool,
    /// The input has ended.
    ending: bool,
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
            running: None,
            searches: 0,
            last: Totals::default(),
            sender,
            inbox,
            backpressure: Backpressure::default(),
            output,
            gone: false,
            ending: false,
        })
    }

    /// Where lines of input are to be sent, and the backpressure that holds a flood back.
    pub fn door(&self) -> (Sender<Message>, Backpressure) {
        (self.sender.clone(), self.backpressure.clone())
    }

    /// Serves until the end of input, `quit`, or a closed output.
    pub fn run(mut self) {
        while !self.gone {
            match self.receive() {
                Some(Message::Line(line)) => self.line(&line),
                Some(Message::End) => {
                    self.end();
                    break;
                }
                Some(Message::Search(number, news)) => self.news(number, news),
                None => self.answer_for_the_search(),
            }
            self.serve_queue();
        }
        if let Some(running) = &self.running {
            running.handle.stop.raise();
        }
    }

    /// The next message, or nothing when the running search owes an answer.
    fn receive(&self) -> Option<Message> {
        let due = self.running.as_ref().filter(|running| !running.held).and_then(|running| running.answer_by);
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
        stdio::note(line);
        let requests = self.protocol.as_mut().map(|protocol| protocol.parse(line)).unwrap_or_default();
        let mut cost = Backpressure::cost(line);
        for request in requests {
            if request.urgency == Urgency::Now {
                self.serve(request);
            } else {
                self.queue.push_back((request, std::mem::take(&mut cost)));
            }
        }
        self.backpressure.leave(cost);
        self.close_open_analysis();
    }

    /// GTP's analysis ends with the next line, be it blank.
    fn close_open_analysis(&mut self) {
        if let Some(running) = &mut self.running
            && matches!(running.purpose, Purpose::Analysis { until_input: true })
        {
            running.end();
        }
    }

    fn serve_queue(&mut self) {
        while self.running.is_none() && !self.gone {
            let Some((request, cost)) = self.queue.pop_front() else { return };
            self.backpressure.leave(cost);
            self.serve(request);
            if !self.queue.is_empty() {
                self.close_open_analysis();
            }
        }
    }

    /// The end of input: what is limited may finish, what is not is stopped; all is answered.
    fn end(&mut self) {
        self.ending = true;
        loop {
            self.serve_queue();
            let Some(running) = &mut self.running else { return };
            if self.gone {
                return;
            }
            let analysis = matches!(running.purpose, Purpose::Analysis { .. });
            if running.held || analysis && running.limits.infinite && !running.handle.stop.is_raised() {
                running.held = false;
                running.end();
            }
            if let Some(choice) = self.running.as_mut().and_then(|running| running.finished.take()) {
                self.finish(choice);
                continue;
            }
            match self.receive() {
                Some(Message::Search(number, news)) => self.news(number, news),
                Some(_) => {}
                None => self.answer_for_the_search(),
            }
        }
    }

    fn say(&mut self, request_id: &RequestId, event: &Event) {
        let Some(protocol) = &mut self.protocol else { return };
        let text = protocol.write(request_id, event);
        if !stdio::write(&mut self.output, &text) {
            self.gone = true;
        }
    }

    fn style(&self) -> Style {
        self.protocol.as_ref().map_or(Style::Plain, |protocol| protocol.style())
    }
}
