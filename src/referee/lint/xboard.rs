//! Checks of XBoard's protocol: the rules that hosts rely on, tested with the variant `minichess`.

use super::Check;
use super::probe::{Probe, Violation, open_board, violation};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::referee::client::xboard::features;
use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 15] = [
    Check { name: "handshake", rule: "protover 2 is answered by features from done=0 to done=1", run: handshake },
    Check { name: "variant", rule: "minichess is listed, and variant minichess is answered by setup", run: variant },
    Check { name: "ping", rule: "pong comes after the answers to everything before", run: ping },
    Check { name: "legal-move", rule: "moves are legal through a whole game", run: whole_game },
    Check { name: "force", rule: "in force mode moves are played and not answered", run: force },
    Check {
        name: "bad-input",
        rule: "illegal moves and unknown commands are reported and change nothing",
        run: bad_input,
    },
    Check { name: "setboard", rule: "setboard takes any position, and refuses nonsense", run: set_board },
    Check { name: "undo", rule: "undo takes one move back, remove two", run: undo },
    Check {
        name: "post",
        rule: "post shows thinking output: ply, score, time, nodes, moves; nopost hides it",
        run: post,
    },
    Check { name: "move-now", rule: "? ends the thinking with a move", run: move_now },
    Check { name: "clock", rule: "a move fits into its st and its clock", run: clock },
    Check { name: "analyze", rule: "analyze evaluates until exit and follows the moves", run: analyze },
    Check {
        name: "king-taken",
        rule: "the side whose king was taken resigns; the winner claims nothing",
        run: king_taken,
    },
    Check { name: "quit", rule: "quit ends the process, also during a search", run: quit },
    Check { name: "end-of-input", rule: "the engine leaves at the end of input", run: end_of_input },
];

/// White takes the king with its next move.
const WHITE_WINS: &str = "k4/1Q3/5/5/5/4K w - - 0 1";
/// Black's king has just been taken.
const BLACK_IS_LOST: &str = "Q4/4p/5/5/5/4K b - - 0 1";

fn minichess() -> Result<Box<dyn DynEngine>, Violation> {
    open_board("minichess")
}

/// The handshake and a new game; the features.
fn handshake_features(probe: &mut Probe) -> Result<Vec<(String, String)>, Violation> {
    probe.send("xboard");
    probe.send("protover 2");
    let mut offered = Vec::new();
    while !offered.iter().any(|(name, value)| name == "done" && value == "1") {
        offered.extend(features(&probe.until("feature", |_| {})?.text));
    }
    for line in ["new", "variant minichess", "easy", "nopost", "sd 4"] {
        probe.send(line);
    }
    sync(probe, 1)?;
    Ok(offered)
}

/// Waits until everything sent before is done; the lines read meanwhile.
fn sync(probe: &mut Probe, number: u32) -> Result<Vec<String>, Violation> {
    probe.send(&format!("ping {number}"));
    let mut before = Vec::new();
    let line = probe.until("pong", |line| before.push(line.to_string()))?.text;
    if line.trim() == format!("pong {number}") { Ok(before) } else { violation(format!("pong {number}"), line) }
}

/// Sends the line and reads the move that answers it, which must be legal on the board.
fn answer(probe: &mut Probe, line: &str, board: &mut dyn DynEngine) -> Result<Instant, Violation> {
    probe.send(line);
    let line = probe.until("move", |_| {})?;
    let mv = line.text.split_whitespace().nth(1).unwrap_or_default();
    play(board, mv).map(|()| line.at)
}

fn play(board: &mut dyn DynEngine, mv: &str) -> Result<(), Violation> {
    let played = PlayedMove::by(board.side(), mv.to_string());
    if board.set_position(Start::Here, &[played], Style::Uci, false).is_err() {
        return violation(format!("one of {}", board.legal_moves(Style::Uci).join(" ")), format!("move {mv}"));
    }
    Ok(())
}

fn handshake(probe: &mut Probe) -> Result<(), Violation> {
    let offered = handshake_features(probe)?;
    for (name, value) in [("setboard", "1"), ("usermove", "1"), ("ping", "1"), ("sigint", "0"), ("colors", "0")] {
        if !offered.iter().any(|pair| pair.0 == name && pair.1 == value) {
            return violation(format!("feature {name}={value}"), "none");
        }
    }
    if offered.iter().any(|(name, _)| name == "myname") { Ok(()) } else { violation("feature myname=\"...\"", "none") }
}

fn variant(probe: &mut Probe) -> Result<(), Violation> {
    let offered = handshake_features(probe)?;
    let list = offered.iter().find(|(name, _)| name == "variants").map_or("", |(_, list)| list.as_str());
    if !list.split(',').any(|name| name.trim() == "minichess") {
        return violation("variants=\"...,minichess\"", format!("'{list}'"));
    }
    probe.send("new");
    probe.send("variant minichess");
    let setup = probe.until("setup", |_| {})?.text;
    if setup.contains("5x6") { Ok(()) } else { violation("setup (...) 5x6+0_... FEN", setup) }
}

fn ping(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    probe.send("go");
    let before = sync(probe, 2)?;
    if before.iter().any(|line| line.starts_with("move ")) {
        Ok(())
    } else {
        violation("the move before the pong", before.last().map_or("nothing", String::as_str))
    }
}

fn whole_game(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    let mut board = minichess()?;
    answer(probe, "go", board.as_mut())?;
    while board.outcome().is_none() {
        let Some(mv) = board.legal_moves(Style::Uci).into_iter().next() else { return Ok(()) };
        play(board.as_mut(), &mv)?;
        if board.outcome().is_some() {
            return Ok(());
        }
        answer(probe, &format!("usermove {mv}"), board.as_mut())?;
    }
    Ok(())
}

fn force(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    for line in ["force", "usermove b2b3", "usermove b5b4"] {
        probe.send(line);
    }
    let before = sync(probe, 2)?;
    if let Some(line) = before.iter().find(|line| line.starts_with("move ")) {
        return violation("no move in force mode", line);
    }
    let mut board = minichess()?;
    play(board.as_mut(), "b2b3")?;
    play(board.as_mut(), "b5b4")?;
    answer(probe, "go", board.as_mut()).map(drop)
}

fn bad_input(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    for (line, answer) in [("usermove a1a6", "Illegal"), ("no-such-command", "Error")] {
        probe.send(line);
        probe.until(answer, |_| {})?;
    }
    let before = sync(probe, 2)?;
    if let Some(line) = before.iter().find(|line| line.starts_with("move ")) {
        return violation("no answer to an illegal move", line);
    }
    let mut board = minichess()?;
    play(board.as_mut(), "b2b3")?;
    answer(probe, "usermove b2b3", board.as_mut()).map(drop)
}

fn set_board(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    probe.send("force");
    probe.send("setboard nonsense");
    probe.send("setboard 4k/5/5/5/P4/K4 b - - 0 1");
    sync(probe, 2)?;
    let mut board = minichess()?;
    board
        .set_position(Start::Text("4k/5/5/5/P4/K4 b - - 0 1"), &[], Style::Uci, false)
        .map_err(|error| Violation::new("our own rules", format!("{error:?}")))?;
    answer(probe, "go", board.as_mut()).map(drop)
}

fn undo(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    for line in ["force", "usermove b2b3", "usermove b5b4", "undo", "usermove c5c4", "remove"] {
        probe.send(line);
    }
    sync(probe, 2)?;
    answer(probe, "go", minichess()?.as_mut()).map(drop)
}

/// True for a line of thinking output with at least one move.
fn is_thinking(line: &str) -> bool {
    let (numbers, rest) = line.split_at(line.find('\t').unwrap_or(line.len()));
    let count = numbers.split_whitespace().map_while(|word| word.parse::<i64>().ok()).count();
    count >= 4 && (rest.trim() != "" || numbers.split_whitespace().count() > 4)
}

fn post(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    probe.send("post");
    probe.send("go");
    let mut shown = 0;
    probe.until("move", |line| shown += usize::from(is_thinking(line)))?;
    if shown == 0 {
        return violation("PLY SCORE TIME NODES MOVES", "no such line");
    }
    probe.send("nopost");
    probe.send("force");
    probe.send("go");
    let mut thinking = None;
    probe.until("move", |line| {
        if is_thinking(line) {
            thinking = Some(line.to_string());
        }
    })?;
    thinking.map_or(Ok(()), |line| violation("no thinking output after nopost", line))
}

fn move_now(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    probe.send("new");
    probe.send("st 600");
    probe.send("go");
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let at = answer(probe, "?", minichess()?.as_mut())?;
    let took = at.saturating_duration_since(begun);
    if took > Duration::from_millis(500) {
        return violation("a move within half a second", format!("after {:.2} s", took.as_secs_f64()));
    }
    Ok(())
}

fn clock(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    let cases: [(&[&str], u64); 3] = [
        (&["new", "st 1"], 1_000),
        (&["new", "level 0 1 0", "time 100", "otim 100"], 1_000),
        (&["new", "level 40 0:30 0", "time 50", "otim 3000"], 500),
    ];
    for (lines, most) in cases {
        for line in lines {
            probe.send(line);
        }
        sync(probe, 2)?;
        let begun = Instant::now();
        let took = answer(probe, "go", minichess()?.as_mut())?.saturating_duration_since(begun);
        if took > Duration::from_millis(most) {
            return violation(
                format!("{most} ms at most after {}", lines.join(", ")),
                format!("{} ms", took.as_millis()),
            );
        }
    }
    Ok(())
}

fn analyze(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    for line in ["new", "force", "post", "analyze"] {
        probe.send(line);
    }
    let mut board = minichess()?;
    for mv in ["", "b2b3", "b5b4"] {
        if !mv.is_empty() {
            play(board.as_mut(), mv)?;
            probe.send(&format!("usermove {mv}"));
        }
        let line = loop {
            let line = probe.line("thinking output")?.text;
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
    probe.send("exit");
    let before = sync(probe, 2)?;
    match before.iter().find(|line| line.starts_with("move ")) {
        Some(line) => violation("no move after exit", line),
        None => Ok(()),
    }
}

fn king_taken(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    probe.send("force");
    probe.send(&format!("setboard {WHITE_WINS}"));
    probe.send("go");
    let mut claim = None;
    let line = probe.until("move", |line| {
        if line.starts_with("1-0") || line.starts_with("0-1") || line.starts_with("1/2") {
            claim = Some(line.to_string());
        }
    })?;
    let mut board = minichess()?;
    let fits = board.set_position(Start::Text(WHITE_WINS), &[], Style::Uci, false).is_ok();
    play(board.as_mut(), line.text.split_whitespace().nth(1).unwrap_or_default())?;
    if !fits || board.outcome().and_then(|outcome| outcome.winner) != Some(Side::First) {
        return violation("the move that takes the king", line.text);
    }
    if let Some(claim) = claim {
        return violation("no claim by the winner", claim);
    }
    probe.send("force");
    probe.send(&format!("setboard {BLACK_IS_LOST}"));
    probe.send("go");
    let line = loop {
        let line = probe.line("resign")?.text;
        if ["move ", "resign", "0-1", "1-0", "1/2"].iter().any(|word| line.starts_with(word)) {
            break line;
        }
    };
    if line.starts_with("resign") || line.starts_with("1-0") { Ok(()) } else { violation("resign", line) }
}

fn quit(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    for line in ["new", "st 600", "go", "quit"] {
        probe.send(line);
    }
    probe.expect_exit()
}

fn end_of_input(probe: &mut Probe) -> Result<(), Violation> {
    handshake_features(probe)?;
    probe.close_input();
    probe.expect_exit()
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
        let mut board = minichess().expect("a board");
        board.set_position(Start::Text(WHITE_WINS), &[], Style::Uci, false).expect("a position");
        assert!(board.outcome().is_none() && board.legal_moves(Style::Uci).contains(&"b5a6".to_string()));
        board.set_position(Start::Text(BLACK_IS_LOST), &[], Style::Uci, false).expect("a position");
        assert_eq!(board.outcome().and_then(|outcome| outcome.winner), Some(Side::First));
    }
}
