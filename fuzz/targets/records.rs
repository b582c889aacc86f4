//! Records of games that subcommands read: Reversi games for `analyze` and `book learn`, and the self-play games of
//! MiniChess.

#![no_main]

mod common;

use flipside::cli::io::reversi_games::ReversiReplay;
use flipside::record::wthor::Names;
use flipside::record::{codec, texts};
use flipside::train::minichess::games;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _threads = common::StartedThreads::new();
    let mut replay = ReversiReplay::new().expect("a board");
    for text in texts::in_bytes(text.as_bytes()) {
        for record in codec::read(&text, "reversi", &Names::default()).iter().flatten() {
            if let Ok(game) = replay.game(record) {
                assert!(game.moves.len() <= 60, "passes are left out");
            }
        }
    }
    common::with_file(text, |path| drop(games::read(path)));
});
