//! Expectations of a check towards the engine under test, and the violations of them.

use crate::dialogue::{Dialogue, NoAnswer};
use crate::gtp_response::GtpResponse;
use crate::process::ReadError;
use std::time::{Duration, Instant};

/// A broken rule.
#[derive(Debug)]
pub struct Violation {
    /// What the rule requires.
    pub expected: String,
    /// What the engine did.
    pub actual: String,
}

impl Violation {
    /// A violation: what the rule requires, and what the engine did.
    pub fn new(expected: impl Into<String>, actual: impl Into<String>) -> Violation {
        Violation { expected: expected.into(), actual: actual.into() }
    }
}

impl From<NoAnswer> for Violation {
    fn from(error: NoAnswer) -> Violation {
        Violation { expected: error.expected, actual: error.actual }
    }
}

/// The same as the result of a check.
pub fn violation<T>(expected: impl Into<String>, actual: impl Into<String>) -> Result<T, Violation> {
    Err(Violation::new(expected, actual))
}

/// Reports an answer that took longer than `most` milliseconds.
pub fn expect_within(took: Duration, most: u64, expected: impl Into<String>) -> Result<(), Violation> {
    if took > Duration::from_millis(most) {
        return violation(expected, format!("after {:.3} s", took.as_secs_f64()));
    }
    Ok(())
}

impl Dialogue {
    /// Expects no line during this time.
    pub fn expect_silence(&mut self, time: Duration, expected: &str) -> Result<(), Violation> {
        match self.line_before(Instant::now() + time, expected) {
            Err(NoAnswer { cause: Some(ReadError::Timeout), .. }) => Ok(()),
            Ok(line) => Err(self.unexpected(expected, &line.text).into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits for a `pong`, which comes when everything sent before is done; returns the lines read meanwhile.
    pub fn sync(&mut self) -> Result<Vec<String>, Violation> {
        let pong = self.send_ping();
        let mut before = Vec::new();
        let line = self.until("pong", |line| before.push(line.to_string()))?.text;
        if line.trim() == pong { Ok(before) } else { violation(pong, line) }
    }

    /// Sends a GTP command and reads its response.
    pub fn command(&mut self, line: &str) -> Result<GtpResponse, Violation> {
        self.request(line);
        Ok(self.gtp_response(false)?)
    }

    /// Sends a GTP command that must be accepted.
    pub fn expect_accepted(&mut self, line: &str) -> Result<GtpResponse, Violation> {
        let response = self.command(line)?;
        if response.accepted { Ok(response) } else { violation(format!("= to {line}"), format!("? {}", response.text)) }
    }

    /// Sends a GTP command that must be refused.
    pub fn expect_refused(&mut self, line: &str) -> Result<GtpResponse, Violation> {
        let response = self.command(line)?;
        if response.accepted { violation(format!("? to {line}"), format!("= {}", response.text)) } else { Ok(response) }
    }

    /// Reads the response to a GTP command with this id, which must be accepted.
    pub fn expect_id(&mut self, id: &str, expected: &str) -> Result<(), Violation> {
        let response = self.gtp_response(false)?;
        if response.id != id || !response.accepted {
            return violation(expected, format!("id '{}', {}", response.id, response.text));
        }
        Ok(())
    }

    /// Expects the process to end by itself without an error.
    pub fn expect_exit(&mut self) -> Result<(), Violation> {
        let deadline = Instant::now() + self.stall_timeout();
        match self.process().wait_for_exit(deadline) {
            Some(status) if status.success() => Ok(()),
            Some(status) => violation("exit status 0", status.to_string()),
            None => violation("the end of the process", "it still runs"),
        }
    }
}
