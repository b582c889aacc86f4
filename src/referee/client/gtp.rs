//! The host's side of GTP 2.

use super::{Client, Told, initial_position, is_pass};
use crate::engine::dyn_engine::DynEngine;
use crate::referee::player::{Fault, Thought, Times};
use crate::referee::process::Process;
use crate::referee::spec::{PlayerSpec, Quirks, Terms};
use crate::search::notation::Style;
use std::time::{Duration, Instant};

/// GTP with what is known of the engine.
pub struct GtpClient {
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    game: String,
    commands: Vec<String>,
    colours: [&'static str; 2],
    told: Told,
}

/// A response: accepted or refused, and its text.
pub type Response = Result<String, String>;

/// Reads one response; the instant is when its first line came.
pub fn response(process: &mut Process, asked: &str, deadline: Instant) -> Result<(Response, Instant), Fault> {
    let silence = |silence| Fault::from_silence(silence, asked);
    let first = loop {
        let line = process.line(deadline).map_err(silence)?;
        if !line.text.trim().is_empty() {
            break line;
        }
    };
    let accepted = match first.text.chars().next() {
        Some('=') => true,
        Some('?') => false,
        _ => return Err(Fault::Babbled(format!("'{}' at {asked}", shortened(&first.text)))),
    };
    let rest = first.text[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    let mut text = rest.trim().to_string();
    loop {
        let line = process.line(deadline).map_err(silence)?;
        if line.text.is_empty() {
            return Ok((if accepted { Ok(text) } else { Err(text) }, first.at));
        }
        text.push('\n');
        text.push_str(&line.text);
    }
}

/// The beginning of a line, for messages.
fn shortened(line: &str) -> String {
    line.chars().take(80).collect()
}

impl GtpClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> GtpClient {
        GtpClient {
            options: spec.options.clone(),
            send: spec.send.clone(),
            quirks: spec.quirks,
            game: game.to_string(),
            commands: Vec::new(),
            colours: ["black", "white"],
            told: Told::default(),
        }
    }

    fn ask(&self, process: &mut Process, line: &str, deadline: Instant) -> Result<Response, Fault> {
        process.send(line);
        response(process, line, deadline).map(|(response, _)| response)
    }

    /// Asks for something that a correct engine does not refuse.
    fn demand(&self, process: &mut Process, line: &str, deadline: Instant) -> Result<String, Fault> {
        self.ask(process, line, deadline)?.map_err(|text| Fault::Refused(format!("{line}: {text}")))
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Brings the engine to the start of this game.
    fn reset(&mut self, process: &mut Process, room: &dyn DynEngine, deadline: Instant) -> Result<(), Fault> {
        self.colours = room.sides();
        self.told = Told::default();
        self.demand(process, "clear_board", deadline)?;
        let start = room.start_position(Style::Plain);
        if start != initial_position(room, Style::Plain) {
            if !self.knows("flipside-setup") {
                return Err(Fault::Unusable("GTP has no word for a start position: use openings of moves".into()));
            }
            self.demand(process, &format!("flipside-setup {start}"), deadline)?;
        }
        Ok(())
    }

    fn sync(&mut self, process: &mut Process, room: &dyn DynEngine, deadline: Instant) -> Result<(), Fault> {
        let history = room.history(Style::Plain);
        if self.told.missing(&history).is_none() {
            self.reset(process, room, deadline)?;
        }
        for (side, text) in self.told.missing(&history).unwrap_or_default() {
            if !(is_pass(text) && self.quirks.no_passes) {
                let line = format!("play {} {text}", self.colours[side.index()]);
                self.demand(process, &line, deadline)?;
            }
        }
        self.told.moves = history;
        Ok(())
    }

    fn seconds(&self, time: Duration) -> String {
        if self.quirks.decimal_clock { format!("{:.3}", time.as_secs_f64()) } else { time.as_secs().to_string() }
    }

    fn settings(&self, process: &mut Process, terms: &Terms, deadline: Instant) -> Result<(), Fault> {
        if self.quirks.own_limits {
            return Ok(());
        }
        let line = match (terms.game_time, terms.move_time) {
            (Some((main, increment)), _) if self.quirks.fischer_clock => {
                format!("time_settings {} {} 0", self.seconds(main), self.seconds(increment))
            }
            (Some((main, _)), _) => format!("time_settings {} 0 0", self.seconds(main)),
            (None, Some(time)) if time < Duration::from_secs(1) && !self.quirks.decimal_clock => {
                return Err(Fault::Unusable(
                    "GTP counts whole seconds: give move-time=1 or more, or quirk=decimal-clock or own-limits".into(),
                ));
            }
            (None, Some(time)) => format!("time_settings 0 {} 1", self.seconds(time)),
            (None, None) if terms.depth.is_none() && terms.nodes.is_none() => return Ok(()),
            (None, None) => {
                return Err(Fault::Unusable(
                    "GTP has no word for depth or nodes: say it on the engine's command line with quirk=own-limits"
                        .into(),
                ));
            }
        };
        self.demand(process, &line, deadline).map(drop)
    }
}

impl Client for GtpClient {
    fn style(&self) -> Style {
        Style::Plain
    }

    fn greet(&mut self, process: &mut Process, deadline: Instant) -> Result<(), Fault> {
        let list = self.demand(process, "list_commands", deadline)?;
        self.commands = list.split_whitespace().map(str::to_string).collect();
        if self.knows("list_games") && self.knows("set_game") {
            let games = self.demand(process, "list_games", deadline)?;
            let names: &[&str] = if self.game == "reversi" { &["othello", "reversi"] } else { &[&self.game] };
            let own =
                games.lines().map(str::trim).find(|line| names.iter().any(|name| line.eq_ignore_ascii_case(name)));
            let Some(own) = own else {
                return Err(Fault::Unusable(format!("it does not offer the game {}", self.game)));
            };
            self.demand(process, &format!("set_game {own}"), deadline)?;
        }
        for (name, value) in &self.options {
            if !self.knows("flipside-option") {
                return Err(Fault::Unusable("GTP has no options: use send=\"...\"".into()));
            }
            self.demand(process, &format!("flipside-option {} {value}", name.replace(' ', "_")), deadline)?;
        }
        for line in &self.send {
            self.demand(process, line, deadline)?;
        }
        Ok(())
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        room: &dyn DynEngine,
        terms: &Terms,
        deadline: Instant,
    ) -> Result<(), Fault> {
        self.reset(process, room, deadline)?;
        self.settings(process, terms, deadline)
    }

    fn think(&mut self, process: &mut Process, room: &dyn DynEngine, times: &Times) -> Result<Thought, Fault> {
        let side = room.side();
        self.sync(process, room, Instant::now() + times.patience)?;
        let colour = self.colours[side.index()];
        if let (Some(left), false) = (times.left[side.index()], self.quirks.own_limits) {
            let line = format!("time_left {colour} {} 0", self.seconds(left));
            self.demand(process, &line, Instant::now() + times.patience)?;
        }
        let line = format!("genmove {colour}");
        let deadline = times.deadline(side);
        let begun = Instant::now();
        process.send(&line);
        let (answer, at) = response(process, &line, deadline)?;
        let mv = answer.map_err(|text| Fault::Refused(format!("{line}: {text}")))?;
        if mv.eq_ignore_ascii_case("resign") {
            return Err(Fault::Resigned);
        }
        self.told.moves.push((side, mv.clone()));
        Ok(Thought { mv, used: at.saturating_duration_since(begun), ..Thought::default() })
    }
}
