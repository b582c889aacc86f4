//! What remains of a game: a line of JSON, a GGF text, or PGN where GGF cannot hold the game.

use super::game::Reason;
use super::spec::Terms;
use crate::engine::room::Room;
use crate::search::game::{Side, Style};
use serde::{Deserialize, Serialize};

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
    pub fn text(&self, room: &dyn Room) -> String {
        if room.game() == "reversi" { self.ggf_text(room) } else { self.pgn(room) }
    }

    fn ggf_text(&self, room: &dyn Room) -> String {
        let result = match (self.difference, self.half_points()) {
            (Some(difference), _) => format!("{difference:+}"),
            (None, 2) => "+64".to_string(),
            (None, 0) => "-64".to_string(),
            (None, _) => "0".to_string(),
        };
        let ending = match self.reason {
            Reason::Rules | Reason::Adjudicated => "",
            Reason::Late => ":t",
            Reason::Refused => ":r",
            _ => ":l",
        };
        let [black, white] = self.players.clone().map(|name| escaped(&name));
        let header = format!("PB[{black}]PW[{white}]RE[{result}{ending}]");
        ggf(&header, room, &self.moves) + "\n"
    }

    fn pgn(&self, room: &dyn Room) -> String {
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

/// A text inside a GGF tag.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// GGF's clock tag for these terms; empty without a clock.
pub fn time_tag(terms: &Terms) -> String {
    let clock = |seconds: u64| format!("{:02}:{:02}", seconds / 60, seconds % 60);
    match terms.game_time {
        Some((main, increment)) if increment.is_zero() => format!("TI[{}]", clock(main.as_secs())),
        Some((main, increment)) => format!("TI[{}/{}]", clock(main.as_secs()), clock(increment.as_secs())),
        None => String::new(),
    }
}

/// The room's game so far as GGF. `notes` tell of the moves by their index.
pub fn ggf(header: &str, room: &dyn Room, notes: &[MoveRecord]) -> String {
    let mut text = format!("(;GM[Othello]PC[flipside match]{header}TY[8]BO[{}]", room.start_position(Style::Ggf));
    for (index, (side, mv)) in room.history(Style::Ggf).iter().enumerate() {
        let colour = if *side == Side::First { 'B' } else { 'W' };
        let note = notes.get(index);
        let value = note.and_then(|note| note.value).map(|value| format!("{:.2}", f64::from(value) / 100.0));
        let seconds = note.and_then(|note| note.seconds).map(|seconds| format!("{seconds:.2}"));
        let tail = match (value, seconds) {
            (None, None) => String::new(),
            (value, seconds) => format!("/{}/{}", value.unwrap_or_default(), seconds.unwrap_or_default()),
        };
        text.push_str(&format!("{colour}[{mv}{tail}]"));
    }
    text + ";)"
}
