//! What remains of a game: a line of JSON, a GGF text, or PGN where GGF cannot hold the game.

use super::game::Reason;
use super::spec::Terms;
use crate::engine::dyn_engine::DynEngine;
use crate::record::ggf::{Cause, Clock, Game, GameResult, Move};
use crate::search::notation::Style;
use crate::search::types::{Score, Side, UNIT};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a game that was not played to its end is recorded as, in hundredths of a disc.
const WIPE_OUT: Score = 64 * UNIT;

/// One move as it is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// In the game's own words.
    #[serde(rename = "move")]
    pub mv: String,
    /// Wall time that the referee measured; absent for openings and forced passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What the mover's clock showed after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Value in hundredths for the mover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// Plies searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// One game as it is remembered: a line of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub game: usize,
    /// Who moves first and who second.
    pub players: [String; 2],
    /// The game's name.
    pub rules: String,
    /// The opening as it was given.
    pub opening: String,
    /// The start position in the game's own words.
    pub start: String,
    /// All moves, openings and passes included.
    pub moves: Vec<MoveRecord>,
    /// `1-0`, `0-1` or `1/2-1/2` for the first mover.
    pub result: String,
    /// Discs or points of the first mover less those of the second, if the game ended in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<i32>,
    /// Why it ended.
    pub reason: Reason,
    /// More about it: the bad move, the silence.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub detail: String,
}

impl GameRecord {
    /// Half points of the first mover.
    pub fn half_points(&self) -> usize {
        match self.result.as_str() {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        }
    }

    /// The game as GGF, or as PGN where GGF has no word for the game.
    pub fn text(&self, room: &dyn DynEngine) -> String {
        if room.game() == "reversi" { self.ggf_text(room) } else { self.pgn(room) }
    }

    fn ggf_text(&self, room: &dyn DynEngine) -> String {
        let margin = match (self.difference, self.half_points()) {
            (Some(difference), _) => difference * UNIT,
            (None, 2) => WIPE_OUT,
            (None, 0) => -WIPE_OUT,
            (None, _) => 0,
        };
        let cause = match self.reason {
            Reason::Rules | Reason::Adjudicated => None,
            Reason::Late => Some(Cause::Time),
            Reason::Resigned => Some(Cause::Resigned),
            _ => Some(Cause::Left),
        };
        let [black, white] = self.players.clone();
        let tags = [("PB", black), ("PW", white), ("RE", GameResult { margin, cause }.to_string())];
        ggf(tags, room, &self.moves).to_string() + "\n"
    }

    fn pgn(&self, room: &dyn DynEngine) -> String {
        let [first, second] = self.players.clone().map(|name| name.replace('"', "'"));
        let start = room.start_position(Style::Uci);
        let mut text = format!(
            "[Event \"flipside match\"]\n[Round \"{}\"]\n[White \"{first}\"]\n[Black \"{second}\"]\n[Result \"{}\"]\n\
             [Variant \"{}\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n[Termination \"{:?} {}\"]\n\n",
            self.game + 1,
            self.result,
            room.variant().unwrap_or(room.game()),
            self.reason,
            self.detail.replace('"', "'"),
        );
        for (index, (_, mv)) in room.history(Style::Uci).iter().enumerate() {
            if index % 2 == 0 {
                text.push_str(&format!("{}. ", index / 2 + 1));
            }
            text.push_str(mv);
            text.push(' ');
        }
        text + &self.result + "\n\n"
    }
}

/// GGF's clock tag for these terms, if a clock runs.
pub fn time_tag(terms: &Terms) -> Option<(&'static str, String)> {
    let (main, increment) = terms.game_time?;
    let increment = (!increment.is_zero()).then_some(increment);
    Some(("TI", Clock { main: Some(main), increment, extension: None }.to_string()))
}

/// The room's game so far, with these tags beside the usual ones. `notes` tell of the moves by their index.
pub fn ggf(tags: impl IntoIterator<Item = (&'static str, String)>, room: &dyn DynEngine, notes: &[MoveRecord]) -> Game {
    let usual = [("GM", "Othello".to_string()), ("PC", "flipside match".to_string()), ("TY", "8".to_string())];
    let tags = usual.into_iter().chain(tags).map(|(name, text)| (name.to_string(), text)).collect();
    let note = |(index, (side, text)): (usize, (Side, String))| {
        let note = notes.get(index);
        let time = note.and_then(|note| note.seconds).and_then(|time| Duration::try_from_secs_f64(time).ok());
        Move { side, text, value: note.and_then(|note| note.value), time }
    };
    let moves = room.history(Style::Ggf).into_iter().enumerate().map(note).collect();
    Game { tags, board: Some(room.start_position(Style::Ggf)), moves }
}
