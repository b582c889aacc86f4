//! A game that is being played on a server: its board, its clocks, and whose move is awaited.

use super::client::Turn;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Side};
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, SetupError, Start};
use flipside_host::engine::{recorded_game, recorded_result};
use flipside_host::record::format::Format;
use flipside_host::record::game_record::{GameRecord, GameResult, RecordMove};
use std::time::Duration;
use time::OffsetDateTime;

/// A game on a server.
pub struct ServerGame {
    /// Its name on the server.
    pub id: String,
    /// The rules with the position.
    pub board: Box<dyn DynEngine>,
    /// The engine's side.
    pub own: Side,
    /// The time left, the first player's first, as far as the server has told it.
    pub clocks: [Duration; 2],
    /// Added after each move.
    pub increment: Duration,
    /// Players, day, place and, of each move, value and time.
    pub record: GameRecord,
    /// The plies before the turn that the engine was given last.
    asked_at: Option<usize>,
    /// The number of that turn.
    number: u64,
    /// The move sent last.
    pub sent: Option<String>,
    /// Moves of that turn that the server has rejected.
    rejected: Vec<String>,
}

impl ServerGame {
    /// A game from the board's present position.
    pub fn new(id: &str, board: Box<dyn DynEngine>, own: Side, players: [Option<String>; 2], site: &str) -> ServerGame {
        let record = GameRecord {
            game: Some(board.game()),
            players,
            site: Some(site.to_string()),
            date: Some(OffsetDateTime::now_utc().date().to_string()),
            ..GameRecord::default()
        };
        ServerGame {
            id: id.to_string(),
            board,
            own,
            clocks: [Duration::ZERO; 2],
            increment: Duration::ZERO,
            record,
            asked_at: None,
            number: 0,
            sent: None,
            rejected: Vec::new(),
        }
    }

    /// The opponent's name.
    pub fn opponent(&self) -> &str {
        self.own.other().of(self.record.players.each_ref()).as_deref().unwrap_or("the opponent")
    }

    /// The moves played, passes included.
    pub fn plies(&self) -> usize {
        self.board.history(Style::Plain).len()
    }

    /// Plays a move of a side, with the value and the time that came with it.
    ///
    /// # Errors
    /// It is not legal, or not that side's turn; nothing has changed.
    pub fn play(
        &mut self,
        side: Side,
        text: &str,
        score: Option<Score>,
        time: Option<Duration>,
    ) -> Result<(), SetupError> {
        self.board.set_position(Start::Here, &[PlayedMove::by(side, text.to_string())], Style::Plain, false)?;
        self.record.moves.push(RecordMove { score, time, ..RecordMove::new(Some(side), text) });
        let clock = &mut self.clocks[side.index()];
        *clock = clock.saturating_sub(time.unwrap_or_default()) + self.increment;
        Ok(())
    }

    /// The turn of the engine, if it is to move and has not been asked in this position; `number` is that of the last
    /// turn of any game. `usable` is what the engine may use of the clock.
    pub fn turn(&mut self, number: &mut u64, usable: Duration) -> Option<Turn> {
        let plies = self.plies();
        if !self.is_own_turn() || self.asked_at == Some(plies) {
            return None;
        }
        self.asked_at = Some(plies);
        self.rejected.clear();
        Some(self.next_turn(number, usable))
    }

    /// The server has rejected the engine's move: the turn again, with the other moves. `None` once there is no other.
    pub fn rejected(&mut self, mv: &str, number: &mut u64, usable: Duration) -> Option<Turn> {
        self.rejected.push(mv.to_string());
        let is_left = self.is_own_turn() && !self.choices().is_empty();
        is_left.then(|| self.next_turn(number, usable))
    }

    /// Lets the engine be asked again in the present position.
    pub fn ask_again(&mut self) {
        self.asked_at = None;
    }

    fn next_turn(&mut self, number: &mut u64, usable: Duration) -> Turn {
        *number += 1;
        self.number = *number;
        let mut left = self.clocks;
        left[self.own.index()] = usable;
        Turn {
            game: self.id.clone(),
            number: *number,
            position: self.board.save(),
            left,
            increment: self.increment,
            only: if self.rejected.is_empty() { Vec::new() } else { self.choices() },
        }
    }

    /// Whether the choice of this turn is still wanted.
    pub fn awaits(&self, number: u64) -> bool {
        self.number == number && self.is_own_turn() && self.asked_at == Some(self.plies())
    }

    /// Whether the engine is to move.
    pub fn is_own_turn(&self) -> bool {
        self.board.outcome().is_none() && self.board.side() == self.own
    }

    fn choices(&self) -> Vec<String> {
        let is_left = |mv: &String| !self.rejected.contains(mv);
        self.board.legal_moves(Style::Plain).into_iter().filter(is_left).collect()
    }

    /// The record of the game, which has ended with this result as the server says; where the moves end the game the
    /// rules decide.
    pub fn finished(&self, stated: Option<GameResult>, format: Format) -> GameRecord {
        let board = &*self.board;
        let record = GameRecord { result: recorded_result::settled(board, stated), ..self.record.clone() };
        recorded_game::restyled(board, &record, format.start_style(), format.move_style(board.game()))
    }

    /// The board with the players and their clocks.
    pub fn picture(&self) -> String {
        let player = |side: Side| {
            let name = side.of(self.record.players.each_ref()).as_deref().unwrap_or("?");
            let seconds = side.of(self.clocks).as_secs();
            format!("{} {name} {}:{:02}", side.of(self.board.sides()), seconds / 60, seconds % 60)
        };
        format!("{}  {} - {}\n{}", self.id, player(Side::First), player(Side::Second), self.board.picture(Style::Plain))
    }
}
