//! The subcommands, and what the engine says to a person at a terminal.

pub mod analyze;
pub mod bench;
mod bench_endgame;
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

use std::io::{Write, stderr};

/// One friendly line for somebody who started the engine by hand.
pub fn greet() {
    let line = "flipside: type GTP (genmove b, showboard, list_commands), uci, nboard 2, or xboard; quit leaves; flipside --help";
    // A closed stderr is no reason not to play.
    let _ = writeln!(stderr(), "{line}");
}
