//! Replays the transcripts of protocol.md against the binary.
//!
//! A fence ```` ```transcript ARGUMENTS ```` holds lines to send (`> `) and lines to expect (`< `);
//! `…` stands for anything within a line, a line `<*` for any number of lines before the next one.

mod common;

use common::Engine;

/// A line of a transcript.
#[derive(Debug)]
enum Step {
    Send(String),
    Expect(String),
    Skip,
}

fn transcripts() -> Vec<(String, Vec<Step>)> {
    let text = include_str!("../protocol.md");
    let mut all = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(arguments) = line.strip_prefix("```transcript") else { continue };
        let steps = lines.by_ref().take_while(|line| *line != "```").map(|line| match line.split_at(1) {
            (">", rest) => Step::Send(rest.strip_prefix(' ').unwrap_or(rest).to_string()),
            ("<", "*") => Step::Skip,
            ("<", rest) => Step::Expect(rest.strip_prefix(' ').unwrap_or(rest).to_string()),
            _ => panic!("neither > nor <: {line}"),
        });
        all.push((arguments.trim().to_string(), steps.collect()));
    }
    all
}

/// `…` in the pattern stands for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('…') else { return pattern == line };
    let Some(mut rest) = line.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = tail.split('…').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn every_transcript_comes_out() {
    let all = transcripts();
    assert!(all.len() >= 3);
    for (arguments, steps) in all {
        let mut engine = Engine::start(&arguments.split_whitespace().collect::<Vec<_>>());
        let mut skipping = false;
        for step in &steps {
            match step {
                Step::Send(line) => engine.send(line),
                Step::Skip => skipping = true,
                Step::Expect(pattern) => {
                    let mut line = engine.line();
                    while skipping && !fits(pattern, &line) {
                        line = engine.line();
                    }
                    skipping = false;
                    assert!(fits(pattern, &line), "{arguments}: expected '{pattern}', got '{line}'\n{steps:?}");
                }
            }
        }
    }
}

#[test]
fn every_gtp_command_is_documented() {
    let text = include_str!("../protocol.md");
    let mut engine = Engine::start(&["--gtp"]);
    let listed = engine.ask("list_commands");
    for name in listed.trim_start_matches("= ").lines() {
        let told = [format!("`{name}`"), format!("`{name} ")].iter().any(|form| text.contains(form));
        assert!(told, "{name} is not in protocol.md");
    }
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits("a…c", "abbc") && fits("…", "") && fits("a", "a"));
    assert!(!fits("a…c", "abbd") && !fits("a", "ab"));
}
