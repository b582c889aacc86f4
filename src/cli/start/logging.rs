//! The destination of diagnostics: records of the `log` crate.

use anyhow::Context;
use env_logger::{Builder, Env, Target};
use flipside_host::engine::stdio;
use std::fs::File;
use std::path::Path;

/// Starts the log: on stderr at the level of `RUST_LOG` (default: warnings), or in a file in full, with the protocol
/// traffic.
///
/// # Errors
/// The file cannot be created, or a log was started before.
pub fn start(file: Option<&Path>) -> anyhow::Result<()> {
    let default_filter = if file.is_some() { "debug" } else { "warn" };
    let mut builder = Builder::from_env(Env::default().default_filter_or(default_filter));
    let target: Target = match file {
        None => Target::Pipe(Box::new(stdio::Diagnostics)),
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write the log {}", path.display()))?;
            Target::Pipe(Box::new(file))
        }
    };
    builder.target(target).try_init().context("cannot start the log")
}
