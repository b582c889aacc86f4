//! Checks of NBoard 2: the rules that its host relies on.

use super::board::{board_at, expect_legal, play_legal, reversi};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::client::nboard::parse_reply;
use crate::dialogue::Dialogue;
use crate::record::ggf;
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// All checks, the basic ones first.
pub const CHECKS: [Check; 9] = [
    check("ping", "ping N is answered by pong N", ping),
    check("go", "go answers '=== MOVE' with a legal move", go),
    check("go-does-not-play", "go leaves the position as it is", go_twice),
    check("moves", "move M, M/E/T and PA are followed through a whole game", whole_game),
    check("ggf", "set game takes any start position and side to move", any_start),
    check("ping-stops", "ping stops a search at once and pong comes after it", ping_stops),
    check("unknown-command", "unknown commands are ignored without an answer", unknown),
    check("quiet-stderr", "nothing is written to stderr, which NBoard reads as stdout", quiet_stderr),
    check("end-of-input", "the engine leaves at quit and at the end of input", end_of_input),
];

/// Sets up the board's game and a shallow depth, and waits until the engine has done it.
fn begin(engine: &mut Dialogue, board: &dyn DynEngine) -> Result<(), Violation> {
    engine.send("nboard 2");
    engine.send("set depth 2");
    let game = ggf(board, None).or_else(|error| violation("a game of Reversi", error.to_string()))?;
    engine.send(&format!("set game {game}"));
    engine.sync().map(drop)
}

/// Requests a move, which must be legal on the board.
fn legal_reply(engine: &mut Dialogue, board: &dyn DynEngine) -> Result<String, Violation> {
    let line = engine.ask("go", "===")?.text;
    let Some((mv, _)) = parse_reply(&line) else { return violation("=== MOVE", line) };
    expect_legal(board, &mv, Style::Ggf, &line).map(|()| mv)
}

fn ping(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.send("nboard 2");
    (1..=3).try_for_each(|_| engine.sync().map(drop))
}

fn go(engine: &mut Dialogue) -> Result<(), Violation> {
    let board = reversi()?;
    begin(engine, board.as_ref())?;
    legal_reply(engine, board.as_ref()).map(drop)
}

fn go_twice(engine: &mut Dialogue) -> Result<(), Violation> {
    let board = reversi()?;
    begin(engine, board.as_ref())?;
    legal_reply(engine, board.as_ref())?;
    engine.sync()?;
    legal_reply(engine, board.as_ref()).map(drop)
}

fn whole_game(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = reversi()?;
    begin(engine, board.as_ref())?;
    let mut tails = ["//0.5", "", "/1.25/0.5"].into_iter().cycle();
    while board.outcome().is_none() {
        let mv = legal_reply(engine, board.as_ref())?;
        play_legal(board.as_mut(), &mv, Style::Ggf, &mv)?;
        engine.send(&format!("move {mv}{}", tails.next().unwrap_or_default()));
        engine.sync()?;
    }
    Ok(())
}

fn any_start(engine: &mut Dialogue) -> Result<(), Violation> {
    let text = "8 --*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO--OOOOO-- O";
    let board = board_at("reversi", text, Style::Ggf)?;
    begin(engine, board.as_ref())?;
    legal_reply(engine, board.as_ref()).map(drop)
}

fn ping_stops(engine: &mut Dialogue) -> Result<(), Violation> {
    let board = reversi()?;
    begin(engine, board.as_ref())?;
    engine.send("set depth 60");
    engine.send("hint 2");
    engine.until("search", |_| {})?;
    let at = engine.ask("ping 7", "pong")?.at;
    expect_within(engine.elapsed(at), 500, "pong within half a second")?;
    engine.expect_silence(Duration::from_millis(300), "nothing of the old search after the pong")
}

fn unknown(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.send("nboard 2");
    engine.send("no-such-command 1 2");
    engine.send("");
    engine.sync().map(drop)
}

fn quiet_stderr(engine: &mut Dialogue) -> Result<(), Violation> {
    go(engine)?;
    match engine.process().stderr_lines().first() {
        None => Ok(()),
        Some(line) => violation("nothing on stderr", line),
    }
}

fn end_of_input(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.send("nboard 2");
    engine.close_input();
    engine.expect_exit()
}
