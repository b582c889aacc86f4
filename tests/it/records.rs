//! Games through the formats: what one format holds, every other format that can hold it restores.

#![cfg(feature = "cli")]

use flipside::api::command::PlayedMove;
use flipside::engine::dyn_engine::{DynEngine, Start};
use flipside::engine::recorded_game::{position, replay, restyled};
use flipside::engine::registry::rules;
use flipside::record::codec;
use flipside::record::format::Format;
use flipside::record::game_record::{Cause, GameRecord, GameResult, RecordMove, field};
use flipside::record::texts::in_bytes;
use flipside::record::wthor::{self, Names};
use flipside::search::notation::Style;
use flipside::search::types::Side;
use flipside::support::random::Random;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

/// Formats that hold whole games of Reversi.
const GAMES: [Format; 6] = [Format::Transcript, Format::Ggf, Format::Sgf, Format::Pgn, Format::Wthor, Format::Json];
/// Formats that hold positions of Reversi.
const POSITIONS: [Format; 6] = [Format::Obf, Format::Fen, Format::Ggf, Format::Sgf, Format::Pgn, Format::Json];
/// Formats that hold games of other kinds.
const OTHER_GAMES: [Format; 3] = [Format::Transcript, Format::Pgn, Format::Json];

/// A game of random moves, of at most `plies` plies, as [`replay`] leaves it.
fn random_game(board: &mut dyn DynEngine, random: &mut Random, plies: usize) -> GameRecord {
    let mut record = GameRecord { players: [Some("Ann".into()), Some("Bob".into())], ..GameRecord::default() };
    (record.date, record.event) = (Some("1999".into()), Some("Open".into()));
    board.new_game();
    for _ in 0..plies {
        let legal = board.legal_moves(Style::Plain);
        if legal.is_empty() {
            break;
        }
        let text = &legal[random.below(legal.len())];
        board.set_position(Start::Here, &[PlayedMove::new(text)], Style::Plain, false).expect("a legal move");
        record.moves.push(RecordMove::new(None, text));
    }
    replay(board, &record).expect("legal moves")
}

/// The bytes of a record in a format, and the names of WTHOR.
fn written(record: &GameRecord, format: Format) -> (Vec<u8>, Names) {
    if format != Format::Wthor {
        return (codec::write(record, format).expect("it fits").into_bytes(), Names::default());
    }
    let mut writer = wthor::Writer::default();
    writer.add(record).expect("it fits");
    let files = writer.finish();
    let players = wthor::read_players(&files.players).expect("names");
    let tournaments = wthor::read_tournaments(&files.tournaments).expect("names");
    (files.games, Names { players, tournaments })
}

/// The record through a format, as the format's own reader gives it.
fn through(record: &GameRecord, format: Format) -> GameRecord {
    let (bytes, names) = written(record, format);
    let found = in_bytes(&bytes).collect::<Vec<_>>();
    assert_eq!(found.len(), 1, "{format:?}: {}", String::from_utf8_lossy(&bytes));
    assert_eq!(found[0].format, format, "{}", String::from_utf8_lossy(&bytes));
    let mut games = codec::read(&found[0], "reversi", &names);
    games.remove(0).unwrap_or_else(|reason| panic!("{format:?}: {reason}: {}", String::from_utf8_lossy(&bytes)))
}

/// A game as [`replay`] left it, through a format and replayed again.
fn game_through(board: &mut dyn DynEngine, record: &GameRecord, format: Format) -> GameRecord {
    let game = board.game();
    let styled = if format.move_style(game) == Style::Plain {
        record.clone()
    } else {
        replay(board, record).expect("legal moves");
        restyled(board, record, format.start_style(), format.move_style(game))
    };
    replay(board, &through(&styled, format)).unwrap_or_else(|error| panic!("{format:?}: {error}"))
}

#[test]
fn a_thousand_games_survive_every_pair_of_formats() {
    let mut board = rules("reversi").expect("reversi");
    let mut random = Random(1);
    for number in 0..1000 {
        let game = random_game(&mut *board, &mut random, 200);
        for first in GAMES {
            let once = game_through(&mut *board, &game, first);
            // A transcript holds the moves alone.
            let expected = match first {
                Format::Transcript => GameRecord { players: [None, None], date: None, event: None, ..game.clone() },
                _ => game.clone(),
            };
            assert_eq!(once, expected, "game {number} through {first:?}");
            // Equal records give equal texts, and this loop also covers the way through the second format.
            if once == game {
                continue;
            }
            for second in GAMES.into_iter().filter(|&second| second != Format::Transcript) {
                let twice = game_through(&mut *board, &once, second);
                assert_eq!(twice.moves, game.moves, "game {number} through {first:?} and {second:?}");
                assert_eq!(twice.result, game.result, "game {number} through {first:?} and {second:?}");
            }
        }
    }
}

#[test]
fn games_of_other_kinds_survive_every_pair_of_formats_that_hold_them() {
    let mut random = Random(2);
    for kind in ["minichess", "tic-tac-toe", "connect-four"] {
        let mut board = rules(kind).expect("the game");
        for number in 0..40 {
            let game = random_game(&mut *board, &mut random, 60);
            for (first, second) in OTHER_GAMES.into_iter().flat_map(|first| OTHER_GAMES.map(|second| (first, second))) {
                let once = game_through(&mut *board, &game, first);
                let twice = game_through(&mut *board, &once, second);
                assert_eq!(twice.moves, game.moves, "{kind} {number} through {first:?} and {second:?}");
            }
        }
    }
}

#[test]
fn positions_survive_every_pair_of_formats_that_hold_them() {
    let mut random = Random(3);
    for (kind, formats) in [("reversi", &POSITIONS[..]), ("minichess", &[Format::Fen, Format::Pgn, Format::Json])] {
        let mut board = rules(kind).expect("the game");
        for number in 0..100 {
            let plies = 1 + random.below(58);
            let game = random_game(&mut *board, &mut random, plies);
            let text = board.position(Style::Plain);
            for (first, second) in formats.iter().flat_map(|first| formats.iter().map(move |second| (first, second))) {
                let mut record = GameRecord { result: None, ..game.clone() };
                replay(&mut *board, &record).expect("legal moves");
                for format in [first, second] {
                    record = position(&*board, &record, format.start_style());
                    record = replay(&mut *board, &through(&record, *format)).expect("a position");
                }
                assert_eq!(board.position(Style::Plain), text, "{kind} {number} through {first:?} and {second:?}");
            }
        }
    }
}

fn text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("\\PC{0,14}|[+-]?[0-9]{1,3}[.][0-9]{2}.{0,6}|[0-9]s.{0,4}").prop_map(|text| field(&text?))
}

fn any_result() -> impl Strategy<Value = Option<GameResult>> {
    let cause = prop::sample::select(vec![Cause::Resigned, Cause::Time, Cause::Left]);
    let early = (cause, any::<bool>()).prop_map(|(cause, first)| GameResult {
        winner: Some(if first { Side::First } else { Side::Second }),
        difference: None,
        cause: Some(cause),
    });
    proptest::option::of(prop_oneof![early, (-64..=64).prop_map(GameResult::by_difference)])
}

/// Value, time, time left, marks and comment of a move.
type Note = (Option<i32>, Option<Duration>, Option<Duration>, BTreeSet<u8>, Option<String>);

/// Moves of a game that is not over, with notes.
fn any_moves() -> impl Strategy<Value = Vec<RecordMove>> {
    let time = || proptest::option::of((0u64..10_000_000).prop_map(Duration::from_millis));
    let nags = proptest::collection::btree_set(any::<u8>(), 0..3);
    let note = (proptest::option::of(-6400..6400), time(), time(), nags, text());
    proptest::collection::vec(note, 0..6).prop_map(|notes| {
        let squares =
            ["F5", "D6", "C3", "D3", "C4", "F4"].into_iter().zip([Side::First, Side::Second].into_iter().cycle());
        let mv = |((score, time, clock, nags, comment), (text, side)): (Note, (&str, Side))| RecordMove {
            score,
            time,
            clock,
            nags: nags.into_iter().collect(),
            comment,
            ..RecordMove::new(Some(side), text)
        };
        notes.into_iter().zip(squares).map(mv).collect()
    })
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let date = proptest::option::of("(19|20)[0-9]{2}(-0[1-9](-[12][0-9])?)?");
    (any_moves(), [text(), text(), text(), text(), text(), text(), text()], date, any_result()).prop_map(
        |(moves, [first, second, site, event, round, opening, comment], date, result)| GameRecord {
            game: Some("reversi"),
            style: Style::Ggf,
            moves,
            players: [first, second],
            date,
            site,
            event,
            round,
            opening,
            result,
            comment,
            ..GameRecord::default()
        },
    )
}

/// Removes what a format cannot hold according to docs/records.md.
fn without_what_it_lacks(record: &GameRecord, format: Format) -> GameRecord {
    let mut record = record.clone();
    for mv in &mut record.moves {
        match format {
            Format::Ggf => (mv.comment, mv.clock, mv.nags) = (None, None, Vec::new()),
            Format::Sgf => {
                mv.time = None;
                mv.nags.retain(|nag| (1..=6).contains(nag));
            }
            Format::Pgn => {
                mv.comment = mv.comment.as_ref().map(|comment| comment.replace('{', "(").replace('}', ")"));
            }
            _ => {}
        }
    }
    record
}

proptest! {
    #[test]
    fn all_that_a_format_holds_comes_back(record in any_record()) {
        for format in [Format::Ggf, Format::Sgf, Format::Pgn, Format::Json] {
            let mut read = through(&record, format);
            let mut expected = without_what_it_lacks(&record, format);
            // Their starts and spellings differ; the rules correct both.
            (read.start, read.style) = (None, Style::Ggf);
            for mv in read.moves.iter_mut().chain(&mut expected.moves) {
                (mv.side, mv.text) = (None, mv.text.to_uppercase());
            }
            prop_assert_eq!(read, expected, "{:?}", format);
        }
    }

    /// Any text that can be read can be written and read again.
    #[test]
    fn any_text_is_survived(text in "\\PC{0,80}|[(;\\[\\]\\\\/:.0-9A-HOX* \"{}\n-]{0,120}|\\(;GM\\[2\\][A-Z;\\[\\]a-h()]{0,60}") {
        for text in in_bytes(text.as_bytes()) {
            for record in codec::read(&text, "reversi", &Names::default()).into_iter().flatten() {
                if let Ok(again) = codec::write(&record, text.format) {
                    prop_assert!(in_bytes(again.as_bytes()).count() <= 1);
                }
            }
        }
    }
}
