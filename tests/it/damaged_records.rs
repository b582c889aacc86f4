//! Damaged records: wherever bytes change, a reader gives the same game, another whole one, or a named fault, but never
//! silently a shorter game.

#![cfg(feature = "cli")]

use flipside::engine::dyn_engine::DynEngine;
use flipside::engine::recorded_game::{replay, restyled};
use flipside::engine::registry::rules;
use flipside::record::codec;
use flipside::record::format::Format;
use flipside::record::game_record::{GameRecord, GameResult, RecordMove, StartPosition};
use flipside::record::texts::in_bytes;
use flipside::record::wthor::{self, Names};
use flipside::search::notation::Style;
use flipside::support::random::Random;
use std::time::Duration;

/// Bytes that mean something in one of the formats, and some that mean nothing.
const BYTES: &[u8] = b"\0\t\n\r !\"#$%'()*+,-./019:;=?@ABCTWX[\\]_abf{|}~\x80\xff";

/// A game with notes of every kind, unfinished.
fn annotated() -> GameRecord {
    let square = |text: &str| RecordMove::new(None, text);
    let mut moves: Vec<RecordMove> = ["F5", "D6", "C3", "D3", "C4", "F4", "C5", "B3", "C2"].map(square).to_vec();
    moves[1].comment = Some("good [really] {braced} move; so".into());
    moves[2].nags = vec![1, 6];
    (moves[2].score, moves[2].clock) = (Some(150), Some(Duration::from_millis(59_500)));
    let other = RecordMove { comment: Some("or".into()), nags: vec![4], ..square("F3") };
    moves[3].variations = vec![vec![other, square("C4")], vec![square("F4")]];
    moves[8].comment = Some("the end".into());
    GameRecord {
        game: Some("reversi"),
        style: Style::Ggf,
        moves,
        players: [Some("Ann [2d]".into()), Some("Zo\u{eb}".into())],
        event: Some("Open".into()),
        comment: Some("a game".into()),
        ..GameRecord::default()
    }
}

/// The game in a format, and for WTHOR its names.
fn written(format: Format) -> Vec<u8> {
    let mut board = rules("reversi").expect("reversi");
    let record = replay(&mut *board, &annotated()).expect("a legal game");
    let styled = restyled(&*board, &record, format.start_style(), format.move_style("reversi"));
    match format {
        Format::Wthor => {
            let mut writer = wthor::Writer::default();
            writer.add(&GameRecord { result: Some(GameResult::by_difference(10)), ..styled }).expect("it fits");
            writer.finish().games
        }
        Format::Obf => {
            let text = board.position(Style::Plain);
            let start = Some(StartPosition { text, style: Style::Plain });
            let values = vec![("b2".into(), 600), ("e6".into(), -200)];
            codec::write(&GameRecord { start, values, moves: Vec::new(), ..styled }, format)
                .expect("it fits")
                .into_bytes()
        }
        _ => codec::write(&styled, format).expect("it fits").into_bytes(),
    }
}

/// What reading a text shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    /// A fault, or a warning.
    Fault,
    /// Games without faults: how many games or positions, how many moves and values of moves.
    Games(usize, usize),
}

/// Reads all games, as the commands do, and checks them by the rules.
fn found(board: &mut dyn DynEngine, bytes: &[u8]) -> Found {
    let (mut games, mut moves) = (0, 0);
    for text in in_bytes(bytes) {
        if text.warning.is_some() {
            return Found::Fault;
        }
        for record in codec::read(&text, "reversi", &Names::default()) {
            let Some(count) = record.ok().and_then(|record| count(board, &record)) else { return Found::Fault };
            (games, moves) = (games + 1, moves + count);
        }
    }
    Found::Games(games, moves)
}

/// Reads the first game, as commands do that load one.
fn found_first(board: &mut dyn DynEngine, bytes: &[u8]) -> Found {
    let Some(first) = codec::read_first(bytes, "reversi") else { return Found::Games(0, 0) };
    first.record.ok().and_then(|record| count(board, &record)).map_or(Found::Fault, |count| Found::Games(1, count))
}

/// The moves and values of moves of a legal record.
fn count(board: &mut dyn DynEngine, record: &GameRecord) -> Option<usize> {
    let replayed = replay(board, record).ok()?;
    let moves = replayed.moves.iter().filter(|mv| !board.is_pass(&mv.text)).count();
    replayed.remarks.is_empty().then_some(moves + record.values.len())
}

/// Whether a format means something else by a change, so that nobody can tell it from what it says.
fn is_another_text(format: Format, whole: &[u8], damaged: &[u8]) -> bool {
    let count = |text: &[u8], byte| text.iter().filter(|it| **it == byte).count();
    match format {
        // The last square becomes the end of the game.
        Format::Wthor => damaged.get(16 + 8 + annotated().moves.len() - 1) == Some(&0),
        _ if damaged.trim_ascii_start().starts_with(b"#") || damaged.trim_ascii_start().starts_with(b"%") => true,
        // A tab begins the column of values.
        Format::Transcript => damaged.contains(&b'\t'),
        // The first letter of a move makes a mark of it.
        Format::Pgn => count(damaged, b'$') > count(whole, b'$'),
        _ => false,
    }
}

fn check(board: &mut dyn DynEngine, format: Format, whole: &[u8], damaged: &[u8]) {
    let Found::Games(games, moves) = found(board, whole) else { panic!("{format:?}: a good text") };
    let is_as_long = |found: Found| match found {
        Found::Fault => true,
        Found::Games(some, more) => some >= games && more >= moves,
    };
    let has_one_game = matches!(format, Format::Sgf | Format::Ggf | Format::Pgn | Format::Json);
    let is_good = is_as_long(found(board, damaged)) && (!has_one_game || is_as_long(found_first(board, damaged)));
    assert!(
        is_good || is_another_text(format, whole, damaged),
        "{format:?}: {:?} of {games} games and {moves} moves in\n{}",
        found(board, damaged),
        String::from_utf8_lossy(damaged)
    );
}

/// Where the bytes may change: in WTHOR's files not in the header.
fn places(format: Format, whole: &[u8]) -> std::ops::Range<usize> {
    if format == Format::Wthor { 16..whole.len() } else { 0..whole.len() }
}

const FORMATS: [Format; 7] =
    [Format::Transcript, Format::Ggf, Format::Sgf, Format::Pgn, Format::Wthor, Format::Json, Format::Obf];

#[test]
fn one_damaged_byte_never_shortens_a_game() {
    let mut board = rules("reversi").expect("reversi");
    for format in FORMATS {
        let whole = written(format);
        for at in places(format, &whole) {
            for &byte in BYTES {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                check(&mut *board, format, &whole, &damaged);
                if format != Format::Wthor {
                    let mut damaged = whole.clone();
                    damaged.insert(at, byte);
                    check(&mut *board, format, &whole, &damaged);
                }
            }
        }
    }
}

#[test]
fn random_damage_never_shortens_a_game() {
    let mut board = rules("reversi").expect("reversi");
    let mut random = Random(50);
    for format in FORMATS {
        let whole = written(format);
        let places = places(format, &whole);
        for _ in 0..2_000 {
            let mut damaged = whole.clone();
            for _ in 0..2 + random.below(3) {
                let at = places.start + random.below(places.len());
                let byte = random.below(256) as u8;
                if random.below(2) == 0 { damaged[at] = byte } else { damaged.insert(at, byte) }
            }
            check(&mut *board, format, &whole, &damaged);
        }
    }
}

/// Formats that close what they open name a missing end.
#[test]
fn a_missing_end_is_named() {
    let mut board = rules("reversi").expect("reversi");
    for format in [Format::Ggf, Format::Sgf, Format::Json] {
        let whole = written(format);
        let end = whole.trim_ascii_end().len();
        for length in 1..end {
            assert_eq!(found(&mut *board, &whole[..length]), Found::Fault, "{format:?} of {length} bytes");
        }
    }
}
