//! Checks of UCI with variants: the rules that hosts rely on.

use super::board::{SHORTEST_GAME, board_after, expect_legal, play_legal, reversi};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::client::uci;
use crate::dialogue::Dialogue;
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 11] = [
    check("handshake", "uci answers id name, id author, options and uciok", handshake),
    check("variant-listed", "UCI_Variant is a combo that lists flipello", variant_listed),
    check("ready", "isready answers readyok, also during a search", ready),
    check("legal-move", "bestmove is legal through a whole game, passes included", whole_game),
    check("info", "an info line with depth, score, nodes and pv comes before bestmove", info),
    check("stop", "go infinite waits for stop, then answers at once", stop),
    check("clock", "a move fits into its movetime and its clock", clock),
    check("bad-input", "unknown commands and bad positions leave the engine answering", bad_input),
    check("finished-game", "go on a finished game answers one bestmove", finished),
    check("quit", "quit ends the process at once, also during a search", quit),
    check("end-of-input", "a limited search finishes after the end of input, then it leaves", end_of_input),
];

/// Performs the handshake and returns the lines of its answer.
fn handshake_lines(engine: &mut Dialogue) -> Result<Vec<String>, Violation> {
    let lines = uci::handshake_lines(engine)?;
    engine.send("setoption name UCI_Variant value flipello");
    engine.send("ucinewgame");
    engine.ask("isready", "readyok")?;
    Ok(lines)
}

fn handshake(engine: &mut Dialogue) -> Result<(), Violation> {
    let lines = handshake_lines(engine)?;
    for start in ["id name ", "id author ", "option name "] {
        if !lines.iter().any(|line| line.starts_with(start)) {
            return violation(format!("a line that begins with '{start}'"), "none");
        }
    }
    Ok(())
}

fn variant_listed(engine: &mut Dialogue) -> Result<(), Violation> {
    let lines = handshake_lines(engine)?;
    let Some(line) = lines.iter().find(|line| line.starts_with("option name UCI_Variant ")) else {
        return violation("option name UCI_Variant", "none");
    };
    if line.contains(" type combo ") && line.contains(" var flipello") {
        Ok(())
    } else {
        violation("type combo ... var flipello", line.as_str())
    }
}

fn ready(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("isready");
    let mut early = None;
    engine.until("readyok", |line| {
        if line.starts_with("bestmove") {
            early = Some(line.to_string());
        }
    })?;
    if let Some(line) = early {
        return violation("no bestmove before stop", line);
    }
    engine.ask("stop", "bestmove")?;
    Ok(())
}

/// The move of a bestmove line, which must be legal on the board.
fn legal(line: &str, board: &dyn DynEngine) -> Result<String, Violation> {
    let mv = line.split_whitespace().nth(1).unwrap_or_default();
    expect_legal(board, mv, Style::Uci, line).map(|()| mv.to_string())
}

fn whole_game(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    let mut board = reversi()?;
    while board.outcome().is_none() {
        engine.send(&uci::position(board.as_ref()));
        let line = engine.ask("go depth 2", "bestmove")?.text;
        let mv = legal(&line, board.as_ref())?;
        play_legal(board.as_mut(), &mv, Style::Uci, &line)?;
    }
    Ok(())
}

fn info(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    engine.send("position startpos moves P@e3");
    engine.send("go depth 4");
    let mut last = String::new();
    engine.until("bestmove", |line| {
        if line.starts_with("info ") && line.contains(" score ") {
            last = line.to_string();
        }
    })?;
    for word in ["depth", "score", "nodes", "pv"] {
        if !last.split_whitespace().any(|own| own == word) {
            return violation(format!("an info line with {word}"), if last.is_empty() { "none" } else { &last });
        }
    }
    Ok(())
}

fn stop(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    engine.send("position startpos");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let line = engine.ask("stop", "bestmove")?;
    if line.at < begun {
        return violation("no bestmove before stop", line.text);
    }
    expect_within(line.at - begun, 500, "bestmove within half a second")?;
    legal(&line.text, reversi()?.as_ref()).map(drop)
}

fn clock(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    for (go, most) in
        [("go movetime 300", 600), ("go wtime 1000 btime 1000 winc 0 binc 0", 1_000), ("go wtime 500", 500)]
    {
        engine.send("position startpos");
        let at = engine.ask(go, "bestmove")?.at;
        expect_within(engine.elapsed(at), most, format!("{most} ms at most for '{go}'"))?;
    }
    Ok(())
}

fn bad_input(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    for line in
        ["no-such-command", "position fen nonsense", "position startpos moves P@a1", "setoption name Nothing value 1"]
    {
        engine.send(line);
    }
    engine.send("position startpos");
    let line = engine.ask("go depth 1", "bestmove")?.text;
    legal(&line, reversi()?.as_ref()).map(drop)
}

fn finished(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    engine.send(&uci::position(board_after(SHORTEST_GAME)?.as_ref()));
    engine.ask("go depth 2", "bestmove")?;
    engine.send("isready");
    let mut more = None;
    engine.until("readyok", |line| more = Some(line.to_string()))?;
    match more.filter(|line| line.starts_with("bestmove")) {
        Some(line) => violation("one bestmove a go", line),
        None => Ok(()),
    }
}

fn quit(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("quit");
    engine.expect_exit()
}

fn end_of_input(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_lines(engine)?;
    engine.send("position startpos");
    engine.send("go depth 4");
    engine.close_input();
    engine.until("bestmove", |_| {})?;
    engine.expect_exit()
}
