//! Smart Game Format.

#![no_main]

use flipside::record::sgf::SgfGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = SgfGame::read(text, 60) {
        assert!(game.moves.len() <= 60);
    }
});
