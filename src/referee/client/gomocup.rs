//! The host's side of Gomocup's protocol: a manager that keeps the clock.

use super::{Client, SentPosition};
use crate::engine::dyn_engine::DynEngine;
use crate::games::names::{self, GOMOKU_RULES, GameVariant};
use crate::referee::limits::PlayerLimits;
use crate::referee::process::{OutputLine, Process};
use crate::referee::spec::{PlayerSpec, Quirks};
use crate::referee::types::{MoveReply, MoveTimes, PlayerError};
use crate::search::notation::{Style, column_letter};
use std::time::{Duration, Instant};

/// `timeout_match` and `time_left` where there is no clock of the match: as Piskvork writes it.
const NO_CLOCK: u64 = i32::MAX as u64;

/// Gomocup's protocol, with the settings of one engine.
pub struct GomocupClient {
    variant: Option<GameVariant>,
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    sent: SentPosition,
    /// Whether the engine has been asked for a move since the game began.
    playing: bool,
}

/// The manager's coordinates of a point of a board of this size: `h8` is `7,7` on 15 points.
pub fn coordinates(name: &str, size: usize) -> Option<String> {
    let letter = name.chars().next()?.to_ascii_lowercase();
    let column = (0..size).find(|&column| column_letter(column) == letter)?;
    let row: usize = name.get(1..)?.parse().ok()?;
    size.checked_sub(row).map(|row| format!("{column},{row}"))
}

/// The point of the manager's coordinates.
pub fn point(text: &str, size: usize) -> Option<String> {
    let (x, y) = text.trim().split_once(',')?;
    let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    (x < size && y < size).then(|| format!("{}{}", column_letter(x), size - y))
}

/// Reads the answer to a request. What an engine says about itself comes before it: messages and debug lines.
fn answer(process: &mut Process, request: &str, deadline: Instant) -> Result<OutputLine, PlayerError> {
    loop {
        let line = process.line(deadline).map_err(|error| PlayerError::from_read_error(error, request))?;
        match line.text.split_whitespace().next() {
            None | Some("MESSAGE" | "DEBUG" | "SUGGEST") => {}
            Some("ERROR" | "UNKNOWN") => return Err(PlayerError::Refused(format!("{request}: {}", line.text))),
            Some(_) => return Ok(line),
        }
    }
}

impl GomocupClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> GomocupClient {
        GomocupClient {
            variant: names::find(game).and_then(|names| names.variant),
            options: spec.options.clone(),
            send: spec.send.clone(),
            quirks: spec.quirks,
            sent: SentPosition::default(),
            playing: false,
        }
    }

    fn variant(&self) -> Result<GameVariant, PlayerError> {
        self.variant.ok_or_else(|| PlayerError::Unusable("Gomocup's protocol is for Gomoku only".into()))
    }

    /// Clock and rule, as the manager says them before a game.
    fn info_lines(&self, limits: &PlayerLimits, variant: GameVariant) -> Result<Vec<String>, PlayerError> {
        let rule = u8::from(variant.rule == GOMOKU_RULES[1]);
        let mut lines = vec![format!("INFO rule {rule}"), "INFO game_type 1".to_string()];
        if self.quirks.own_limits {
            return Ok(lines);
        }
        let milliseconds = |time: Duration| time.as_millis();
        match (limits.game_time, limits.move_time) {
            (Some((_, increment)), _) if !increment.is_zero() => {
                return Err(PlayerError::Unusable("Gomocup's clock has no increments: give tc=SECONDS+0".into()));
            }
            (Some((main, _)), turn) => {
                let turn = turn.unwrap_or(main);
                lines.push(format!("INFO timeout_turn {}", milliseconds(turn)));
                lines.push(format!("INFO timeout_match {}", milliseconds(main)));
            }
            (None, Some(turn)) => {
                lines.push(format!("INFO timeout_turn {}", milliseconds(turn)));
                lines.push("INFO timeout_match 0".to_string());
                lines.push(format!("INFO time_left {NO_CLOCK}"));
            }
            (None, None) => {
                return Err(PlayerError::Unusable(
                    "Gomocup's protocol has no command for depth or nodes: set it on the engine's command line with \
                     quirk=own-limits"
                        .into(),
                ));
            }
        }
        Ok(lines)
    }

    /// The lines that ask for a move: the opponent's move, or the whole board where the engine does not have it.
    fn request(&self, board: &dyn DynEngine, size: usize) -> Option<Vec<String>> {
        let history = board.history(Style::Plain);
        let unsent = self.sent.unsent(&history).filter(|_| self.playing);
        if history.is_empty() {
            return Some(vec!["BEGIN".to_string()]);
        }
        if let Some([(_, mv)]) = unsent {
            return Some(vec![format!("TURN {}", coordinates(mv, size)?)]);
        }
        let mut lines = vec!["BOARD".to_string()];
        for (side, mv) in &history {
            let field = if *side == board.side() { 1 } else { 2 };
            lines.push(format!("{},{field}", coordinates(mv, size)?));
        }
        lines.push("DONE".to_string());
        Some(lines)
    }
}

impl Client for GomocupClient {
    fn style(&self) -> Style {
        Style::Plain
    }

    /// The protocol has none: `START` is the first command that is answered.
    fn handshake(&mut self, process: &mut Process, deadline: Instant) -> Result<(), PlayerError> {
        let variant = self.variant()?;
        if !self.options.is_empty() {
            return Err(PlayerError::Unusable(
                "Gomocup's protocol has no options: set them on the engine's command line".into(),
            ));
        }
        process.send(&format!("START {}", variant.size));
        answer(process, "START", deadline)?;
        self.send.iter().for_each(|line| process.send(line));
        Ok(())
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        let variant = self.variant()?;
        if !board.has_usual_start() {
            return Err(PlayerError::Unusable("openings of moves only: a game begins with an empty board".into()));
        }
        for line in self.info_lines(limits, variant)? {
            process.send(&line);
        }
        let request = format!("START {}", variant.size);
        process.send(&request);
        let line = answer(process, &request, deadline)?;
        if line.text.trim() != "OK" {
            return Err(PlayerError::BadOutput(format!("'{}' at {request}", line.text)));
        }
        (self.sent, self.playing) = (SentPosition::default(), false);
        Ok(())
    }

    fn choose_move(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        let (side, size) = (board.side(), self.variant()?.size);
        if let (Some(left), false) = (times.left[side.index()], self.quirks.own_limits) {
            process.send(&format!("INFO time_left {}", left.as_millis()));
        }
        let lines = self.request(board, size);
        let lines = lines.ok_or_else(|| PlayerError::Unusable("a move that is no point of the board".into()))?;
        let deadline = times.deadline(side);
        let begun = Instant::now();
        lines.iter().for_each(|line| process.send(line));
        let request = lines.first().map_or("", String::as_str);
        let line = answer(process, request, deadline)?;
        let Some(mv) = point(&line.text, size) else {
            return Err(PlayerError::BadOutput(format!("'{}' at {request}", line.text)));
        };
        self.sent.moves = board.history(Style::Plain);
        self.sent.moves.push((side, mv.clone()));
        self.playing = true;
        Ok(MoveReply { mv, elapsed: line.at.saturating_duration_since(begun), ..MoveReply::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_coordinates() {
        for (name, text, size) in [("h8", "7,7", 15), ("a15", "0,0", 15), ("j1", "8,14", 15), ("u1", "19,19", 20)] {
            assert_eq!((coordinates(name, size).as_deref(), point(text, size).as_deref()), (Some(text), Some(name)));
        }
        for bad in ["15,0", "1", "OK", "", "a,b", "-1,2"] {
            assert_eq!(point(bad, 15), None, "{bad}");
        }
        assert_eq!((coordinates("i8", 15), coordinates("h16", 15)), (None, None));
    }
}
