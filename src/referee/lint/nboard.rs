//! Checks of NBoard 2: the rules that its host relies on.

use super::Check;
use super::probe::{Probe, Violation, reversi, violation};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::referee::client::nboard::parse_reply;
use crate::referee::record::ggf;
use crate::search::notation::Style;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 9] = [
    Check { name: "ping", rule: "ping N is answered by pong N", run: ping },
    Check { name: "go", rule: "go answers '=== MOVE' with a legal move", run: go },
    Check { name: "go-does-not-play", rule: "go leaves the position as it is", run: go_twice },
    Check { name: "moves", rule: "move M, M/E/T and PA are followed through a whole game", run: whole_game },
    Check { name: "ggf", rule: "set game takes any start position and side to move", run: any_start },
    Check { name: "ping-stops", rule: "ping stops a search at once and pong comes after it", run: ping_stops },
    Check { name: "unknown-command", rule: "unknown commands are ignored without an answer", run: unknown },
    Check {
        name: "quiet-stderr",
        rule: "nothing is written to stderr, which NBoard reads as stdout",
        run: quiet_stderr,
    },
    Check { name: "end-of-input", rule: "the engine leaves at quit and at the end of input", run: end_of_input },
];

/// Sets up the board's game and a shallow depth, and waits until that is done.
fn begin(probe: &mut Probe, board: &dyn DynEngine) -> Result<(), Violation> {
    probe.send("nboard 2");
    probe.send("set depth 2");
    let game = ggf(board, None).or_else(|error| violation("a game of Reversi", error.to_string()))?;
    probe.send(&format!("set game {game}"));
    sync(probe, 1)
}

/// Waits until everything sent before is done.
fn sync(probe: &mut Probe, number: u32) -> Result<(), Violation> {
    probe.send(&format!("ping {number}"));
    let line = probe.until("pong", |_| {})?.text;
    if line.trim() == format!("pong {number}") { Ok(()) } else { violation(format!("pong {number}"), line) }
}

/// Asks for a move, which must be legal on the board.
fn legal_reply(probe: &mut Probe, board: &dyn DynEngine) -> Result<String, Violation> {
    probe.send("go");
    let line = probe.until("===", |_| {})?.text;
    let Some((mv, _)) = parse_reply(&line) else { return violation("=== MOVE", line) };
    let legal = board.legal_moves(Style::Ggf);
    if legal.iter().any(|own| own.eq_ignore_ascii_case(&mv)) {
        Ok(mv)
    } else {
        violation(format!("one of {}", legal.join(" ")), line)
    }
}

fn ping(probe: &mut Probe) -> Result<(), Violation> {
    probe.send("nboard 2");
    (1..=3).try_for_each(|number| sync(probe, number))
}

fn go(probe: &mut Probe) -> Result<(), Violation> {
    let board = reversi()?;
    begin(probe, board.as_ref())?;
    legal_reply(probe, board.as_ref()).map(drop)
}

fn go_twice(probe: &mut Probe) -> Result<(), Violation> {
    let board = reversi()?;
    begin(probe, board.as_ref())?;
    legal_reply(probe, board.as_ref())?;
    sync(probe, 2)?;
    legal_reply(probe, board.as_ref()).map(drop)
}

fn whole_game(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = reversi()?;
    begin(probe, board.as_ref())?;
    let mut number = 1;
    while board.outcome().is_none() {
        let mv = legal_reply(probe, board.as_ref())?;
        let played = PlayedMove::by(board.side(), mv.clone());
        if board.set_position(Start::Here, &[played], Style::Ggf, false).is_err() {
            return violation("a legal move", mv);
        }
        number += 1;
        let tail = ["", "/1.25/0.5", "//0.5"][number as usize % 3];
        probe.send(&format!("move {mv}{tail}"));
        sync(probe, number)?;
    }
    Ok(())
}

fn any_start(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = reversi()?;
    let text = "8 --*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO--OOOOO-- O";
    if board.set_position(Start::Text(text), &[], Style::Ggf, false).is_err() {
        return violation("a position", text);
    }
    begin(probe, board.as_ref())?;
    legal_reply(probe, board.as_ref()).map(drop)
}

fn ping_stops(probe: &mut Probe) -> Result<(), Violation> {
    let board = reversi()?;
    begin(probe, board.as_ref())?;
    probe.send("set depth 60");
    probe.send("hint 2");
    probe.until("search", |_| {})?;
    let begun = Instant::now();
    probe.send("ping 7");
    let at = probe.until("pong", |_| {})?.at;
    let took = at.saturating_duration_since(begun);
    if took > Duration::from_millis(500) {
        return violation("pong within half a second", format!("after {:.2} s", took.as_secs_f64()));
    }
    probe.expect_silence(Duration::from_millis(300), "nothing of the old search after the pong")
}

fn unknown(probe: &mut Probe) -> Result<(), Violation> {
    probe.send("nboard 2");
    probe.send("no-such-command 1 2");
    probe.send("");
    sync(probe, 1)
}

fn quiet_stderr(probe: &mut Probe) -> Result<(), Violation> {
    go(probe)?;
    match probe.first_stderr_line() {
        None => Ok(()),
        Some(line) => violation("nothing on stderr", line),
    }
}

fn end_of_input(probe: &mut Probe) -> Result<(), Violation> {
    probe.send("nboard 2");
    probe.close_input();
    probe.expect_exit()
}
