//! `flipside lint`: does an engine keep the rules of its protocol that hosts rely on?
//!
//! Every rule is one named check with a process of its own, so that one failure hides no other.

mod gtp;
mod nboard;
mod probe;
mod uci;
mod xboard;

use super::spec::{PlayerSpec, Protocol, seconds};
use super::words;
use clap::Args;
use probe::{Complaint, Probe};
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
    /// What it speaks: gtp, nboard, uci or xboard
    #[arg(long)]
    protocol: String,
    /// Directory that it is started in
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Seconds that any answer may take
    #[arg(long, default_value = "5", value_name = "SECONDS")]
    patience: String,
    /// Run only the checks of these names
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// One JSON object a check
    #[arg(long)]
    json: bool,
}

/// A rule of a protocol and how to try it.
struct Check {
    /// Its name on the command line.
    name: &'static str,
    /// The rule, as an author would want to read it.
    rule: &'static str,
    /// Tries it with a fresh process.
    run: fn(&mut Probe) -> Result<(), Complaint>,
}

/// What came of a check.
#[derive(Serialize)]
struct SearchResult<'a> {
    check: &'a str,
    rule: &'a str,
    passed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    came: Option<String>,
    /// The last lines in both directions, `>` to the engine and `<` from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traffic: Vec<String>,
}

/// Runs the checks and prints what came of each; the status tells of failures.
///
/// # Errors
/// A command that cannot be started, an unknown protocol or check.
pub fn run(args: &LintArgs) -> anyhow::Result<ExitCode> {
    let protocol = Protocol::named(&args.protocol)?;
    let checks: Vec<&Check> = match protocol {
        Protocol::Gtp => gtp::CHECKS.iter(),
        Protocol::NBoard => nboard::CHECKS.iter(),
        Protocol::Uci => uci::CHECKS.iter(),
        Protocol::XBoard => xboard::CHECKS.iter(),
    }
    .collect();
    if let Some(name) = args.only.iter().find(|name| !checks.iter().any(|check| check.name == name.as_str())) {
        let names: Vec<&str> = checks.iter().map(|check| check.name).collect();
        anyhow::bail!("no check is called '{name}': {}", names.join(", "));
    }
    let mut spec = PlayerSpec::from_words(std::iter::once(("cmd", args.cmd.as_str())))?;
    spec.command = words::split(&args.cmd).map_err(anyhow::Error::msg)?;
    spec.dir = args.dir.clone();
    let patience = seconds(&args.patience)?;
    let (mut failed, mut tried) = (0, 0);
    for check in checks.into_iter().filter(|check| args.only.is_empty() || args.only.iter().any(|n| n == check.name)) {
        let result = examine(check, &spec, patience)?;
        tried += 1;
        failed += usize::from(!result.passed);
        let text = if args.json { serde_json::to_string(&result)? + "\n" } else { in_words(&result) };
        stdout().lock().write_all(text.as_bytes())?;
    }
    if !args.json {
        writeln!(stdout().lock(), "{tried} checks, {failed} failed")?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn examine<'a>(check: &'a Check, spec: &PlayerSpec, patience: Duration) -> anyhow::Result<SearchResult<'a>> {
    let mut probe = Probe::start(spec, patience)?;
    let outcome = (check.run)(&mut probe);
    let complaint = outcome.err();
    let traffic = if complaint.is_some() { probe.traffic() } else { Vec::new() };
    let (expected, came) = complaint.map(|complaint| (complaint.expected, complaint.came)).unzip();
    Ok(SearchResult { check: check.name, rule: check.rule, passed: expected.is_none(), expected, came, traffic })
}

fn in_words(result: &SearchResult<'_>) -> String {
    if result.passed {
        return format!("ok    {}\n", result.check);
    }
    let mut text = format!("FAIL  {}: {}\n", result.check, result.rule);
    if let (Some(expected), Some(came)) = (&result.expected, &result.came) {
        text.push_str(&format!("      expected {expected}\n      came     {came}\n"));
    }
    for line in &result.traffic {
        text.push_str(&format!("      {line}\n"));
    }
    text
}
