//! Checks of Gomocup's protocol: the rules that its managers rely on.

use super::board::{self, open_board};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::client::gomocup::{answer, board_lines};
use crate::dialogue::Dialogue;
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::protocol::gomocup::Coordinates;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 15] = [
    check("start", "START 15 and START 20 answer OK", start),
    check("bad-size", "START with an absurd size answers ERROR, and the engine goes on", bad_size),
    check("about", "ABOUT answers one line with name=\"...\"", about),
    check("begin", "BEGIN answers X,Y on the board", begin),
    check("whole-game", "TURN X,Y answers legal moves through a whole game", whole_game),
    check("board", "BOARD ... DONE sets stones up and answers a legal move", board),
    check("must-block", "an open end of a four of the opponent is taken, or five made", must_block),
    check("takeback", "TAKEBACK answers OK and the point is free again", takeback),
    check("restart", "RESTART answers OK and the board is empty", restart),
    check("info", "INFO is never answered, known key or not", info),
    check("renju", "under INFO rule 4 Black keeps off forbidden points", renju),
    check("caro", "under INFO rule 8 a five between two stones does not end the game", caro),
    check("swap2", "SWAP2BOARD answers three stones, SWAP, or one or two stones", swap2),
    check("turn-time", "with timeout_turn 500 a move takes no longer", turn_time),
    check("end", "END ends the process within a second, also while it thinks", end),
];

/// Time for each move in the checks that do not measure it, in milliseconds.
const QUICK: &str = "INFO timeout_turn 100";

/// Points a side of the board.
const SIZE: usize = 15;
/// The required end of a whole game.
const FIVE: &str = "five in a row against an opponent who does not defend";

/// Sends a line and returns its answer.
fn ask(engine: &mut Dialogue, line: &str, expected: &str) -> Result<String, Violation> {
    engine.request(line);
    Ok(answer(engine, expected)?.text)
}

fn expect_ok(engine: &mut Dialogue, line: &str) -> Result<(), Violation> {
    let text = ask(engine, line, &format!("OK to {line}"))?;
    if text.trim() == "OK" { Ok(()) } else { violation(format!("OK to {line}"), text) }
}

fn expect_word(engine: &mut Dialogue, line: &str, word: &str) -> Result<(), Violation> {
    let text = ask(engine, line, &format!("{word} to {line}"))?;
    if text.starts_with(word) { Ok(()) } else { violation(format!("{word} to {line}"), text) }
}

fn quick_start(engine: &mut Dialogue) -> Result<Box<dyn DynEngine>, Violation> {
    expect_ok(engine, "START 15")?;
    engine.send(QUICK);
    open_board("gomoku")
}

/// Reads a legal move and plays it on the board.
fn legal_move(engine: &mut Dialogue, board: &mut dyn DynEngine) -> Result<String, Violation> {
    let text = answer(engine, "a move X,Y")?.text;
    let Some(mv) = point(&text) else { return violation("X,Y on the board", text) };
    play(board, &mv).map_err(|_| Violation::new("an empty point", text))?;
    Ok(mv)
}

fn play(board: &mut dyn DynEngine, mv: &str) -> Result<(), Violation> {
    board::play(board, mv, Style::Plain).map_err(|error| Violation::new("a legal move", error.to_string()))
}

/// The manager's coordinates of a point.
fn coordinates(mv: &str) -> String {
    Coordinates::of_name(mv, SIZE).map(|at| at.to_string()).unwrap_or_default()
}

/// The point of the manager's coordinates.
fn point(text: &str) -> Option<String> {
    Coordinates::parse(text.trim())?.name(SIZE)
}

/// Sends the opponent's move and plays the engine's legal answer on the board.
fn turn(engine: &mut Dialogue, board: &mut dyn DynEngine, mv: &str) -> Result<String, Violation> {
    play(board, mv)?;
    if board.outcome().is_some() {
        return violation(FIVE, "a lost game");
    }
    engine.request(&format!("TURN {}", coordinates(mv)));
    legal_move(engine, board)
}

fn start(engine: &mut Dialogue) -> Result<(), Violation> {
    ["START 15", "START 20"].into_iter().try_for_each(|line| expect_ok(engine, line))
}

fn bad_size(engine: &mut Dialogue) -> Result<(), Violation> {
    expect_word(engine, "START 3", "ERROR")?;
    expect_ok(engine, "START 15")
}

fn about(engine: &mut Dialogue) -> Result<(), Violation> {
    expect_ok(engine, "START 15")?;
    let text = ask(engine, "ABOUT", "a line with name=\"...\"")?;
    if text.contains("name=\"") { Ok(()) } else { violation("name=\"...\"", text) }
}

fn begin(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    engine.send("BEGIN");
    legal_move(engine, board.as_mut()).map(drop)
}

/// The opponent plays points far apart, so that the engine ends the game with a five.
fn whole_game(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    let mut spare =
        (0..SIZE).flat_map(|y| (y % 2..SIZE).step_by(4).filter_map(move |x| Coordinates { x, y }.name(SIZE)));
    while board.outcome().is_none() {
        let Some(mv) = spare.find(|mv| board.legal_moves(Style::Plain).contains(mv)) else {
            return violation(FIVE, "none");
        };
        turn(engine, board.as_mut(), &mv)?;
    }
    Ok(())
}

/// Sends the stones of these moves as a board; the engine is to move after the last one.
fn send_board(engine: &mut Dialogue, board: &mut dyn DynEngine, moves: &str) -> Result<(), Violation> {
    moves.split_whitespace().try_for_each(|mv| play(board, mv))?;
    engine.send("BOARD");
    board_lines(board, SIZE).unwrap_or_default().iter().for_each(|line| engine.send(line));
    Ok(())
}

fn board(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    send_board(engine, board.as_mut(), "h8 g9 j8 g8 h7")?;
    legal_move(engine, board.as_mut()).map(drop)
}

fn must_block(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    send_board(engine, board.as_mut(), "h8 g8 j8 a1 k8 c1 l8")?;
    let mv = legal_move(engine, board.as_mut())?;
    if mv == "m8" { Ok(()) } else { violation("12,7, which stops five in a row", mv) }
}

fn takeback(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    let reply = turn(engine, board.as_mut(), "h8")?;
    expect_ok(engine, &format!("TAKEBACK {}", coordinates(&reply)))?;
    expect_ok(engine, "TAKEBACK 7,7")?;
    turn(engine, open_board("gomoku")?.as_mut(), "h8").map(drop)
}

fn restart(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    turn(engine, board.as_mut(), "h8")?;
    expect_ok(engine, "RESTART")?;
    turn(engine, open_board("gomoku")?.as_mut(), "h8").map(drop)
}

fn info(engine: &mut Dialogue) -> Result<(), Violation> {
    quick_start(engine)?;
    for line in
        ["max_memory 83886080", "timeout_match 0", "time_left 2147483647", "game_type 1", "rule 0", "no_such_key 1"]
    {
        engine.send(&format!("INFO {line}"));
    }
    engine.expect_silence(Duration::from_millis(300), "no answer to INFO")?;
    expect_ok(engine, "RESTART")
}

/// The start of a game under the rule of a game's name and its number.
fn start_with_rule(engine: &mut Dialogue, rule: u32, game: &str) -> Result<Box<dyn DynEngine>, Violation> {
    engine.send(&format!("INFO rule {rule}"));
    expect_ok(engine, "START 15")?;
    engine.send(QUICK);
    open_board(game)
}

/// Black may not play h8, which would make two threes; a board of renju refuses it.
fn renju(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = start_with_rule(engine, 4, "gomoku-renju")?;
    send_board(engine, board.as_mut(), "f8 a1 g8 a15 h9 p1 h10 p15")?;
    legal_move(engine, board.as_mut()).map(drop)
}

/// White's stones at both ends of five black ones.
fn caro(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = start_with_rule(engine, 8, "gomoku-caro")?;
    send_board(engine, board.as_mut(), "d8 c8 e8 j8 f8 a1 g8 a15 h8")?;
    legal_move(engine, board.as_mut()).map(drop)
}

fn swap2(engine: &mut Dialogue) -> Result<(), Violation> {
    quick_start(engine)?;
    for (stones, counts) in
        [(&[][..], &[3][..]), (&["7,7", "8,7", "9,9"], &[1, 2]), (&["7,7", "8,7", "9,9", "1,1", "8,6"], &[1])]
    {
        engine.send("SWAP2BOARD");
        stones.iter().for_each(|stone| engine.send(stone));
        engine.request("DONE");
        let text = answer(engine, "stones or SWAP")?.text;
        let points: Option<Vec<String>> = text.split_whitespace().map(point).collect();
        let is_free = |name: &String| !stones.contains(&coordinates(name).as_str());
        let is_answer = points.is_some_and(|points| counts.contains(&points.len()) && points.iter().all(is_free));
        let swaps = !stones.is_empty() && text.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("SWAP"));
        if !is_answer && !swaps {
            return violation(format!("{counts:?} empty points, or SWAP where there are stones"), text);
        }
    }
    Ok(())
}

fn turn_time(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = quick_start(engine)?;
    engine.send("INFO timeout_turn 500");
    for mv in ["h8", "a1", "p15"] {
        turn(engine, board.as_mut(), mv)?;
        expect_within(engine.elapsed(Instant::now()), 550, "a move within 500 ms")?;
    }
    Ok(())
}

fn end(engine: &mut Dialogue) -> Result<(), Violation> {
    quick_start(engine)?;
    engine.send("INFO timeout_turn 60000");
    engine.send("TURN 7,7");
    engine.request("END");
    engine.expect_exit()?;
    expect_within(engine.elapsed(Instant::now()), 1_000, "the end within a second")
}
