//! Lines as long as the engine reads, of every shape: served in time proportional to their length, or refused. In time
//! proportional to its square, each of these would take minutes.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::common::home::Home;

/// The longest line, in bytes.
const LINE: usize = 4 << 20;
/// A finished game.
const FINISHED: &str = "--------------------X------XXX----XXXXX----XXX------X----------- O";

/// A line of that length: a head, a repeated unit, a tail.
fn line(head: &str, unit: &str, tail: &str) -> String {
    let count = (LINE - head.len() - tail.len()) / unit.len();
    [head, &unit.repeat(count), tail].concat()
}

/// The GTP answer to a line after another one.
fn gtp_answer(before: &str, line: &str) -> String {
    let mut engine = Engine::start(&["--gtp", "--depth", "1"]);
    assert!(engine.ask(before).starts_with('='), "{before}");
    engine.ask(line)
}

#[test]
fn gtp_passes_beyond_every_game_are_refused() {
    let setup = format!("flipside-setup {FINISHED}");
    for (head, unit) in [
        ("gogui-play_sequence ", "b pass w pass "),
        ("gogui-play_sequence ", "b pass "),
        ("flipside-play ", "pa"),
        ("flipside-play ", "-- "),
    ] {
        let answer = gtp_answer(&setup, &line(head, unit, ""));
        assert!(answer.starts_with("? illegal move: ") && answer.contains("16384 moves"), "{unit}: {answer}");
    }
}

#[test]
fn gtp_lines_of_other_shapes_are_refused() {
    for (game, head, unit, tail, refusal) in [
        ("reversi", "flipside-transcript ", "f5", "", "illegal move: f5"),
        ("reversi", "flipside-transcript ", "z ", "", "illegal move: z"),
        ("reversi", "flipside-setup ", "-", "", "bad position"),
        ("reversi", "gogui-play_sequence ", "b z ", "", "illegal move: z"),
        ("minichess", "flipside-setup 1 W ", "kqbnr/", "", "bad position"),
        ("minichess", "play w ", "-", "", "illegal move"),
        ("connect-four", "flipside-setup ", "x/", " x", "bad position"),
        ("connect-four", "flipside-transcript ", "d ", "", "illegal move: d"),
    ] {
        let answer = gtp_answer(&format!("set_game {game}"), &line(head, unit, tail));
        assert!(answer.starts_with(&format!("? {refusal}")), "{game} {head}{unit}: {answer}");
    }
}

#[test]
fn sgf_files_of_every_shape_are_read_or_named() {
    let head = "(;GM[2]AB[a1]PL[B]";
    let home = Home::new();
    // The position is the end of a game, after which passes are no moves.
    for (unit, tail, is_whole) in [
        (";B[];W[]", ")", true),
        ("(;B[];W[]", "", false),
        (";", ")", true),
        ("(;", "", false),
        ("AB[a1:h8]", ")", true),
        ("C[\\]]", ")", true),
        ("C[", "", false),
    ] {
        let path = home.write("long.sgf", line(head, unit, tail));
        let mut engine = Engine::start(&["--gtp"]);
        let said = engine.ask(&format!("loadsgf {path}"));
        let is_named = said.starts_with("? cannot load file: ") && said.ends_with("line 1 cannot be read");
        assert_eq!((said == "=", is_named), (is_whole, !is_whole), "{unit}: {said}");
    }
}

#[test]
fn nboard_games_of_every_shape_are_read() {
    let head = "set game (;GM[Othello]BO[8 --------------------*------***----*****----***------*----------- O]";
    for (unit, refused) in [("W[PA]B[PA]", true), ("W[A1]", true), ("A[]", false), ("TI[1]", false), ("A[\\]]", false)]
    {
        let mut engine = Engine::start(&["--nboard"]);
        engine.send("nboard 2");
        engine.line();
        engine.send(&line(head, unit, ";)"));
        engine.send("ping 7");
        let answer = engine.line();
        assert_eq!(answer.starts_with("status error: illegal move"), refused, "{unit}: {answer}");
        assert!(!refused || engine.line() == "pong 7", "{unit}");
    }
}

#[test]
fn uci_positions_and_limits_of_every_shape_are_read() {
    for (head, unit, refused) in [
        ("position startpos moves P@d6 ", "P@d6 ", true),
        ("position fen ", "8/", true),
        ("position fen ", "P", true),
        ("go depth 1 searchmoves ", "P@d6 ", false),
        ("go depth 1 searchmoves ", "a1 ", true),
    ] {
        let mut engine = Engine::start(&["--uci"]);
        engine.send(&line(head, unit, ""));
        engine.send("go depth 1");
        let said = engine.until(|line| line.starts_with("bestmove"));
        let error = said[0].starts_with("info string illegal move") || said[0].starts_with("info string bad position");
        assert_eq!(error, refused, "{head}{unit}: {}", said[0]);
    }
}
