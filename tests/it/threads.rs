//! The engine never starts more threads than there are processors, unless a test tells it that there are more.
#![cfg(all(target_os = "linux", feature = "cli"))]

use crate::common::Engine;
use std::thread::available_parallelism;

/// Threads of the process at present.
fn threads(engine: &Engine) -> usize {
    std::fs::read_dir(format!("/proc/{}/task", engine.id())).expect("the process runs").count()
}

/// The processors, and a few threads that read, watch and tick.
fn most() -> usize {
    available_parallelism().expect("processors").get() + 6
}

#[test]
fn a_solve_starts_no_more_threads_than_processors() {
    let mut engine = Engine::start(&["solve", "--threads", "256", "--jobs", "256", "--hash", "4"]);
    engine.send("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X");
    assert!(engine.line().starts_with("1 g8 +18 exact "));
    // Its threads wait for the next position.
    assert!(threads(&engine) <= 2 * most(), "{}", threads(&engine));
}

/// 64 threads on few processors find the middle game's move and the exact scores, and a stop ends them.
#[test]
fn as_many_threads_as_a_test_asks_for() {
    let many = [("FLIPSIDE_PROCESSORS", "64")];
    let mut engine = Engine::start_with(&["--uci", "--threads", "64", "--hash", "4"], &many);
    engine.send("position startpos\ngo depth 12");
    engine.until(|line| line.starts_with("bestmove "));
    assert!(threads(&engine) >= 64, "{}", threads(&engine));
    engine.send("go infinite\nstop");
    engine.until(|line| line.starts_with("bestmove "));
    let mut engine = Engine::start_with(&["solve", "--threads", "64", "--hash", "4"], &many);
    engine.send("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X");
    assert!(engine.line().starts_with("1 g8 +18 exact "));
}

#[test]
fn a_search_starts_no_more_threads_than_processors() {
    let mut engine = Engine::start(&["--uci", "--threads", "256", "--hash", "4"]);
    engine.send("position startpos\ngo nodes 20000");
    engine.until(|line| line.starts_with("bestmove "));
    assert!(threads(&engine) <= most(), "{}", threads(&engine));
}
