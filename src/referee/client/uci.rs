//! The host's side of UCI with variants.

use super::{Client, initial_position};
use crate::engine::dyn_engine::DynEngine;
use crate::referee::player::{Fault, Thought, Times};
use crate::referee::process::{Line, Process};
use crate::referee::spec::{PlayerSpec, Quirks, Terms};
use crate::search::notation::Style;
use crate::search::types::{UNIT, WIN};
use std::time::Instant;

/// UCI with what is known of the engine.
pub struct UciClient {
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    variant: Option<&'static str>,
    start: Option<String>,
}

impl UciClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> UciClient {
        UciClient {
            options: spec.options.clone(),
            send: spec.send.clone(),
            quirks: spec.quirks,
            variant: crate::games::names::uci_variant_of(game),
            start: None,
        }
    }

    /// `position startpos|fen F moves ...`.
    fn position(&self, room: &dyn DynEngine) -> String {
        let start = room.start_position(Style::Uci);
        let mut line = if self.start.as_deref() == Some(start.as_str()) {
            "position startpos".to_string()
        } else {
            format!("position fen {start}")
        };
        let history = room.history(Style::Uci);
        if !history.is_empty() {
            line.push_str(" moves");
        }
        for (_, text) in history {
            line.push(' ');
            line.push_str(&text);
        }
        line
    }

    fn go(&self, times: &Times) -> String {
        let mut line = "go".to_string();
        if self.quirks.own_limits {
            return line;
        }
        for (words, left, increment) in [
            (["wtime", "winc"], times.left[0], times.increments[0]),
            (["btime", "binc"], times.left[1], times.increments[1]),
        ] {
            if let Some(left) = left {
                line.push_str(&format!(" {} {}", words[0], left.as_millis().max(1)));
                line.push_str(&format!(" {} {}", words[1], increment.as_millis()));
            }
        }
        if let Some(time) = times.terms.move_time {
            line.push_str(&format!(" movetime {}", time.as_millis().max(1)));
        }
        if let Some(depth) = times.terms.depth {
            line.push_str(&format!(" depth {depth}"));
        }
        if let Some(nodes) = times.terms.nodes {
            line.push_str(&format!(" nodes {nodes}"));
        }
        line
    }
}

/// Reads lines until one begins with the word; the others go to `other`.
pub fn until(
    process: &mut Process,
    word: &str,
    asked: &str,
    deadline: Instant,
    mut other: impl FnMut(&str),
) -> Result<Line, Fault> {
    loop {
        let line = process.line(deadline).map_err(|silence| Fault::from_silence(silence, asked))?;
        if line.text.split_whitespace().next() == Some(word) {
            return Ok(line);
        }
        other(&line.text);
    }
}

/// The options that the player offers, each as `NAME type ...`.
fn offers(process: &mut Process, deadline: Instant) -> Result<Vec<String>, Fault> {
    let mut options = Vec::new();
    process.send("uci");
    until(process, "uciok", "uci", deadline, |line| {
        if let Some(option) = line.trim().strip_prefix("option name ") {
            options.push(option.to_string());
        }
    })?;
    Ok(options)
}

/// Takes what an info line tells of the best line of play.
pub fn take_info(line: &str, thought: &mut Thought) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied();
    if words.first() != Some(&"info") || words.contains(&"string") || after("multipv").is_some_and(|rank| rank != "1") {
        return;
    }
    let number = |name: &str| after(name).and_then(|word| word.parse::<i64>().ok());
    if let Some(nodes) = number("nodes") {
        thought.nodes = u64::try_from(nodes).ok();
    }
    let value = match after("score") {
        Some("cp") => number("cp").map(|value| value * i64::from(UNIT) / 100),
        Some("mate") => number("mate").map(|moves| i64::from(WIN) * if moves > 0 { 1 } else { -1 } - 2 * moves),
        _ => None,
    };
    if let Some(value) = value {
        thought.value = i32::try_from(value).ok();
        thought.depth = number("depth").and_then(|depth| u32::try_from(depth).ok());
    }
}

impl Client for UciClient {
    fn style(&self) -> Style {
        Style::Uci
    }

    fn greet(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault> {
        let mut options = offers(process, deadline)?;
        // A file of variants comes first: the game may be one of them.
        let (files, others): (Vec<_>, Vec<_>) =
            self.options.iter().partition(|(name, _)| name.eq_ignore_ascii_case("VariantPath"));
        for (name, value) in files {
            process.send(&format!("setoption name {name} value {value}"));
            options = offers(process, deadline)?;
        }
        let offered = |name: &str| {
            options
                .iter()
                .find(|option| option.split(" type ").next().is_some_and(|own| own.eq_ignore_ascii_case(name)))
        };
        if let (Some(variant), Some(option)) = (self.variant, offered("UCI_Variant")) {
            if !option.split_whitespace().any(|word| word == variant) {
                return Err(Fault::Unusable(format!("it does not offer the variant {variant}")));
            }
            process.send(&format!("setoption name UCI_Variant value {variant}"));
        }
        for (name, value) in others {
            if offered(name).is_none() {
                return Err(Fault::Unusable(format!("it has no option {name}")));
            }
            process.send(&format!("setoption name {name} value {value}"));
        }
        for line in &self.send {
            process.send(line);
        }
        process.send("isready");
        until(process, "readyok", "isready", deadline, |_| {}).map(drop)
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        room: &dyn DynEngine,
        _terms: &Terms,
        deadline: Instant,
    ) -> Result<(), Fault> {
        self.start = Some(initial_position(room, Style::Uci));
        process.send("ucinewgame");
        process.send("isready");
        until(process, "readyok", "isready", deadline, |_| {}).map(drop)
    }

    fn think(&mut self, process: &mut Process, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault> {
        process.send(&self.position(room));
        process.send("isready");
        until(process, "readyok", "isready", Instant::now() + times.patience, |_| {})?;
        let go = self.go(times);
        let deadline = times.deadline(room.side());
        let begun = Instant::now();
        process.send(&go);
        let mut thought = Thought::default();
        let line = until(process, "bestmove", &go, deadline, |line| take_info(line, &mut thought))?;
        thought.used = line.at.saturating_duration_since(begun);
        match line.text.split_whitespace().nth(1) {
            None | Some("(none)" | "resign") => Err(Fault::Refused(format!("{go}: {}", line.text))),
            Some(mv) => Ok(Thought { mv: mv.to_string(), ..thought }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines() {
        let mut thought = Thought::default();
        take_info("info depth 8 seldepth 9 multipv 2 score cp 684 nodes 1591 time 118 pv P@f3", &mut thought);
        take_info("info string score cp 5", &mut thought);
        assert_eq!(thought, Thought::default());
        take_info("info depth 9 multipv 1 score cp -576 upperbound nodes 2236 nps 11180 pv P@e3", &mut thought);
        assert_eq!((thought.depth, thought.value, thought.nodes), (Some(9), Some(-576), Some(2236)));
        take_info("info nodes 3000", &mut thought);
        assert_eq!((thought.depth, thought.value, thought.nodes), (Some(9), Some(-576), Some(3000)));
    }
}
