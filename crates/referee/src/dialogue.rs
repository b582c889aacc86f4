//! A dialogue with an engine in a process: requests, answers with a deadline, and a log of both. The clients of `match`
//! and the checks of `lint` add the words of their protocols.

use super::gtp_response::GtpResponse;
use super::process::{OutputLine, Process, ReadError};
use super::spec::PlayerSpec;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Number of lines kept in the log.
const LOGGED_LINES: usize = 12;
/// Length to which the log and errors cut a line, in characters.
const SHOWN_CHARACTERS: usize = 200;

/// A missing answer, or one that the protocol does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer {
    /// The last request.
    pub request: String,
    /// The expected answer.
    pub expected: String,
    /// What the engine did instead.
    pub actual: String,
    /// Why nothing was read; `None` if the engine wrote something unexpected.
    pub cause: Option<ReadError>,
}

/// A running engine and the dialogue with it.
pub struct Dialogue {
    process: Process,
    stall_timeout: Duration,
    /// The deadline set by [`Dialogue::set_deadline`].
    deadline: Option<Instant>,
    request: String,
    requested_at: Instant,
    pings: u64,
    log: VecDeque<String>,
}

impl Dialogue {
    /// Starts the engine. Until a deadline is set, each read waits for at most the stall timeout.
    ///
    /// # Errors
    /// The command is empty or cannot be started.
    pub fn start(spec: &PlayerSpec, stall_timeout: Duration) -> std::io::Result<Dialogue> {
        Ok(Dialogue {
            process: Process::start(spec)?,
            stall_timeout,
            deadline: None,
            request: String::new(),
            requested_at: Instant::now(),
            pings: 0,
            log: VecDeque::new(),
        })
    }

    /// Longest wait for an answer.
    pub fn stall_timeout(&self) -> Duration {
        self.stall_timeout
    }

    /// Sets the time by which all further answers must come.
    pub fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
    }

    /// Sets the deadline to the stall timeout from now.
    pub fn restart_stall_timeout(&mut self) {
        self.set_deadline(Instant::now() + self.stall_timeout);
    }

    /// Sends a line that needs no answer.
    pub fn send(&mut self, line: &str) {
        self.log('>', line);
        self.process.send(line);
    }

    /// Sends bytes as they are, line ends included.
    pub fn send_raw(&mut self, text: &str) {
        self.log('>', &format!("{text:?}"));
        self.process.send_raw(text.to_string());
    }

    /// Sends a line that the engine answers. Errors name it, and [`Dialogue::elapsed`] counts from now.
    pub fn request(&mut self, line: &str) {
        self.request = line.to_string();
        self.requested_at = Instant::now();
        self.send(line);
    }

    /// Time from the last request to `then`.
    pub fn elapsed(&self, then: Instant) -> Duration {
        then.saturating_duration_since(self.requested_at)
    }

    /// The next line.
    ///
    /// # Errors
    /// No line comes before the deadline. `expected` describes it for the error.
    pub fn line(&mut self, expected: &str) -> Result<OutputLine, NoAnswer> {
        self.line_before(self.next_deadline(), expected)
    }

    /// The next line, with a deadline of its own.
    ///
    /// # Errors
    /// No line comes before that deadline.
    pub fn line_before(&mut self, deadline: Instant, expected: &str) -> Result<OutputLine, NoAnswer> {
        let line = self.process.line(deadline).map_err(|cause| {
            let actual = match cause {
                ReadError::Timeout => format!("nothing for {:.1} s", self.stall_timeout.as_secs_f64()),
                ReadError::Closed => "the end of its output".into(),
                ReadError::Flood => "endless output".into(),
            };
            NoAnswer { request: self.request.clone(), expected: expected.into(), actual, cause: Some(cause) }
        })?;
        self.log('<', &line.text);
        Ok(line)
    }

    /// Reads lines until one begins with the word; the others go to `other`.
    ///
    /// # Errors
    /// No such line comes before the deadline.
    pub fn until(&mut self, word: &str, mut other: impl FnMut(&str)) -> Result<OutputLine, NoAnswer> {
        let deadline = self.next_deadline();
        loop {
            let line = self.line_before(deadline, &format!("a line that begins with '{word}'"))?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            other(&line.text);
        }
    }

    /// Sends a request and reads lines until one begins with the word.
    ///
    /// # Errors
    /// No such line comes before the deadline.
    pub fn ask(&mut self, request: &str, word: &str) -> Result<OutputLine, NoAnswer> {
        self.request(request);
        self.until(word, |_| {})
    }

    /// The error for a line that is not what was expected.
    pub fn unexpected(&self, expected: &str, line: &str) -> NoAnswer {
        let actual = format!("'{}'", shortened(line));
        NoAnswer { request: self.request.clone(), expected: expected.into(), actual, cause: None }
    }

    /// Sends `ping` of NBoard and XBoard with the next number; returns the `pong` that answers it.
    pub fn send_ping(&mut self) -> String {
        self.pings += 1;
        self.request(&format!("ping {}", self.pings));
        format!("pong {}", self.pings)
    }

    /// Sends a `ping` and waits for its `pong`, which comes when the engine has done everything sent before.
    ///
    /// # Errors
    /// The `pong` does not come before the deadline.
    pub fn ping(&mut self) -> Result<(), NoAnswer> {
        let pong = self.send_ping();
        while self.until("pong", |_| {})?.text.trim() != pong {}
        Ok(())
    }

    /// Reads one response of GTP. Some engines end a response with several empty lines; `skips_empty_lines` skips those
    /// before the next response.
    ///
    /// # Errors
    /// The response is incomplete, or begins with neither `=` nor `?`.
    pub fn gtp_response(&mut self, skips_empty_lines: bool) -> Result<GtpResponse, NoAnswer> {
        let expected = "a response that begins with = or ?";
        let mut first = self.line(expected)?;
        while skips_empty_lines && first.text.trim().is_empty() {
            first = self.line(expected)?;
        }
        let response = GtpResponse::begin(&first);
        let mut response = response.ok_or_else(|| self.unexpected(expected, &first.text))?;
        while !response.is_ended_by(&self.line("an empty line after the response")?.text) {}
        Ok(response)
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.log('>', "(end of input)");
        self.process.close_input();
    }

    /// The running process.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// The last lines of the dialogue, marked `>` if they went to the engine and `<` if they came from it.
    pub fn into_log(self) -> Vec<String> {
        self.log.into()
    }

    fn next_deadline(&self) -> Instant {
        self.deadline.unwrap_or_else(|| Instant::now() + self.stall_timeout)
    }

    fn log(&mut self, direction: char, line: &str) {
        if self.log.len() == LOGGED_LINES {
            self.log.pop_front();
        }
        self.log.push_back(format!("{direction} {}", shortened(line)));
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(SHOWN_CHARACTERS).collect()
}
