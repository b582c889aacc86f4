//! GTP against the real process: answers, passes, bad input, endings.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::common::home::Home;
use proptest::prelude::*;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// X must pass here, O can move.
const X_MUST_PASS: &str = "OO-XXXXOXXXXXXX--XXXXOXX-XXXOOOO-XXXOOOO--XXOOXO---OOOOO--XXXXXO X";
/// Neither side can move, squares are left.
const BLOCKED: &str = "--------------------X------XXX----XXXXX----XXX------X----------- O";

/// An engine for GTP with a fixed depth.
pub fn gtp() -> Engine {
    Engine::start(&["--gtp", "--depth", "4"])
}

#[test]
fn the_mandatory_commands() {
    let mut engine = gtp();
    assert_eq!(engine.ask("protocol_version"), "= 2");
    assert_eq!(engine.ask("name"), "= Flipside");
    assert_eq!(engine.ask("version"), format!("= {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(engine.ask("7 known_command play"), "=7 true");
    assert_eq!(engine.ask("8 known_command fly"), "=8 false");
    assert_eq!(engine.ask("boardsize 8"), "=");
    assert_eq!(engine.ask("boardsize 10"), "? unacceptable size");
    assert_eq!(engine.ask("clear_board"), "=");
    assert_eq!(engine.ask("komi 6.5"), "=");
    assert_eq!(engine.ask("play b D3"), "=");
    assert!(engine.ask("genmove WHITE").starts_with("= C"));
    assert_eq!(engine.ask("list_games"), "= Othello", "what Quarry plays");
    assert!(engine.ask("flipside-games").starts_with("= Othello\nminichess\n"));
    assert_eq!(engine.ask("set_game Othello"), "=");
    assert_eq!(engine.ask("set_game Go"), "? unsupported game: Go");
    let listed = engine.ask("list_commands");
    for name in listed.trim_start_matches("= ").lines() {
        assert_eq!(engine.ask(&format!("known_command {name}")), "= true", "{name}");
    }
    assert_eq!(engine.ask("quit"), "=");
}

#[test]
fn the_board_is_shown_with_the_name_of_its_opening() {
    let mut engine = gtp();
    let shown = |engine: &mut Engine| engine.ask("showboard").lines().last().map(str::to_string);
    assert_eq!(shown(&mut engine).as_deref(), Some("black to move, black 2, white 2"));
    for vertex in ["play b c4", "play w e3", "play b f5", "play w e6", "play b f4"] {
        assert_eq!(engine.ask(vertex), "=");
    }
    assert_eq!(shown(&mut engine).as_deref(), Some("opening: Cat"));
    assert_eq!(engine.ask("undo"), "=");
    assert_eq!(shown(&mut engine).as_deref(), Some("opening: Perpendicular"));
}

#[test]
fn pipelined_commands_are_answered_in_order() {
    let mut engine = gtp();
    engine.send("1 genmove b\n2 name\n3 genmove w\n4 undo\n# a comment\n\n5 flipside-moves\n6 quit");
    let (lines, status) = engine.finish();
    let heads: Vec<&str> = lines.iter().filter(|line| !line.is_empty()).map(|line| &line[..2]).collect();
    assert_eq!(heads, ["=1", "=2", "=3", "=4", "=5", "=6"]);
    assert!(status.success());
}

#[test]
fn bad_input_leaves_the_state_alone() {
    let mut engine = gtp();
    engine.ask("play b f5");
    let before = engine.ask("flipside-position");
    for (line, answer) in [
        ("fly", "? unknown command"),
        ("3 GENMOVE b", "?3 unknown command"),
        ("play", "? syntax error"),
        ("play w", "? syntax error"),
        ("play w a1", "? illegal move"),
        ("play w z9", "? illegal move"),
        ("play w f5", "? illegal move"),
        ("play b d6", "? illegal move"),
        ("play w pass", "? illegal move"),
        ("play green d6", "? invalid color"),
        ("genmove", "? syntax error"),
        ("genmove green", "? invalid color"),
        ("play o d6", "? illegal move: d6: invalid color: expected black or white"),
        ("genmove o", "? invalid color: expected black or white"),
        ("genmove b", "? illegal move"),
        ("boardsize -1", "? syntax error"),
        ("boardsize 99999999999999999999", "? syntax error"),
        ("time_settings 1 2", "? syntax error"),
        ("time_left b x 0", "? syntax error"),
        ("komi many", "? syntax error"),
        ("loadsgf /no/such/file", "? cannot load file"),
        ("final_score", "? cannot score"),
        ("flipside-setup XXX X", "? bad position"),
        ("flipside-option Hash 0", "? bad value"),
        ("flipside-option Speed 9", "? unknown option"),
        ("flipside-play f6f4a1", "? illegal move"),
        ("gogui-play_sequence W F6 B a1", "? illegal move"),
        ("gogui-play_sequence W", "? syntax error"),
        ("flipside-perft 0", "? syntax error"),
        ("flipside-analyze 0", "? syntax error"),
    ] {
        let got = engine.ask(line);
        assert!(got.starts_with(answer), "{line}: {got}");
        assert_eq!(engine.ask("flipside-position"), before, "{line}");
    }
}

#[test]
fn mangled_bytes_are_survived() {
    let mut engine = gtp();
    engine.send_bytes(b"na\0me\r\n");
    assert_eq!(engine.response(), "= Flipside");
    engine.send_bytes(b"\x07\xff\xfe oops\n");
    assert!(engine.response().starts_with("? unknown command"));
    engine.send_bytes(&[b"play b ".as_slice(), &vec![b'd'; 1 << 20], b"\n"].concat());
    let answer = engine.response();
    assert!(answer.starts_with("? illegal move") && answer.len() < 400, "{}", answer.len());
    assert!(engine.ask("5").starts_with("?5 syntax error"));
    engine.send_bytes(b"99 name # trailing\twords");
    engine.close_input();
    let (lines, status) = engine.finish();
    assert_eq!(lines, ["=99 Flipside", ""]);
    assert!(status.success());
}

#[test]
fn passes_in_all_three_styles() {
    let mut engine = gtp();
    // Implied: the side that must pass is not asked.
    engine.ask(&format!("flipside-setup {X_MUST_PASS}"));
    assert!(engine.ask("genmove w").starts_with("= "));
    assert_eq!(engine.ask("undo"), "=");
    assert_eq!(engine.ask("flipside-position"), format!("= {X_MUST_PASS}"));
    assert_eq!(engine.ask("reg_genmove w").len(), 4);
    assert_eq!(engine.ask("flipside-position"), format!("= {X_MUST_PASS}"));
    assert_eq!(engine.ask("play w C1"), "=");
    assert_eq!(engine.ask("undo"), "=");
    // Explicit.
    assert_eq!(engine.ask("gogui-rules_legal_moves"), "= pass");
    assert_eq!(engine.ask("genmove b"), "= PASS");
    assert_eq!(engine.ask("undo"), "=");
    assert_eq!(engine.ask("play B pAsS"), "=");
    assert!(engine.ask("gogui-rules_side_to_move").ends_with("white"));
    // Out of turn: refused.
    assert!(engine.ask("genmove b").starts_with("? illegal move"));
}

#[test]
fn a_finished_game_is_passed_and_scored() {
    let mut engine = gtp();
    engine.ask(&format!("flipside-setup {BLOCKED}"));
    assert_eq!(engine.ask("gogui-rules_legal_moves"), "=");
    assert_eq!(engine.ask("genmove w"), "= PASS");
    assert_eq!(engine.ask("play b PASS"), "=");
    assert_eq!(engine.ask("genmove w"), "= PASS");
    assert_eq!(engine.ask("genmove b"), "= PASS");
    assert_eq!(engine.ask("final_score"), "= B+64");
    assert!(engine.ask("play b a1").starts_with("? illegal move"));
}

#[test]
fn undo_takes_back_implied_passes_with_their_move() {
    let mut engine = gtp();
    assert_eq!(engine.ask("undo"), "? cannot undo");
    engine.ask(&format!("flipside-setup {X_MUST_PASS}"));
    assert_eq!(engine.ask("flipside-play C1"), "=");
    assert_eq!(engine.ask("flipside-moves"), "= PASS C1");
    assert_eq!(engine.ask("undo"), "=");
    assert_eq!(engine.ask("flipside-moves"), "=");
    assert_eq!(engine.ask("undo"), "? cannot undo");
}

#[test]
fn an_analysis_stays_open_until_the_next_line() {
    let mut engine = Engine::start(&["--gtp"]);
    engine.send("5 flipside-analyze 2");
    assert_eq!(engine.line(), "=5");
    let lines = engine.until(|line| line.starts_with("rank 2"));
    assert!(lines[0].starts_with("rank 1 depth 1 score "), "{lines:?}");
    assert!(lines[0].contains(" certainty ") && lines[0].contains(" pv "), "{lines:?}");
    engine.send("6 name");
    let rest = engine.response();
    assert!(rest.lines().all(|line| line.starts_with("rank ")), "{rest}");
    assert_eq!(engine.response(), "=6 Flipside");
    let limited = engine.ask("flipside-analyze b 1 0.05");
    assert!(limited.lines().count() > 1, "{limited}");
    engine.send("flipside-analyze");
    engine.until(|line| line.starts_with("rank 1"));
    engine.send("");
    engine.response();
}

#[test]
fn a_proven_win_is_told_as_its_distance() {
    let mut engine = Engine::start(&["--gtp", "--game", "tic-tac-toe"]);
    assert_eq!(engine.ask("flipside-play a1 b1 b2"), "=");
    let analysis = engine.ask("flipside-analyze w 1 10");
    let last = analysis.lines().last().unwrap_or_default();
    assert!(last.contains(" score -win@4 certainty exact "), "a fork comes: {analysis}");
}

#[test]
fn counts_are_whole_or_refused() {
    let mut engine = gtp();
    engine.send("1 flipside-perft 30");
    assert_eq!(engine.line_within(Duration::from_millis(100)), None);
    engine.send("# interrupt");
    assert!(engine.response().starts_with("?1 interrupted"));
    engine.ask(&format!("flipside-setup {BLOCKED}"));
    assert_eq!(engine.ask("flipside-perft 3"), "= 1", "a game that is over early is one leaf");
    engine.ask("clear_board");
    engine.send("flipside-perft 7");
    let (lines, _) = engine.finish();
    assert_eq!(lines, ["= 55092", ""], "the end of input lets a count finish");
}

#[test]
fn positions_of_files() {
    let mut engine = gtp();
    // A line of an OBF file with values and a comment.
    assert_eq!(engine.ask(&format!("flipside-setup {X_MUST_PASS}; pass:+4; # ffo key=value")), "=");
    assert_eq!(engine.ask("flipside-position"), format!("= {X_MUST_PASS}"));
    let home = Home::new();
    let mut load = |text: &str, number: &str| {
        let answer = engine.ask(&format!("loadsgf {} {number}", home.write("game.sgf", text)));
        (answer, engine.ask("flipside-moves"))
    };
    let game = "(;GM[2]SZ[8]PB[a \\] b];B[dc]C[one];W[c3](;B[c4])(;B[f6]))";
    assert_eq!(load(game, ""), ("=".into(), "= D3 C3 C4".into()));
    assert_eq!(load(&format!("\u{feff}{game}"), ""), ("=".into(), "= D3 C3 C4".into()), "a byte-order mark");
    assert_eq!(load(game, "3"), ("=".into(), "= D3 C3".into()), "before the third move");
    let (answer, moves) = load("(;GM[2];B[dc];W[a1])", "");
    assert!(answer.ends_with(": move 2 cannot be played"), "{answer}");
    assert_eq!(moves, "= D3 C3", "nothing changed");
    let (answer, moves) = load("(;GM[2]AW[aa]AB[ba:ca]PL[W];W[d1])", "");
    assert_eq!((answer.as_str(), moves.as_str()), ("=", "= D1"));
    // Other formats, recognized by their content.
    for game in [
        "d3 C3 c4",
        "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[D3]W[C3]B[C4];)",
    ] {
        assert_eq!(load(game, ""), ("=".into(), "= D3 C3 C4".into()), "{game}");
    }
    assert_eq!(
        load("[Event \"a\"]\n\n1. d3 c3 2. c4 *\n\n[Event \"b\"]\n\n1. f5 *\n", "2"),
        ("=".into(), "= D3".into())
    );
    let (answer, moves) = load("[Variant \"minichess\"]\n\n1. b2b3 *", "");
    assert!(answer.ends_with(": it is a game of minichess, not of reversi"), "{answer}");
    assert_eq!(moves, "= D3");
}

#[test]
fn an_interruption_ends_the_thinking() {
    let mut engine = Engine::start(&["--gtp", "--move-time", "3600"]);
    engine.send("genmove b");
    assert_eq!(engine.line_within(Duration::from_millis(300)), None);
    engine.send("# interrupt");
    assert!(engine.response().starts_with("= "));
}

#[test]
fn hints_and_boards_for_gogui() {
    let mut engine = gtp();
    assert_eq!(engine.ask("gogui-rules_game_id"), "= Othello");
    assert_eq!(engine.ask("gogui-rules_board_size"), "= 8");
    assert_eq!(engine.ask("gogui-rules_legal_moves"), "= D3 C4 F5 E6");
    assert_eq!(engine.ask("gogui-play_sequence B D3 W C3"), "=");
    let board = engine.ask("gogui-rules_board");
    let rows: Vec<&str> = board.lines().skip(1).collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[5], ". . O X . . . .", "row 3 is the sixth from the highest");
    assert!(engine.ask("flipside-hints 3").starts_with("= COLOR #80ff80 "));
    assert!(engine.ask("gogui-analyze_commands").contains("gfx/Hints/flipside-hints"));
    assert!(engine.ask("flipside-param").contains("[string] Hash 64"));
    assert_eq!(engine.ask("flipside-param Move_Overhead 50"), "=");
    assert!(engine.ask("flipside-param").contains("[string] Move_Overhead 50"));
}

#[test]
fn end_of_input_in_mid_search_is_answered() {
    for arguments in [["--gtp", "--move-time", "0.3"], ["--gtp", "--nodes", "100000"]] {
        let mut engine = Engine::start(&arguments);
        engine.send("1 genmove b\n2 name");
        let (lines, status) = engine.finish();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(lines[2], "=2 Flipside");
        assert!(status.success());
    }
    let mut engine = Engine::start(&["--gtp"]);
    engine.send("flipside-analyze");
    let (lines, status) = engine.finish();
    assert_eq!(lines.last().map(String::as_str), Some(""), "{lines:?}");
    assert!(status.success());
    // A search with its own limit is not cut short.
    let mut engine = Engine::start(&["--gtp"]);
    engine.send("flipside-hints 4");
    let (lines, _) = engine.finish();
    assert!(lines.len() == 3 && lines[1].starts_with("LABEL "), "{lines:?}");
}

#[test]
fn a_line_that_came_before_it_began_ends_an_analysis() {
    for line in ["", "# a comment", "name"] {
        let mut engine = Engine::start(&["--gtp", "--move-time", "0.3"]);
        engine.send(&format!("1 genmove b\n2 flipside-analyze\n{line}"));
        assert!(engine.response().starts_with("=1 "));
        assert!(engine.response().starts_with("=2"), "{line:?}");
    }
}

#[test]
fn an_interruption_reaches_what_waits() {
    let mut engine = Engine::start(&["--gtp", "--move-time", "100"]);
    engine.send("1 genmove b\n2 genmove w\n3 flipside-perft 30\n# interrupt\n4 name");
    let heads: Vec<String> = (0..4).map(|_| engine.response()).collect();
    assert!(heads[0].starts_with("=1 ") && heads[1].starts_with("=2 ") && heads[3] == "=4 Flipside", "{heads:?}");
    assert!(heads[2].starts_with("?3 interrupted"), "{heads:?}");
}

#[test]
fn a_depth_alone_does_not_outlive_the_input() {
    let mut engine = Engine::start(&["--gtp", "--depth", "60"]);
    engine.send("1 genmove b\n2 name");
    let (lines, status) = engine.finish();
    assert!(status.success() && lines[0].starts_with("=1 ") && lines[2] == "=2 Flipside", "{lines:?}");
}

#[test]
fn a_closed_output_means_goodbye() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flipside"))
        .args(["--gtp", "--depth", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    // The engine may be gone before all of it is written.
    let _ = std::io::Write::write_all(&mut input, &b"genmove b\nname\n".repeat(100));
    drop(input);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_whole_game_between_two_copies() {
    let mut engines = [gtp(), gtp()];
    let mut passes = 0;
    let mut turn = 0;
    while passes < 2 {
        let (own, other, word) = if turn % 2 == 0 { (0, 1, "b") } else { (1, 0, "w") };
        let answer = engines[own].ask(&format!("genmove {word}"));
        let mv = answer.trim_start_matches("= ").to_string();
        passes = if mv == "PASS" { passes + 1 } else { 0 };
        assert_eq!(engines[other].ask(&format!("play {word} {mv}")), "=", "{mv}");
        turn += 1;
        assert!(turn < 130, "a game ends");
    }
    let scores = [engines[0].ask("final_score"), engines[1].ask("final_score")];
    assert_eq!(scores[0], scores[1]);
}

/// Lines of a careless host: known words in noise of all kinds, with short searches only. `quit` would end the test.
fn careless_line() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "play",
        "genmove",
        "b",
        "w",
        "D3",
        "pass",
        "undo",
        "7",
        "-1",
        "boardsize",
        "8",
        "komi",
        "time_left",
        "#",
        "",
        "gogui-play_sequence",
        "flipside-setup",
        "flipside-play",
        "flipside-option",
        "Hash",
        "flipside-transcript",
        "final_score",
        "99999999999999999999",
        "loadsgf",
        "/",
        "set_game",
        "known_command",
        "f5d6c3",
        "showboard",
    ]);
    let sentence = prop::collection::vec(words, 0..5).prop_map(|words| words.join(" ").into_bytes());
    let noise = prop::collection::vec(any::<u8>().prop_filter("one line", |byte| *byte != b'\n'), 0..60);
    prop_oneof![3 => sentence, 1 => noise]
}

/// Whether a line of these bytes needs an answer.
fn is_question(line: &[u8]) -> bool {
    let said = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    said.iter().any(|&byte| byte > b' ' && byte != 127)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_question_gets_one_answer(lines in prop::collection::vec(careless_line(), 1..60)) {
        let mut engine = Engine::start(&["--gtp", "--depth", "1", "--hash", "1"]);
        engine.send_bytes(&lines.join(&b'\n'));
        engine.send("\nname");
        let (output, status) = engine.finish();
        let responses: Vec<&[String]> = output.split(|line| line.is_empty()).collect();
        let questions = lines.iter().filter(|line| is_question(line)).count();
        // The last piece is what follows the last empty line: nothing.
        prop_assert_eq!(responses.len(), questions + 2, "{:?}", output);
        let heads = &responses[..questions + 1];
        prop_assert!(heads.iter().all(|lines| lines.first().is_some_and(|line| line.starts_with(['=', '?']))));
        prop_assert_eq!(heads[questions], ["= Flipside".to_string()]);
        prop_assert!(status.success());
    }
}

/// A clock that has run out shows less than nothing in some hosts.
#[test]
fn negative_seconds_are_none() {
    let mut engine = Engine::start(&["--gtp"]);
    assert_eq!(engine.ask("time_settings 600 0 0"), "=");
    assert_eq!(engine.ask("time_left b -3 0"), "=");
    let began = Instant::now();
    assert!(engine.ask("genmove b").starts_with("= "));
    assert!(began.elapsed() < Duration::from_millis(1500), "at once: {:?}", began.elapsed());
    assert_eq!(engine.ask("time_settings -1 -0.5 0"), "=");
    assert!(engine.ask("time_left b -x 0").starts_with("? syntax error"));
}

#[test]
#[cfg(unix)]
fn the_processor_time_grows() {
    let mut engine = Engine::start(&["--gtp"]);
    let mut time = || -> f64 { engine.ask("cputime").trim_start_matches("= ").parse().expect("seconds") };
    let before = time();
    assert!(before >= 0.0);
    let end = Instant::now() + crate::common::TIMEOUT;
    let mut now = before;
    while now <= before {
        assert!(Instant::now() < end, "still {now} seconds");
        now = time();
    }
}
