//! The host's side of XBoard's protocol.

use super::uci::until;
use super::{Client, Told, initial_position};
use crate::engine::dyn_engine::DynEngine;
use crate::referee::player::{Fault, Thought, Times};
use crate::referee::process::{Line, Process};
use crate::referee::spec::{PlayerSpec, Quirks, Terms};
use crate::referee::words;
use crate::search::notation::Style;
use crate::search::types::{Score, UNIT, WIN};
use std::time::{Duration, Instant};

/// From this score on (hundredths of a pawn) the rest counts moves to a forced end.
const MATE: i64 = 100_000;

/// XBoard's protocol with what is known of the engine.
pub struct XBoardClient {
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    variant: Option<&'static str>,
    features: Vec<(String, String)>,
    pings: u64,
    told: Told,
    /// Whether the engine answers a move by itself.
    plays: bool,
}

impl XBoardClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> XBoardClient {
        XBoardClient {
            options: spec.options.clone(),
            send: spec.send.clone(),
            quirks: spec.quirks,
            variant: crate::games::names::uci_variant_of(game),
            features: Vec::new(),
            pings: 0,
            told: Told::default(),
            plays: false,
        }
    }

    fn feature(&self, name: &str) -> Option<&str> {
        self.features.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Everything sent before is done when the answer is here.
    fn ping(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault> {
        self.pings += 1;
        let (line, pong) = (format!("ping {}", self.pings), format!("pong {}", self.pings));
        process.send(&line);
        while until(process, "pong", &line, deadline, |_| {})?.text.trim() != pong {}
        Ok(())
    }

    /// The line that sets an option: some have commands of their own.
    fn option_line(&self, name: &str, value: &str) -> Result<String, Fault> {
        let offered = self.features.iter().any(|(own, text)| {
            own == "option" && text.split(" -").next().is_some_and(|own| own.eq_ignore_ascii_case(name))
        });
        match name {
            "Hash" if self.feature("memory") == Some("1") => Ok(format!("memory {value}")),
            "Threads" if self.feature("smp") == Some("1") => Ok(format!("cores {value}")),
            _ if offered => Ok(format!("option {name}={value}")),
            _ => Err(Fault::Unusable(format!("it has no option {name}"))),
        }
    }

    /// `level` and its kin for these terms.
    fn settings(&self, terms: &Terms) -> Result<Vec<String>, Fault> {
        if self.quirks.own_limits {
            return Ok(Vec::new());
        }
        let unusable = |text: &str| Err(Fault::Unusable(text.into()));
        let mut lines = Vec::new();
        if let Some((main, increment)) = terms.game_time {
            if main < Duration::from_secs(1) {
                return unusable("XBoard's level counts whole seconds: give a second or more");
            }
            let main = main.as_secs();
            lines.push(format!("level 0 {}:{:02} {}", main / 60, main % 60, increment.as_secs_f64()));
        }
        if let Some(time) = terms.move_time {
            if !self.quirks.decimal_clock && time.subsec_nanos() > 0 {
                return unusable("XBoard's st counts whole seconds: give move-time=1 or more, or quirk=decimal-clock");
            }
            lines.push(format!("st {}", time.as_secs_f64()));
        }
        lines.extend(terms.depth.map(|depth| format!("sd {depth}")));
        if lines.is_empty() {
            return unusable("XBoard has no word for nodes: use depth, move-time or tc, or quirk=own-limits");
        }
        Ok(lines)
    }

    /// Tells what is missing of the game, the clocks, and that a move is wanted; the last line sent.
    fn ask(&mut self, process: &mut Process, room: &dyn DynEngine, times: &Times) -> Result<String, Fault> {
        let history = room.history(Style::Uci);
        let Some(missing) = self.told.missing(&history) else {
            return Err(Fault::Refused("the game that was told is not the game that is played".into()));
        };
        let (last, earlier) = match missing.split_last() {
            Some((last, earlier)) if self.plays && earlier.is_empty() => (Some(last), earlier),
            _ => (None, missing),
        };
        if last.is_none() {
            process.send("force");
        }
        for (_, text) in earlier {
            process.send(&format!("usermove {text}"));
        }
        let side = room.side();
        if let (Some(own), false) = (times.left[side.index()], self.quirks.own_limits) {
            let other = times.left[side.other().index()].unwrap_or(own);
            process.send(&format!("time {}", own.as_millis() / 10));
            process.send(&format!("otim {}", other.as_millis() / 10));
        }
        let line = last.map_or("go".to_string(), |(_, text)| format!("usermove {text}"));
        self.told.moves = history;
        self.plays = true;
        Ok(line)
    }
}

/// Names and values of a `feature` line.
pub fn features(line: &str) -> Vec<(String, String)> {
    let Some(rest) = line.trim().strip_prefix("feature ") else { return Vec::new() };
    let pairs = words::split(rest).unwrap_or_default();
    pairs.iter().filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
}

/// Takes what a line of play tells: ply, score, hundredths of a second, nodes.
pub fn take_thinking(line: &str, thought: &mut Thought) {
    let mut numbers = line.split_whitespace().map_while(|word| word.parse::<i64>().ok());
    let (Some(depth), Some(score), Some(_), Some(nodes)) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    else {
        return;
    };
    let moves = score.abs() - MATE;
    let value =
        if moves >= 0 { score.signum() * (i64::from(WIN) - 2 * moves).max(0) } else { score * i64::from(UNIT) / 100 };
    thought.depth = u32::try_from(depth).ok();
    thought.value = Score::try_from(value).ok();
    thought.nodes = u64::try_from(nodes).ok();
}

/// The answer in a line that is one.
fn verdict(line: &str, asked: &str) -> Option<Result<String, Fault>> {
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    match word {
        "move" => Some(Ok(rest.trim().to_string())),
        "resign" => Some(Err(Fault::Resigned)),
        "1-0" | "0-1" | "1/2-1/2" | "Illegal" | "Error" | "tellusererror" => {
            Some(Err(Fault::Refused(format!("{asked}: {line}"))))
        }
        _ => None,
    }
}

impl Client for XBoardClient {
    fn style(&self) -> Style {
        Style::Uci
    }

    fn greet(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault> {
        process.send("xboard");
        process.send("protover 2");
        while self.feature("done") != Some("1") {
            let line = until(process, "feature", "protover 2", deadline, |_| {})?;
            self.features.extend(features(&line.text));
        }
        let Some(variant) = self.variant else {
            return Err(Fault::Unusable("XBoard has no name for this game".into()));
        };
        let listed = self.feature("variants").unwrap_or_default().split(',').any(|own| own.trim() == variant);
        if !listed || self.feature("ping") != Some("1") || self.feature("usermove") != Some("1") {
            return Err(Fault::Unusable(format!("it does not offer ping=1, usermove=1 and the variant {variant}")));
        }
        for (name, value) in self.options.clone() {
            process.send(&self.option_line(&name, &value)?);
        }
        for line in &self.send {
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
        process.send("new");
        process.send(&format!("variant {}", self.variant.unwrap_or("normal")));
        process.send("force");
        let start = room.start_position(Style::Uci);
        if start != initial_position(room, Style::Uci) {
            process.send(&format!("setboard {start}"));
        }
        for line in self.settings(terms)? {
            process.send(&line);
        }
        process.send("post");
        process.send("easy");
        (self.told, self.plays) = (Told::default(), false);
        self.ping(process, deadline)
    }

    fn think(&mut self, process: &mut Process, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault> {
        let asked = self.ask(process, room, times)?;
        let deadline = times.deadline(room.side());
        let begun = Instant::now();
        process.send(&asked);
        let mut thought = Thought::default();
        loop {
            let line: Line = process.line(deadline).map_err(|silence| Fault::from_silence(silence, &asked))?;
            take_thinking(&line.text, &mut thought);
            if let Some(answer) = verdict(&line.text, &asked) {
                let mv = answer?;
                self.told.moves.push((room.side(), mv.clone()));
                return Ok(Thought { mv, used: line.at.saturating_duration_since(begun), ..thought });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_may_hold_blanks() {
        let read = features("feature myname=\"Mini 0.1\" ping=1 option=\"Level -spin 3 1 9\" done=1");
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let wanted =
            [pair("myname", "Mini 0.1"), pair("ping", "1"), pair("option", "Level -spin 3 1 9"), pair("done", "1")];
        assert_eq!(read, wanted);
        assert_eq!(features("move e2e4"), []);
    }

    #[test]
    fn lines_of_play() {
        let mut thought = Thought::default();
        take_thinking("12 -35 25 3000 9 12000 0\tb2b3 b5b4", &mut thought);
        assert_eq!((thought.depth, thought.value, thought.nodes), (Some(12), Some(-35), Some(3000)));
        take_thinking("3 100002 1 44 b2b3", &mut thought);
        assert_eq!(thought.value, Some(WIN - 4));
        take_thinking("# certainty exact", &mut thought);
        assert_eq!(thought.depth, Some(3));
    }

    #[test]
    fn answers() {
        assert_eq!(verdict("move b2b3", "go"), Some(Ok("b2b3".into())));
        assert_eq!(verdict("resign", "go"), Some(Err(Fault::Resigned)));
        assert!(matches!(verdict("1-0 {king captured}", "go"), Some(Err(Fault::Refused(_)))));
        assert!(matches!(verdict("Illegal move: b2b9", "usermove b2b9"), Some(Err(Fault::Refused(_)))));
        for other in ["offer draw", "5 0 1 2 e2e4", "# moves", "tellall hello", ""] {
            assert_eq!(verdict(other, "go"), None, "{other}");
        }
    }
}
