//! `flipside lint`: Flipside passes, and every faulty engine fails the check of its fault.
#![cfg(all(unix, feature = "cli"))]

use crate::faulty::engine;
use flipside::referee::lint::checks;
use std::process::Command;

/// Seconds that only a hanging engine needs.
const ENOUGH: &str = "60";

/// Runs the lint: the names of the failed checks, and whether the exit status was success.
fn failures(command: &str, protocol: &str, only: &[&str], stall_timeout: &str) -> (Vec<String>, bool) {
    let mut arguments =
        vec!["lint", "--json", "--cmd", command, "--protocol", protocol, "--stall-timeout", stall_timeout];
    only.iter().for_each(|name| arguments.extend(["--only", *name]));
    let output = Command::new(env!("CARGO_BIN_EXE_flipside")).args(arguments).output().expect("flipside runs");
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(!text.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let findings = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let failed = findings.filter(|result| result["passed"] == false);
    let names = failed.map(|result| {
        assert!(result["expected"].is_string() && result["actual"].is_string(), "{result}");
        result["check"].as_str().expect("a name").to_string()
    });
    (names.collect(), output.status.success())
}

fn fails(fault: &str, check: &str) {
    let command = format!("{} {fault}", engine().display());
    let stall_timeout = if ["hang", "close"].contains(&fault) { "1" } else { "3" };
    assert_eq!(failures(&command, "gtp", &[check], stall_timeout), (vec![check.to_string()], false), "{fault}");
}

#[test]
fn every_fault_has_its_check() {
    fails("illegal", "legal-move");
    fails("hang", "legal-move");
    fails("crash", "end-of-input");
    fails("close", "pipelining");
    fails("slow", "clock");
    fails("garbage", "pipelining");
    fails("flood", "legal-move");
}

#[test]
fn an_engine_without_fault_and_one_that_writes_in_two_pieces_pass() {
    for mode in ["none", "split"] {
        let command = format!("{} {mode}", engine().display());
        let checks = ["legal-move", "ids", "pipelining", "explicit-pass", "finished-game", "quit", "bad-input"];
        assert_eq!(failures(&command, "gtp", &checks, ENOUGH), (Vec::new(), true), "{mode}");
    }
}

/// Checks that measure how long an answer takes, which here would measure the load of the machine, and a whole game at
/// a second a move: `.ci/run` has a step for them.
const TIMED: [(&str, &[&str]); 7] = [
    ("cassio", &["stop"]),
    ("gtp", &["clock", "legal-move"]),
    ("json", &["stop", "clock"]),
    ("nboard", &["ping-stops"]),
    ("uci", &["stop", "clock"]),
    ("xboard", &["move-now", "clock"]),
    ("gomocup", &["turn-time", "end"]),
];

#[test]
fn our_engine_passes() {
    for (protocol, timed) in TIMED {
        let default_limits = if protocol == "gtp" { " --depth 4" } else { "" };
        let command = format!("{} --hash 4{default_limits}", env!("CARGO_BIN_EXE_flipside"));
        let all = checks(protocol).expect("a protocol");
        let names: Vec<&str> = all.iter().map(|check| check.name).filter(|name| !timed.contains(name)).collect();
        assert_eq!(names.len() + timed.len(), all.len(), "{protocol}: {names:?}");
        assert_eq!(failures(&command, protocol, &names, ENOUGH), (Vec::new(), true), "{protocol}");
    }
}

/// An echo of every line has no version, no event and no errors.
#[test]
fn an_echo_is_no_engine_of_json_lines() {
    let failed = ["hello", "envelope", "bad-input"].map(str::to_string).to_vec();
    assert_eq!(failures("cat", "json", &["hello", "envelope", "bad-input"], "3"), (failed, false));
}
