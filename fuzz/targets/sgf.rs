//! Smart Game Format.

#![no_main]

use flipside::record::sgf::{self, SgfGame};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = SgfGame::read(text) {
        let record = game.record();
        if let Ok(written) = sgf::write(&record) {
            assert_eq!(SgfGame::read(&written).expect("it was written here").moves.len(), record.moves.len());
        }
    }
});
