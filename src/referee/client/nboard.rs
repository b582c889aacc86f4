//! The host's side of NBoard 2.

use super::uci::until;
use super::{Client, Told, is_pass};
use crate::engine::dyn_engine::DynEngine;
use crate::referee::player::{Fault, Thought, Times};
use crate::referee::process::Process;
use crate::referee::record;
use crate::referee::spec::{PlayerSpec, Quirks, Terms};
use crate::search::notation::Style;
use std::time::Instant;

/// NBoard with what is known of the engine.
pub struct NBoardClient {
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    pings: u64,
    told: Told,
    clock: Option<(&'static str, String)>,
}

impl NBoardClient {
    /// A client for this player.
    pub fn new(spec: &PlayerSpec) -> NBoardClient {
        NBoardClient {
            options: spec.options.clone(),
            send: spec.send.clone(),
            quirks: spec.quirks,
            pings: 0,
            told: Told::default(),
            clock: None,
        }
    }

    /// Everything sent before has been read when the answer is here.
    fn ping(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault> {
        self.pings += 1;
        let line = format!("ping {}", self.pings);
        let pong = format!("pong {}", self.pings);
        process.send(&line);
        loop {
            let answer = until(process, "pong", &line, deadline, |_| {})?;
            if answer.text.trim() == pong {
                return Ok(());
            }
        }
    }

    fn sync(&mut self, process: &mut Process, room: &dyn DynEngine) {
        let history = room.history(Style::Ggf);
        match self.told.missing(&history) {
            Some(missing) => {
                for (_, text) in missing {
                    if !(is_pass(text) && self.quirks.no_passes) {
                        process.send(&format!("move {text}"));
                    }
                }
            }
            None => process.send(&format!("set game {}", record::ggf(self.clock.clone(), room, &[]))),
        }
        self.told.moves = history;
    }
}

/// Reads `=== M/E/T` or `=== M E T`: the move and its value in hundredths.
pub fn answer(line: &str) -> Option<(String, Option<i32>)> {
    let mut parts = line.strip_prefix("===")?.trim().split(['/', ' ']);
    let mv = parts.next().filter(|mv| !mv.is_empty())?;
    let value = parts.next().and_then(|value| value.parse::<f64>().ok()).filter(|value| value.is_finite());
    Some((mv.to_string(), value.map(|discs| (discs * 100.0).round() as i32)))
}

impl Client for NBoardClient {
    fn style(&self) -> Style {
        Style::Ggf
    }

    fn greet(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault> {
        process.send("nboard 2");
        for (name, value) in &self.options {
            process.send(&format!("set {name} {value}"));
        }
        for line in &self.send.clone() {
            process.send(line);
        }
        self.ping(process, deadline)
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        room: &dyn DynEngine,
        terms: &Terms,
        deadline: Instant,
    ) -> Result<(), Fault> {
        self.clock = record::time_tag(terms);
        process.send(&format!("set game {}", record::ggf(self.clock.clone(), room, &[])));
        self.told.moves = room.history(Style::Ggf);
        if !self.quirks.own_limits {
            if terms.nodes.is_some() || terms.move_time.is_some() && terms.depth.is_none() {
                return Err(Fault::Unusable(
                    "NBoard has no word for nodes or move-time: use depth or tc, or quirk=own-limits".into(),
                ));
            }
            if let Some(depth) = terms.depth {
                process.send(&format!("set depth {depth}"));
            }
        }
        self.ping(process, deadline)
    }

    fn think(&mut self, process: &mut Process, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault> {
        self.sync(process, room);
        self.ping(process, Instant::now() + times.patience)?;
        let deadline = times.deadline(room.side());
        let begun = Instant::now();
        process.send("go");
        let mut nodes = None;
        loop {
            let line = process.line(deadline).map_err(|silence| Fault::from_silence(silence, "go"))?;
            if let Some(numbers) = line.text.strip_prefix("nodestats ") {
                nodes = numbers.split_whitespace().next().and_then(|word| word.parse().ok());
            }
            if let Some((mv, value)) = answer(&line.text) {
                let used = line.at.saturating_duration_since(begun);
                return Ok(Thought { mv, used, value, depth: None, nodes });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn answers_in_every_form() {
        assert_eq!(answer("=== F5"), Some(("F5".into(), None)));
        assert_eq!(answer("=== F5/1.25/0.5"), Some(("F5".into(), Some(125))));
        assert_eq!(answer("=== f5 -1.00 0.0"), Some(("f5".into(), Some(-100))));
        assert_eq!(answer("=== PA//0.5"), Some(("PA".into(), None)));
        assert_eq!(answer("==="), None);
        assert_eq!(answer("status x"), None);
    }
}
