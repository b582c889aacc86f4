//! NBoard against the real process: the session of the fact sheet, pings, passes, bad input.

#![cfg(feature = "cli")]

use crate::common::Engine;
use std::process::Command;

const START: &str = "set game (;GM[Othello]PC[]PB[]PW[]RE[?]TI[5:00]TY[8]BO[8 \
                     ---------------------------O*------*O--------------------------- *];)";
/// Black must pass here, White can move.
const BLACK_MUST_PASS: &str =
    "set game (;GM[Othello]BO[8 OO-****O*******--****O**-***OOOO-***OOOO--**OO*O---OOOOO--*****O *];)";

/// Asks as the host does: a ping, its answer, then the question.
fn ping(engine: &mut Engine, number: u32) {
    engine.send(&format!("ping {number}"));
    engine.until(|line| line == format!("pong {number}"));
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    digits.chars().all(|c| c.is_ascii_digit() || c == '.') && digits.starts_with(|c: char| c.is_ascii_digit())
}

/// `=== M/E/T` with its parts.
fn answer(engine: &mut Engine) -> (String, String, String) {
    let lines = engine.until(|line| line.starts_with("==="));
    let last = lines.last().expect("an answer").strip_prefix("=== ").expect("a blank after ===").to_string();
    let [mv, value, time] = last.split('/').collect::<Vec<_>>()[..] else { panic!("M/E/T: {last}") };
    (mv.to_string(), value.to_string(), time.to_string())
}

#[test]
fn the_session_of_the_fact_sheet() {
    let mut engine = Engine::start(&[]);
    engine.send("nboard 2");
    engine.send(START);
    engine.send("set depth 6");
    engine.send("ping 1");
    let lines = engine.until(|line| line == "pong 1");
    assert_eq!(lines, ["set myname Flipside", "set myname Flipside6", "pong 1"]);
    engine.send("go");
    let (mv, value, time) = answer(&mut engine);
    assert!(["D3", "C4", "F5", "E6"].contains(&mv.as_str()) && is_number(&value) && is_number(&time));
    engine.send(&format!("move {mv}/{value}/{time}"));
    ping(&mut engine, 2);
    engine.send("hint 3");
    let lines = engine.until(|line| line == "status");
    let hints: Vec<&String> = lines.iter().filter(|line| line.starts_with("search ")).collect();
    for hint in &hints {
        let words: Vec<&str> = hint.split(' ').collect();
        assert!(words.len() >= 5 && is_number(words[2]) && words[3] == "0", "{hint}");
        assert!(words[4].starts_with(|c: char| c.is_ascii_digit()), "{hint}");
    }
    let deepest: Vec<&str> = hints.iter().filter(|hint| hint.contains(" 0 6")).map(|hint| &hint[7..9]).collect();
    assert!(deepest.len() >= 3 && deepest[0] != deepest[1], "{hints:?}");
    ping(&mut engine, 62);
    engine.send("analyze");
    let lines = engine.until(|line| line.starts_with("analysis 0 "));
    assert_eq!(lines.iter().filter(|line| line.starts_with("analysis ")).count(), 2, "{lines:?}");
    ping(&mut engine, 63);
    engine.send("learn");
    assert_eq!(engine.line(), "status error: no opening book: the option Book is none");
    assert_eq!(engine.line(), "learned");
    engine.send("quit");
    assert!(engine.wait_for_exit().success());
}

#[test]
fn a_ping_ends_a_search_at_once_and_drops_its_answer() {
    let mut engine = Engine::start(&["--nboard", "--move-time", "3600"]);
    engine.send("go");
    engine.until(|line| line == "status thinking");
    engine.send("ping 7");
    let lines = engine.until(|line| line == "pong 7");
    assert!(!lines.iter().any(|line| line.starts_with("===")), "{lines:?}");
    engine.send("hint 2");
    engine.until(|line| line.starts_with("search "));
    engine.send("move F5");
    engine.send("ping 8");
    engine.until(|line| line == "pong 8");
    engine.send("nboard 2");
    assert_eq!(engine.line(), "set myname Flipside", "nothing of the old search comes after the pong");
}

#[test]
fn passes_are_explicit() {
    let mut engine = Engine::start(&["--nboard", "--depth", "4"]);
    engine.send(BLACK_MUST_PASS);
    engine.send("go");
    assert_eq!(answer(&mut engine).0, "PA");
    engine.send("move PA/0/0.1");
    engine.send("go");
    assert_ne!(answer(&mut engine).0, "PA");
    // A finished game is answered with a pass, too.
    let all_black = "*".repeat(64);
    engine.send(&format!("set game (;GM[Othello]BO[8 {all_black} O];)"));
    engine.send("go");
    let (mv, value, _) = answer(&mut engine);
    assert_eq!((mv.as_str(), value.as_str()), ("PA", "-64.00"));
}

#[test]
fn version_one_and_bad_lines() {
    let mut engine = Engine::start(&[]);
    engine.send("nboard 1\nset depth 3\nF5\nfly me\nmove A1\nset game (;GM[\nmove d6/1/2\ngo");
    let lines = engine.until(|line| line.starts_with("=== "));
    let errors = lines.iter().filter(|line| line.starts_with("status error")).count();
    assert_eq!(errors, 2, "{lines:?}");
    engine.send_bytes(b"\xff\x00\xfe\nset game (;B[\\\nping x\nlearn\n");
    assert_eq!(engine.until(|line| line == "learned").iter().filter(|line| line.starts_with("pong")).count(), 0);
}

#[test]
fn nothing_goes_to_stderr() {
    let input = "nboard 2\nset depth 4\nmove F5\nmove F5\nset game nonsense\ngo\nping 1\nhint 2\nquit\n";
    let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
    let output = crate::common::program::run_command(command.env("RUST_LOG", "trace"), input);
    let noise = String::from_utf8_lossy(&output.stderr);
    assert_eq!(noise, "");
    assert!(output.status.success());
}

#[test]
fn no_search_outlives_its_host() {
    let engines = ["go", "analyze", "hint 2"].map(|question| {
        let mut engine = Engine::start(&["--nboard"]);
        engine.send(&format!("set depth 60\nmove F5\n{question}"));
        engine.close_input();
        (question, engine)
    });
    for ((question, engine), answer) in engines.into_iter().zip(["=== ", "analysis 0 ", "search "]) {
        let (lines, status) = engine.finish();
        assert!(status.success(), "{question}");
        let wanted = lines.iter().filter(|line| line.starts_with(answer)).count();
        assert!(wanted == 1 || question == "hint 2", "{question}: {lines:?}");
    }
}
