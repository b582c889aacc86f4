//! Too little memory and too few threads: the engine refuses in the host's protocol what it cannot get, and goes on.

#![cfg(all(target_os = "linux", feature = "cli"))]

use crate::common::Engine;
use flipside::reversi::Reversi;
use flipside::{Engine as Library, EngineError};

/// KiB of address space: enough for the engine as it starts, far too little for a table of a gigabyte.
const ENOUGH: usize = 900_000;

#[test]
fn a_table_that_is_too_large_is_refused_and_the_old_one_kept() {
    let mut uci = Engine::start_within(ENOUGH, &["--uci"]);
    for game in ["flipello", "minichess"] {
        uci.send(&format!("setoption name UCI_Variant value {game}"));
        uci.send("setoption name Hash value 4096");
        let refused = uci.until(|line| line.contains("Hash"));
        assert!(refused.last().is_some_and(|line| line.starts_with("info string Hash is too large: ")), "{refused:?}");
        uci.send("isready");
        assert_eq!(uci.line(), "readyok");
        uci.send("go depth 4");
        let lines = uci.until(|line| line.starts_with("bestmove"));
        assert!(!lines.last().is_some_and(|line| line.contains("none")), "{lines:?}");
        uci.send("setoption name Hash value 8");
    }

    let mut xboard = Engine::start_within(ENOUGH, &["--xboard"]);
    xboard.send("protover 2\nmemory 4096\nping 1");
    let lines = xboard.until(|line| line == "pong 1");
    assert!(lines.iter().any(|line| line.starts_with("Error (Hash is too large: ")), "{lines:?}");
}

#[test]
fn a_table_that_is_too_large_is_refused_on_the_command_line() {
    let commands = [
        &["--gtp", "--hash", "4096"][..],
        &["bench", "--hash", "4096"],
        &["bench", "--endgame", "--hash", "4096"],
        &["solve", "--hash", "4096"],
        &["analyze", "--hash", "4096"],
    ];
    for arguments in commands {
        // A process that is aborted has no status of its own.
        let (_, status) = Engine::start_within(ENOUGH, arguments).finish();
        assert!(status.code().is_some_and(|code| code != 0), "{arguments:?}: {status}");
    }
}

#[test]
fn the_library_refuses_what_no_machine_has() {
    for mebibytes in [1 << 40, usize::MAX] {
        let refused = Library::builder(Reversi).hash_mib(mebibytes).build().err();
        assert!(matches!(refused, Some(EngineError::Memory(_))), "{mebibytes}");
    }
}

fn threads_of(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/task")).expect("Linux tells of threads").count()
}

#[test]
fn threads_do_not_pile_up_when_searches_follow_each_other_quickly() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for game in ["flipello", "minichess"] {
        let mut engine = Engine::start(&["--uci", "--hash", "8"]);
        engine.send(&format!("setoption name UCI_Variant value {game}\nsetoption name Threads value 64"));
        for round in 0..25 {
            engine.send("go infinite\nstop");
            engine.until(|line| line.starts_with("bestmove"));
            engine.send("go infinite");
            engine.until(|line| line.contains(" depth 3 "));
            engine.send("stop");
            engine.until(|line| line.starts_with("bestmove"));
            // Those of the search, the session and the reader; one may be about to end.
            let threads = threads_of(engine.id());
            assert!(threads <= processors + 3, "{game}, round {round}: {threads} threads");
        }
    }
}

/// On machines with many processors, the stacks of all threads exceed the memory.
#[test]
fn a_search_makes_do_with_the_threads_that_there_are() {
    let mut engine = Engine::start_within(ENOUGH, &["--uci", "--hash", "8", "--threads", "64"]);
    for _ in 0..3 {
        engine.send("go depth 6");
        let lines = engine.until(|line| line.starts_with("bestmove"));
        assert!(!lines.last().is_some_and(|line| line.contains("none")), "{lines:?}");
    }
}

/// From too little memory for tables and threads to enough: the engine either does not start, or plays.
#[test]
fn an_engine_that_starts_can_search() {
    let mut played = 0;
    for kib in (40_000..200_000).step_by(10_000) {
        let mut engine = Engine::start_within(kib, &["--uci"]);
        engine.try_send("go depth 3");
        let (lines, status) = engine.finish();
        match lines.iter().find(|line| line.starts_with("bestmove")) {
            Some(best) => {
                assert!(!best.contains("none"), "{kib} KiB: {lines:?}");
                played += 1;
            }
            None => assert!(!status.success(), "{kib} KiB: {lines:?}"),
        }
    }
    assert!(played > 0);
}

/// Idle engines are cheap: hosts keep several open. The weights are unpacked once, and the packed bytes are given back.
#[test]
#[cfg(all(target_os = "linux", feature = "network"))]
fn an_idle_engine_takes_less_than_forty_mebibytes() {
    let mut engine = Engine::start(&["--uci", "--hash", "1"]);
    engine.send("uci");
    engine.until(|line| line == "uciok");
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("a running engine");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    let kib: u64 = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number");
    assert!((10_000..40 << 10).contains(&kib), "{kib} KiB");
}
