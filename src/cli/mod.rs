//! The subcommands, and what the engine says to a person at a terminal.

pub mod analyze;
pub mod bench;
mod bench_endgame;
pub mod chart;
mod game_chart;
mod game_records;
pub mod growth;
mod growth_game;
pub mod perft;
pub mod search;
pub mod solve;
mod solve_check;
mod solve_feed;
pub mod tables;
pub mod trace;

use anyhow::Context;
use std::fs::File;
use std::io::{BufRead, BufReader, Write, stderr, stdin};
use std::path::Path;

/// The lines of a file; of standard input for `-` or nothing.
///
/// # Errors
/// When the file cannot be opened.
fn lines_of(file: Option<&Path>) -> anyhow::Result<Box<dyn BufRead + Send>> {
    match file {
        Some(path) if path != Path::new("-") => {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(Box::new(BufReader::new(file)))
        }
        _ => Ok(Box::new(BufReader::new(stdin()))),
    }
}

/// One friendly line for somebody who started the engine by hand.
pub fn greet() {
    let line = "flipside: type GTP (genmove b, showboard, list_commands), uci, nboard 2, or xboard; quit leaves; flipside --help";
    // A closed stderr is no reason not to play.
    let _ = writeln!(stderr(), "{line}");
}
