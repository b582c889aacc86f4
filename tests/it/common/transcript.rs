//! Transcripts: what a host sends and what must come back, line by line.
//!
//! `> ` sends a line, `< ` expects one; `…` in it stands for any text, and a line `<*` for any
//! number of lines before the next one that is expected.

use super::Engine;

/// Plays a transcript against the binary.
///
/// # Panics
/// Panics if another line comes than the expected one, or none; `place` names the line in the message.
pub fn replay(place: &str, arguments: &str, lines: &[&str]) {
    let mut engine = Engine::start_plainly(&arguments.split_whitespace().collect::<Vec<_>>());
    let mut skipping = false;
    for (number, text) in lines.iter().enumerate() {
        let payload = |rest: &str| rest.strip_prefix(' ').unwrap_or(rest).to_string();
        if let Some(rest) = text.strip_prefix('>') {
            engine.send(&payload(rest));
        } else if *text == "<*" {
            skipping = true;
        } else if let Some(rest) = text.strip_prefix('<') {
            let pattern = payload(rest);
            let mut line = engine.line();
            while skipping && !fits(&pattern, &line) {
                line = engine.line();
            }
            skipping = false;
            assert!(fits(&pattern, &line), "{place}, line {}: expected '{pattern}', got '{line}'", number + 1);
        } else {
            panic!("{place}, line {}: neither > nor <: {text}", number + 1);
        }
    }
}

/// `…` in the pattern stands for any text.
pub fn fits(pattern: &str, line: &str) -> bool {
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
