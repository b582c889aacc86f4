//! What happens before a subcommand runs: the command line, the configuration file, the help, the log.

#[macro_use]
mod examples;

pub mod command_line;
pub mod completions;
mod config;
mod config_value;
mod help;
pub mod logging;
pub mod version;
