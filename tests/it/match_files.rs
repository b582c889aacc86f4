//! The files of `flipside match`: a kill at any moment loses no reported game, and foreign files are not touched.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program::without_times;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use flipside::support::random::Random;

/// A match of tiny games.
const TINY: [&str; 9] = [
    "match",
    "--game",
    "tic-tac-toe",
    "--engine",
    "name=a builtin depth=1 option.Hash=1",
    "--engine",
    "name=b builtin depth=2 option.Hash=1",
    "--concurrency",
    "2",
];

/// The JSON file and the file of records of a match, and the folder that holds them.
struct Files(PathBuf, PathBuf, Home);

impl Files {
    fn new() -> Files {
        let home = Home::new();
        Files(home.path("games.json").into(), home.path("games.pgn").into(), home)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
        command.args(arguments).arg("--json").arg(&self.0).arg("--record").arg(&self.1).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("flipside runs")
    }

    fn remove(&self) {
        for path in [&self.0, &self.1] {
            std::fs::remove_file(path).expect("the file");
        }
    }
}

fn content(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The games without times, by their numbers.
fn games(path: &Path) -> Vec<(u64, Vec<String>, String, Value)> {
    let game = |line: &str| {
        let game: Value = serde_json::from_str(line).expect("JSON");
        let moves = game["moves"].as_array().expect("moves").iter().map(|mv| mv["move"].to_string()).collect();
        (game["game"].as_u64().expect("a number"), moves, game["result"].to_string(), game["settings"].clone())
    };
    let mut games: Vec<_> = content(path).lines().map(game).collect();
    games.sort_by_key(|game| game.0);
    games
}

/// The records by their numbers: each game once.
fn rounds(path: &Path) -> Vec<u64> {
    let text = content(path);
    let rounds = text.lines().filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]")?.parse().ok());
    let mut rounds: Vec<u64> = rounds.collect();
    rounds.sort_unstable();
    rounds
}

/// A match that was killed at random moments ends like an undisturbed one: 20 kills, or `FLIPSIDE_KILLS`.
#[test]
fn kills_lose_nothing() {
    let kills: u32 = std::env::var("FLIPSIDE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let whole = Files::new();
    let arguments = [&TINY[..], &["--games", "100"]].concat();
    let begun = Instant::now();
    let report = whole.run(&arguments);
    let micros = begun.elapsed().as_micros() as usize;
    assert!(report.status.success(), "{report:?}");
    let all: Vec<u64> = (1..=100).collect();
    assert_eq!((games(&whole.0).len(), rounds(&whole.1)), (100, all.clone()));
    let arguments = [&arguments[..], &["--resume"]].concat();
    let broken = Files::new();
    let mut random = Random(28);
    let (mut killed, mut amid) = (0, 0);
    while killed < kills {
        let before = content(&broken.0);
        let mut child =
            broken.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_micros(random.below(micros) as u64));
        child.kill().expect("a kill");
        let ended = child.wait().expect("an end").success();
        let after = content(&broken.0);
        let kept = before.rfind('\n').map_or("", |end| &before[..=end]);
        assert!(after.starts_with(kept), "lost by kill {killed}");
        if ended {
            assert_eq!(games(&broken.0), games(&whole.0));
            broken.remove();
        } else {
            killed += 1;
            amid += u32::from(!after.is_empty());
        }
    }
    assert!(amid > 0, "no kill came between the first game and the last");
    let resumed = broken.run(&arguments);
    assert_eq!(without_times(&resumed.stdout), without_times(&report.stdout));
    assert_eq!((games(&broken.0), rounds(&broken.1)), (games(&whole.0), all));
}

/// The match continues from any state in which an interruption left both files.
#[test]
fn a_cut_at_any_byte_is_mended() {
    let whole = Files::new();
    let arguments = [&TINY[..], &["--games", "6"]].concat();
    let report = whole.run(&arguments);
    let (json, pgn) = (content(&whole.0), content(&whole.1));
    let arguments = [&arguments[..], &["--resume"]].concat();
    let mut random = Random(7);
    for _ in 0..25 {
        let cut = Files::new();
        let end = random.below(json.len() + 1);
        // A record is written after its line of JSON.
        let recorded =
            pgn.match_indices("[Event").nth(json[..end].matches('\n').count()).map_or(pgn.len(), |(at, _)| at);
        let recorded = random.below(recorded + 1);
        std::fs::write(&cut.0, &json[..end]).expect("a file");
        std::fs::write(&cut.1, &pgn[..recorded]).expect("a file");
        let resumed = cut.run(&arguments);
        let [told, expected] = [&resumed, &report].map(|output| without_times(&output.stdout));
        assert_eq!(told, expected, "cut at {end} and {recorded}: {resumed:?}");
        assert_eq!((games(&cut.0), rounds(&cut.1)), (games(&whole.0), vec![1, 2, 3, 4, 5, 6]), "cut at {end}");
        let torn = end > 0 && !json[..end].ends_with('\n');
        assert_eq!(String::from_utf8_lossy(&resumed.stderr).contains("cut a torn record"), torn, "{resumed:?}");
    }
}

/// Refused with this message; both files stay as they are.
fn refused(files: &Files, arguments: &[&str], message: &str) {
    let before = (content(&files.0), content(&files.1));
    let output = files.run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && errors.contains(message), "{message}: {errors}");
    assert_eq!((content(&files.0), content(&files.1)), before, "{message}");
}

#[test]
fn existing_and_foreign_files_are_not_touched() {
    let files = Files::new();
    let match_of = |game, a, b, more: &[&'static str]| {
        [&["match", "--games", "2", "--game", game, "--engine", a, "--engine", b], more].concat()
    };
    let (a, b) = ("name=a builtin depth=1", "name=b builtin depth=2");
    assert!(files.run(&match_of("tic-tac-toe", a, b, &[])).status.success());
    refused(&files, &match_of("tic-tac-toe", a, b, &[]), "exists: use --resume or another name");
    for (game, a, b, more, message) in [
        (
            "tic-tac-toe",
            "name=a builtin depth=3",
            b,
            &["--resume"][..],
            "a was 'builtin depth=1' and is 'builtin depth=3' now",
        ),
        ("tic-tac-toe", "name=a builtin depth=1 option.Hash=2", b, &["--resume"], "belongs to another match"),
        ("tic-tac-toe", "name=c builtin depth=1", b, &["--resume"], "its players are a and b"),
        ("tic-tac-toe", a, b, &["--resume", "--seed", "9"], "its opening is"),
        ("tic-tac-toe", a, b, &["--resume", "--adjudicate", "4"], "it was not adjudicated"),
        ("connect-four", a, b, &["--resume"], "it is a game of tic-tac-toe"),
    ] {
        refused(&files, &match_of(game, a, b, more), message);
    }
    for text in ["my thesis", "my thesis\n", "{\"note\": 1}\n"] {
        let foreign = Files::new();
        std::fs::write(&foreign.0, text).expect("a file");
        refused(&foreign, &match_of("tic-tac-toe", a, b, &[]), "exists: use --resume or another name");
        refused(&foreign, &match_of("tic-tac-toe", a, b, &["--resume"]), "no game");
    }
    let whole = content(&files.1);
    for (text, message) in [("my thesis", "holds other games"), (&format!("{whole}more"), "holds more games")] {
        std::fs::write(&files.1, text).expect("a file");
        refused(&files, &match_of("tic-tac-toe", a, b, &["--resume"]), message);
    }
    std::fs::remove_file(&files.1).expect("the file");
    assert!(files.run(&match_of("tic-tac-toe", a, b, &["--resume"])).status.success());
    assert_eq!(content(&files.1), whole, "records are written anew from the games");
}

/// A player that cannot take part is found after the files were opened; files that were there stay.
#[test]
fn a_refused_match_leaves_no_empty_files() {
    let files = Files::new();
    let players = ["--engine", "name=a cmd=/nowhere/engine", "--engine", "name=b builtin"];
    let arguments = [&["match", "--games", "2", "--depth", "1"], &players[..]].concat();
    let refused = files.run(&arguments);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(!files.0.exists() && !files.1.exists(), "{refused:?}");
    std::fs::write(&files.0, "").expect("a file");
    files.run(&arguments);
    assert!(files.0.exists() && !files.1.exists());
}

/// Without enough openings, forty games of MiniChess would only be two different ones.
#[test]
fn every_game_has_its_openings() {
    let files = Files::new();
    let arguments =
        ["match", "--game", "minichess", "--games", "40", "--nodes", "60", "--engine", "name=a builtin", "--engine"];
    let report = files.run(&[&arguments[..], &["name=b builtin option.Evaluation=tuned"]].concat());
    let mut openings: Vec<String> = content(&files.0)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["opening"].to_string())
        .collect();
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 20, "{report:?}");
}

#[test]
fn repeated_games_are_told_and_not_counted() {
    let files = Files::new();
    let openings = files.2.write("one.openings", "f5d6c3d3c4\n");
    let arguments = ["match", "--depth", "1", "--games", "40", "--openings", &openings];
    let players = ["--engine", "name=a builtin", "--engine", "name=b builtin option.Evaluation=discs"];
    let report = files.run(&[&arguments[..], &players[..]].concat());
    let report = String::from_utf8_lossy(&report.stdout).to_string();
    assert_eq!(games(&files.0).len(), 40);
    assert!(report.contains("not counted: 38 repetitions of an earlier game"), "{report}");
    assert!(report.contains("Elo unknown: too few different games") || report.contains("Elo +0.0 ["), "{report}");
}
