//! The record of a game: a line of JSON, and GGF, or PGN if GGF cannot hold the game.

use super::effort::Effort;
use super::limits::PlayerLimits;
use super::types::EndReason;
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::api::command::TimeControl;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::recorded_game;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::{self, CannotHold, Cause, GameRecord, GameResult, RecordMove, StartPosition};
use flipside_host::record::ggf::{GgfClock, GgfGame};
use flipside_host::record::pgn;
use flipside_support::text::one_line;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;

/// One move of a record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// In the game's own notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Wall time in seconds, measured by the referee; absent for openings and forced passes.
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
    /// Whether the player reported a move from its opening book.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub book: bool,
}

/// The terms of a game, fixed before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameTerms {
    /// Names of the players, the first mover's first.
    pub players: [String; 2],
    /// The game's name.
    pub rules: String,
    /// The players with their options and limits in the syntax of `--engine`; empty in files of 0.2.0 and before.
    #[serde(default)]
    pub settings: [String; 2],
    /// Empty squares at which the exact solver adjudicates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub adjudicate: Option<u32>,
    /// The scores that adjudicate, in the words of `--adjudicate`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub adjudicate_by_score: Option<String>,
    /// The opening as given.
    pub opening: String,
}

impl GameTerms {
    /// Describes how the terms of a recorded game differ; `None` if the game belongs to this match.
    pub fn difference(&self, recorded: &GameTerms) -> Option<String> {
        let [first, second] = [0, 1].map(|index| {
            let known = !recorded.settings.iter().all(String::is_empty);
            let (own, other) = (&self.settings[index], &recorded.settings[index]);
            let name = &self.players[index];
            (known && own != other).then(|| format!("{name} was '{other}' and is '{own}' now"))
        });
        let adjudicated =
            |at: Option<&str>| at.map_or("was not adjudicated".into(), |at| format!("was adjudicated at {at}"));
        let empties = recorded.adjudicate.map(|empties| empties.to_string());
        let differences = [
            (self.rules != recorded.rules).then(|| format!("it is a game of {}, not {}", recorded.rules, self.rules)),
            (self.players != recorded.players).then(|| format!("its players are {}", recorded.players.join(" and "))),
            (self.opening != recorded.opening).then(|| format!("its opening is '{}'", recorded.opening)),
            first,
            second,
            (self.adjudicate != recorded.adjudicate).then(|| format!("it {}", adjudicated(empties.as_deref()))),
            (self.adjudicate_by_score != recorded.adjudicate_by_score)
                .then(|| format!("it {}", adjudicated(recorded.adjudicate_by_score.as_deref()))),
        ];
        differences.into_iter().flatten().next()
    }
}

/// The record of one game: a line of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchGame {
    /// Number in the schedule, from 0.
    pub game: usize,
    /// Its terms.
    #[serde(flatten)]
    pub terms: GameTerms,
    /// The day on which it ended, in UTC: `2026-11-24`; absent in files of 0.2.0 and before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// The name of the game's opening, if it has a common one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening_name: Option<String>,
    /// The start position in the game's own notation.
    pub start: String,
    /// All moves, openings and passes included.
    pub moves: Vec<MoveRecord>,
    /// What the moves of the players took, the first mover's first; zero in files of 0.2.0 and before.
    #[serde(default)]
    pub effort: [Effort; 2],
    /// `1-0`, `0-1` or `1/2-1/2` for the first mover.
    pub result: String,
    /// Discs or points of the first mover less those of the second, if the game ended in numbers.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "difference_in_range")]
    pub difference: Option<i32>,
    /// Why it ended.
    pub reason: EndReason,
    /// More about the reason: the illegal move or the invalid output.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub detail: String,
}

/// Reads a difference, which is negated and summed: one beyond every board is refused.
fn difference_in_range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i32>, D::Error> {
    let difference: Option<i32> = Option::deserialize(deserializer)?;
    let is_in_range = difference.is_none_or(|difference| game_record::difference_in_range(difference).is_some());
    is_in_range.then_some(difference).ok_or_else(|| D::Error::custom("expected a difference of discs or points"))
}

impl MatchGame {
    /// The winner; `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        GameResult::winner_of(&self.result, Side::First).flatten()
    }

    /// The game on one line: `game 3: a - b 1-0 (rules), +14, 60 plies; a: depth 9.3, 0.0210 s a move; b: ...`.
    pub fn summary(&self) -> String {
        let [first, second] = &self.terms.players;
        let mut line = format!("game {}: {first} - {second} {} ({}", self.game + 1, self.result, self.reason);
        if !self.detail.is_empty() {
            line.push_str(&format!(": {}", one_line(&self.detail, usize::MAX)));
        }
        line.push(')');
        line.extend(self.difference.map(|difference| format!(", {difference:+}")));
        line.push_str(&format!(", {} plies", self.moves.len()));
        for (name, effort) in self.terms.players.iter().zip(&self.effort) {
            let words = effort.words();
            line.push_str(&if words.is_empty() { String::new() } else { format!("; {name}: {words}") });
        }
        line
    }

    /// Half points of the first mover: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> usize {
        match self.winner() {
            Some(Side::First) => 2,
            Some(Side::Second) => 0,
            None => 1,
        }
    }

    /// The game as GGF, or as PGN if GGF cannot hold it. `board` holds its moves.
    ///
    /// # Errors
    /// Neither format can hold the game, which no built-in game causes.
    pub fn text(&self, board: &dyn DynEngine) -> Result<String, CannotHold> {
        if board.game() == names::REVERSI.name {
            return codec::write(&self.record(board, Format::Ggf), Format::Ggf);
        }
        let mut record = self.record(board, Format::Pgn);
        // Readers of PGN know only chess's usual start.
        record.start = Some(StartPosition { text: board.start_position(Style::Uci), style: Style::Uci });
        let termination = format!("{} {}", self.reason, self.detail);
        let settings = &self.terms.settings;
        let tags = [
            ("Termination", termination.trim_end()),
            ("WhiteSettings", settings[0].as_str()),
            ("BlackSettings", settings[1].as_str()),
        ];
        pgn::write(&record, &tags)
    }

    /// The game as records hold it, in the notation of a format.
    fn record(&self, board: &dyn DynEngine, format: Format) -> GameRecord {
        let mv = |mv: &MoveRecord| RecordMove {
            score: mv.value,
            time: mv.seconds.and_then(|time| Duration::try_from_secs_f64(time).ok()),
            ..RecordMove::new(None, mv.mv.clone())
        };
        let cause = match self.reason {
            EndReason::Rules | EndReason::Adjudicated => None,
            EndReason::Late => Some(Cause::Time),
            EndReason::Resigned => Some(Cause::Resigned),
            _ => Some(Cause::Left),
        };
        let record = GameRecord {
            moves: self.moves.iter().map(mv).collect(),
            players: self.terms.players.clone().map(Some),
            date: self.date.clone(),
            site: Some("flipside".into()),
            event: Some("flipside match".into()),
            round: Some((self.game + 1).to_string()),
            opening: self.opening_name.clone(),
            result: Some(GameResult { winner: self.winner(), difference: self.difference, cause }),
            ..GameRecord::default()
        };
        recorded_game::restyled(board, &record, format.start_style(), format.move_style(board.game()))
    }
}

/// The clock of these limits as GGF, if a clock runs; GGF has no sessions or periods.
pub fn ggf_clock(limits: &PlayerLimits) -> Option<GgfClock> {
    let TimeControl::Game { main, increment } = limits.game_time? else { return None };
    let increment = (!increment.is_zero()).then_some(increment);
    Some(GgfClock { main: Some(main), increment, extension: None })
}

/// The board's game so far as GGF, with a clock if one runs.
///
/// # Errors
/// GGF cannot hold the game.
pub fn ggf(board: &dyn DynEngine, clock: Option<GgfClock>) -> Result<GgfGame, CannotHold> {
    let record = GameRecord { site: Some("flipside".into()), ..GameRecord::default() };
    let record = recorded_game::restyled(board, &record, Style::Ggf, Style::Ggf);
    let mut game = GgfGame::of_record(&record)?;
    game.tags.extend(clock.map(|clock| ("TI".to_string(), clock.to_string())));
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_end_where_no_game_ends() {
        let read = |difference: &str| {
            let line = format!(
                r#"{{"game":0,"players":["a","b"],"rules":"reversi","opening":"","start":"","moves":[],"result":"1-0",{difference}"reason":"rules"}}"#
            );
            serde_json::from_str::<MatchGame>(&line).map(|game| game.difference)
        };
        assert!(matches!(read(""), Ok(None)));
        for difference in [-1_000_000, -64, 64, 1_000_000] {
            assert!(matches!(read(&format!("\"difference\":{difference},")), Ok(Some(found)) if found == difference));
        }
        for beyond in [-1_000_001, 1_000_001, i32::MIN, i32::MAX] {
            assert!(read(&format!("\"difference\":{beyond},")).is_err(), "{beyond}");
        }
    }
}
