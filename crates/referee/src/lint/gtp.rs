//! Checks of GTP 2: the rules that hosts of Othello engines rely on.

use super::board::{SHORTEST_GAME, play_legal, reversi};
use super::expect::{Violation, expect_within, violation};
use super::{Check, check};
use crate::dialogue::Dialogue;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_engine::DynEngine;
use std::time::Duration;

/// All checks, the basic ones first.
pub const CHECKS: [Check; 20] = [
    check("protocol-version", "protocol_version answers 2", protocol_version),
    check("identity", "name and version answer a text", identity),
    check("mandatory-commands", "list_commands lists what GTP 2 demands", mandatory),
    check("known-command", "known_command answers true or false", known_command),
    check("quiet-start", "nothing is printed before the first command", quiet_start),
    check("ids", "a response repeats the id of its command, and only that", ids),
    check("pipelining", "commands sent in one burst are all answered, in order", pipelining),
    check("comments-and-blanks", "comments, empty lines, tabs and CR LF are read as GTP says", blanks),
    check("unknown-command", "an unknown command is refused and nothing breaks", unknown),
    check("bad-input", "bad arguments are refused and the position stays", bad_input),
    check("board-size", "boardsize 8 is accepted, an absurd size refused", board_size),
    check("legal-move", "genmove answers legal moves through a whole game", whole_game),
    check("colours-and-case", "colours and vertices are read in any case", cases),
    check("implied-pass", "genmove for a side whose opponent must pass needs no pass (Quarry)", implied_pass),
    check("explicit-pass", "play COLOR PASS is accepted when the side must pass (twogtp)", explicit_pass),
    check("genmove-pass", "genmove for a side that must pass answers PASS (twogtp)", genmove_pass),
    check("finished-game", "genmove on a finished game answers PASS (twogtp needs two)", finished),
    check("clock", "time_settings and time_left are accepted and a move takes no longer", clock),
    check("quit", "quit is answered, then the process ends with status 0", quit),
    check("end-of-input", "what was sent before the end of input is answered, then it leaves", end_of_input),
];

/// The mandatory commands of GTP 2 that Othello programs have.
const MANDATORY: &str =
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove";
/// After these moves White must pass and Black can go on (found with Flipside's rules).
const WHITE_MUST_PASS: &str = "f5 f4 g3 g4 h3 h2 g2 c6 h1 h4 h5 g1 f1 e6 f2";

fn protocol_version(engine: &mut Dialogue) -> Result<(), Violation> {
    let text = engine.expect_accepted("protocol_version")?.text;
    if text == "2" { Ok(()) } else { violation("= 2", format!("= {text}")) }
}

fn identity(engine: &mut Dialogue) -> Result<(), Violation> {
    for command in ["name", "version"] {
        if engine.expect_accepted(command)?.text.is_empty() {
            return violation(format!("a text to {command}"), "nothing");
        }
    }
    Ok(())
}

fn mandatory(engine: &mut Dialogue) -> Result<(), Violation> {
    let list = engine.expect_accepted("list_commands")?.text;
    let mut demanded = MANDATORY.split(' ');
    match demanded.find(|name| !list.split_whitespace().any(|own| own == *name)) {
        Some(missing) => violation(format!("{missing} in the list"), list.replace('\n', " ")),
        None => Ok(()),
    }
}

fn known_command(engine: &mut Dialogue) -> Result<(), Violation> {
    for (name, truth) in [("play", "true"), ("no-such-command", "false")] {
        let text = engine.expect_accepted(&format!("known_command {name}"))?.text;
        if text != truth {
            return violation(format!("= {truth} for {name}"), format!("= {text}"));
        }
    }
    Ok(())
}

fn quiet_start(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.expect_silence(Duration::from_millis(500), "nothing before the first command")
}

fn ids(engine: &mut Dialogue) -> Result<(), Violation> {
    for (line, id) in [("17 name", "17"), ("name", ""), ("0 no-such-command", "0"), ("2147483647 name", "2147483647")] {
        let response = engine.command(line)?;
        if response.id != id {
            return violation(format!("the id '{id}' for {line}"), format!("the id '{}'", response.id));
        }
    }
    Ok(())
}

fn pipelining(engine: &mut Dialogue) -> Result<(), Violation> {
    let burst = "1 protocol_version\n2 name\n3 boardsize 8\n4 clear_board\n5 play b d3\n6 genmove w\n7 name\n";
    engine.send_raw(burst);
    (1..=7).try_for_each(|id| engine.expect_id(&id.to_string(), &format!("={id}")))
}

fn blanks(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.send_raw("\n# a comment\n   \n1\tname\r\n2 name # and a comment\n");
    ["1", "2"].into_iter().try_for_each(|id| engine.expect_id(id, &format!("={id} and a name")))?;
    engine.expect_silence(Duration::from_millis(200), "no response to blank lines and comments")
}

fn unknown(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.expect_refused("no-such-command")?;
    engine.expect_refused("GENMOVE b")?;
    engine.expect_accepted("name").map(drop)
}

fn bad_input(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.expect_accepted("clear_board")?;
    for line in ["play", "play b", "play b z9", "play b a1", "play x d3", "genmove", "boardsize", "boardsize x"] {
        engine.expect_refused(line)?;
    }
    engine.expect_accepted("play b d3").map(drop)
}

fn board_size(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.expect_refused("boardsize 1000")?;
    engine.expect_accepted("boardsize 8")?;
    engine.expect_accepted("clear_board")?;
    engine.expect_accepted("play b f5").map(drop)
}

/// The engine plays both sides; forced passes are not sent, as Quarry does.
fn whole_game(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = reversi()?;
    engine.expect_accepted("clear_board")?;
    // Requests fast moves; engines without a clock must answer, too.
    engine.command("time_settings 0 1 1")?;
    while board.outcome().is_none() {
        let side = board.side();
        if board.force_pass(side.other()).is_ok() {
            continue;
        }
        let colour = board.sides()[side.index()];
        let mv = engine.expect_accepted(&format!("genmove {colour}"))?.text;
        play(board.as_mut(), &mv)?;
    }
    Ok(())
}

/// Plays a move on the board, where it must be legal.
fn play(board: &mut dyn DynEngine, mv: &str) -> Result<(), Violation> {
    play_legal(board, mv, Style::Plain, mv)
}

fn cases(engine: &mut Dialogue) -> Result<(), Violation> {
    for line in ["play b d3", "play W C3", "play black C4", "play White e3"] {
        engine.expect_accepted(line)?;
    }
    Ok(())
}

/// Sends moves without passes and returns the board after them.
fn send_moves(engine: &mut Dialogue, line: &str) -> Result<Box<dyn DynEngine>, Violation> {
    let mut board = reversi()?;
    engine.expect_accepted("clear_board")?;
    for mv in line.split_whitespace() {
        let side = board.side();
        engine.expect_accepted(&format!("play {} {mv}", board.sides()[side.index()]))?;
        play(board.as_mut(), mv)?;
    }
    Ok(board)
}

fn implied_pass(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = send_moves(engine, WHITE_MUST_PASS)?;
    if board.force_pass(Side::First).is_err() {
        return violation("a position in which White must pass", board.position(Style::Plain));
    }
    let mv = engine.expect_accepted("genmove black")?.text;
    play(board.as_mut(), &mv)
}

fn explicit_pass(engine: &mut Dialogue) -> Result<(), Violation> {
    let mut board = send_moves(engine, WHITE_MUST_PASS)?;
    engine.expect_accepted("play white PASS")?;
    play(board.as_mut(), "PASS")?;
    let mv = engine.expect_accepted("genmove black")?.text;
    play(board.as_mut(), &mv)
}

fn genmove_pass(engine: &mut Dialogue) -> Result<(), Violation> {
    send_moves(engine, WHITE_MUST_PASS)?;
    expect_pass(engine, "genmove white")
}

fn expect_pass(engine: &mut Dialogue, line: &str) -> Result<(), Violation> {
    let text = engine.expect_accepted(line)?.text;
    if text.eq_ignore_ascii_case("pass") { Ok(()) } else { violation("= PASS", format!("= {text}")) }
}

fn finished(engine: &mut Dialogue) -> Result<(), Violation> {
    send_moves(engine, SHORTEST_GAME)?;
    expect_pass(engine, "genmove white")?;
    expect_pass(engine, "genmove black")
}

fn clock(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.expect_accepted("clear_board")?;
    engine.expect_accepted("time_settings 0 1 1")?;
    engine.expect_accepted("time_left black 1 1")?;
    engine.expect_accepted("time_left white 1 1")?;
    engine.expect_accepted("play b d3")?;
    let at = engine.expect_accepted("genmove w")?.at;
    expect_within(engine.elapsed(at), 1_300, "a move within its second")
}

fn quit(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.expect_accepted("quit")?;
    engine.expect_exit()
}

fn end_of_input(engine: &mut Dialogue) -> Result<(), Violation> {
    engine.send_raw("1 clear_board\n2 genmove b\n3 name\n");
    engine.close_input();
    ["1", "2", "3"].into_iter().try_for_each(|id| engine.expect_id(id, &format!("={id}")))?;
    engine.expect_exit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::board::board_after;

    #[test]
    fn the_position_is_as_described() {
        let board = board_after(WHITE_MUST_PASS).expect("legal moves");
        assert_eq!((board.side(), board.legal_moves(Style::Plain)), (Side::Second, vec!["PASS".to_string()]));
    }
}
