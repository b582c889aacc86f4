//! `flipside match` leaves no process behind: however it ends, its players and their helpers are gone, and the standing
//! is printed.
#![cfg(all(target_os = "linux", feature = "cli"))]

use crate::common::home::Home;
use crate::faulty::engine;
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Deadlines only guard against hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits until the condition holds.
fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether the process is gone; a process that its parent has not waited for yet counts as gone.
fn is_gone(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with(['Z', 'X']))
}

/// Starts a match of two games with the engine of this fault, which writes the numbers of its processes to a file.
fn start(fault: &str, home: &Home) -> (std::process::Child, PathBuf) {
    let pids = PathBuf::from(home.path("pids"));
    // A test in the background may run with ignored signals, which a child would inherit.
    let child = Command::new("env")
        .args(["--default-signal=INT,TERM,HUP,QUIT", env!("CARGO_BIN_EXE_flipside"), "match", "--games", "2"])
        .args(["--engine", "name=good builtin depth=1", "--engine"])
        .arg(format!("name=bad cmd='{} {fault} gtp {}' depth=1 quirk=own-limits", engine().display(), pids.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    (child.expect("flipside runs"), pids)
}

/// Checks that after the match the engine and its helper are gone.
fn expect_nothing_left(output: &Output, pids: &Path) {
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("good - bad: "), "{output:?}");
    let text = std::fs::read_to_string(pids).expect("the processes");
    for process in text.split_whitespace() {
        wait_until(&format!("process {process} of {text} still runs"), || is_gone(process));
    }
}

/// The engine plays its first game, hangs in the second, and ignores the end of its input.
#[test]
fn every_signal_prints_the_standing_and_ends_the_players() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129), (Signal::QUIT, 131)] {
        let home = Home::new();
        let (child, pids) = start("deaf", &home);
        wait_until("the second game", || pids.exists());
        kill_process(Pid::from_child(&child), signal).expect("the match runs");
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        expect_nothing_left(&output, &pids);
    }
}

/// The engine leaves when its input ends, its helper does not.
#[test]
fn helpers_end_with_an_engine_that_leaves_cleanly() {
    let home = Home::new();
    let (child, pids) = start("helper", &home);
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{output:?}");
    expect_nothing_left(&output, &pids);
}
