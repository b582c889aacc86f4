//! Game records of Othello servers.

#![no_main]

use flipside::record::ggf::GgfGame;
use flipside::search::types::Side;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(game) = GgfGame::read(text) else { return };
    assert_eq!(GgfGame::read(&game.to_string()).as_ref(), Ok(&game));
    let _ = game.result();
    for side in [Side::First, Side::Second] {
        let _ = (game.clock(side), game.time_left(side));
    }
});
