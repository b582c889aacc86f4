//! The terms of a match and what it tells: clocks of every form, adjudication by score, a line for each game, progress, and
//! messages about players that cannot play.
#![cfg(all(unix, feature = "cli"))]

use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use crate::common::terminal::Terminal;
use crate::faulty::engine;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_flipside");

fn games(home: &Home, name: &str) -> Vec<Value> {
    home.read(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A game of each form of clock: nobody loses on time, and every protocol tells its engine what it can.
#[test]
fn every_form_of_clock_is_kept() {
    for (control, uci, gtp, xboard) in [
        ("3+0.1", "winc 100", "time_settings 3.000 0 0", "level 0 0:03 0.1"),
        ("0:03+0.1", "wtime 3000 winc 100", "time_left black 3.000 0", "level 0 0:03 0.1"),
        ("0+2", "wtime 2000 winc 2000", "time_left black 2.000 0", "level 0 0:02 2"),
        ("10/2+0.1", "wtime 2000 winc 100 movestogo 10", "time_settings 0 2.000 10", "level 10 0:02 0.1"),
        ("5/2", "wtime 2000 winc 0 movestogo 5", "time_settings 0.000 2.000 5", "level 5 0:02 0"),
        ("1+5/1", "wtime 1200 winc 200", "time_settings 1.000 1.000 5", ""),
        ("1+3x0.1", "wtime 1100 winc 100", "time_settings 1.000 0.100 1", ""),
        ("3x0.2", "wtime 200 winc 0 movestogo 1", "time_left black 0.200 1", ""),
    ] {
        let home = Home::new();
        let (log, json) = (home.path("log"), home.path("games.json"));
        let game = |game: &str, first: &str, second: &str| {
            let files = ["--log", &log, "--json", &json];
            let clock = ["match", "--game", game, "--games", "1"];
            let output = run(&[&clock[..], &["--engine", first, "--engine", second], &files].concat(), "");
            assert!(output.status.success(), "{control}: {}", stderr(&output));
            let reason = games(&home, "games.json")[0]["reason"].as_str().expect("a reason").to_string();
            assert_eq!(reason, "rules", "{control}: {}", home.read("games.json"));
            std::fs::remove_file(&json).expect("the file");
            home.read("log")
        };
        let player = |protocol: &str| {
            format!(
                "name={protocol} protocol={protocol} cmd='{PROGRAM} --protocol {protocol} --hash 1' tc={control} depth=2"
            )
        };
        let gtp_player = player("gtp") + " quirk=decimal-clock";
        let traffic = game("reversi-4x4", &gtp_player, &format!("name=b builtin option.Hash=1 tc={control}"));
        assert!(traffic.contains(gtp), "{control}: {gtp}: {traffic}");
        let traffic = game("reversi", &player("uci"), "name=b builtin option.Hash=1 depth=1");
        assert!(traffic.contains(uci), "{control}: {uci}: {traffic}");
        if !xboard.is_empty() {
            let traffic = game("minichess", &player("xboard"), "name=b builtin option.Hash=1 depth=1");
            assert!(traffic.contains(xboard), "{control}: {xboard}: {traffic}");
        }
    }
}

/// An engine that takes 1.8 seconds for a move loses on its own clock, in main time, in a period, and in byo-yomi.
#[test]
fn clocks_are_the_players_own() {
    let program = engine().display();
    let played = |own: &str| {
        let home = Home::new();
        let (json, slow) = (home.path("games.json"), format!("name=slow cmd='{program} slow gtp' {own}"));
        let words = [
            "match",
            "--games",
            "1",
            "--json",
            &json,
            "--engine",
            &slow,
            "--engine",
            "name=b builtin option.Level=1 tc=600",
        ];
        let output = run(&words, "");
        (games(&home, "games.json").remove(0)["reason"].to_string(), stderr(&output), stdout(&output))
    };
    for own in ["tc=1", "tc=40/1+0", "tc=25/1", "tc=1+2x1", "tc=2x1"] {
        let (reason, errors, report) = played(own);
        assert_eq!(reason, "\"late\"", "{own}");
        assert!(errors.contains("slow lost every game (1) by its own fault: lost on time in 1 game"), "{errors}");
        assert!(
            !errors.contains("does not play") && report.contains("slow: lost on time in 1 game"),
            "{errors}{report}"
        );
    }
}

#[test]
fn protocols_that_have_no_such_clock_say_so() {
    for (protocol, game, control, message) in [
        ("nboard", "reversi", "40/60+0", "NBoard's clock has neither sessions nor periods"),
        ("gomocup", "gomoku", "3x30", "Gomocup's clock has neither increments nor periods"),
        ("gomocup", "gomoku", "60+1", "Gomocup's clock has neither increments nor periods"),
        ("xboard", "minichess", "60+3x30", "XBoard has no periods after main time"),
        ("gtp", "reversi", "25/0.5", "GTP counts whole seconds"),
    ] {
        let player = format!("name=p protocol={protocol} cmd='{PROGRAM} --protocol {protocol} --hash 1'");
        let players = ["--engine", &player, "--engine", "name=b builtin"];
        let output = run(&[&["match", "--game", game, "--tc", control, "--games", "1"], &players[..]].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{protocol}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    let wrong = run(&["match", "--tc", "40/", "--engine", "builtin", "--engine", "name=b builtin"], "");
    assert!(stderr(&wrong).contains("a time control is MAIN, MAIN+INC, MOVES/MAIN+INC"), "{}", stderr(&wrong));
}

/// Games that both players see decided end there; resuming asks for the same rules.
#[test]
fn scores_adjudicate_losses_and_draws() {
    let home = Home::new();
    let file = home.path("games.json");
    let play = |rules: &str, more: &[&str]| {
        let players =
            ["--engine", "name=a builtin depth=4", "--engine", "name=b builtin depth=1 option.Evaluation=discs"];
        let words = ["match", "--games", "4", "--adjudicate", rules, "--json", &file];
        run(&[&words[..], &players, more].concat(), "")
    };
    let output = play("loss=6,moves=3,from=12", &["--verbose"]);
    let lines = stderr(&output);
    let ended: Vec<Value> =
        games(&home, "games.json").into_iter().filter(|game| game["reason"] == "adjudicated").collect();
    assert!(!ended.is_empty(), "{lines}");
    for game in &ended {
        assert_ne!(game["result"], "1/2-1/2", "{game}");
        assert_eq!((&game["detail"], &game["difference"]), (&"the scores of both players".into(), &Value::Null));
        assert_eq!(game["adjudicate_by_score"], "loss=6,moves=3,from=12");
        let values: Vec<i64> =
            game["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["value"].as_i64()).collect();
        assert!(values[values.len() - 6..].iter().all(|value| value.abs() >= 600), "{game}");
    }
    assert!(lines.contains("(adjudicated: the scores of both players), "), "{lines}");
    let other = play("loss=7,moves=3,from=12", &["--resume"]);
    assert!(stderr(&other).contains("it was adjudicated at loss=6,moves=3,from=12"), "{}", stderr(&other));
    std::fs::remove_file(&file).expect("the file");
    play("draw=64,moves=1,from=0", &[]);
    assert!(
        games(&home, "games.json").iter().all(|game| game["result"] == "1/2-1/2" && game["reason"] == "adjudicated")
    );
}

/// Each game has a line with `--verbose` and in the log, and the report has what the moves took.
#[test]
fn every_finished_game_is_told() {
    let home = Home::new();
    let log = home.path("log");
    let players = ["--engine", "name=a builtin depth=2", "--engine", "name=b builtin depth=1"];
    let words = [&["match", "--games", "4", "--verbose", "--log", &log], &players[..]].concat();
    let output = run(&words, "");
    for text in [stderr(&output), home.read("log")] {
        for number in 1..=4 {
            let line =
                text.lines().find(|line| line.contains(&format!("game {number}: "))).expect("a line for each game");
            assert!(line.contains(" (rules), ") && line.contains(" plies; ") && line.contains(": depth "), "{line}");
            assert!(line.ends_with(" s a move"), "{line}");
        }
    }
    let report = stdout(&output);
    assert!(report.contains("\na: depth ") && report.contains("\nb: depth "), "{report}");
    assert!(
        report.contains("LOS: fewer than 30 pairs of games (2 pairs)") || report.contains("Elo unknown"),
        "{report}"
    );
    assert!(stderr(&output).contains("4/4: a - b: +"), "one notation: {}", stderr(&output));
}

#[test]
fn an_interrupted_match_says_how_to_go_on() {
    for (json, advice) in
        [(true, "the same command with --resume plays the rest"), (false, "with --json FILE a match can be")]
    {
        let home = Home::new();
        let mut command = Command::new("env");
        // A test in the background may run with ignored signals, which a child would inherit.
        command.args(["--default-signal=INT", PROGRAM, "match", "--games", "100", "--nodes", "2000", "--verbose"]);
        command.args(["--engine", "name=a builtin", "--engine", "name=b builtin"]);
        if json {
            command.args(["--json", &home.path("games.json")]);
        }
        let log = home.path("errors");
        let errors = std::fs::File::create(&log).expect("a file");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn().expect("it runs");
        let deadline = Instant::now() + crate::common::TIMEOUT;
        while !home.read("errors").contains("game ") {
            assert!(Instant::now() < deadline, "no game ends");
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&child), Signal::INT).expect("the match runs");
        assert_eq!(child.wait().expect("an end").code(), Some(130));
        let errors = home.read("errors");
        assert!(errors.contains("interrupted after ") && errors.contains(" of 100 games: "), "{errors}");
        assert!(errors.contains(advice), "{errors}");
    }
}

/// The bar, the standings and the estimate stay on one line of a narrow terminal.
#[test]
fn progress_fits_the_terminal() {
    let words =
        ["match", "--games", "30", "--nodes", "300", "--engine", "name=a-player-with-a-name builtin", "--engine"];
    let terminal = Terminal::start(&[&words[..], &["name=another-player-with-a-name builtin"]].concat(), 50);
    let shown = terminal.rest();
    let bars: Vec<&str> = shown.split(['\r', '\n']).filter(|line| line.contains("/30 ")).collect();
    assert!(!bars.is_empty(), "{shown}");
    for bar in bars {
        assert!(console::measure_text_width(bar) <= 50, "{bar}: {shown}");
    }
}

/// A path with a blank is several words unless it has quotes of its own.
#[test]
fn a_path_with_a_blank_is_explained() {
    let home = Home::new();
    let folder = home.path("my engines");
    std::fs::create_dir(&folder).expect("a folder");
    std::os::unix::fs::symlink(PROGRAM, format!("{folder}/flipside")).expect("a link");
    let played = |player: &str| {
        let words = ["match", "--games", "1", "--depth", "1", "--engine", player, "--engine", "name=b builtin"];
        run(&words, "")
    };
    let errors = stderr(&played(&format!("name=a cmd='{folder}/flipside --gtp --depth 1' quirk=own-limits")));
    let advice = format!("a path with a blank needs quotes of its own: '{folder}/flipside'");
    assert!(errors.contains(&advice), "{errors}");
    let errors = stderr(&played(&format!("name=a cmd={folder}/flipside")));
    assert!(errors.contains("'engines/flipside' is no key; if it belongs to cmd, quote the whole value"), "{errors}");
    let right = played(&format!("name=a cmd=\"'{folder}/flipside' --gtp --depth 1\" quirk=own-limits"));
    assert!(right.status.success(), "{}", stderr(&right));
    let lint = run(&["lint", "--protocol", "gtp", "--cmd", &format!("{folder}/flipside --gtp")], "");
    assert!(stderr(&lint).contains("needs quotes of its own"), "{}", stderr(&lint));
}
