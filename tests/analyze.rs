//! `flipside analyze` on a random game, as a transcript and as GGF.

use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Sixty random moves; White wins by thirty.
const GAME: &str = "f5f4f3f6d3f2g6c3b3b2g4g3b1d2c4c5f1g2g1g5c6a1h6a2b5c7f7d6c2h5\
                    b8e7d1a4a3g7h4e3e6h1d8e1e8b4f8h2c1h8a6b6h3g8a5h7b7c8d7a7a8e2";

fn analyze(games: &str, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flipside"))
        .args(["analyze", "--depth", "4", "--exact", "12", "--hash", "4"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("flipside runs");
    child.stdin.take().expect("a pipe").write_all(games.as_bytes()).expect("the engine reads");
    child.wait_with_output().expect("an end")
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn discs(mv: &Value, key: &str) -> f64 {
    mv[key].as_f64().expect("discs")
}

/// The score of the best move less the loss of the played move is the negated score of the next position.
#[test]
fn exact_losses_add_up_to_the_result() {
    let output = analyze(GAME, &["--json"]);
    assert!(output.status.success());
    let moves = objects(&output);
    assert_eq!(moves.len(), 60);
    let exact: Vec<_> = moves.iter().filter(|mv| mv["certainty"] == "exact").collect();
    assert_eq!(exact.len(), 12, "{exact:?}");
    let mut losing = 0;
    for pair in exact.windows(2) {
        let sign = if pair[0]["side"] == pair[1]["side"] { 1.0 } else { -1.0 };
        let after = discs(pair[0], "score") - discs(pair[0], "loss");
        assert!((after - sign * discs(pair[1], "score")).abs() < 1e-9, "{pair:?}");
        losing += usize::from(discs(pair[0], "loss") > 0.0);
    }
    assert!(losing > 0, "a random game loses discs");
    let last = exact.last().expect("a last move");
    let black = if last["side"] == "black" { 1.0 } else { -1.0 };
    assert_eq!(black * (discs(last, "score") - discs(last, "loss")), -30.0);
}

#[test]
fn a_ggf_record_and_its_transcript_have_the_same_analysis() {
    let mut record = String::from("(;GM[Othello]PB[Ann]PW[Bob]\n");
    for mv in objects(&analyze(GAME, &["--json"])) {
        let colour = if mv["side"] == "black" { 'B' } else { 'W' };
        write!(record, "{colour}[{}]", mv["played"].as_str().expect("a move")).expect("engine");
    }
    record += ";)\n";
    let strip = |output: Output| String::from_utf8_lossy(&output.stdout).lines().skip(1).collect::<Vec<_>>().join("\n");
    let ggf = analyze(&record, &[]);
    assert!(String::from_utf8_lossy(&ggf.stdout).starts_with("game 1: Ann - Bob\n"));
    assert_eq!(strip(ggf), strip(analyze(GAME, &[])));
}

#[test]
fn a_bad_game_is_reported_and_the_rest_goes_on() {
    let output = analyze("f5d6\nf5f5\n\nd3c3\n", &["--json"]);
    let moves = objects(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(moves.iter().map(|mv| mv["game"].as_u64()).collect::<Vec<_>>(), [1, 1, 2, 2].map(Some));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "line 2: move 2: 'f5' is not legal for white; legal: f4 d6 f6\n");
}

#[test]
fn every_game_gets_its_chart() {
    let first = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-game.svg", std::process::id()));
    let second = first.with_file_name(format!("{}-game-2.svg", std::process::id()));
    let output = analyze(&format!("{GAME}\nf5d6c3\n"), &["--svg", first.to_str().expect("a path")]);
    assert!(output.status.success(), "{output:?}");
    for (path, title) in [(first, "game 1"), (second, "game 2")] {
        let svg = std::fs::read_to_string(&path).expect("a chart");
        assert!(svg.contains("<svg") && svg.contains(title) && svg.contains("polyline"));
        std::fs::remove_file(path).expect("a file");
    }
}
