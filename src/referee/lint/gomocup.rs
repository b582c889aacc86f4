//! Checks of Gomocup's protocol: the rules that its managers rely on.

use super::Check;
use super::probe::{Probe, Violation, open_board, violation};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::referee::client::gomocup::{coordinates, point};
use crate::search::notation::Style;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 12] = [
    Check { name: "start", rule: "START 15 and START 20 answer OK", run: start },
    Check { name: "bad-size", rule: "START with an absurd size answers ERROR, and the engine goes on", run: bad_size },
    Check { name: "about", rule: "ABOUT answers one line with name=\"...\"", run: about },
    Check { name: "begin", rule: "BEGIN answers X,Y on the board", run: begin },
    Check { name: "whole-game", rule: "TURN X,Y answers legal moves through a whole game", run: whole_game },
    Check { name: "board", rule: "BOARD ... DONE sets stones up and answers a legal move", run: board },
    Check { name: "must-block", rule: "an open end of a four of the opponent is taken, or five made", run: must_block },
    Check { name: "takeback", rule: "TAKEBACK answers OK and the point is free again", run: takeback },
    Check { name: "restart", rule: "RESTART answers OK and the board is empty", run: restart },
    Check { name: "info", rule: "INFO is never answered, known key or not", run: info },
    Check { name: "turn-time", rule: "with timeout_turn 500 a move takes no longer", run: turn_time },
    Check { name: "end", rule: "END ends the process within a second, also while it thinks", run: end },
];

/// Time for each move in the checks that do not measure it, in milliseconds.
const QUICK: &str = "INFO timeout_turn 100";

/// The answer to a line: what the engine says about itself comes before it.
fn answer(probe: &mut Probe, expected: &str) -> Result<(String, Instant), Violation> {
    loop {
        let line = probe.line(expected)?;
        let word = line.text.split_whitespace().next().unwrap_or_default();
        if !["MESSAGE", "DEBUG", "SUGGEST", ""].contains(&word) {
            return Ok((line.text, line.at));
        }
    }
}

fn expect_ok(probe: &mut Probe, line: &str) -> Result<(), Violation> {
    probe.send(line);
    let (text, _) = answer(probe, &format!("OK to {line}"))?;
    if text.trim() == "OK" { Ok(()) } else { violation(format!("OK to {line}"), text) }
}

fn expect_word(probe: &mut Probe, line: &str, word: &str) -> Result<(), Violation> {
    probe.send(line);
    let (text, _) = answer(probe, &format!("{word} to {line}"))?;
    if text.starts_with(word) { Ok(()) } else { violation(format!("{word} to {line}"), text) }
}

fn quick_start(probe: &mut Probe) -> Result<Box<dyn DynEngine>, Violation> {
    expect_ok(probe, "START 15")?;
    probe.send(QUICK);
    open_board("gomoku")
}

/// Reads a move, which must be legal, and plays it on the board.
fn legal_move(probe: &mut Probe, board: &mut dyn DynEngine) -> Result<String, Violation> {
    let (text, _) = answer(probe, "a move X,Y")?;
    let size = board.grid().map_or(0, |grid| grid.rows.len());
    let Some(mv) = point(&text, size) else { return violation("X,Y on the board", text) };
    play(board, &mv).map_err(|_| Violation::new("an empty point", text))?;
    Ok(mv)
}

fn play(board: &mut dyn DynEngine, mv: &str) -> Result<(), Violation> {
    let played = [PlayedMove::by(board.side(), mv.to_string())];
    board
        .set_position(Start::Here, &played, Style::Plain, false)
        .map_err(|error| Violation::new("a legal move", error.to_string()))
}

fn start(probe: &mut Probe) -> Result<(), Violation> {
    ["START 15", "START 20"].into_iter().try_for_each(|line| expect_ok(probe, line))
}

fn bad_size(probe: &mut Probe) -> Result<(), Violation> {
    expect_word(probe, "START 3", "ERROR")?;
    expect_ok(probe, "START 15")
}

fn about(probe: &mut Probe) -> Result<(), Violation> {
    expect_ok(probe, "START 15")?;
    probe.send("ABOUT");
    let (text, _) = answer(probe, "a line with name=\"...\"")?;
    if text.contains("name=\"") { Ok(()) } else { violation("name=\"...\"", text) }
}

fn begin(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    probe.send("BEGIN");
    legal_move(probe, board.as_mut()).map(drop)
}

/// The opponent plays points that are far apart, so that the game ends by the engine's five.
fn whole_game(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    let mut spare = (0..15).flat_map(|row| (row % 2..15).step_by(4).map(move |column| format!("{column},{row}")));
    while board.outcome().is_none() {
        let free = spare.find(|text| {
            let legal = board.legal_moves(Style::Plain);
            point(text, 15).is_some_and(|mv| legal.contains(&mv))
        });
        let Some(text) = free else {
            return violation("five in a row against an opponent who does not defend", "none");
        };
        play(board.as_mut(), &point(&text, 15).unwrap_or_default())?;
        if board.outcome().is_some() {
            return violation("five in a row against an opponent who does not defend", "a lost game");
        }
        probe.send(&format!("TURN {text}"));
        legal_move(probe, board.as_mut())?;
    }
    Ok(())
}

/// Sends the stones of these moves as a board; the last one's opponent is the engine.
fn send_board(probe: &mut Probe, board: &mut dyn DynEngine, moves: &str) -> Result<(), Violation> {
    moves.split_whitespace().try_for_each(|mv| play(board, mv))?;
    probe.send("BOARD");
    for (side, mv) in board.history(Style::Plain) {
        let field = if side == board.side() { 1 } else { 2 };
        probe.send(&format!("{},{field}", coordinates(&mv, 15).unwrap_or_default()));
    }
    probe.send("DONE");
    Ok(())
}

fn board(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    send_board(probe, board.as_mut(), "h8 g9 j8 g8 h7")?;
    legal_move(probe, board.as_mut()).map(drop)
}

fn must_block(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    send_board(probe, board.as_mut(), "h8 g8 j8 a1 k8 c1 l8")?;
    let mv = legal_move(probe, board.as_mut())?;
    if mv == "m8" { Ok(()) } else { violation("12,7, which stops five in a row", mv) }
}

fn takeback(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    probe.send("TURN 7,7");
    play(board.as_mut(), "h8")?;
    let reply = legal_move(probe, board.as_mut())?;
    let reply = coordinates(&reply, 15).unwrap_or_default();
    expect_ok(probe, &format!("TAKEBACK {reply}"))?;
    expect_ok(probe, "TAKEBACK 7,7")?;
    let mut board = open_board("gomoku")?;
    probe.send("TURN 7,7");
    play(board.as_mut(), "h8")?;
    legal_move(probe, board.as_mut()).map(drop)
}

fn restart(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    probe.send("TURN 7,7");
    play(board.as_mut(), "h8")?;
    legal_move(probe, board.as_mut())?;
    expect_ok(probe, "RESTART")?;
    let mut board = open_board("gomoku")?;
    probe.send("TURN 7,7");
    play(board.as_mut(), "h8")?;
    legal_move(probe, board.as_mut()).map(drop)
}

fn info(probe: &mut Probe) -> Result<(), Violation> {
    quick_start(probe)?;
    for line in
        ["max_memory 83886080", "timeout_match 0", "time_left 2147483647", "game_type 1", "rule 0", "no_such_key 1"]
    {
        probe.send(&format!("INFO {line}"));
    }
    probe.expect_silence(Duration::from_millis(300), "no answer to INFO")?;
    expect_ok(probe, "RESTART")
}

fn turn_time(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = quick_start(probe)?;
    probe.send("INFO timeout_turn 500");
    for mv in ["h8", "a1", "p15"] {
        play(board.as_mut(), mv)?;
        let begun = Instant::now();
        probe.send(&format!("TURN {}", coordinates(mv, 15).unwrap_or_default()));
        legal_move(probe, board.as_mut())?;
        let took = begun.elapsed();
        if took > Duration::from_millis(550) {
            return violation("a move within 500 ms", format!("after {} ms", took.as_millis()));
        }
    }
    Ok(())
}

fn end(probe: &mut Probe) -> Result<(), Violation> {
    quick_start(probe)?;
    probe.send("INFO timeout_turn 60000");
    probe.send("TURN 7,7");
    let begun = Instant::now();
    probe.send("END");
    probe.expect_exit()?;
    let took = begun.elapsed();
    if took < Duration::from_secs(1) {
        Ok(())
    } else {
        violation("the end within a second", format!("after {} ms", took.as_millis()))
    }
}
