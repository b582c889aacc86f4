//! Positions of every game in every protocol's words.

#![no_main]

use flipside::engine::options::Settings;
use flipside::engine::registry;
use flipside::engine::engine::Start;
use flipside::search::notation::{Style};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in registry::NAMES {
        let settings = Settings { game: game.into(), hash: 1, ..Settings::default() };
        let Ok(mut room) = registry::open(&settings) else { continue };
        for style in [Style::Plain, Style::Ggf, Style::Uci] {
            if room.set_position(Start::Text(text), &[], style, false).is_err() {
                continue;
            }
            let (side, moves) = (room.side(), room.legal_moves(Style::Plain));
            let shown = room.position(style);
            assert!(room.set_position(Start::Text(&shown), &[], style, false).is_ok(), "{game} {shown}");
            assert_eq!((side, moves), (room.side(), room.legal_moves(Style::Plain)), "{game} {shown}");
            assert_eq!(shown, room.position(style));
        }
    }
});
