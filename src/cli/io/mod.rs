//! How subcommands read and write: standard output, whole files, lines, games, progress, interrupts.

pub(super) mod chart;
pub mod game_input;
pub(super) mod input_lines;
pub(super) mod interrupt;
pub mod output;
pub(super) mod progress;
pub(super) mod proof_lines;
pub mod reversi_games;
pub(super) mod whole_file;
