//! The host's side of GTP 2.

use super::{Client, SentPosition};
use crate::dialogue::Dialogue;
use crate::gtp_response::GtpResponse;
use crate::limits::PlayerLimits;
use crate::spec::PlayerSpec;
use crate::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::search::notation::Style;
use flipside_host::api::command::TimeControl;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// GTP, with the settings and commands of one engine.
pub struct GtpClient {
    spec: PlayerSpec,
    game: String,
    commands: Vec<String>,
    colours: [&'static str; 2],
    sent: SentPosition,
}

/// Sends a command that a correct engine accepts, and returns its response.
fn command(engine: &mut Dialogue, line: &str) -> Result<GtpResponse, PlayerError> {
    engine.request(line);
    let response = engine.gtp_response(true)?;
    if response.accepted { Ok(response) } else { Err(PlayerError::Refused(format!("{line}: {}", response.text))) }
}

impl GtpClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> GtpClient {
        GtpClient {
            spec: spec.clone(),
            game: game.to_string(),
            commands: Vec::new(),
            colours: ["black", "white"],
            sent: SentPosition::default(),
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Clears the board and sets up the start position of this game.
    fn reset(&mut self, engine: &mut Dialogue, board: &dyn DynEngine) -> Result<(), PlayerError> {
        self.colours = board.sides();
        self.sent = SentPosition::default();
        command(engine, "clear_board")?;
        if board.has_usual_start() {
            return Ok(());
        }
        if !self.knows("flipside-setup") {
            return Err(PlayerError::Unusable("GTP has no command for a start position: use openings of moves".into()));
        }
        command(engine, &format!("flipside-setup {}", board.start_position(Style::Plain))).map(drop)
    }

    /// Sends the moves that the engine does not have yet.
    fn sync(&mut self, engine: &mut Dialogue, board: &dyn DynEngine) -> Result<(), PlayerError> {
        let history = board.history(Style::Plain);
        if self.sent.unsent(&history).is_none() {
            self.reset(engine, board)?;
        }
        for (side, text) in self.sent.unsent(&history).unwrap_or_default() {
            if !(self.spec.quirks.no_passes && board.is_pass(text)) {
                command(engine, &format!("play {} {text}", self.colours[side.index()]))?;
            }
        }
        self.sent.moves = history;
        Ok(())
    }

    fn seconds(&self, time: Duration) -> String {
        if self.spec.quirks.decimal_clock { format!("{:.3}", time.as_secs_f64()) } else { time.as_secs().to_string() }
    }

    fn send_time_settings(&self, engine: &mut Dialogue, limits: &PlayerLimits) -> Result<(), PlayerError> {
        if self.spec.quirks.own_limits {
            return Ok(());
        }
        let period = |time: Duration| match self.spec.quirks.decimal_clock {
            false if time < Duration::from_secs(1) => Err(PlayerError::Unusable(
                "GTP counts whole seconds: give a second or more, or quirk=decimal-clock or own-limits".into(),
            )),
            _ => Ok(self.seconds(time)),
        };
        let line = match (limits.game_time, limits.move_time) {
            (Some(TimeControl::Game { main, increment }), _) if self.spec.quirks.fischer_clock => {
                format!("time_settings {} {} 0", self.seconds(main), self.seconds(increment))
            }
            (Some(TimeControl::Game { main, .. }), _) => format!("time_settings {} 0 0", self.seconds(main)),
            // GTP has no sessions; `time_left` tells what is left over.
            (Some(TimeControl::Classical { moves, main, .. }), _) => {
                format!("time_settings 0 {} {moves}", period(main)?)
            }
            (Some(TimeControl::Canadian { main, period: length, stones }), _) => {
                format!("time_settings {} {} {stones}", self.seconds(main), period(length)?)
            }
            // GTP has no byo-yomi: to the engine a period is one move long.
            (Some(TimeControl::ByoYomi { main, period: length, .. }), _) => {
                format!("time_settings {} {} 1", self.seconds(main), period(length)?)
            }
            (None | Some(TimeControl::Unlimited), Some(time)) => format!("time_settings 0 {} 1", period(time)?),
            (None | Some(TimeControl::Unlimited), None) if limits.depth.is_none() && limits.nodes.is_none() => {
                return Ok(());
            }
            (None | Some(TimeControl::Unlimited), None) => {
                return Err(PlayerError::Unusable(
                    "GTP has no command for depth or nodes: set it on the engine's command line with quirk=own-limits"
                        .into(),
                ));
            }
        };
        command(engine, &line).map(drop)
    }
}

impl Client for GtpClient {
    fn style(&self) -> Style {
        Style::Plain
    }

    fn handshake(&mut self, engine: &mut Dialogue) -> Result<(), PlayerError> {
        let list = command(engine, "list_commands")?.text;
        self.commands = list.split_whitespace().map(str::to_string).collect();
        if self.knows("list_games") && self.knows("set_game") {
            let games = command(engine, "list_games")?.text;
            let names: &[&str] = if self.game == "reversi" { &["othello", "reversi"] } else { &[&self.game] };
            let own =
                games.lines().map(str::trim).find(|line| names.iter().any(|name| line.eq_ignore_ascii_case(name)));
            // An engine may list only what its usual host plays, and know more.
            let selected = command(engine, &format!("set_game {}", own.unwrap_or(&self.game)));
            if selected.is_err() && own.is_none() {
                return Err(PlayerError::Unusable(format!("it does not offer the game {}", self.game)));
            }
            selected?;
        }
        for (name, value) in &self.spec.options {
            if !self.knows("flipside-option") {
                return Err(PlayerError::Unusable("GTP has no options: use send=\"...\"".into()));
            }
            command(engine, &format!("flipside-option {} {value}", name.replace(' ', "_")))?;
        }
        self.spec.send.iter().try_for_each(|line| command(engine, line).map(drop))
    }

    fn new_game(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
    ) -> Result<(), PlayerError> {
        self.reset(engine, board)?;
        self.send_time_settings(engine, limits)
    }

    fn choose_move(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        let side = board.side();
        self.sync(engine, board)?;
        let colour = self.colours[side.index()];
        if let (Some(clock), false) = (times.clocks[side.index()], self.spec.quirks.own_limits) {
            engine.restart_stall_timeout();
            let (left, stones) = (self.seconds(clock.left()), clock.stones());
            command(engine, &format!("time_left {colour} {left} {stones}"))?;
        }
        engine.set_deadline(times.deadline(side));
        let line = format!("genmove {colour}");
        let response = command(engine, &line)?;
        let mv = response.text;
        if mv.eq_ignore_ascii_case("resign") {
            return Err(PlayerError::Resigned);
        }
        if mv.is_empty() {
            // The engine may have answered an earlier command twice.
            return Err(PlayerError::BadOutput(format!("no move at {line}")));
        }
        self.sent.moves.push((side, mv.clone()));
        Ok(MoveReply { mv, elapsed: engine.elapsed(response.at), ..MoveReply::default() })
    }
}
