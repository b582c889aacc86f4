//! Files of proofs that travel between machines: the state of a split position with answers after an empty line, the
//! claims of a proof, tasks. Their checksums are corrected, so that the parsers reach the contents of the lines.

#![no_main]

mod common;

use flipside::cli::cluster::{proof_file, state::State, task::Task};
use flipside::games::reversi::proof::certificate;
use flipside::support::hash::checksum;
use flipside::support::json::{self, Seal};
use libfuzzer_sys::fuzz_target;

/// The placeholder in seeds for the program and its version.
const PLACE: &str = "PROGRAM";
const SEAL: &str = ",\"checksum\":\"";

/// The line with its correct checksum.
fn sealed(line: &str) -> String {
    let content = line.rsplit_once(SEAL).map_or_else(|| line.trim_end_matches('}'), |(content, _)| content);
    format!("{content}{SEAL}{:016x}\"}}", checksum(content.as_bytes()))
}

fn all_sealed(text: &str) -> String {
    text.lines().map(|line| sealed(line) + "\n").collect()
}

fn state(text: &str) {
    let (file, answers) = text.split_once("\n\n").unwrap_or((text, ""));
    common::with_file(all_sealed(file), |path| {
        let Ok(mut state) = State::open(path, "none") else { return };
        for line in answers.lines().map(sealed) {
            assert_eq!(json::seal(&line), Seal::Right);
            let before = state.bounds();
            let taken = state.take(&line).expect("the file can be written");
            let after = state.bounds();
            assert!(before.lower <= after.lower && after.upper <= before.upper, "an answer never widens what is known");
            assert!(taken.is_ok() || before == after, "a refused answer changes nothing");
        }
        let wanted = state.wanted().expect("the file can be written").len();
        assert!(state.proven().is_none() || wanted == 0, "what is proven needs no more tasks");
        drop(state);
        State::open(path, "none").expect("what was written can be read again");
    });
}

fuzz_target!(|text: &str| {
    let text = text.replace(PLACE, json::PROGRAM);
    if let Some(text) = text.strip_prefix("proof\n") {
        if let Ok((_, claims)) = proof_file::read(all_sealed(text).as_bytes()) {
            drop(certificate::check(&claims));
        }
    } else if let Some(text) = text.strip_prefix("task\n") {
        drop(Task::read(text));
    } else {
        state(&text);
    }
});
