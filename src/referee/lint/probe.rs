//! An engine under examination: what is sent and what comes, with deadlines.

use crate::api::settings::Settings;
use crate::engine::dyn_engine::DynEngine;
use crate::engine::registry;
use crate::referee::process::{Line, Process, Silence};
use crate::referee::spec::PlayerSpec;
use anyhow::Context;
use std::time::{Duration, Instant};

/// Lines of traffic shown with a failure.
const SHOWN: usize = 12;

/// A broken rule.
#[derive(Debug)]
pub struct Complaint {
    /// What the rule wants.
    pub expected: String,
    /// What the engine did.
    pub came: String,
}

/// A complaint in one go.
pub fn complaint<T>(expected: impl Into<String>, came: impl Into<String>) -> Result<T, Complaint> {
    Err(Complaint { expected: expected.into(), came: came.into() })
}

/// A running engine.
pub struct Probe {
    process: Process,
    patience: Duration,
    traffic: Vec<String>,
}

impl Probe {
    /// Starts the engine.
    pub fn start(spec: &PlayerSpec, patience: Duration) -> anyhow::Result<Probe> {
        let process = Process::start(spec).with_context(|| format!("cannot start {}", spec.command.join(" ")))?;
        Ok(Probe { process, patience, traffic: Vec::new() })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.note('>', line);
        self.process.send(line);
    }

    /// Sends bytes as they are, line ends included.
    pub fn send_raw(&mut self, text: &str) {
        self.note('>', &format!("{text:?}"));
        self.process.send_raw(text.to_string());
    }

    /// The next line, within the patience.
    pub fn line(&mut self, expected: &str) -> Result<Line, Complaint> {
        let deadline = Instant::now() + self.patience;
        self.line_before(deadline, expected)
    }

    fn line_before(&mut self, deadline: Instant, expected: &str) -> Result<Line, Complaint> {
        match self.process.line(deadline) {
            Ok(line) => {
                self.note('<', &line.text);
                Ok(line)
            }
            Err(Silence::Deadline) => complaint(expected, format!("nothing for {:.1} s", self.patience.as_secs_f64())),
            Err(Silence::End) => complaint(expected, "the end of its output"),
            Err(Silence::Flood) => complaint(expected, "endless output"),
        }
    }

    /// Reads until a line begins with this word; the lines before go to `other`.
    pub fn until(&mut self, word: &str, mut other: impl FnMut(&str)) -> Result<Line, Complaint> {
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.line_before(deadline, &format!("a line that begins with '{word}'"))?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            other(&line.text);
        }
    }

    /// Nothing must come for a while.
    pub fn quiet(&mut self, time: Duration, expected: &str) -> Result<(), Complaint> {
        match self.process.line(Instant::now() + time) {
            Err(Silence::Deadline) => Ok(()),
            Ok(line) => {
                self.note('<', &line.text);
                complaint(expected, format!("'{}'", line.text))
            }
            Err(_) => complaint(expected, "the end of its output"),
        }
    }

    /// One GTP response: accepted or not, the id it carries, its text, and when it came.
    pub fn response(&mut self) -> Result<Response, Complaint> {
        let expected = "a response that begins with = or ?";
        let first = self.line(expected)?;
        let mark = first.text.chars().next();
        if !matches!(mark, Some('=' | '?')) {
            return complaint(expected, format!("'{}'", first.text));
        }
        let rest = first.text.get(1..).unwrap_or_default();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (id, text) = rest.split_at(digits);
        let mut text = text.trim().to_string();
        loop {
            let line = self.line("an empty line after the response")?;
            if line.text.is_empty() {
                return Ok(Response { accepted: mark == Some('='), id: id.to_string(), text, at: first.at });
            }
            text = text + "\n" + &line.text;
        }
    }

    /// Sends a GTP command and reads its response.
    pub fn ask(&mut self, line: &str) -> Result<Response, Complaint> {
        self.send(line);
        self.response()
    }

    /// Sends a GTP command that must be accepted.
    pub fn accepted(&mut self, line: &str) -> Result<Response, Complaint> {
        let response = self.ask(line)?;
        if response.accepted { Ok(response) } else { complaint(format!("= to {line}"), format!("? {}", response.text)) }
    }

    /// Sends a GTP command that must be refused.
    pub fn refused(&mut self, line: &str) -> Result<Response, Complaint> {
        let response = self.ask(line)?;
        if response.accepted { complaint(format!("? to {line}"), format!("= {}", response.text)) } else { Ok(response) }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.note('>', "(end of input)");
        self.process.close_input();
    }

    /// The process must end by itself, without an error.
    pub fn leaves(&mut self) -> Result<(), Complaint> {
        match self.process.ended(Instant::now() + self.patience) {
            Some(status) if status.success() => Ok(()),
            Some(status) => complaint("exit status 0", status.to_string()),
            None => complaint("the end of the process", "it still runs"),
        }
    }

    /// The first line that it wrote to stderr, if any.
    pub fn noise(&self) -> Option<String> {
        self.process.noise().into_iter().next()
    }

    /// The last lines in both directions.
    pub fn traffic(&self) -> Vec<String> {
        self.traffic.iter().skip(self.traffic.len().saturating_sub(SHOWN)).cloned().collect()
    }

    fn note(&mut self, direction: char, line: &str) {
        self.traffic.push(format!("{direction} {}", line.chars().take(200).collect::<String>()));
    }
}

/// A GTP response.
pub struct Response {
    /// True for `=`.
    pub accepted: bool,
    /// The digits after the mark.
    pub id: String,
    /// The rest.
    pub text: String,
    /// When its first line came.
    pub at: Instant,
}

/// A room of Reversi, for what is legal.
pub fn reversi() -> Result<Box<dyn DynEngine>, Complaint> {
    room_of("reversi")
}

/// A room of that game, for what is legal.
pub fn room_of(game: &str) -> Result<Box<dyn DynEngine>, Complaint> {
    registry::open(&Settings { game: game.into(), hash: 1, ..Settings::default() })
        .map_err(|error| Complaint { expected: "our own rules".into(), came: error.to_string() })
}
