//! Checks of JSON lines (protocol.md): the rules that an application relies on.

use super::Check;
use super::probe::{Probe, Violation, reversi, violation};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::search::notation::Style;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 12] = [
    Check { name: "hello", rule: "hello answers name, release and options", run: hello },
    Check {
        name: "envelope",
        rule: "an answer carries the id and the command of its request, or no id",
        run: envelope,
    },
    Check { name: "order", rule: "requests sent together are answered in their order", run: order },
    Check { name: "ready", rule: "ready is answered at once, also during a search", run: ready },
    Check {
        name: "legal-move",
        rule: "go answers a legal move through a whole game, passes included",
        run: whole_game,
    },
    Check { name: "info", rule: "an info with rank, score, depth, nodes and pv comes before a move", run: info },
    Check { name: "stop", rule: "an analysis without limits waits for stop, then answers at once", run: stop },
    Check { name: "clock", rule: "a move fits into its seconds and its clock", run: clock },
    Check { name: "bad-input", rule: "what is no request is one error, and changes nothing", run: bad_input },
    Check { name: "finished-game", rule: "go on a finished game answers once, without a move", run: finished },
    Check { name: "quit", rule: "quit ends the process at once, also during a search", run: quit },
    Check {
        name: "end-of-input",
        rule: "a limited search finishes after the end of input, then it leaves",
        run: end_of_input,
    },
];

/// The moves of the shortest game.
const SHORTEST_GAME: [&str; 9] = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];

/// The next object, with the time at which it came.
fn object(probe: &mut Probe, expected: &str) -> Result<(Value, Instant), Violation> {
    let line = probe.line(expected)?;
    match serde_json::from_str::<Value>(&line.text) {
        Ok(value) if value.is_object() && value["version"].is_u64() && value["event"].is_string() => {
            Ok((value, line.at))
        }
        _ => violation("an object with version and event on one line", format!("'{}'", line.text)),
    }
}

/// Reads up to the answer or the error of a request; reports before it go to `info`.
fn response(probe: &mut Probe, id: u64, mut info: impl FnMut(&Value)) -> Result<(Value, Instant), Violation> {
    loop {
        let (value, at) = object(probe, &format!("the answer to request {id}"))?;
        let is_info = value["event"] == "info";
        match value["id"] == id {
            true if is_info => info(&value),
            true => return Ok((value, at)),
            false if is_info => {}
            false => return violation(format!("the answer to request {id}"), value.to_string()),
        }
    }
}

/// Sends a request; `request` is an object without an id.
fn send(probe: &mut Probe, id: u64, mut request: Value) {
    request["id"] = id.into();
    probe.send(&request.to_string());
}

/// Sends a request that must be answered.
fn ask(probe: &mut Probe, id: u64, request: Value) -> Result<Value, Violation> {
    send(probe, id, request);
    let (value, _) = response(probe, id, |_| {})?;
    if value["event"] == "answer" { Ok(value) } else { violation("an answer", value.to_string()) }
}

/// Sends a line that must be one error.
fn refused(probe: &mut Probe, line: &str) -> Result<(), Violation> {
    probe.send(line);
    let (value, _) = object(probe, "an error")?;
    let is_error = value["event"] == "error" && value["error"].is_string() && value["message"].is_string();
    if is_error { Ok(()) } else { violation("an error with its kind and a message", value.to_string()) }
}

fn hello(probe: &mut Probe) -> Result<(), Violation> {
    let value = ask(probe, 1, json!({ "command": "hello" }))?;
    let named = value["name"].is_string() && value["release"].is_string();
    let options = value["options"].as_array();
    let described = |option: &Value| option["name"].is_string() && option["kind"].is_string();
    if named && options.is_some_and(|options| options.iter().all(described)) {
        Ok(())
    } else {
        violation("name, release, and options with name and kind", value.to_string())
    }
}

fn envelope(probe: &mut Probe) -> Result<(), Violation> {
    let value = ask(probe, 18_446_744_073_709_551_615, json!({ "command": "games" }))?;
    if value["command"] != "games" {
        return violation("the command of the request", value.to_string());
    }
    probe.send("{\"command\":\"games\"}");
    let (value, _) = object(probe, "an answer without an id")?;
    if value.get("id").is_none() { Ok(()) } else { violation("no id", value.to_string()) }
}

fn order(probe: &mut Probe) -> Result<(), Violation> {
    for id in 1..=20 {
        let request = if id % 3 == 0 { json!({ "command": "go", "depth": 1 }) } else { json!({ "command": "show" }) };
        send(probe, id, request);
    }
    (1..=20).try_for_each(|id| response(probe, id, |_| {}).map(drop))
}

fn ready(probe: &mut Probe) -> Result<(), Violation> {
    send(probe, 1, json!({ "command": "go", "infinite": true }));
    send(probe, 2, json!({ "command": "ready" }));
    response(probe, 2, |_| {})?;
    send(probe, 3, json!({ "command": "stop" }));
    response(probe, 3, |_| {})?;
    response(probe, 1, |_| {}).map(drop)
}

/// The move of an answer, which must be legal on the board.
fn legal(value: &Value, board: &dyn DynEngine) -> Result<String, Violation> {
    let mv = value["move"].as_str().unwrap_or_default();
    let moves = board.legal_moves(Style::Plain);
    if moves.iter().any(|own| own.eq_ignore_ascii_case(mv)) {
        Ok(mv.to_string())
    } else {
        violation(format!("one of {}", moves.join(" ")), value.to_string())
    }
}

fn whole_game(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = reversi()?;
    ask(probe, 1, json!({ "command": "new" }))?;
    for id in 2.. {
        if board.outcome().is_some() {
            break;
        }
        let value = ask(probe, id, json!({ "command": "go", "depth": 2, "play": true }))?;
        let played = PlayedMove::by(board.side(), legal(&value, board.as_ref())?);
        if board.set_position(Start::Here, &[played], Style::Plain, false).is_err() {
            return violation("a legal move", value.to_string());
        }
    }
    let shown = ask(probe, 1, json!({ "command": "show" }))?;
    let moves: Vec<String> = board.history(Style::Plain).into_iter().map(|(_, mv)| mv.to_lowercase()).collect();
    if shown["moves"] == json!(moves) { Ok(()) } else { violation(moves.join(" "), shown.to_string()) }
}

fn info(probe: &mut Probe) -> Result<(), Violation> {
    ask(probe, 1, json!({ "command": "position", "moves": ["f5", "d6", "c3", "d3", "c4", "f4"] }))?;
    send(probe, 2, json!({ "command": "analyze", "depth": 4 }));
    let mut last = Value::Null;
    response(probe, 2, |value| last = value.clone())?;
    for field in ["rank", "score", "depth", "nodes", "pv"] {
        if last.get(field).is_none() {
            return violation(format!("an info with {field}"), last.to_string());
        }
    }
    Ok(())
}

fn stop(probe: &mut Probe) -> Result<(), Violation> {
    send(probe, 1, json!({ "command": "analyze" }));
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    send(probe, 2, json!({ "command": "stop" }));
    response(probe, 2, |_| {})?;
    let took = response(probe, 1, |_| {})?.1.saturating_duration_since(begun);
    if took > Duration::from_millis(500) {
        return violation("an answer within half a second", format!("after {:.2} s", took.as_secs_f64()));
    }
    Ok(())
}

fn clock(probe: &mut Probe) -> Result<(), Violation> {
    for (id, (limit, most)) in (1..).zip([
        (json!({ "command": "go", "seconds": 0.3 }), 600),
        (json!({ "command": "go", "clocks": [1, 1], "increments": [0, 0] }), 1_000),
        (json!({ "command": "go", "clocks": [0.5, 0.5] }), 500),
    ]) {
        let begun = Instant::now();
        let words = limit.to_string();
        send(probe, id, limit);
        let took = response(probe, id, |_| {})?.1.saturating_duration_since(begun);
        if took > Duration::from_millis(most) {
            return violation(format!("{most} ms at most for {words}"), format!("{} ms", took.as_millis()));
        }
    }
    Ok(())
}

fn bad_input(probe: &mut Probe) -> Result<(), Violation> {
    ask(probe, 1, json!({ "command": "position", "moves": ["f5"] }))?;
    for line in [
        "no object",
        "[]",
        "{\"command\":\"dance\"}",
        "{\"command\":\"go\",\"dept\":3}",
        "{\"command\":\"play\",\"moves\":[\"f6\",\"a1\"]}",
        "{\"command\":\"position\",\"start\":\"nonsense\"}",
        "{\"command\":\"set\",\"name\":\"Nothing\",\"value\":1}",
    ] {
        refused(probe, line)?;
    }
    let shown = ask(probe, 2, json!({ "command": "show" }))?;
    if shown["moves"] == json!(["f5"]) { Ok(()) } else { violation("the game as it was: f5", shown.to_string()) }
}

fn finished(probe: &mut Probe) -> Result<(), Violation> {
    ask(probe, 1, json!({ "command": "position", "moves": SHORTEST_GAME }))?;
    let value = ask(probe, 2, json!({ "command": "go", "depth": 2 }))?;
    if !value["move"].is_null() {
        return violation("no move on a finished game", value.to_string());
    }
    ask(probe, 3, json!({ "command": "ready" })).map(drop)
}

fn quit(probe: &mut Probe) -> Result<(), Violation> {
    send(probe, 1, json!({ "command": "go", "infinite": true }));
    send(probe, 2, json!({ "command": "quit" }));
    probe.expect_exit()
}

fn end_of_input(probe: &mut Probe) -> Result<(), Violation> {
    send(probe, 1, json!({ "command": "go", "depth": 4 }));
    probe.close_input();
    response(probe, 1, |_| {})?;
    probe.expect_exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_game_is_over() {
        let mut board = reversi().expect("a board");
        let moves: Vec<PlayedMove> = SHORTEST_GAME.map(PlayedMove::new).into();
        board.set_position(Start::Initial, &moves, Style::Plain, false).expect("legal");
        assert!(board.outcome().is_some());
    }
}
