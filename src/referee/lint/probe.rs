//! An engine under test: lines sent and received, with deadlines.

use crate::api::settings::Settings;
use crate::engine::dyn_engine::DynEngine;
use crate::engine::registry;
use crate::referee::gtp_response::{Awaited, GtpResponse, read_response};
use crate::referee::process::{OutputLine, Process, ReadError};
use crate::referee::spec::PlayerSpec;
use anyhow::Context;
use std::time::{Duration, Instant};

/// Lines of traffic shown with a failure.
const SHOWN_LINES: usize = 12;

/// A broken rule.
#[derive(Debug)]
pub struct Violation {
    /// What the rule wants.
    pub expected: String,
    /// What the engine did.
    pub actual: String,
}

impl Violation {
    /// A rule that wants one thing, and an engine that does another.
    pub fn new(expected: impl Into<String>, actual: impl Into<String>) -> Violation {
        Violation { expected: expected.into(), actual: actual.into() }
    }
}

/// The same as the result of a check.
pub fn violation<T>(expected: impl Into<String>, actual: impl Into<String>) -> Result<T, Violation> {
    Err(Violation::new(expected, actual))
}

/// A running engine.
pub struct Probe {
    process: Process,
    stall_timeout: Duration,
    traffic: Vec<String>,
}

impl Probe {
    /// Starts the engine.
    pub fn start(spec: &PlayerSpec, stall_timeout: Duration) -> anyhow::Result<Probe> {
        let process = Process::start(spec).with_context(|| format!("cannot start {}", spec.command.join(" ")))?;
        Ok(Probe { process, stall_timeout, traffic: Vec::new() })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.log('>', line);
        self.process.send(line);
    }

    /// Sends bytes as they are, line ends included.
    pub fn send_raw(&mut self, text: &str) {
        self.log('>', &format!("{text:?}"));
        self.process.send_raw(text.to_string());
    }

    /// The next line, within the stall timeout.
    pub fn line(&mut self, expected: &str) -> Result<OutputLine, Violation> {
        let deadline = Instant::now() + self.stall_timeout;
        self.line_before(deadline, expected)
    }

    fn line_before(&mut self, deadline: Instant, expected: &str) -> Result<OutputLine, Violation> {
        match self.process.line(deadline) {
            Ok(line) => {
                self.log('<', &line.text);
                Ok(line)
            }
            Err(ReadError::Timeout) => {
                violation(expected, format!("nothing for {:.1} s", self.stall_timeout.as_secs_f64()))
            }
            Err(ReadError::Closed) => violation(expected, "the end of its output"),
            Err(ReadError::Flood) => violation(expected, "endless output"),
        }
    }

    /// Reads until a line begins with this word; the lines before go to `other`.
    pub fn until(&mut self, word: &str, mut other: impl FnMut(&str)) -> Result<OutputLine, Violation> {
        let deadline = Instant::now() + self.stall_timeout;
        loop {
            let line = self.line_before(deadline, &format!("a line that begins with '{word}'"))?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            other(&line.text);
        }
    }

    /// No line must be read for this time.
    pub fn expect_silence(&mut self, time: Duration, expected: &str) -> Result<(), Violation> {
        match self.process.line(Instant::now() + time) {
            Err(ReadError::Timeout) => Ok(()),
            Ok(line) => {
                self.log('<', &line.text);
                violation(expected, format!("'{}'", line.text))
            }
            Err(_) => violation(expected, "the end of its output"),
        }
    }

    /// One GTP response.
    pub fn response(&mut self) -> Result<GtpResponse, Violation> {
        let expected = "a response that begins with = or ?";
        let next_line = |awaited| match awaited {
            Awaited::First => self.line(expected),
            Awaited::Further => self.line("an empty line after the response"),
        };
        read_response(next_line, |line| Violation::new(expected, format!("'{line}'")))
    }

    /// Sends a GTP command and reads its response.
    pub fn ask(&mut self, line: &str) -> Result<GtpResponse, Violation> {
        self.send(line);
        self.response()
    }

    /// Sends a GTP command that must be accepted.
    pub fn expect_accepted(&mut self, line: &str) -> Result<GtpResponse, Violation> {
        let response = self.ask(line)?;
        if response.accepted { Ok(response) } else { violation(format!("= to {line}"), format!("? {}", response.text)) }
    }

    /// Sends a GTP command that must be refused.
    pub fn expect_refused(&mut self, line: &str) -> Result<GtpResponse, Violation> {
        let response = self.ask(line)?;
        if response.accepted { violation(format!("? to {line}"), format!("= {}", response.text)) } else { Ok(response) }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.log('>', "(end of input)");
        self.process.close_input();
    }

    /// The process must end by itself, without an error.
    pub fn expect_exit(&mut self) -> Result<(), Violation> {
        match self.process.wait_for_exit(Instant::now() + self.stall_timeout) {
            Some(status) if status.success() => Ok(()),
            Some(status) => violation("exit status 0", status.to_string()),
            None => violation("the end of the process", "it still runs"),
        }
    }

    /// The first line that it wrote to stderr, if any.
    pub fn first_stderr_line(&self) -> Option<String> {
        self.process.stderr_lines().into_iter().next()
    }

    /// The last lines in both directions.
    pub fn traffic(&self) -> Vec<String> {
        self.traffic.iter().skip(self.traffic.len().saturating_sub(SHOWN_LINES)).cloned().collect()
    }

    fn log(&mut self, direction: char, line: &str) {
        self.traffic.push(format!("{direction} {}", line.chars().take(200).collect::<String>()));
    }
}

/// A board of Reversi: our own rules.
pub fn reversi() -> Result<Box<dyn DynEngine>, Violation> {
    open_board("reversi")
}

/// A board of that game: our own rules.
pub fn open_board(game: &str) -> Result<Box<dyn DynEngine>, Violation> {
    registry::open(&Settings { game: game.into(), hash: 1, ..Settings::default() })
        .map_err(|error| Violation::new("our own rules", error.to_string()))
}
