//! Checks of JSON lines (protocol.md): the rules that an application relies on.

use super::board::{SHORTEST_GAME, expect_legal, play_legal, reversi};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::dialogue::Dialogue;
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_support::json;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 12] = [
    check("hello", "hello answers name, release and options", hello),
    check("envelope", "an answer carries the id and the command of its request, or no id", envelope),
    check("order", "requests sent together are answered in their order", order),
    check("ready", "ready is answered at once, also during a search", ready),
    check("legal-move", "go answers a legal move through a whole game, passes included", whole_game),
    check("info", "an info with rank, score, depth, nodes and pv comes before a move", info),
    check("stop", "an analysis without limits waits for stop, then answers at once", stop),
    check("clock", "a move fits into its seconds and its clock", clock),
    check("bad-input", "a line that is not a request gets one error and changes nothing", bad_input),
    check("finished-game", "go on a finished game answers once, without a move", finished),
    check("quit", "quit ends the process at once, also during a search", quit),
    check("end-of-input", "a limited search finishes after the end of input, then it leaves", end_of_input),
];

/// The next object and the time of its arrival.
fn object(engine: &mut Dialogue, expected: &str) -> Result<(Value, Instant), Violation> {
    let line = engine.line(expected)?;
    match json::read_value(&line.text) {
        Ok(value) if value.is_object() && value["version"].is_u64() && value["event"].is_string() => {
            Ok((value, line.at))
        }
        _ => violation("an object with version and event on one line", format!("'{}'", line.text)),
    }
}

/// Reads up to the answer or the error of a request; reports before it go to `info`.
fn response(engine: &mut Dialogue, id: u64, mut info: impl FnMut(&Value)) -> Result<(Value, Instant), Violation> {
    loop {
        let (value, at) = object(engine, &format!("the answer to request {id}"))?;
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
fn send(engine: &mut Dialogue, id: u64, mut request: Value) {
    request["id"] = id.into();
    engine.request(&request.to_string());
}

/// Sends a request that must succeed.
fn ask(engine: &mut Dialogue, id: u64, request: Value) -> Result<Value, Violation> {
    send(engine, id, request);
    let (value, _) = response(engine, id, |_| {})?;
    if value["event"] == "answer" { Ok(value) } else { violation("an answer", value.to_string()) }
}

/// Sends a line that must get one error.
fn refused(engine: &mut Dialogue, line: &str) -> Result<(), Violation> {
    engine.send(line);
    let (value, _) = object(engine, "an error")?;
    let is_error = value["event"] == "error" && value["error"].is_string() && value["message"].is_string();
    if is_error { Ok(()) } else { violation("an error with its kind and a message", value.to_string()) }
}

fn hello(engine: &mut Dialogue) -> Result<(), Violation> {
    let value = ask(engine, 1, json!({ "command": "hello" }))?;
    let named = value["name"].is_string() && value["release"].is_string();
    let options = value["options"].as_array();
    let described = |option: &Value| option["name"].is_string() && option["kind"].is_string();
    if named && options.is_some_and(|options| options.iter().all(described)) {
        Ok(())
    } else {
        violation("name, release, and options with name and kind", value.to_string())
    }
}

fn envelope(engine: &mut Dialogue) -> Result<(), Violation> {
    let value = ask(engine, 18_446_744_073_709_551_615, json!({ "command": "games" }))?;
    if value["command"] != "games" {
        return violation("the command of the request", value.to_string());
    }
    engine.send("{\"command\":\"games\"}");
    let (value, _) = object(engine, "an answer without an id")?;
    if value.get("id").is_none() { Ok(()) } else { violation("no id", value.to_string()) }
}

fn order(engine: &mut Dialogue) -> Result<(), Violation> {
    for id in 1..=20 {
        let request = if id % 3 == 0 { json!({ "command": "go", "depth": 1 }) } else { json!({ "command": "show" }) };
        send(engine, id, request);
    }
    (1..=20).try_for_each(|id| response(engine, id, |_| {}).map(drop))
}

fn ready(engine: &mut Dialogue) -> Result<(), Violation> {
    send(engine, 1, json!({ "command": "go", "infinite": true }));
    send(engine, 2, json!({ "command": "ready" }));
    response(engine, 2, |_| {})?;
    send(engine, 3, json!({ "command": "stop" }));
    response(engine, 3, |_| {})?;
    response(engine, 1, |_| {}).map(drop)
}

/// The move of an answer, which must be legal on the board.
fn legal(value: &Value, board: &dyn DynEngine) -> Result<String, Violation> {
    let mv = value["move"].as_str().unwrap_or_default();
    expect_legal(board, mv, Style::Plain, &value.to_string()).map(|()| mv.to_string())
}

fn whole_game(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = reversi()?;
    ask(engine, 1, json!({ "command": "new" }))?;
    for id in 2.. {
        if board.outcome().is_some() {
            break;
        }
        let value = ask(engine, id, json!({ "command": "go", "depth": 2, "play": true }))?;
        let mv = legal(&value, board.as_ref())?;
        play_legal(board.as_mut(), &mv, Style::Plain, &value.to_string())?;
    }
    let shown = ask(engine, 1, json!({ "command": "show" }))?;
    let moves: Vec<String> = board.history(Style::Plain).into_iter().map(|(_, mv)| mv.to_lowercase()).collect();
    if shown["moves"] == json!(moves) { Ok(()) } else { violation(moves.join(" "), shown.to_string()) }
}

fn info(engine: &mut Dialogue) -> Result<(), Violation> {
    ask(engine, 1, json!({ "command": "position", "moves": ["f5", "d6", "c3", "d3", "c4", "f4"] }))?;
    send(engine, 2, json!({ "command": "analyze", "depth": 4 }));
    let mut last = Value::Null;
    response(engine, 2, |value| last = value.clone())?;
    for field in ["rank", "score", "depth", "nodes", "pv"] {
        if last.get(field).is_none() {
            return violation(format!("an info with {field}"), last.to_string());
        }
    }
    Ok(())
}

fn stop(engine: &mut Dialogue) -> Result<(), Violation> {
    send(engine, 1, json!({ "command": "analyze" }));
    std::thread::sleep(Duration::from_millis(300));
    send(engine, 2, json!({ "command": "stop" }));
    response(engine, 2, |_| {})?;
    let (_, at) = response(engine, 1, |_| {})?;
    expect_within(engine.elapsed(at), 500, "an answer within half a second")
}

fn clock(engine: &mut Dialogue) -> Result<(), Violation> {
    for (id, (limit, most)) in (1..).zip([
        (json!({ "command": "go", "seconds": 0.3 }), 600),
        (json!({ "command": "go", "clocks": [1, 1], "increments": [0, 0] }), 1_000),
        (json!({ "command": "go", "clocks": [0.5, 0.5] }), 500),
    ]) {
        let expected = format!("{most} ms at most for {limit}");
        send(engine, id, limit);
        let (_, at) = response(engine, id, |_| {})?;
        expect_within(engine.elapsed(at), most, expected)?;
    }
    Ok(())
}

fn bad_input(engine: &mut Dialogue) -> Result<(), Violation> {
    ask(engine, 1, json!({ "command": "position", "moves": ["f5"] }))?;
    for line in [
        "no object",
        "[]",
        "{\"command\":\"dance\"}",
        "{\"command\":\"go\",\"dept\":3}",
        "{\"command\":\"play\",\"moves\":[\"f6\",\"a1\"]}",
        "{\"command\":\"position\",\"start\":\"nonsense\"}",
        "{\"command\":\"set\",\"name\":\"Nothing\",\"value\":1}",
    ] {
        refused(engine, line)?;
    }
    let shown = ask(engine, 2, json!({ "command": "show" }))?;
    if shown["moves"] == json!(["f5"]) { Ok(()) } else { violation("the game as it was: f5", shown.to_string()) }
}

fn finished(engine: &mut Dialogue) -> Result<(), Violation> {
    ask(engine, 1, json!({ "command": "position", "moves": SHORTEST_GAME.split(' ').collect::<Vec<_>>() }))?;
    let value = ask(engine, 2, json!({ "command": "go", "depth": 2 }))?;
    if !value["move"].is_null() {
        return violation("no move on a finished game", value.to_string());
    }
    ask(engine, 3, json!({ "command": "ready" })).map(drop)
}

fn quit(engine: &mut Dialogue) -> Result<(), Violation> {
    send(engine, 1, json!({ "command": "go", "infinite": true }));
    send(engine, 2, json!({ "command": "quit" }));
    engine.expect_exit()
}

fn end_of_input(engine: &mut Dialogue) -> Result<(), Violation> {
    send(engine, 1, json!({ "command": "go", "depth": 4 }));
    engine.close_input();
    response(engine, 1, |_| {})?;
    engine.expect_exit()
}
