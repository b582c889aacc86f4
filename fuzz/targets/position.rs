//! Positions of every game in the notation of every protocol.

#![no_main]

mod common;

use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::Start;
use flipside::engine::registry;
use flipside::games::names;
use flipside::search::notation::Style;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _threads = common::StartedThreads::new();
    for game in names::games() {
        let settings = Settings { game: game.into(), hash: 1, ..Settings::default() };
        let Ok(mut engine) = registry::open(&settings) else { continue };
        for style in [Style::Plain, Style::Ggf, Style::Uci] {
            if engine.set_position(Start::Text(text), &[], style, false).is_err() {
                continue;
            }
            let (side, moves) = (engine.side(), engine.legal_moves(Style::Plain));
            let shown = engine.position(style);
            assert!(engine.set_position(Start::Text(&shown), &[], style, false).is_ok(), "{game} {shown}");
            assert_eq!((side, moves), (engine.side(), engine.legal_moves(Style::Plain)), "{game} {shown}");
            assert_eq!(shown, engine.position(style));
        }
    }
});
