//! Games and positions as sites and public training sets have them, through the commands that read them.
#![cfg(all(unix, feature = "cli"))]

use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use std::fs;

#[test]
fn every_reader_takes_what_sites_show() {
    let csv = "id,black,white,moves,score\n1,Ann,Bob,f5d6c3d3c4,0\n2,Ann,Bob,\"F5 F6 E6\",12\n";
    let quest = "{\n \"players\": [{\"name\": \"Ann\"}, {\"name\": \"Bob\"}],\n \"moves\": [{\"m\": \"f5\"}, {\"m\": \"d6\"}]\n}\n";
    for (input, expected) in [
        ("1: f5 2: d6 3: c3\n1: f5 2: f6\n", "f5d6c3\nf5f6\n"),
        ("[f5][d6] Black wins 33-31\n", "f5d6\n"),
        (csv, "f5d6c3d3c4\nf5f6e6\n"),
        (quest, "f5d6\n"),
    ] {
        let converted = run(&["convert", "--to", "transcript"], input);
        assert_eq!(stdout(&converted), expected, "{}", stderr(&converted));
        assert!(converted.status.success() && stderr(&converted).is_empty(), "{}", stderr(&converted));
    }
    let names = stdout(&run(&["convert", "--to", "ggf"], quest));
    assert!(names.contains("PB[Ann]") && names.contains("PW[Bob]"), "{names}");
    let damaged = run(&["convert", "--to", "transcript"], "1: f5 2: d9 3: c3\n");
    assert!(damaged.status.code() == Some(1) && stdout(&damaged).is_empty(), "{}", stdout(&damaged));
    let solved = run(&["solve", "--depth", "1"], csv);
    assert_eq!(stdout(&solved).lines().count(), 2, "{}", stderr(&solved));
}

/// Positions with few empty squares, and their values as `solve` finds them.
const POSITIONS: [&str; 2] = [
    "-XXXXXO-XXXXXO-OOOOOOXXO-OOOXO-OOOOXOOO-OXXXXO-OXXXXXXXX--XXXXX-",
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--",
];

#[test]
fn lines_of_training_data_are_solved_and_checked() {
    let plain: String = POSITIONS.iter().map(|squares| format!("{squares} X\n")).collect();
    let scores: Vec<i64> = stdout(&run(&["solve", "--json"], &plain))
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("an answer")["score"].as_i64().expect("a score")
        })
        .collect();
    let lines = |change: i64| -> String {
        let scored = POSITIONS.iter().zip(&scores).map(|(squares, score)| format!("{squares} {}\n", score + change));
        scored.collect()
    };
    let right = run(&["solve", "--check"], lines(0));
    assert!(right.status.success(), "{} {}", stdout(&right), stderr(&right));
    let wrong = run(&["solve", "--check"], lines(2));
    assert_eq!(wrong.status.code(), Some(1), "{} {}", stdout(&wrong), stderr(&wrong));
}

#[test]
fn lines_of_training_data_are_learned_from() {
    let home = Home::new();
    let (data, out) = (home.path("data"), home.path("weights.toml"));
    // Each position twenty times: one copy in twenty is for validation.
    let lines: String =
        (0..20).flat_map(|_| [format!("{} 12\n", POSITIONS[0]), format!("{},-6\n", POSITIONS[1])]).collect();
    fs::write(&data, format!("# squares and score\n{lines}nonsense\n")).expect("a file");
    let fitted = run(&["train", "weighted", "--games", &data, "--out", &out], "");
    assert_eq!(fitted.status.code(), Some(1), "{}", stderr(&fitted));
    assert!(stderr(&fitted).contains("line 42: expected 64 squares"), "{}", stderr(&fitted));
    assert!(fs::read_to_string(&out).expect("weights").contains("stage"), "{}", stdout(&fitted));
    let labelled = run(&["train", "label", "--games", &data, "--out", &home.path("games")], "");
    assert!(stderr(&labelled).contains("positions with scores, but no games"), "{}", stderr(&labelled));
}
