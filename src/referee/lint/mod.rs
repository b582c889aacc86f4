//! `flipside lint`: checks that an engine keeps the rules of its protocol that hosts rely on.
//!
//! Every rule is one named check with a fresh process, so that one failure hides no other.

mod gtp;
mod nboard;
mod probe;
mod uci;
mod xboard;

use super::spec::{PlayerSpec, ProtocolKind};
use crate::support::seconds::parse_seconds;
use clap::Args;
use probe::{Probe, Violation};
use serde::Serialize;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `flipside lint`.
#[derive(Args, Debug)]
pub struct LintArgs {
    /// The engine's program and its arguments
    #[arg(long, value_name = "COMMAND")]
    cmd: String,
    /// Protocol that it speaks: gtp, nboard, uci or xboard
    #[arg(long)]
    protocol: String,
    /// Working directory of the engine
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Seconds that any answer may take
    #[arg(long, default_value = "5", value_name = "SECONDS", alias = "patience", value_parser = parse_seconds)]
    stall_timeout: Duration,
    /// Run only the check of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Print one JSON object a check
    #[arg(long)]
    json: bool,
}

/// A rule of a protocol and its test.
struct Check {
    /// Its name on the command line.
    name: &'static str,
    /// The rule, for the author of the engine.
    rule: &'static str,
    /// Tests it with a fresh process.
    run: fn(&mut Probe) -> Result<(), Violation>,
}

/// The result of a check: a line of `--json`.
#[derive(Serialize)]
struct CheckResult<'a> {
    check: &'a str,
    rule: &'a str,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    /// The last lines in both directions, `>` to the engine and `<` from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traffic: Vec<String>,
}

/// Runs the checks and prints their results; the exit status is 1 if one failed.
///
/// # Errors
/// A command that cannot be started, an unknown protocol or check.
pub fn run(args: &LintArgs) -> anyhow::Result<ExitCode> {
    let protocol = ProtocolKind::named(&args.protocol)?;
    let checks: Vec<&Check> = match protocol {
        ProtocolKind::Gtp => gtp::CHECKS.iter(),
        ProtocolKind::NBoard => nboard::CHECKS.iter(),
        ProtocolKind::Uci => uci::CHECKS.iter(),
        ProtocolKind::XBoard => xboard::CHECKS.iter(),
    }
    .collect();
    if let Some(name) = args.only.iter().find(|name| !checks.iter().any(|check| check.name == name.as_str())) {
        let names: Vec<&str> = checks.iter().map(|check| check.name).collect();
        anyhow::bail!("no check is called '{name}': {}", names.join(", "));
    }
    let mut spec = PlayerSpec::from_pairs(std::iter::once(("cmd", args.cmd.as_str())))?;
    spec.dir = args.dir.clone();
    let (mut failed, mut run) = (0, 0);
    for check in checks.into_iter().filter(|check| args.only.is_empty() || args.only.iter().any(|n| n == check.name)) {
        let result = run_check(check, &spec, args.stall_timeout)?;
        run += 1;
        failed += usize::from(!result.passed);
        let text = if args.json { serde_json::to_string(&result)? + "\n" } else { as_text(&result) };
        stdout().lock().write_all(text.as_bytes())?;
    }
    if !args.json {
        writeln!(stdout().lock(), "{run} checks, {failed} failed")?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn run_check<'a>(check: &'a Check, spec: &PlayerSpec, stall_timeout: Duration) -> anyhow::Result<CheckResult<'a>> {
    let mut probe = Probe::start(spec, stall_timeout)?;
    let outcome = (check.run)(&mut probe);
    let violation = outcome.err();
    let traffic = if violation.is_some() { probe.traffic() } else { Vec::new() };
    let (expected, actual) = violation.map(|violation| (violation.expected, violation.actual)).unzip();
    Ok(CheckResult { check: check.name, rule: check.rule, passed: expected.is_none(), expected, actual, traffic })
}

fn as_text(result: &CheckResult<'_>) -> String {
    if result.passed {
        return format!("ok    {}\n", result.check);
    }
    let mut text = format!("FAIL  {}: {}\n", result.check, result.rule);
    if let (Some(expected), Some(actual)) = (&result.expected, &result.actual) {
        text.push_str(&format!("      expected {expected}\n      actual   {actual}\n"));
    }
    for line in &result.traffic {
        text.push_str(&format!("      {line}\n"));
    }
    text
}
