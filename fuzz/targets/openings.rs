//! Lines of a file of openings.

#![no_main]

mod common;

use flipside::api::settings::Settings;
use flipside::engine::registry;
use flipside::games::names;
use flipside::referee::openings::Opening;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _threads = common::StartedThreads::new();
    for game in names::games() {
        let settings = Settings { game: game.into(), hash: 1, ..Settings::default() };
        let Ok(mut board) = registry::open(&settings) else { continue };
        for line in text.lines() {
            if let Ok(opening) = Opening::read(line, board.as_mut()) {
                opening.set_up(board.as_mut()).expect("what was accepted is legal");
            }
        }
    }
});
