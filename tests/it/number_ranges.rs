//! Every number in every record format, at both ends of its range and one beyond. The files of books, proofs, weights,
//! tables and training games have such tests beside their readers.

#![cfg(feature = "cli")]

use flipside::engine::recorded_game::replay;
use flipside::engine::registry::rules;
use flipside::record::codec;
use flipside::record::game_record::GameRecord;
use flipside::record::ggf::GgfClock;
use flipside::record::texts::in_bytes;
use flipside::record::wthor::Names;
use flipside::search::types::Score;
use std::time::Duration;

/// The only game of a text, as its reader gives it.
fn read(text: &str) -> Result<GameRecord, String> {
    let found = in_bytes(text.as_bytes()).next().expect("a record");
    codec::read(&found, "reversi", &Names::default()).remove(0)
}

/// The record, replayed by the rules.
fn replayed(text: &str) -> Result<GameRecord, String> {
    let record = read(text)?;
    let mut board = rules(record.game.unwrap_or("reversi")).expect("a board");
    replay(&mut *board, &record).map_err(|error| error.to_string())
}

/// The value of a move in hundredths, in each format that holds one, and how that format writes hundredths.
type Valued = (fn(&str) -> String, fn(&GameRecord) -> Option<Score>, i64);

#[test]
fn values_are_at_most_a_million_units() {
    let first = |record: &GameRecord| record.moves[0].score;
    let formats: [Valued; 5] = [
        (|value| format!("(;GM[Othello]B[f5/{value}];)"), first, 1),
        (|value| format!("(;GM[2];B[fe]V[{value}])"), first, 1),
        (|value| format!("[Event \"a\"]\n\n1. f5 {{{value}/9 1s}} *\n"), first, 1),
        (|value| format!("{{\"moves\":[{{\"move\":\"f5\",\"value\":{value}}}]}}"), first, 100),
        (
            |value| format!("{{\"moves\":[],\"values\":[{{\"move\":\"f5\",\"value\":{value}}}]}}"),
            |record| record.values.first().map(|(_, value)| *value),
            100,
        ),
    ];
    for (write, score, unit) in formats {
        let read = |units: i64, sign: &str| {
            // PGN's evaluations need a sign; JSON has none for positive numbers.
            let text =
                write(&if unit == 1 { format!("{sign}{units}") } else { format!("{}{units}", sign.trim_matches('+')) });
            score(&read(&text).unwrap_or_else(|reason| panic!("{text}: {reason}")))
        };
        let most = 1_000_000 * unit;
        assert_eq!((read(most, "+"), read(most, "-")), (Some(100_000_000), Some(-100_000_000)), "{}", write("0"));
        assert_eq!(read(0, "+"), Some(0));
        for beyond in [most + 1, i32::MAX.into(), 2_147_483_648] {
            if unit == 1 || beyond <= i32::MAX.into() {
                assert_eq!((read(beyond, "+"), read(beyond, "-")), (None, None), "{}: {beyond}", write("0"));
            }
        }
    }
    // JSON's values are integers of 32 bits.
    assert!(read("{\"moves\":[{\"move\":\"f5\",\"value\":2147483648}]}").is_err());
    let obf = |score: &str| read(&format!("{} X; f5:{score};", "-".repeat(64))).map(|record| record.values);
    assert_eq!(obf("-64"), Ok(vec![("f5".into(), -6400)]));
    assert_eq!(obf("+64"), Ok(vec![("f5".into(), 6400)]));
    assert!(obf("-65").is_err() && obf("65").is_err() && obf("2147483648").is_err());
}

#[test]
fn times_are_neither_negative_nor_endless() {
    let time = |text: String| read(&text).unwrap_or_else(|reason| panic!("{text}: {reason}")).moves[0].time;
    let ggf = |seconds: &str| time(format!("(;GM[Othello]B[f5//{seconds}];)"));
    assert_eq!((ggf("0"), ggf("1000000000")), (Some(Duration::ZERO), Some(Duration::from_secs(1_000_000_000))));
    assert_eq!((ggf("-0.001"), ggf("1000000000.1"), ggf("1e9")), (None, None, None));
    let pgn = |seconds: &str| time(format!("[Event \"a\"]\n\n1. f5 {{+1.00/9 {seconds}s}} *\n"));
    assert_eq!((pgn("0"), pgn("1000000")), (Some(Duration::ZERO), Some(Duration::from_secs(1_000_000))));
    assert_eq!((pgn("-1"), pgn("1000000.1")), (None, None));
    let json = |seconds: &str| time(format!("{{\"moves\":[{{\"move\":\"f5\",\"seconds\":{seconds}}}]}}"));
    assert_eq!((json("0"), json("1e18")), (Some(Duration::ZERO), Some(Duration::from_secs(1_000_000_000_000_000_000))));
    assert_eq!((json("-0.001"), json("1e20"), json("1e300")), (None, None, None));
    let clock = |face: &str| GgfClock::read(face).map(|clock| clock.main);
    assert_eq!(
        (clock("0"), clock("1000000000")),
        (Some(Some(Duration::ZERO)), Some(Some(Duration::from_secs(1_000_000_000))))
    );
    for beyond in ["-1", "1000000001", "277777:46:41", "99999999999999999999:0"] {
        assert_eq!(clock(beyond), None, "{beyond}");
    }
}

/// What a record says of the end of an unfinished game, in discs for Black.
#[test]
fn results_end_at_the_board() {
    let formats: [fn(i64) -> String; 4] = [
        |discs| format!("(;GM[Othello]RE[{discs:+}]B[f5];)"),
        |discs| format!("(;GM[2]RE[{}+{}];B[fe])", if discs > 0 { 'B' } else { 'W' }, discs.abs()),
        |discs| {
            let result = if discs > 0 { "0-1" } else { "1-0" };
            format!("[Result \"{result}\"]\n[Difference \"{discs}\"]\n\n1. f5 {result}\n")
        },
        |discs| {
            let result = if discs > 0 { "1-0" } else { "0-1" };
            format!("{{\"result\":\"{result}\",\"difference\":{discs},\"moves\":[{{\"move\":\"f5\"}}]}}")
        },
    ];
    for format in formats {
        let difference = |discs: i64| {
            let record = replayed(&format(discs)).unwrap_or_else(|reason| panic!("{}: {reason}", format(discs)));
            (record.result.and_then(|result| result.difference), record.remarks.len())
        };
        assert_eq!((difference(-64), difference(64)), ((Some(-64), 0), (Some(64), 0)), "{}", format(64));
        for beyond in [-66, -65, 65, 66, -1_000_000, 1_000_000] {
            assert_eq!(difference(beyond), (None, 1), "{}", format(beyond));
        }
        for absurd in [-1_000_001, 1_000_001, i64::from(i32::MIN), i64::from(i32::MAX)] {
            assert_eq!(difference(absurd).0, None, "{}", format(absurd));
        }
    }
}

#[test]
fn squares_and_boards_end_at_the_edge() {
    let squares = ["a1", "h8", "a0", "a9", "i1", "`1"];
    let is_square = |text: &str| !replayed(text).is_err_and(|reason| reason.contains("is not legal for"));
    let board = "8 ---------------------------O*------*O--------------------------- *";
    // No corner is legal at the start: each is refused by the rules, or already by the reader, and none is cut.
    for square in squares {
        for text in [
            format!("f5d6 {square}"),
            format!("(;GM[Othello]BO[{board}]B[f5]W[d6]B[{square}];)"),
            format!("(;GM[2];B[fe];W[df];B[{square}])"),
            format!("[Event \"a\"]\n\n1. f5 d6 2. {square} *\n"),
            format!("{{\"moves\":[{{\"move\":\"f5\"}},{{\"move\":\"d6\"}},{{\"move\":\"{square}\"}}]}}"),
        ] {
            assert!(replayed(&text).is_err(), "{text}");
        }
    }
    assert!(is_square("f5d6"));
    for (size, is_read) in
        [("8", true), ("0", false), ("7", false), ("9", false), ("-8", false), ("88888888888", false)]
    {
        let ggf = format!("(;GM[Othello]BO[{size}{}]B[f5];)", &board[1..]);
        let sgf = format!("(;GM[2]SZ[{size}];B[fe])");
        assert_eq!((replayed(&ggf).is_ok(), replayed(&sgf).is_ok()), (is_read, is_read), "{size}");
    }
    for (rows, is_read) in [
        ("8/8/8/3pP3/3Pp3/8/8/8", true),
        ("8/8/8/3pP30/3Pp3/8/8/8", false),
        ("9/8/8/3pP3/3Pp3/8/8/8", false),
        ("7/8/8/3pP3/3Pp3/8/8/8", false),
        ("8/8/8/3pP3/3Pp3/8/8/8/8", false),
        ("8/8/8/3pP3/3Pp3/8/8", false),
    ] {
        assert_eq!(replayed(&format!("{rows} w - - 0 1")).is_ok(), is_read, "{rows}");
        let pgn = format!("[Variant \"reversi\"]\n[FEN \"{rows} w - - 0 1\"]\n\n1. f5 *\n");
        assert_eq!(replayed(&pgn).is_ok(), is_read, "{rows}");
    }
}

/// Dates have numbers, too: parts out of range are left out.
#[test]
fn parts_of_dates_end_with_the_calendar() {
    let date = |text: &str| read(&format!("[Date \"{text}\"]\n\n1. f5 *\n")).expect("a game").date;
    for (text, expected) in [
        ("0000.01.01", Some("0000-01-01")),
        ("9999.12.31", Some("9999-12-31")),
        ("2024.0.1", Some("2024")),
        ("2024.13.1", Some("2024")),
        ("2024.12.0", Some("2024-12")),
        ("2024.12.32", Some("2024-12")),
        ("10000.1.1", None),
        ("999.1.1", None),
        ("2024.99999999999.1", Some("2024")),
    ] {
        assert_eq!(date(text).as_deref(), expected, "{text}");
    }
}
