//! Games of every format: detection, readers, rules, writers.

#![no_main]

use flipside::engine::dyn_engine::DynEngine;
use flipside::engine::recorded_game::{position, replay, restyled};
use flipside::engine::registry::rules;
use flipside::games::names;
use flipside::record::codec;
use flipside::record::format::Format;
use flipside::record::game_record::GameRecord;
use flipside::record::texts::in_bytes;
use flipside::record::wthor::{self, Names};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    static BOARDS: RefCell<Vec<Box<dyn DynEngine>>> =
        RefCell::new(names::games().map(|game| rules(game).expect("a game of the house")).collect());
}

/// Whether the format holds only a position, not the moves of a game.
fn holds_positions_only(format: Format) -> bool {
    matches!(format, Format::Obf | Format::Fen)
}

/// The record written in a format and read again, if the format can hold it.
fn through(board: &dyn DynEngine, record: &GameRecord, format: Format) -> Option<GameRecord> {
    let styled = match holds_positions_only(format) {
        true => position(board, record, format.start_style()),
        false => restyled(board, record, format.start_style(), format.move_style(board.game())),
    };
    let bytes = if format == Format::Wthor {
        let mut writer = wthor::Writer::default();
        writer.add(&styled).ok()?;
        writer.finish().games
    } else {
        codec::write(&styled, format).ok()?.into_bytes()
    };
    let text = in_bytes(&bytes).next()?;
    assert_eq!(text.format, format);
    Some(codec::read(&text, board.game(), &Names::default()).remove(0).expect("it was written here"))
}

fuzz_target!(|bytes: &[u8]| {
    BOARDS.with_borrow_mut(|boards| {
        for text in in_bytes(bytes) {
            for record in codec::read(&text, names::REVERSI.name, &Names::default()).into_iter().flatten() {
                let game = record.game.unwrap_or(names::REVERSI.name);
                let board = boards.iter_mut().find(|board| board.game() == game).expect("a board for each game");
                let Ok(replayed) = replay(&mut **board, &record) else { continue };
                for format in Format::ALL {
                    let Some(again) = through(&**board, &replayed, format) else { continue };
                    let again = replay(&mut **board, &again).expect("legal moves");
                    if !holds_positions_only(format) {
                        let count =
                            |record: &GameRecord| record.moves.iter().filter(|mv| !board.is_pass(&mv.text)).count();
                        assert_eq!(count(&again), count(&replayed), "{format:?}");
                    }
                    replay(&mut **board, &replayed).expect("as before");
                }
            }
        }
    });
});
