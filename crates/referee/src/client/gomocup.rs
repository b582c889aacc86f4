//! The host's side of Gomocup's protocol: a manager that keeps the clock.

use super::{Client, SentPosition};
use crate::dialogue::{Dialogue, NoAnswer};
use crate::limits::PlayerLimits;
use crate::process::OutputLine;
use crate::spec::PlayerSpec;
use crate::types::{MoveReply, MoveTimes, PlayerError};
use flipside_core::games::names::{self, GameVariant};
use flipside_core::search::notation::Style;
use flipside_host::api::command::TimeControl;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::protocol::gomocup::{Coordinates, number_of_rule};

/// The value of `timeout_match` and `time_left` without a match clock, as Piskvork writes it.
const NO_CLOCK: u64 = i32::MAX as u64;

/// Gomocup's protocol, with the settings of one engine.
pub struct GomocupClient {
    variant: Option<GameVariant>,
    spec: PlayerSpec,
    sent: SentPosition,
    /// Whether the engine has been asked for a move since the game began.
    playing: bool,
}

/// Reads the answer to a request, after any messages and debug lines of the engine.
pub fn answer(engine: &mut Dialogue, expected: &str) -> Result<OutputLine, NoAnswer> {
    loop {
        let line = engine.line(expected)?;
        if !matches!(line.text.split_whitespace().next(), None | Some("MESSAGE" | "DEBUG" | "SUGGEST")) {
            return Ok(line);
        }
    }
}

/// Reads the answer to a correct request.
fn accepted(engine: &mut Dialogue, request: &str) -> Result<OutputLine, PlayerError> {
    let line = answer(engine, request)?;
    match line.text.split_whitespace().next() {
        Some("ERROR" | "UNKNOWN") => Err(PlayerError::Refused(format!("{request}: {}", line.text))),
        _ => Ok(line),
    }
}

impl GomocupClient {
    /// A client for a player of this game.
    pub fn new(spec: &PlayerSpec, game: &str) -> GomocupClient {
        GomocupClient {
            variant: names::find(game).and_then(|names| names.variant),
            spec: spec.clone(),
            sent: SentPosition::default(),
            playing: false,
        }
    }

    fn variant(&self) -> Result<GameVariant, PlayerError> {
        self.variant.ok_or_else(|| PlayerError::Unusable("Gomocup's protocol is for Gomoku only".into()))
    }

    /// The manager's lines about clock and rule before a game.
    fn info_lines(&self, limits: &PlayerLimits, variant: GameVariant) -> Result<Vec<String>, PlayerError> {
        let rule = number_of_rule(variant.rule).unwrap_or_default();
        let mut lines = vec![format!("INFO rule {rule}"), "INFO game_type 1".to_string()];
        if self.spec.quirks.own_limits {
            return Ok(lines);
        }
        match (limits.game_time, limits.move_time) {
            (Some(TimeControl::Game { main, increment }), turn) if increment.is_zero() => {
                let turn = turn.unwrap_or(main);
                lines.push(format!("INFO timeout_turn {}", turn.as_millis()));
                lines.push(format!("INFO timeout_match {}", main.as_millis()));
            }
            (Some(_), _) => {
                let reason = "Gomocup's clock has neither increments nor periods: give tc=SECONDS+0";
                return Err(PlayerError::Unusable(reason.into()));
            }
            (None, Some(turn)) => {
                lines.push(format!("INFO timeout_turn {}", turn.as_millis()));
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

    /// The request for a move with the lines that belong to it: the opponent's move, or the whole board if the engine
    /// does not have it.
    fn request(&self, board: &dyn DynEngine, size: usize) -> Option<(String, Vec<String>)> {
        let history = board.history(Style::Plain);
        let unsent = self.sent.unsent(&history).filter(|_| self.playing);
        if history.is_empty() {
            return Some(("BEGIN".into(), Vec::new()));
        }
        if let Some([(_, mv)]) = unsent {
            return Some((format!("TURN {}", Coordinates::of_name(mv, size)?), Vec::new()));
        }
        Some(("BOARD".into(), board_lines(board, size)?))
    }
}

/// The stones on the board as lines after `BOARD`: 1 for the engine, which is to move, 2 for the opponent.
pub fn board_lines(board: &dyn DynEngine, size: usize) -> Option<Vec<String>> {
    let field = |side| if side == board.side() { 1 } else { 2 };
    let stone = |(side, mv): (_, String)| Some(format!("{},{}", Coordinates::of_name(&mv, size)?, field(side)));
    let stones = board.history(Style::Plain).into_iter().map(stone);
    stones.chain([Some("DONE".to_string())]).collect()
}

impl Client for GomocupClient {
    fn style(&self) -> Style {
        Style::Plain
    }

    /// The protocol has no handshake: sends `START`, its first command with an answer, then the lines of `send`.
    fn handshake(&mut self, engine: &mut Dialogue) -> Result<(), PlayerError> {
        let request = format!("START {}", self.variant()?.size);
        if !self.spec.options.is_empty() {
            return Err(PlayerError::Unusable(
                "Gomocup's protocol has no options: set them on the engine's command line".into(),
            ));
        }
        engine.request(&request);
        accepted(engine, &request)?;
        self.spec.send.iter().for_each(|line| engine.send(line));
        Ok(())
    }

    fn new_game(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        limits: &PlayerLimits,
    ) -> Result<(), PlayerError> {
        let variant = self.variant()?;
        if !board.has_usual_start() {
            return Err(PlayerError::Unusable("openings of moves only: a game begins with an empty board".into()));
        }
        self.info_lines(limits, variant)?.iter().for_each(|line| engine.send(line));
        let request = format!("START {}", variant.size);
        engine.request(&request);
        let line = accepted(engine, &request)?;
        if line.text.trim() != "OK" {
            return Err(engine.unexpected("OK", &line.text).into());
        }
        (self.sent, self.playing) = (SentPosition::default(), false);
        Ok(())
    }

    fn choose_move(
        &mut self,
        engine: &mut Dialogue,
        board: &dyn DynEngine,
        times: &MoveTimes,
    ) -> Result<MoveReply, PlayerError> {
        let (side, size) = (board.side(), self.variant()?.size);
        if let (Some(clock), false) = (times.clocks[side.index()], self.spec.quirks.own_limits) {
            engine.send(&format!("INFO time_left {}", clock.left().as_millis()));
        }
        let (request, more) = self
            .request(board, size)
            .ok_or_else(|| PlayerError::Unusable("a move that is not a point of the board".into()))?;
        engine.set_deadline(times.deadline(side));
        engine.request(&request);
        more.iter().for_each(|line| engine.send(line));
        let line = accepted(engine, &request)?;
        let Some(mv) = Coordinates::parse(line.text.trim()).and_then(|at| at.name(size)) else {
            return Err(engine.unexpected("X,Y", &line.text).into());
        };
        self.sent.moves = board.history(Style::Plain);
        self.sent.moves.push((side, mv.clone()));
        self.playing = true;
        Ok(MoveReply { mv, elapsed: engine.elapsed(line.at), ..MoveReply::default() })
    }
}
