//! Each line of play states its own certainty in every protocol that shows several lines, and a distance that may not be the
//! shortest has a word of its own in all of them.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::common::home::Home;
use crate::common::program::{run, run_command, stdout};
use std::process::Command;

/// White takes the king at once, or plays on: one line is proven, the others are estimates.
const POSITION: &str = "k4/1Q3/5/5/5/4K w - - 0 1";

/// Certainties by rank, from lines of certainty that hold for the lines of play after them.
fn announced(lines: &[String], prefix: &str, is_play: impl Fn(&str) -> bool) -> Vec<String> {
    let mut certainty = "";
    let mut found = Vec::new();
    for line in lines {
        if let Some(word) = line.strip_prefix(prefix) {
            certainty = word;
        } else if is_play(line) {
            found.push(certainty.to_string());
        }
    }
    found
}

#[test]
fn uci_lines_have_certainties_of_their_own() {
    let mut engine = Engine::start(&["--uci", "--game", "minichess"]);
    engine.send("setoption name MultiPV value 3");
    engine.send(&format!("position fen {POSITION}\ngo depth 1"));
    let lines = engine.until(|line| line.starts_with("bestmove "));
    let found = announced(&lines, "info string certainty ", |line| line.starts_with("info depth 1 "));
    assert_eq!(found, ["exact", "mid@100%", "mid@100%", "exact"], "the best line comes again at the end: {lines:?}");
}

#[test]
fn gtp_lines_have_certainties_of_their_own() {
    let mut engine = Engine::start(&["--gtp", "--game", "minichess", "--depth", "1"]);
    assert_eq!(engine.ask("flipside-setup 1 W k..../.Q.../...../...../...../....K"), "=");
    let analysis = engine.ask("flipside-analyze w 3 5");
    let certainty = |line: &str| line.split(" certainty ").nth(1)?.split(' ').next().map(str::to_string);
    let found: Vec<String> = analysis.lines().filter(|line| line.contains(" depth 1 ")).filter_map(certainty).collect();
    assert_eq!(found, ["exact", "mid@100%", "mid@100%"], "{analysis}");
}

#[test]
fn xboard_lines_have_certainties_of_their_own() {
    let mut engine = Engine::start(&["--xboard"]);
    for line in ["protover 2", "new", "variant minichess", "option MultiPV=3", "easy", "force", "post", "sd 1"] {
        engine.send(line);
    }
    engine.send(&format!("setboard {POSITION}\ngo"));
    let lines = engine.until(|line| line.starts_with("move "));
    let found = announced(&lines, "# certainty ", |line| line.contains('\t'));
    assert_eq!(found, ["exact", "mid@100%", "mid@100%"], "{lines:?}");
}

/// Values of a search for a game or of `solve --depth` state the selectivity of play, others the requested selectivity.
#[test]
fn values_of_the_middle_game_are_called_by_their_selectivity() {
    let mut engine = Engine::start(&["--uci", "--hash", "1", "--book", "none"]);
    engine.send("position startpos\ngo depth 4");
    let lines = engine.until(|line| line.starts_with("bestmove "));
    let found = announced(&lines, "info string certainty ", |line| line.starts_with("info depth 4 "));
    assert_eq!(found, ["mid@80%", "mid@80%"], "the best line comes again at the end: {lines:?}");
    let start = "---------------------------OX------XO--------------------------- X\n";
    for (more, called) in
        [(&[][..], "mid@80%"), (&["--selectivity", "73"], "mid@73%"), (&["--selectivity", "95"], "mid@95%")]
    {
        let args = [&["solve", "--depth", "4", "--hash", "1"], more].concat();
        let answer = stdout(&run(&args, start));
        assert!(answer.contains(&format!(" depth 4 {called} ")), "{answer}");
    }
}

/// Black loses in 8 plies; without tables a search of 14 plies finds a loss in 10.
const LOST: [&str; 2] = ["1 B ...../..k../....K/...../...Q./.....", "5/2k2/4K/5/3Q1/5 b - - 0 1"];

#[test]
fn a_distance_that_may_not_be_the_shortest_is_called_proven() {
    let ([plain, fen], home) = (LOST, Home::new());
    let json = format!(r#"{{"command":"position","start":"{plain}"}}{}"#, "\n{\"command\":\"go\"}\n");
    let xboard = format!("new\nvariant minichess\nforce\npost\nsd 14\nsetboard {fen}\ngo\n");
    for (protocol, input, claim) in [
        ("gtp", format!("flipside-setup {plain}\nflipside-analyze b 1 60\n"), " score -win@10 certainty proven "),
        ("uci", format!("position fen {fen}\ngo depth 14\n"), "certainty proven\ninfo depth 8 "),
        ("xboard", xboard, "# certainty proven\n8 -100005 "),
        ("json", json, r#""loss_in":10,"wdl":[0,0,1000],"certainty":"proven","depth":10,"#),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
        command.args(["--protocol", protocol, "--game", "minichess", "--depth", "14"]);
        // No endgame tables are installed here.
        let answers = stdout(&run_command(command.env("XDG_CACHE_HOME", home.path("cache")), &input));
        let is_exact = answers.contains("certainty exact") || answers.contains(r#""certainty":"exact""#);
        assert!(answers.contains(claim) && !is_exact, "{protocol}: {answers}");
    }
}
