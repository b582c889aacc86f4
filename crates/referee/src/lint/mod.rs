//! Checks that an engine keeps the rules of its protocol that hosts rely on.
//!
//! Every rule is one named check with a fresh process, so that a failure does not hide others.

mod board;
mod cassio;
mod expect;
mod gomocup;
mod gtp;
mod json;
mod nboard;
mod uci;
mod xboard;

use super::dialogue::Dialogue;
use super::spec::PlayerSpec;
use anyhow::{Context, anyhow};
use expect::Violation;
use serde::Serialize;
use std::time::Duration;

/// A rule of a protocol and its test.
pub struct Check {
    /// Its name on the command line.
    pub name: &'static str,
    /// The rule, for the author of the engine.
    rule: &'static str,
    /// Tests it with a fresh process.
    run: fn(&mut Dialogue) -> Result<(), Violation>,
}

const fn check(name: &'static str, rule: &'static str, run: fn(&mut Dialogue) -> Result<(), Violation>) -> Check {
    Check { name, rule, run }
}

/// The result of a check: a line of `--json`.
#[derive(Serialize)]
pub struct CheckResult<'a> {
    /// The name of the check.
    pub check: &'a str,
    /// The rule that it tests.
    pub rule: &'a str,
    /// Whether the engine keeps the rule.
    pub passed: bool,
    /// What the rule requires, if the engine breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What the engine did instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// The last lines in both directions, `>` to the engine and `<` from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<String>,
}

/// The protocols with their checks.
const PROTOCOLS: [(&str, &[Check]); 7] = [
    ("cassio", &cassio::CHECKS),
    ("gtp", &gtp::CHECKS),
    ("json", &json::CHECKS),
    ("nboard", &nboard::CHECKS),
    ("uci", &uci::CHECKS),
    ("xboard", &xboard::CHECKS),
    ("gomocup", &gomocup::CHECKS),
];

/// The checks of a protocol: `cassio`, `gomocup`, `gtp`, `json`, `nboard`, `uci` or `xboard`.
///
/// # Errors
/// The protocol does not exist.
pub fn checks(protocol: &str) -> anyhow::Result<&'static [Check]> {
    let found = PROTOCOLS.iter().find(|(name, _)| *name == protocol);
    let unknown = || format!("unknown protocol '{protocol}': one of {}", PROTOCOLS.map(|(name, _)| name).join(", "));
    found.map(|(_, checks)| *checks).with_context(unknown)
}

/// Runs a check with a fresh process; an answer may take `stall_timeout` at most.
///
/// # Errors
/// The command cannot be started.
pub fn run_check<'a>(check: &'a Check, spec: &PlayerSpec, stall_timeout: Duration) -> anyhow::Result<CheckResult<'a>> {
    let mut engine = Dialogue::start(spec, stall_timeout).map_err(|error| anyhow!(spec.cannot_start(&error)))?;
    let outcome = (check.run)(&mut engine);
    let violation = outcome.err();
    let traffic = if violation.is_some() { engine.into_log() } else { Vec::new() };
    let (expected, actual) = violation.map(|violation| (violation.expected, violation.actual)).unzip();
    Ok(CheckResult { check: check.name, rule: check.rule, passed: expected.is_none(), expected, actual, traffic })
}

impl CheckResult<'_> {
    /// The result as lines of text.
    pub fn text(&self) -> String {
        if self.passed {
            return format!("ok    {}\n", self.check);
        }
        let mut text = format!("FAIL  {}: {}\n", self.check, self.rule);
        if let (Some(expected), Some(actual)) = (&self.expected, &self.actual) {
            text.push_str(&format!("      expected {expected}\n      actual   {actual}\n"));
        }
        for line in &self.traffic {
            text.push_str(&format!("      {line}\n"));
        }
        text
    }
}
