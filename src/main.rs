//! The `flipside` binary: the command line of the library.

use clap::Parser;
use flipside::cli::{self, Cli};
use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(&Cli::parse()).unwrap_or_else(|error| {
        // Nothing is left to do if even stderr is gone.
        let _ = writeln!(stderr(), "flipside: {error:#}");
        ExitCode::from(2)
    })
}
