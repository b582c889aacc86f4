//! Files that a host names: only regular ones of bounded size are read, and none if files are forbidden. Whatever else
//! the name refers to, the next command is answered.
#![cfg(all(unix, feature = "cli"))]

use crate::common::Engine;
use crate::common::home::Home;

/// A FIFO without a writer, which blocks a reader for ever.
struct Fifo(Home);

impl Fifo {
    fn new() -> Fifo {
        let fifo = Fifo(Home::new());
        let made = std::process::Command::new("mkfifo").arg(fifo.path()).status().expect("mkfifo runs");
        assert!(made.success(), "{}", fifo.path());
        fifo
    }

    fn path(&self) -> String {
        self.0.path("fifo")
    }
}

#[test]
fn weights_that_are_no_regular_file_are_refused() {
    let fifo = Fifo::new();
    for (game, evaluation) in
        [("reversi", "default"), ("reversi", "weighted"), ("minichess", "default"), ("minichess", "tuned")]
    {
        let mut engine = Engine::start(&["--uci", "--game", game, "--evaluation", evaluation]);
        for path in [fifo.path().as_str(), "/dev/zero", "/"] {
            engine.send(&format!("setoption name Weights value {path}"));
            engine.send("isready");
            let lines = engine.until(|line| line == "readyok");
            let refused = lines.iter().any(|line| line.contains("Weights") && line.contains("not a regular file"));
            assert!(refused, "{game} {path}: {lines:?}");
        }
        engine.send("go depth 1");
        engine.until(|line| line.starts_with("bestmove "));
    }
}

#[test]
fn games_that_are_no_regular_file_are_refused() {
    let fifo = Fifo::new();
    let mut engine = Engine::start(&["--gtp"]);
    for path in [fifo.path().as_str(), "/dev/zero", "/"] {
        assert_eq!(engine.ask(&format!("loadsgf {path}")), format!("? cannot load file: {path}: not a regular file"));
    }
    let home = Home::new();
    let long = home.write("long.sgf", vec![b' '; (4 << 20) + 1]);
    assert!(engine.ask(&format!("loadsgf {long}")).ends_with(": longer than 4194304 bytes"));
}

#[test]
fn tables_that_are_no_regular_file_are_none() {
    let fifo = Fifo::new();
    for path in [fifo.path().as_str(), "/dev/zero", "/"] {
        let mut engine =
            Engine::start_with(&["--gtp", "--game", "minichess", "--depth", "1"], &[("FLIPSIDE_TABLES", path)]);
        assert!(engine.ask("genmove w").starts_with("= "), "{path}");
    }
}

#[test]
fn weights_of_the_command_line_must_be_a_regular_file() {
    let fifo = Fifo::new();
    for path in [fifo.path().as_str(), "/dev/zero", "/"] {
        let (lines, status) = Engine::start(&["--gtp", "--weights", path]).finish();
        assert!(lines.is_empty() && !status.success(), "{path}: {lines:?}");
    }
}

#[test]
fn no_host_names_files_where_they_are_forbidden() {
    let mut gtp = Engine::start(&["--gtp", "--no-files"]);
    for line in ["loadsgf /dev/null", "flipside-option Weights /dev/null", "flipside-option Weights"] {
        assert_eq!(gtp.ask(line), "? files are forbidden (--no-files)", "{line}");
    }
    assert!(!gtp.ask("flipside-options").contains("Weights"));
    let mut uci = Engine::start(&["--uci", "--no-files"]);
    uci.send("uci");
    assert!(!uci.until(|line| line == "uciok").iter().any(|line| line.contains("Weights")));
    uci.send("setoption name Weights value /dev/null");
    assert_eq!(uci.line(), "info string files are forbidden (--no-files)");
    let mut xboard = Engine::start(&["--xboard", "--no-files", "--game", "minichess"]);
    xboard.send("option Weights=/dev/null");
    assert_eq!(xboard.line(), "Error (files are forbidden (--no-files)): option");
}
