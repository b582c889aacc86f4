//! A game as one line of JSON in the vocabulary of `match --json` (docs/json.md), so that games of matches can be read.

use super::game_record::{
    CannotHold, Cause, GameRecord, GameResult, RecordMove, StartPosition, date, field, value_in_range,
};
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Side};
use flipside_support::json;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A line.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct JsonGame {
    rules: Option<String>,
    players: [Option<String>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<JsonMove>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<JsonValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// What other programs add.
    #[serde(flatten, skip_serializing)]
    others: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Serialize, Deserialize)]
struct JsonMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Score>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<JsonMove>>,
}

impl JsonMove {
    fn read(self) -> RecordMove {
        let time = |seconds: f64| Duration::try_from_secs_f64((seconds * 1e3).round() / 1e3).ok();
        RecordMove {
            side: None,
            text: self.mv,
            score: self.value.and_then(value_in_range),
            time: self.seconds.and_then(time),
            clock: self.clock.and_then(time),
            nags: self.nags,
            comment: self.comment.as_deref().and_then(field),
            variations: read_lines(self.variations),
        }
    }

    fn of(mv: &RecordMove) -> JsonMove {
        let seconds = |time: Duration| time.as_millis() as f64 / 1e3;
        JsonMove {
            mv: mv.text.clone(),
            seconds: mv.time.map(seconds),
            clock: mv.clock.map(seconds),
            value: mv.score,
            nags: mv.nags.clone(),
            comment: mv.comment.clone(),
            variations: mv.variations.iter().map(|line| line.iter().map(JsonMove::of).collect()).collect(),
        }
    }
}

fn read_lines(lines: Vec<Vec<JsonMove>>) -> Vec<Vec<RecordMove>> {
    lines.into_iter().map(|line| line.into_iter().map(JsonMove::read).collect()).collect()
}

#[derive(Debug, Serialize, Deserialize)]
struct JsonValue {
    #[serde(rename = "move")]
    mv: String,
    value: Score,
}

/// Reads a line.
///
/// # Errors
/// The line is not JSON, has neither moves nor a start position, or names an unknown game.
pub fn read(line: &str) -> Result<GameRecord, String> {
    let game: JsonGame = serde_json::from_str(line).map_err(|error| format!("no game in JSON: {error}"))?;
    if game.moves.is_none() && game.start.is_none() {
        return Err("expected an object with `moves` or `start`".into());
    }
    // A misspelt name must not make a position of a game.
    let is_moves = |value: &serde_json::Value| value.get(0).is_some_and(|first| first.get("move").is_some());
    if let Some((name, _)) = game.others.iter().find(|(_, value)| game.moves.is_none() && is_moves(value)) {
        return Err(format!("expected `moves`, saw '{name}'"));
    }
    let rules = match &game.rules {
        None => None,
        Some(name) => Some(names::find(name).ok_or_else(|| format!("unknown game '{name}' in `rules`"))?.name),
    };
    let bad_result = |text: &str| format!("expected 1-0, 0-1 or 1/2-1/2 in `result`, saw '{text}'");
    let winner = |text: &str| GameResult::winner_of(text, Side::First).ok_or_else(|| bad_result(text));
    let winner = game.result.as_deref().map(winner).transpose()?;
    let cause = match game.reason.as_deref() {
        None | Some("rules" | "adjudicated") => None,
        Some("late") => Some(Cause::Time),
        Some("resigned") => Some(Cause::Resigned),
        Some(_) => Some(Cause::Left),
    };
    let text = |text: Option<String>| text.as_deref().and_then(field);
    let [first, second] = game.players;
    Ok(GameRecord {
        game: rules,
        start: game.start.map(|text| StartPosition { text, style: Style::Plain }),
        style: Style::Plain,
        moves: game.moves.unwrap_or_default().into_iter().map(JsonMove::read).collect(),
        players: [text(first), text(second)],
        date: game.date.as_deref().and_then(date),
        site: text(game.site),
        event: text(game.event),
        round: text(game.round),
        opening: text(game.opening_name),
        result: winner.map(|winner| GameResult::stated(winner, game.difference, cause)),
        comment: text(game.comment),
        values: game.values.into_iter().filter_map(|value| Some((value.mv, value_in_range(value.value)?))).collect(),
        remarks: Vec::new(),
    })
}

/// Writes a record whose start and moves are in the game's own notation.
///
/// # Errors
/// Never; the signature is that of all writers.
pub fn write(record: &GameRecord) -> Result<String, CannotHold> {
    let result = record.result.map(|result| GameResult::text(result.winner, Side::First));
    let cause = |cause: Cause| match cause {
        Cause::Resigned => "resigned",
        Cause::Time => "late",
        Cause::Left => "left",
    };
    let game = JsonGame {
        rules: Some(record.game.unwrap_or(names::REVERSI.name).to_string()),
        players: record.players.clone().map(|name| Some(name.unwrap_or_default())),
        date: record.date.clone(),
        site: record.site.clone(),
        event: record.event.clone(),
        round: record.round.clone(),
        opening_name: record.opening.clone(),
        start: record.start.as_ref().map(|start| start.text.clone()),
        moves: Some(record.moves.iter().map(JsonMove::of).collect()),
        values: record.values.iter().map(|(mv, value)| JsonValue { mv: mv.clone(), value: *value }).collect(),
        result: result.map(str::to_string),
        difference: record.result.and_then(|result| result.difference),
        reason: record.result.and_then(|result| result.cause).map(|reason| cause(reason).to_string()),
        comment: record.comment.clone(),
        others: serde_json::Map::new(),
    };
    let line = json::line(&game).map_err(|error| CannotHold::new("json", error.to_string()))?;
    Ok(line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_move_comes_back() {
        let line = "{\"version\":2,\"rules\":\"reversi\",\"players\":[\"\",\"\"],\"moves\":[{\"move\":\"f5\",\"clock\":59.5,\
            \"nags\":[1,146],\"variations\":[[{\"move\":\"e6\",\"nags\":[4]},{\"move\":\"f4\"}]]}]}\n";
        let game = read(line).expect("a game");
        assert_eq!((game.moves[0].nags.as_slice(), game.moves[0].variations[0].len()), (&[1, 146][..], 2));
        assert_eq!(write(&game).as_deref(), Ok(line));
    }

    #[test]
    fn a_misspelt_name_is_told() {
        let moves = "\"start\":\"x\",\"mives\":[{\"move\":\"f5\"}]";
        assert_eq!(read(&format!("{{{moves}}}")), Err("expected `moves`, saw 'mives'".into()));
        assert!(read(&format!("{{{moves},\"moves\":[]}}")).is_ok(), "others may add what they like");
    }

    #[test]
    fn values_that_cannot_be_negated_are_unknown() {
        let value = |value: i64| {
            let line = format!("{{\"rules\":\"reversi\",\"moves\":[{{\"move\":\"f5\",\"value\":{value}}}]}}");
            read(&line).map(|game| game.moves[0].score)
        };
        assert_eq!((value(100_000_000), value(-100_000_000)), (Ok(Some(100_000_000)), Ok(Some(-100_000_000))));
        for beyond in [100_000_001, -100_000_001, i64::from(i32::MAX), i64::from(i32::MIN)] {
            assert_eq!(value(beyond), Ok(None), "{beyond}");
        }
        assert!(value(i64::from(i32::MAX) + 1).is_err());
        let difference = |difference: i32| {
            let result = if difference > 0 { "1-0" } else { "0-1" };
            let line = format!("{{\"moves\":[],\"result\":\"{result}\",\"difference\":{difference}}}");
            read(&line).map(|game| game.result.and_then(|result| result.difference))
        };
        assert_eq!((difference(1_000_000), difference(-1_000_000)), (Ok(Some(1_000_000)), Ok(Some(-1_000_000))));
        for beyond in [1_000_001, -1_000_001, i32::MAX, i32::MIN] {
            assert_eq!(difference(beyond), Ok(None), "{beyond}");
        }
    }
}
