//! The record of a game: a line of JSON, and GGF, or PGN where GGF cannot hold the game.

use super::limits::PlayerLimits;
use super::types::EndReason;
use crate::engine::dyn_engine::DynEngine;
use crate::record::game_record::Cause;
use crate::record::ggf::{GgfClock, GgfGame, GgfMove, GgfResult};
use crate::search::notation::Style;
use crate::search::types::{Score, Side, UNIT};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Margin in GGF of a game that was not played to its end, in hundredths of a disc: as if all discs were the winner's.
const FULL_MARGIN: Score = 64 * UNIT;

/// One move of a record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// In the game's own notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Wall time in seconds that the referee measured; absent for openings and forced passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Seconds on the mover's clock after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Score in hundredths for the mover, as its player reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// Plies searched, as reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched, as reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Whether the player said that the move comes from its opening book.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub book: bool,
}

/// What a game is played by: what the match says of it beforehand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameTerms {
    /// Names of the players, the first mover's first.
    pub players: [String; 2],
    /// The game's name.
    pub rules: String,
    /// The players with their options and limits, as the words of `--engine`; empty in files of 0.2.0 and before.
    #[serde(default)]
    pub settings: [String; 2],
    /// Empty squares at which the exact solver adjudicates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub adjudicate: Option<u32>,
    /// The opening as it was given.
    pub opening: String,
}

impl GameTerms {
    /// Says what differs from the terms of a recorded game; nothing if it is a game of this match.
    pub fn difference(&self, recorded: &GameTerms) -> Option<String> {
        let [first, second] = [0, 1].map(|index| {
            let known = !recorded.settings.iter().all(String::is_empty);
            let (own, other) = (&self.settings[index], &recorded.settings[index]);
            let name = &self.players[index];
            (known && own != other).then(|| format!("{name} was '{other}' and is '{own}' now"))
        });
        let adjudicated =
            |at: Option<u32>| at.map_or("was not adjudicated".into(), |at| format!("was adjudicated at {at}"));
        let differences = [
            (self.rules != recorded.rules).then(|| format!("it is a game of {}, not {}", recorded.rules, self.rules)),
            (self.players != recorded.players).then(|| format!("its players are {}", recorded.players.join(" and "))),
            (self.opening != recorded.opening).then(|| format!("its opening is '{}'", recorded.opening)),
            first,
            second,
            (self.adjudicate != recorded.adjudicate).then(|| format!("it {}", adjudicated(recorded.adjudicate))),
        ];
        differences.into_iter().flatten().next()
    }
}

/// The record of one game: a line of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchGame {
    /// Number in the schedule, from 0.
    pub game: usize,
    /// What it was played by.
    #[serde(flatten)]
    pub terms: GameTerms,
    /// The name of the opening that the game began with, where people have given it one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening_name: Option<String>,
    /// The start position in the game's own notation.
    pub start: String,
    /// All moves, openings and passes included.
    pub moves: Vec<MoveRecord>,
    /// `1-0`, `0-1` or `1/2-1/2` for the first mover.
    pub result: String,
    /// Discs or points of the first mover less those of the second, if the game ended in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<i32>,
    /// Why it ended.
    pub reason: EndReason,
    /// More about the reason: the illegal move, the output that was no answer.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub detail: String,
}

impl MatchGame {
    /// Half points of the first mover: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> usize {
        match self.result.as_str() {
            "1-0" => 2,
            "0-1" => 0,
            _ => 1,
        }
    }

    /// The game as GGF, or as PGN where GGF does not know the game. `board` holds its moves.
    pub fn text(&self, board: &dyn DynEngine) -> String {
        if board.game() == "reversi" { self.ggf_text(board) } else { self.pgn(board) }
    }

    fn ggf_text(&self, board: &dyn DynEngine) -> String {
        let margin = match (self.difference, self.half_points()) {
            (Some(difference), _) => difference * UNIT,
            (None, 2) => FULL_MARGIN,
            (None, 0) => -FULL_MARGIN,
            (None, _) => 0,
        };
        let cause = match self.reason {
            EndReason::Rules | EndReason::Adjudicated => None,
            EndReason::Late => Some(Cause::Time),
            EndReason::Resigned => Some(Cause::Resigned),
            _ => Some(Cause::Left),
        };
        let [black, white] = self.terms.players.clone();
        let usual = [("PB", black), ("PW", white), ("RE", GgfResult { margin, cause }.to_string())];
        // GGF has no tag of its own for the opening; SGF calls it so, and readers skip tags that they do not know.
        let tags = usual.into_iter().chain(self.opening_name.clone().map(|name| ("ON", name)));
        ggf(tags, board, &self.moves).to_string() + "\n"
    }

    fn pgn(&self, board: &dyn DynEngine) -> String {
        let GameTerms { players, settings, .. } = &self.terms;
        let usual = [
            ("Event", "flipside match".to_string()),
            ("Round", (self.game + 1).to_string()),
            ("White", players[0].clone()),
            ("Black", players[1].clone()),
            ("Result", self.result.clone()),
            ("WhiteSettings", settings[0].clone()),
            ("BlackSettings", settings[1].clone()),
            ("Variant", board.variant().unwrap_or(board.game()).to_string()),
            ("SetUp", "1".to_string()),
            ("FEN", board.start_position(Style::Uci)),
            ("Termination", format!("{} {}", self.reason, self.detail).trim_end().to_string()),
        ];
        let tags = usual.into_iter().chain(self.opening_name.clone().map(|name| ("Opening", name)));
        let tag = |(name, text): (&str, String)| {
            format!("[{name} \"{}\"]\n", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "))
        };
        let mut text: String = tags.map(tag).chain(["\n".to_string()]).collect();
        for (index, (_, mv)) in board.history(Style::Uci).iter().enumerate() {
            if index % 2 == 0 {
                text.push_str(&format!("{}. ", index / 2 + 1));
            }
            text.push_str(mv);
            text.push(' ');
        }
        text + &self.result + "\n\n"
    }
}

/// GGF's clock tag for these limits, where a clock runs.
pub fn time_tag(limits: &PlayerLimits) -> Option<(&'static str, String)> {
    let (main, increment) = limits.game_time?;
    let increment = (!increment.is_zero()).then_some(increment);
    Some(("TI", GgfClock { main: Some(main), increment, extension: None }.to_string()))
}

/// The board's game so far as GGF, with these tags beside the usual ones. `notes` hold scores and times of the moves by
/// their index.
pub fn ggf(
    tags: impl IntoIterator<Item = (&'static str, String)>,
    board: &dyn DynEngine,
    notes: &[MoveRecord],
) -> GgfGame {
    let usual = [("GM", "Othello".to_string()), ("PC", "flipside match".to_string()), ("TY", "8".to_string())];
    let tags = usual.into_iter().chain(tags).map(|(name, text)| (name.to_string(), text)).collect();
    let note = |(index, (side, text)): (usize, (Side, String))| {
        let note = notes.get(index);
        let time = note.and_then(|note| note.seconds).and_then(|time| Duration::try_from_secs_f64(time).ok());
        GgfMove { side, text, value: note.and_then(|note| note.value), time }
    };
    let moves = board.history(Style::Ggf).into_iter().enumerate().map(note).collect();
    GgfGame { tags, board: Some(board.start_position(Style::Ggf)), moves }
}
