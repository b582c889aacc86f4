//! `flipside lint`: our own engine passes, and every faulty engine fails the check of its fault.
#![cfg(unix)]

mod faulty;

use faulty::engine;
use std::process::Command;

/// Runs the lint: the names of the failed checks, and whether the exit status was success.
fn failures(command: &str, protocol: &str, only: &[&str]) -> (Vec<String>, bool) {
    let mut arguments = vec!["lint", "--json", "--cmd", command, "--protocol", protocol, "--stall-timeout", "3"];
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
    assert_eq!(failures(&command, "gtp", &[check]), (vec![check.to_string()], false), "{fault}");
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
        let checks =
            ["legal-move", "ids", "pipelining", "explicit-pass", "finished-game", "clock", "quit", "bad-input"];
        assert_eq!(failures(&command, "gtp", &checks), (Vec::new(), true), "{mode}");
    }
}

#[test]
fn our_engine_passes_gtp() {
    // All checks but the whole game at a second a move.
    let checks = [
        "protocol-version",
        "identity",
        "mandatory-commands",
        "known-command",
        "quiet-start",
        "ids",
        "pipelining",
        "comments-and-blanks",
        "unknown-command",
        "bad-input",
        "board-size",
        "colours-and-case",
        "implied-pass",
        "explicit-pass",
        "genmove-pass",
        "finished-game",
        "clock",
        "quit",
        "end-of-input",
    ];
    let command = format!("{} --gtp --depth 4", env!("CARGO_BIN_EXE_flipside"));
    assert_eq!(failures(&command, "gtp", &checks), (Vec::new(), true));
}

#[test]
fn our_engine_passes_nboard_and_uci() {
    for protocol in ["nboard", "uci"] {
        let command = format!("{} --hash 4", env!("CARGO_BIN_EXE_flipside"));
        assert_eq!(failures(&command, protocol, &[]), (Vec::new(), true), "{protocol}");
    }
}

#[test]
fn our_engine_passes_xboard() {
    let command = format!("{} --hash 4", env!("CARGO_BIN_EXE_flipside"));
    assert_eq!(failures(&command, "xboard", &[]), (Vec::new(), true));
}
