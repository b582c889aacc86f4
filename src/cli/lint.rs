//! `flipside lint`: checks that an engine follows the rules of its protocol, and prints the results.

use crate::cli::io::output::Output;
use anyhow::bail;
use clap::Args;
use flipside_referee::lint::{checks, run_check};
use flipside_referee::spec::PlayerSpec;
use flipside_support::json;
use flipside_support::seconds::parse_seconds;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `flipside lint`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside lint --cmd 'flipside --gtp' --protocol gtp"])]
pub struct LintArgs {
    /// Command that starts the engine, with its arguments
    #[arg(long, value_name = "COMMAND")]
    cmd: String,
    /// Protocol of the engine: cassio, gomocup, gtp, json, nboard, uci or xboard; for cassio, gtp, json and nboard
    /// its game must be Reversi
    #[arg(long, value_name = "NAME")]
    protocol: String,
    /// Working directory of the engine
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
    /// Longest time for an answer, in seconds
    #[arg(long, default_value = "5", value_name = "SECONDS", alias = "patience", value_parser = parse_seconds)]
    stall_timeout: Duration,
    /// Run only the check with this name; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Print one JSON object per check
    #[arg(long)]
    json: bool,
}

/// Runs the checks and prints their results; the exit status is 1 if one failed.
///
/// # Errors
/// The command cannot be started, or the protocol or a check is unknown.
pub fn run(args: &LintArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let checks = checks(&args.protocol)?;
    if let Some(name) = args.only.iter().find(|name| !checks.iter().any(|check| check.name == name.as_str())) {
        let names: Vec<&str> = checks.iter().map(|check| check.name).collect();
        bail!("--only: no check is called '{name}': one of {}", names.join(", "));
    }
    let mut spec = PlayerSpec::from_pairs(std::iter::once(("cmd", args.cmd.as_str())))?;
    spec.dir = args.dir.clone();
    let (mut failed, mut run) = (0, 0);
    for check in checks.iter().filter(|check| args.only.is_empty() || args.only.iter().any(|n| n == check.name)) {
        let result = run_check(check, &spec, args.stall_timeout)?;
        run += 1;
        failed += usize::from(!result.passed);
        let text = if args.json { json::line(&result)? + "\n" } else { result.text() };
        out.write_all(text.as_bytes())?;
    }
    if !args.json {
        writeln!(out, "{run} checks, {failed} failed")?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}
