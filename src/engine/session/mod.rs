//! The session: one loop that alone owns the room, the settings, the clocks and stdout.
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
use super::command::LimitWords;
use super::event::{Event, Totals};
use super::options::Settings;
use super::registry;
use super::room::{News, Room};
use super::wire::{self, Gate};
use crate::dialect::{self, Dialect, Request, Ticket, Urgency};
use crate::search::game::Style;
use running::{Purpose, Running};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// What reaches the session.
#[derive(Clone, Debug)]
pub enum Message {
    /// A line of input.
    Line(String),
    /// The end of input.
    End,
    /// News of the search of that number.
    Search(u64, News),
}

/// The engine between a pair of pipes.
pub struct Session<W> {
    dialect: Option<Box<dyn Dialect>>,
    room: Box<dyn Room>,
    settings: Settings,
    defaults: LimitWords,
    clock: Clock,
    queue: VecDeque<(Request, usize)>,
    running: Option<Running>,
    searches: u64,
    last: Totals,
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    gate: Gate,
    output: W,
    /// Nobody reads any more, or the host said goodbye.
    gone: bool,
    /// The input has ended.
    ending: bool,
}

impl<W: Write> Session<W> {
    /// A session in this room. Without a dialect the first line of input decides.
    pub fn new(
        settings: Settings,
        defaults: LimitWords,
        dialect: Option<Box<dyn Dialect>>,
        output: W,
    ) -> Result<Self, registry::OpenError> {
        let room = registry::open(&settings)?;
        let (sender, inbox) = channel();
        Ok(Session {
            dialect,
            room,
            settings,
            defaults,
            clock: Clock::default(),
            queue: VecDeque::new(),
            running: None,
            searches: 0,
            last: Totals::default(),
            sender,
            inbox,
            gate: Gate::default(),
            output,
            gone: false,
            ending: false,
        })
    }

    /// Where lines of input are to be sent, and the gate that holds a flood back.
    pub fn door(&self) -> (Sender<Message>, Gate) {
        (self.sender.clone(), self.gate.clone())
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
        if self.dialect.is_none() {
            self.dialect = dialect::recognize(line);
            if self.dialect.as_ref().is_some_and(|dialect| dialect.wants_silent_stderr()) {
                wire::hush();
            }
        }
        wire::note(line);
        let requests = self.dialect.as_mut().map(|dialect| dialect.parse(line)).unwrap_or_default();
        let mut cost = Gate::cost(line);
        for request in requests {
            if request.urgency == Urgency::Now {
                self.serve(request);
            } else {
                self.queue.push_back((request, std::mem::take(&mut cost)));
            }
        }
        self.gate.leave(cost);
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
            self.gate.leave(cost);
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

    fn say(&mut self, ticket: &Ticket, event: &Event) {
        let Some(dialect) = &mut self.dialect else { return };
        let text = dialect.write(ticket, event);
        if !wire::write(&mut self.output, &text) {
            self.gone = true;
        }
    }

    fn style(&self) -> Style {
        self.dialect.as_ref().map_or(Style::Plain, |dialect| dialect.style())
    }
}
