//! Checks of XBoard's protocol: the rules that hosts rely on, tested with the variant `minichess`.

use super::board::{board_at, open_board, play_legal};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::client::xboard::offered_features;
use crate::dialogue::Dialogue;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// All checks, the basic ones first.
pub const CHECKS: [Check; 15] = [
    check("handshake", "protover 2 is answered by features from done=0 to done=1", handshake),
    check("variant", "minichess is listed, and variant minichess is answered by setup", variant),
    check("ping", "pong comes after the answers to everything before", ping),
    check("legal-move", "moves are legal through a whole game", whole_game),
    check("force", "in force mode moves are played and not answered", force),
    check("bad-input", "illegal moves and unknown commands are reported and change nothing", bad_input),
    check("setboard", "setboard takes any position, and refuses nonsense", set_board),
    check("undo", "undo takes one move back, remove two", undo),
    check("post", "post shows thinking output: ply, score, time, nodes, moves; nopost hides it", post),
    check("move-now", "? ends the thinking with a move", move_now),
    check("clock", "a move fits into its st and its clock", clock),
    check("analyze", "analyze evaluates until exit and follows the moves", analyze),
    check("king-taken", "the side whose king was taken resigns; the winner claims nothing", king_taken),
    check("quit", "quit ends the process, also during a search", quit),
    check("end-of-input", "the engine leaves at the end of input", end_of_input),
];

/// White takes the king with its next move.
const WHITE_WINS: &str = "k4/1Q3/5/5/5/4K w - - 0 1";
/// Black's king has just been taken.
const BLACK_IS_LOST: &str = "Q4/4p/5/5/5/4K b - - 0 1";

fn minichess() -> Result<Box<dyn DynEngine>, Violation> {
    open_board("minichess")
}

/// Performs the handshake, starts a new game and returns the features.
fn handshake_features(engine: &mut Dialogue) -> Result<Vec<(String, String)>, Violation> {
    let offered = offered_features(engine)?;
    for line in ["new", "variant minichess", "easy", "nopost", "sd 4"] {
        engine.send(line);
    }
    engine.sync()?;
    Ok(offered)
}

/// Sends the line and reads the answering move, which must be legal on the board; returns the time that it took.
fn answer(engine: &mut Dialogue, line: &str, board: &mut dyn DynEngine) -> Result<Duration, Violation> {
    let line = engine.ask(line, "move")?;
    play(board, line.text.split_whitespace().nth(1).unwrap_or_default())?;
    Ok(engine.elapsed(line.at))
}

fn play(board: &mut dyn DynEngine, mv: &str) -> Result<(), Violation> {
    play_legal(board, mv, Style::Uci, &format!("move {mv}"))
}

/// Waits until everything sent before is done, and expects no move before that.
fn expect_no_move(engine: &mut Dialogue, expected: &str) -> Result<(), Violation> {
    match engine.sync()?.iter().find(|line| line.starts_with("move ")) {
        Some(line) => violation(expected, line),
        None => Ok(()),
    }
}

fn handshake(engine: &mut Dialogue) -> Result<(), Violation> {
    let offered = handshake_features(engine)?;
    for (name, value) in [("setboard", "1"), ("usermove", "1"), ("ping", "1"), ("sigint", "0"), ("colors", "0")] {
        if !offered.iter().any(|pair| pair.0 == name && pair.1 == value) {
            return violation(format!("feature {name}={value}"), "none");
        }
    }
    if offered.iter().any(|(name, _)| name == "myname") { Ok(()) } else { violation("feature myname=\"...\"", "none") }
}

fn variant(engine: &mut Dialogue) -> Result<(), Violation> {
    let offered = handshake_features(engine)?;
    let list = offered.iter().find(|(name, _)| name == "variants").map_or("", |(_, list)| list.as_str());
    if !list.split(',').any(|name| name.trim() == "minichess") {
        return violation("variants=\"...,minichess\"", format!("'{list}'"));
    }
    engine.send("new");
    let setup = engine.ask("variant minichess", "setup")?.text;
    if setup.contains("5x6") { Ok(()) } else { violation("setup (...) 5x6+0_... FEN", setup) }
}

fn ping(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    engine.send("go");
    let before = engine.sync()?;
    if before.iter().any(|line| line.starts_with("move ")) {
        Ok(())
    } else {
        violation("the move before the pong", before.last().map_or("nothing", String::as_str))
    }
}

fn whole_game(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    let mut board = minichess()?;
    answer(engine, "go", board.as_mut())?;
    while board.outcome().is_none() {
        let Some(mv) = board.legal_moves(Style::Uci).into_iter().next() else { return Ok(()) };
        play(board.as_mut(), &mv)?;
        if board.outcome().is_some() {
            return Ok(());
        }
        answer(engine, &format!("usermove {mv}"), board.as_mut())?;
    }
    Ok(())
}

fn force(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    for line in ["force", "usermove b2b3", "usermove b5b4"] {
        engine.send(line);
    }
    expect_no_move(engine, "no move in force mode")?;
    let mut board = minichess()?;
    play(board.as_mut(), "b2b3")?;
    play(board.as_mut(), "b5b4")?;
    answer(engine, "go", board.as_mut()).map(drop)
}

fn bad_input(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    for (line, answer) in [("usermove a1a6", "Illegal"), ("no-such-command", "Error")] {
        engine.ask(line, answer)?;
    }
    expect_no_move(engine, "no answer to an illegal move")?;
    let mut board = minichess()?;
    play(board.as_mut(), "b2b3")?;
    answer(engine, "usermove b2b3", board.as_mut()).map(drop)
}

fn set_board(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    engine.send("force");
    engine.send("setboard nonsense");
    engine.send("setboard 4k/5/5/5/P4/K4 b - - 0 1");
    engine.sync()?;
    let mut board = board_at("minichess", "4k/5/5/5/P4/K4 b - - 0 1", Style::Uci)?;
    answer(engine, "go", board.as_mut()).map(drop)
}

fn undo(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    for line in ["force", "usermove b2b3", "usermove b5b4", "undo", "usermove c5c4", "remove"] {
        engine.send(line);
    }
    engine.sync()?;
    answer(engine, "go", minichess()?.as_mut()).map(drop)
}

/// Whether the line is thinking output with at least one move.
fn is_thinking(line: &str) -> bool {
    let (numbers, rest) = line.split_at(line.find('\t').unwrap_or(line.len()));
    let count = numbers.split_whitespace().map_while(|word| word.parse::<i64>().ok()).count();
    count >= 4 && (rest.trim() != "" || numbers.split_whitespace().count() > 4)
}

fn post(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    engine.send("post");
    engine.send("go");
    let mut shown = 0;
    engine.until("move", |line| shown += usize::from(is_thinking(line)))?;
    if shown == 0 {
        return violation("PLY SCORE TIME NODES MOVES", "no such line");
    }
    engine.send("nopost");
    engine.send("force");
    engine.send("go");
    let mut thinking = None;
    engine.until("move", |line| {
        if is_thinking(line) {
            thinking = Some(line.to_string());
        }
    })?;
    thinking.map_or(Ok(()), |line| violation("no thinking output after nopost", line))
}

fn move_now(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    engine.send("new");
    engine.send("st 600");
    engine.send("go");
    std::thread::sleep(Duration::from_millis(300));
    let took = answer(engine, "?", minichess()?.as_mut())?;
    expect_within(took, 500, "a move within half a second")
}

fn clock(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    let cases: [(&[&str], u64); 3] = [
        (&["new", "st 1"], 1_000),
        (&["new", "level 0 1 0", "time 100", "otim 100"], 1_000),
        (&["new", "level 40 0:30 0", "time 50", "otim 3000"], 500),
    ];
    for (lines, most) in cases {
        for line in lines {
            engine.send(line);
        }
        engine.sync()?;
        let took = answer(engine, "go", minichess()?.as_mut())?;
        expect_within(took, most, format!("{most} ms at most after {}", lines.join(", ")))?;
    }
    Ok(())
}

fn analyze(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    for line in ["new", "force", "post", "analyze"] {
        engine.send(line);
    }
    let mut board = minichess()?;
    for mv in ["", "b2b3", "b5b4"] {
        if !mv.is_empty() {
            play(board.as_mut(), mv)?;
            engine.send(&format!("usermove {mv}"));
        }
        let line = loop {
            let line = engine.line("thinking output")?.text;
            let mv = line.split_whitespace().skip(4).find(|word| word.parse::<i64>().is_err()).unwrap_or_default();
            if is_thinking(&line) && board.legal_moves(Style::Uci).iter().any(|own| own == mv) {
                break line;
            }
            if line.starts_with("move ") {
                return violation("no move in analysis", line);
            }
        };
        drop(line);
    }
    engine.send("exit");
    expect_no_move(engine, "no move after exit")
}

fn king_taken(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    engine.send("force");
    engine.send(&format!("setboard {WHITE_WINS}"));
    engine.send("go");
    let mut claim = None;
    let line = engine.until("move", |line| {
        if line.starts_with("1-0") || line.starts_with("0-1") || line.starts_with("1/2") {
            claim = Some(line.to_string());
        }
    })?;
    let mut board = board_at("minichess", WHITE_WINS, Style::Uci)?;
    play(board.as_mut(), line.text.split_whitespace().nth(1).unwrap_or_default())?;
    if board.outcome().and_then(|outcome| outcome.winner) != Some(Side::First) {
        return violation("the move that takes the king", line.text);
    }
    if let Some(claim) = claim {
        return violation("no claim by the winner", claim);
    }
    engine.send("force");
    engine.send(&format!("setboard {BLACK_IS_LOST}"));
    engine.send("go");
    let line = loop {
        let line = engine.line("resign")?.text;
        if ["move ", "resign", "0-1", "1-0", "1/2"].iter().any(|word| line.starts_with(word)) {
            break line;
        }
    };
    if line.starts_with("resign") || line.starts_with("1-0") { Ok(()) } else { violation("resign", line) }
}

fn quit(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    for line in ["new", "st 600", "go", "quit"] {
        engine.send(line);
    }
    engine.expect_exit()
}

fn end_of_input(engine: &mut Dialogue) -> Result<(), Violation> {
    handshake_features(engine)?;
    engine.close_input();
    engine.expect_exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_output_is_recognized() {
        assert!(is_thinking("4 -20 12 3344 b2b3 b5b4"));
        assert!(is_thinking("4 -20 12 3344 7 100 0\tb2b3"));
        for other in ["move b2b3", "4 -20 12", "4 -20 12 3344", "# 1 2 3 4 5", ""] {
            assert!(!is_thinking(other), "{other}");
        }
    }

    #[test]
    fn the_positions_are_as_described() {
        let at = |text| board_at("minichess", text, Style::Uci).expect("a position");
        let board = at(WHITE_WINS);
        assert!(board.outcome().is_none() && board.legal_moves(Style::Uci).contains(&"b5a6".to_string()));
        assert_eq!(at(BLACK_IS_LOST).outcome().and_then(|outcome| outcome.winner), Some(Side::First));
    }
}
