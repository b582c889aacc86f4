//! Records of games that subcommands read: `analyze`'s games of Reversi, and the games of MiniChess's self-play.

#![no_main]

mod common;

use flipside::cli::analyze::game_records;
use flipside::games::reversi::rules::Reversi;
use flipside::train::minichess::games;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(record) = game_records::read(&Reversi::portable(), text) {
        assert!(record.moves.len() <= 60, "passes are left out");
    }
    common::with_file(text, |path| drop(games::read(path)));
});
