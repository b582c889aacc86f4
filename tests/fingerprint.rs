//! The fingerprint of the search: the same nodes and scores every time, at every processor level.

use flipside::engine::bench::{EVALUATION, Fingerprint, GOMOKU, MINICHESS, POSITIONS, measure};
use std::process::Command;

/// Nodes of `flipside bench` with one thread and 16 MiB. If this number changes, the search changed, and the commit
/// message must say so.
const NODES: u64 = 250_183;

fn fingerprint() -> Fingerprint {
    measure(&POSITIONS, EVALUATION, 1, 16, |_, _| ()).expect("the bench runs")
}

#[test]
fn the_fingerprint_is_pinned() {
    assert_eq!(fingerprint().nodes, NODES);
}

/// As [`NODES`], of `flipside bench --game minichess`.
const MINICHESS_NODES: u64 = 830_333;

#[test]
fn the_fingerprint_of_minichess_is_pinned() {
    assert_eq!(measure(&MINICHESS, EVALUATION, 1, 16, |_, _| ()).expect("the bench runs").nodes, MINICHESS_NODES);
}

/// As [`NODES`], of `flipside bench --game gomoku`.
const GOMOKU_NODES: u64 = 258_080;

#[test]
fn the_fingerprint_of_gomoku_is_pinned() {
    assert_eq!(measure(&GOMOKU, EVALUATION, 1, 16, |_, _| ()).expect("the bench runs").nodes, GOMOKU_NODES);
}

#[test]
fn the_same_search_twice_is_the_same() {
    let (first, second) = (fingerprint(), fingerprint());
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(first.scores, second.scores);
}

/// As [`NODES`], of `flipside bench --evaluation network`.
const NETWORK_NODES: u64 = 273_565;

/// The kernels of every level give the same tree; a level that the processor lacks falls back to a lower one.
#[test]
fn every_processor_level_has_the_same_fingerprint() {
    let benches = [
        (&["bench"][..], NODES),
        (&["bench", "--evaluation", "network"][..], NETWORK_NODES),
        (&["bench", "--game", "minichess"][..], MINICHESS_NODES),
        (&["bench", "--game", "gomoku"][..], GOMOKU_NODES),
    ];
    for (level, (bench, nodes)) in
        ["base", "v3", "v4"].into_iter().flat_map(|level| benches.map(|bench| (level, bench)))
    {
        let output = Command::new(env!("CARGO_BIN_EXE_flipside"))
            .args(bench)
            .env("FLIPSIDE_CPU", level)
            .output()
            .expect("the bench starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(&format!("\nnodes {nodes}\n")), "{level}: {text}");
    }
}
