//! The host's side of GTP 2.

use super::{Client, SentPosition, initial_position, is_pass};
use crate::engine::dyn_engine::DynEngine;
use crate::referee::gtp_response::{Awaited, GtpResponse, read_response};
use crate::referee::limits::PlayerLimits;
use crate::referee::process::Process;
use crate::referee::spec::{PlayerSpec, Quirks};
use crate::referee::types::{MoveReply, MoveTimes, PlayerError};
use crate::search::notation::Style;
use std::time::{Duration, Instant};

/// GTP, with the settings and commands of one engine.
pub struct GtpClient {
    options: Vec<(String, String)>,
    send: Vec<String>,
    quirks: Quirks,
    game: String,
    commands: Vec<String>,
    colours: [&'static str; 2],
    sent: SentPosition,
}

/// Reads one response. Empty lines before it are skipped: some engines end a response with more than one.
fn response(process: &mut Process, request: &str, deadline: Instant) -> Result<GtpResponse, PlayerError> {
    let next_line = |awaited| loop {
        let line = process.line(deadline).map_err(|error| PlayerError::from_read_error(error, request))?;
        if awaited == Awaited::Further || !line.text.trim().is_empty() {
            return Ok(line);
        }
    };
    read_response(next_line, |line| PlayerError::BadOutput(format!("'{}' at {request}", shortened(line))))
}

/// The text of a response that must be accepted.
fn accepted(response: GtpResponse, request: &str) -> Result<String, PlayerError> {
    let GtpResponse { accepted, text, .. } = response;
    if accepted { Ok(text) } else { Err(PlayerError::Refused(format!("{request}: {text}"))) }
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
            sent: SentPosition::default(),
        }
    }

    /// Sends a command that a correct engine accepts; the text of its response.
    fn command(&self, process: &mut Process, line: &str, deadline: Instant) -> Result<String, PlayerError> {
        process.send(line);
        accepted(response(process, line, deadline)?, line)
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Clears the board and sets up the start position of this game.
    fn reset(&mut self, process: &mut Process, board: &dyn DynEngine, deadline: Instant) -> Result<(), PlayerError> {
        self.colours = board.sides();
        self.sent = SentPosition::default();
        self.command(process, "clear_board", deadline)?;
        let start = board.start_position(Style::Plain);
        if start != initial_position(board, Style::Plain) {
            if !self.knows("flipside-setup") {
                return Err(PlayerError::Unusable(
                    "GTP has no command for a start position: use openings of moves".into(),
                ));
            }
            self.command(process, &format!("flipside-setup {start}"), deadline)?;
        }
        Ok(())
    }

    /// Sends the moves that the engine does not have yet.
    fn sync(&mut self, process: &mut Process, board: &dyn DynEngine, deadline: Instant) -> Result<(), PlayerError> {
        let history = board.history(Style::Plain);
        if self.sent.unsent(&history).is_none() {
            self.reset(process, board, deadline)?;
        }
        for (side, text) in self.sent.unsent(&history).unwrap_or_default() {
            if !(is_pass(text) && self.quirks.no_passes) {
                let line = format!("play {} {text}", self.colours[side.index()]);
                self.command(process, &line, deadline)?;
            }
        }
        self.sent.moves = history;
        Ok(())
    }

    fn seconds(&self, time: Duration) -> String {
        if self.quirks.decimal_clock { format!("{:.3}", time.as_secs_f64()) } else { time.as_secs().to_string() }
    }

    fn send_time_settings(
        &self,
        process: &mut Process,
        limits: &PlayerLimits,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        if self.quirks.own_limits {
            return Ok(());
        }
        let line = match (limits.game_time, limits.move_time) {
            (Some((main, increment)), _) if self.quirks.fischer_clock => {
                format!("time_settings {} {} 0", self.seconds(main), self.seconds(increment))
            }
            (Some((main, _)), _) => format!("time_settings {} 0 0", self.seconds(main)),
            (None, Some(time)) if time < Duration::from_secs(1) && !self.quirks.decimal_clock => {
                return Err(PlayerError::Unusable(
                    "GTP counts whole seconds: give move-time=1 or more, or quirk=decimal-clock or own-limits".into(),
                ));
            }
            (None, Some(time)) => format!("time_settings 0 {} 1", self.seconds(time)),
            (None, None) if limits.depth.is_none() && limits.nodes.is_none() => return Ok(()),
            (None, None) => {
                return Err(PlayerError::Unusable(
                    "GTP has no command for depth or nodes: set it on the engine's command line with quirk=own-limits"
                        .into(),
                ));
            }
        };
        self.command(process, &line, deadline).map(drop)
    }
}

impl Client for GtpClient {
    fn style(&self) -> Style {
        Style::Plain
    }

    fn handshake(&mut self, process: &mut Process, deadline: Instant) -> Result<(), PlayerError> {
        let list = self.command(process, "list_commands", deadline)?;
        self.commands = list.split_whitespace().map(str::to_string).collect();
        if self.knows("list_games") && self.knows("set_game") {
            let games = self.command(process, "list_games", deadline)?;
            let names: &[&str] = if self.game == "reversi" { &["othello", "reversi"] } else { &[&self.game] };
            let own =
                games.lines().map(str::trim).find(|line| names.iter().any(|name| line.eq_ignore_ascii_case(name)));
            let Some(own) = own else {
                return Err(PlayerError::Unusable(format!("it does not offer the game {}", self.game)));
            };
            self.command(process, &format!("set_game {own}"), deadline)?;
        }
        for (name, value) in &self.options {
            if !self.knows("flipside-option") {
                return Err(PlayerError::Unusable("GTP has no options: use send=\"...\"".into()));
            }
            self.command(process, &format!("flipside-option {} {value}", name.replace(' ', "_")), deadline)?;
        }
        for line in &self.send {
            self.command(process, line, deadline)?;
        }
        Ok(())
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        self.reset(process, board, deadline)?;
        self.send_time_settings(process, limits, deadline)
    }

    fn choose_move(
        &mut self,
        process: &mut Process,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        let side = board.side();
        self.sync(process, board, Instant::now() + times.stall_timeout)?;
        let colour = self.colours[side.index()];
        if let (Some(left), false) = (times.left[side.index()], self.quirks.own_limits) {
            let line = format!("time_left {colour} {} 0", self.seconds(left));
            self.command(process, &line, Instant::now() + times.stall_timeout)?;
        }
        let line = format!("genmove {colour}");
        let deadline = times.deadline(side);
        let begun = Instant::now();
        process.send(&line);
        let response = response(process, &line, deadline)?;
        let at = response.at;
        let mv = accepted(response, &line)?;
        if mv.eq_ignore_ascii_case("resign") {
            return Err(PlayerError::Resigned);
        }
        if mv.is_empty() {
            // For instance the answer to an earlier command, of an engine that answered one of them twice.
            return Err(PlayerError::BadOutput(format!("no move at {line}")));
        }
        self.sent.moves.push((side, mv.clone()));
        Ok(MoveReply { mv, elapsed: at.saturating_duration_since(begun), ..MoveReply::default() })
    }
}
