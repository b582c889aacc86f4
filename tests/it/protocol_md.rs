//! Replays the transcripts of protocol.md against the binary, and those of hosts in
//! `tests/transcripts/`.
//!
//! In protocol.md they are fences ```` ```transcript ARGUMENTS ````. In the files `#` begins a
//! comment, and a line `arguments ...` says how the binary is started.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::common::transcript::{fits, replay};

#[test]
fn every_transcript_comes_out() {
    let mut lines = include_str!("../../protocol.md").lines();
    let mut replayed = 0;
    while let Some(line) = lines.next() {
        let Some(arguments) = line.strip_prefix("```transcript") else { continue };
        let steps: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        replay(&format!("transcript{arguments}"), arguments, &steps);
        replayed += 1;
    }
    assert!(replayed >= 3);
}

#[test]
fn every_recorded_host_is_served() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut replayed = 0;
    for entry in std::fs::read_dir(folder).expect("the transcripts") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let arguments: String = text.lines().filter_map(|line| line.strip_prefix("arguments ")).collect();
        let is_traffic = |line: &&str| !line.starts_with('#') && !line.starts_with("arguments ");
        replay(&path.display().to_string(), &arguments, &text.lines().filter(is_traffic).collect::<Vec<_>>());
        replayed += 1;
    }
    assert!(replayed >= 3);
}

#[test]
fn every_gtp_command_is_documented() {
    let text = include_str!("../../protocol.md");
    let mut engine = Engine::start(&["--gtp"]);
    let listed = engine.ask("list_commands");
    for name in listed.trim_start_matches("= ").lines() {
        let documented = [format!("`{name}`"), format!("`{name} ")].iter().any(|form| text.contains(form));
        assert!(documented, "{name} is not in protocol.md");
    }
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits("a…c", "abbc") && fits("…", "") && fits("a", "a"));
    assert!(!fits("a…c", "abbd") && !fits("a", "ab"));
}
