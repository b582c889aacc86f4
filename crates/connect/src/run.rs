//! Carries out what a client wants: the connection, the engines, the ticks of the clock, new connections.

use super::client::{Action, Client, Ending};
use super::event::Event;
use super::lines::Lines;
use super::link::Link;
use super::thinkers::Thinkers;
use flipside_core::games::searcher_settings::OpenError;
use flipside_host::api::settings::Settings;
use flipside_host::record::game_record::GameRecord;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// The time between two ticks of a client.
const TICK: Duration = Duration::from_secs(1);
/// How long the bytes of a prompt may stay alone before they count as a whole line.
const PROMPT: Duration = Duration::from_millis(300);
/// The longest pause before a connection is tried again; the first one takes a second, and each one twice the last.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Where a client's server is, and how often a lost connection is made again.
#[derive(Clone, Debug)]
pub struct Server {
    /// A name or an address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Connections that may fail one after the other before the client gives up.
    pub attempts: u32,
    /// Whether the first request to stop resigns the games that are being played; otherwise they are finished. The
    /// second request always resigns them, the third ends at once.
    pub resign_on_stop: bool,
}

/// What a client has to tell its user.
pub enum News<'a> {
    /// A sentence.
    Line(&'a str),
    /// A board.
    Board(&'a str),
    /// A game to be kept.
    Game(&'a GameRecord),
}

/// Why a client ended before it was done.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The server cannot be reached or does not take us.
    #[error("{0}")]
    Refused(String),
    /// An engine cannot be opened.
    #[error(transparent)]
    Engine(#[from] OpenError),
    /// What a client tells cannot be written.
    #[error("{0}")]
    Output(String),
}

/// Runs a client until it is done; `tell` gets what the user should know. The channel carries its events; an
/// [`Event::Stop`] stops it.
///
/// # Errors
/// See [`ConnectError`].
pub fn run(
    client: &mut dyn Client,
    server: &Server,
    settings: Settings,
    (sender, events): (Sender<Event>, Receiver<Event>),
    tell: &mut dyn FnMut(News<'_>) -> Result<(), String>,
) -> Result<(), ConnectError> {
    let thinkers = Thinkers::open(settings)?;
    let mut runner = Runner {
        client,
        server,
        thinkers,
        sender,
        events,
        tell,
        link: None,
        number: 0,
        failures: 0,
        was_accepted: false,
        stops: 0,
    };
    runner.run()
}

struct Runner<'a> {
    client: &'a mut dyn Client,
    server: &'a Server,
    thinkers: Thinkers,
    sender: Sender<Event>,
    events: Receiver<Event>,
    tell: &'a mut dyn FnMut(News<'_>) -> Result<(), String>,
    link: Option<Link>,
    /// The number of the connection.
    number: u64,
    /// Connections that failed one after the other.
    failures: u32,
    /// Whether the server has ever accepted the login.
    was_accepted: bool,
    /// How often the user has asked to stop.
    stops: u32,
}

impl Runner<'_> {
    fn run(&mut self) -> Result<(), ConnectError> {
        loop {
            let ending = match self.connect() {
                Ok(()) => self.converse()?,
                Err(error) => Ending::Refused(format!("cannot connect to {}: {error}", self.address())),
            };
            self.link = None;
            let lost = self.client.lost();
            // The connection is gone: what is left to do needs none.
            self.act(lost)?;
            match ending {
                Ending::Done => return Ok(()),
                Ending::Again => {}
                Ending::Refused(reason) if !self.was_accepted => return Err(ConnectError::Refused(reason)),
                Ending::Refused(reason) => {
                    self.failures += 1;
                    if self.failures > self.server.attempts {
                        return Err(ConnectError::Refused(format!("{reason} ({} times)", self.failures)));
                    }
                    self.say(&format!("{reason}; trying again"))?;
                }
            }
            if self.stops > 0 || self.pause()? {
                return Ok(());
            }
        }
    }

    fn address(&self) -> String {
        format!("{}:{}", self.server.host, self.server.port)
    }

    fn connect(&mut self) -> std::io::Result<()> {
        self.number += 1;
        self.link = Some(Link::open(&self.server.host, self.server.port, self.number, &self.sender)?);
        Ok(())
    }

    /// Waits before the next connection; true if the user wants to stop.
    fn pause(&mut self) -> Result<bool, ConnectError> {
        let pause = (TICK * 2u32.saturating_pow(self.failures.min(10))).min(LONGEST_PAUSE);
        let until = Instant::now() + pause;
        loop {
            match self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Event::Stop) => return Ok(true),
                Ok(_) => {}
                Err(_) => return Ok(false),
            }
        }
    }

    /// Serves one connection to its end.
    fn converse(&mut self) -> Result<Ending, ConnectError> {
        let mut lines = Lines::default();
        let hello = self.client.connected(Instant::now());
        if let Some(ending) = self.act(hello)? {
            return Ok(ending);
        }
        let mut next_tick = Instant::now() + TICK;
        loop {
            let wait = next_tick.saturating_duration_since(Instant::now());
            let wait = if lines.is_open() { wait.min(PROMPT) } else { wait };
            let actions = match self.events.recv_timeout(wait) {
                Ok(Event::Bytes(number, bytes)) if number == self.number => {
                    if let Some(ending) = self.read(lines.push(&bytes))? {
                        return Ok(ending);
                    }
                    Vec::new()
                }
                Ok(Event::Closed(number, reason)) if number == self.number => {
                    return Ok(Ending::Refused(format!("the connection to {} is lost: {reason}", self.address())));
                }
                Ok(Event::Bytes(..) | Event::Closed(..)) => Vec::new(),
                Ok(Event::Chosen(choice)) => self.client.chosen(choice, Instant::now()),
                Ok(Event::Failed(number)) => self.client.failed(number),
                Ok(Event::Stop) => {
                    self.stops += 1;
                    if self.stops > 2 {
                        return Ok(Ending::Done);
                    }
                    let resign = self.server.resign_on_stop || self.stops > 1;
                    self.say(if resign {
                        "leaving at once"
                    } else {
                        "leaving after the present game; again to resign it"
                    })?;
                    self.client.stop(resign, Instant::now())
                }
                Err(RecvTimeoutError::Timeout) if lines.is_open() => {
                    let prompt = lines.take_prompt(|text| self.client.is_prompt(text));
                    if let Some(ending) = self.read(prompt.into_iter().collect())? {
                        return Ok(ending);
                    }
                    Vec::new()
                }
                Err(_) => Vec::new(),
            };
            if let Some(ending) = self.act(actions)? {
                return Ok(ending);
            }
            if Instant::now() >= next_tick {
                next_tick = Instant::now() + TICK;
                let actions = self.client.tick(Instant::now());
                if let Some(ending) = self.act(actions)? {
                    return Ok(ending);
                }
            }
        }
    }

    /// Gives lines to the client.
    fn read(&mut self, lines: Vec<String>) -> Result<Option<Ending>, ConnectError> {
        for line in lines {
            log::debug!("<< {line}");
            let actions = self.client.line(&line, Instant::now());
            if self.client.is_logged_in() {
                (self.was_accepted, self.failures) = (true, 0);
            }
            if let Some(ending) = self.act(actions)? {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    /// Carries out actions; returns the end of the connection if one of them closes it.
    fn act(&mut self, actions: Vec<Action>) -> Result<Option<Ending>, ConnectError> {
        for action in actions {
            match action {
                Action::Send(line) => {
                    log::debug!(">> {line}");
                    self.send(&line);
                }
                Action::SendSecret(line) => {
                    log::debug!(">> (a line with the password)");
                    self.send(&line);
                }
                Action::Think(turn) => self.thinkers.think(*turn, &self.sender)?,
                Action::StopThinking(game) => self.thinkers.stop(&game),
                Action::Say(line) => self.say(&line)?,
                Action::Show(board) => self.told(News::Board(&board))?,
                Action::Record(record) => self.told(News::Game(&record))?,
                Action::Close(ending) => return Ok(Some(ending)),
            }
        }
        Ok(None)
    }

    /// Sends a line. A connection that takes none reports its end by its reader.
    fn send(&mut self, line: &str) {
        if let Some(link) = &mut self.link
            && let Err(error) = link.send(line)
        {
            log::warn!("cannot send: {error}");
            // Closes it, so that the reader ends.
            self.link = None;
        }
    }

    fn say(&mut self, line: &str) -> Result<(), ConnectError> {
        self.told(News::Line(line))
    }

    fn told(&mut self, news: News<'_>) -> Result<(), ConnectError> {
        (self.tell)(news).map_err(ConnectError::Output)
    }
}
