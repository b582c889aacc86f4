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
}

#[derive(Debug, Serialize, Deserialize)]
struct JsonMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
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
    let mv = |mv: JsonMove| RecordMove {
        side: None,
        text: mv.mv,
        score: mv.value.and_then(value_in_range),
        time: mv.seconds.and_then(|time| Duration::try_from_secs_f64((time * 1e3).round() / 1e3).ok()),
        comment: mv.comment.as_deref().and_then(field),
    };
    let text = |text: Option<String>| text.as_deref().and_then(field);
    let [first, second] = game.players;
    Ok(GameRecord {
        game: rules,
        start: game.start.map(|text| StartPosition { text, style: Style::Plain }),
        style: Style::Plain,
        moves: game.moves.unwrap_or_default().into_iter().map(mv).collect(),
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
    let mv = |mv: &RecordMove| JsonMove {
        mv: mv.text.clone(),
        seconds: mv.time.map(|time| time.as_millis() as f64 / 1e3),
        value: mv.score,
        comment: mv.comment.clone(),
    };
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
        moves: Some(record.moves.iter().map(mv).collect()),
        values: record.values.iter().map(|(mv, value)| JsonValue { mv: mv.clone(), value: *value }).collect(),
        result: result.map(str::to_string),
        difference: record.result.and_then(|result| result.difference),
        reason: record.result.and_then(|result| result.cause).map(|reason| cause(reason).to_string()),
        comment: record.comment.clone(),
    };
    let line = json::line(&game).map_err(|error| CannotHold::new("json", error.to_string()))?;
    Ok(line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

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
