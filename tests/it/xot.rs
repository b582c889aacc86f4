//! Games whose first moves are set: `play --opening xot`, and `analyze --from`, which does not judge them.
#![cfg(all(unix, feature = "cli"))]

use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use std::fs;

/// A line inside the program, and three moves.
const GAME: &str = "c4e3f4c5e2b3e6g4c3d3a2";

fn analysed(from: &[&str], game: &str) -> Vec<u64> {
    let words = [&["analyze", "--depth", "1", "--exact-from", "1", "--json"], from].concat();
    let output = run(&words, game);
    assert!(output.status.success(), "{}", stderr(&output));
    let number = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("an object")["number"].as_u64();
    stdout(&output).lines().map(|line| number(line).expect("a number")).collect()
}

#[test]
fn set_moves_are_not_judged() {
    let last = GAME.len() as u64 / 2;
    let all = |first: u64| (first..=last).collect::<Vec<_>>();
    assert_eq!(analysed(&[], GAME), all(9), "the line is one of those inside the program");
    assert_eq!(analysed(&["--from", "1"], GAME), all(1));
    assert_eq!(analysed(&["--from", "xot"], GAME), all(9));
    assert_eq!(analysed(&["--from", "11"], GAME), [11]);
    assert_eq!(analysed(&["--from", "60"], GAME), [] as [u64; 0]);
    let home = Home::new();
    fs::write(home.path("lines"), "f5d6c3d3c4f4f6f3\n").expect("a file");
    let lines = home.path("lines");
    assert_eq!(analysed(&["--xot-lines", &lines], GAME), all(1), "another list");
    assert_eq!(analysed(&["--xot-lines", &lines], "d3c5f6f5e6e3c3f3c4\n"), [9], "an image of its line");
    let text = stdout(&run(&["analyze", "--depth", "1", "--exact-from", "1"], GAME));
    assert!(text.contains("moves 1 to 8 are set and belong to nobody\n"), "{text}");
    let wrong = run(&["analyze", "--from", "0"], GAME);
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("from 1 to 60"), "{}", stderr(&wrong));
}

#[test]
fn each_game_begins_with_another_line() {
    let play = ["play", "--opening", "xot", "--seed", "3", "--black", "human", "--white", "human"];
    let shown = |input: &str| stdout(&run(&play, input));
    let record = |text: &str| text.rsplit("record: ").next().expect("a record").trim().to_string();
    let (first, second) = (record(&shown("quit\n")), record(&shown("new\nquit\n")));
    for moves in [&first, &second] {
        assert_eq!(moves.split_whitespace().count(), 8, "{moves}");
    }
    assert_ne!(first, second);
    assert_eq!(record(&shown("")), first, "the seed decides");
    let home = Home::new();
    fs::write(home.path("lines"), "f5 d6 c3 d3 c4 f4 f6 f3\n").expect("a file");
    let of_file = run(&[&play[..], &["--xot-lines", &home.path("lines")]].concat(), "quit\n");
    assert_eq!(record(&stdout(&of_file)), "f5 d6 c3 d3 c4 f4 f6 f3", "{}", stderr(&of_file));
    let other = run(&["play", "--opening", "xot", "--game", "minichess"], "");
    assert!(stderr(&other).contains("is for Reversi, not for minichess"), "{}", stderr(&other));
}
