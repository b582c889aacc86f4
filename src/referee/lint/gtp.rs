//! Checks of GTP 2: the rules that hosts of Othello engines rely on.

use super::Check;
use super::probe::{Probe, Violation, reversi, violation};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::search::notation::Style;
use crate::search::types::Side;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 20] = [
    Check { name: "protocol-version", rule: "protocol_version answers 2", run: protocol_version },
    Check { name: "identity", rule: "name and version answer a text", run: identity },
    Check { name: "mandatory-commands", rule: "list_commands lists what GTP 2 demands", run: mandatory },
    Check { name: "known-command", rule: "known_command answers true or false", run: known_command },
    Check { name: "quiet-start", rule: "nothing is printed before the first command", run: quiet_start },
    Check { name: "ids", rule: "a response repeats the id of its command, and only that", run: ids },
    Check { name: "pipelining", rule: "commands sent in one burst are all answered, in order", run: pipelining },
    Check {
        name: "comments-and-blanks",
        rule: "comments, empty lines, tabs and CR LF are read as GTP says",
        run: blanks,
    },
    Check { name: "unknown-command", rule: "an unknown command is refused and nothing breaks", run: unknown },
    Check { name: "bad-input", rule: "bad arguments are refused and the position stays", run: bad_input },
    Check { name: "board-size", rule: "boardsize 8 is accepted, an absurd size refused", run: board_size },
    Check { name: "legal-move", rule: "genmove answers legal moves through a whole game", run: whole_game },
    Check { name: "colours-and-case", rule: "colours and vertices are read in any case", run: cases },
    Check {
        name: "implied-pass",
        rule: "genmove for a side whose opponent must pass needs no pass (Quarry)",
        run: implied_pass,
    },
    Check {
        name: "explicit-pass",
        rule: "play COLOR PASS is accepted when the side must pass (twogtp)",
        run: explicit_pass,
    },
    Check { name: "genmove-pass", rule: "genmove for a side that must pass answers PASS (twogtp)", run: genmove_pass },
    Check { name: "finished-game", rule: "genmove on a finished game answers PASS (twogtp needs two)", run: finished },
    Check { name: "clock", rule: "time_settings and time_left are accepted and a move takes no longer", run: clock },
    Check { name: "quit", rule: "quit is answered, then the process ends with status 0", run: quit },
    Check {
        name: "end-of-input",
        rule: "what was sent before the end of input is answered, then it leaves",
        run: end_of_input,
    },
];

/// After these moves White must pass and Black can go on (found with our own rules).
const WHITE_MUST_PASS: &str = "f5 f4 g3 g4 h3 h2 g2 c6 h1 h4 h5 g1 f1 e6 f2";
/// Black wipes White out in nine moves: the shortest game.
const SHORTEST_GAME: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

fn protocol_version(probe: &mut Probe) -> Result<(), Violation> {
    let text = probe.expect_accepted("protocol_version")?.text;
    if text == "2" { Ok(()) } else { violation("= 2", format!("= {text}")) }
}

fn identity(probe: &mut Probe) -> Result<(), Violation> {
    for command in ["name", "version"] {
        if probe.expect_accepted(command)?.text.is_empty() {
            return violation(format!("a text to {command}"), "nothing");
        }
    }
    Ok(())
}

fn mandatory(probe: &mut Probe) -> Result<(), Violation> {
    let list = probe.expect_accepted("list_commands")?.text;
    let demanded = [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
    ];
    match demanded.iter().find(|name| !list.split_whitespace().any(|own| own == **name)) {
        Some(missing) => violation(format!("{missing} in the list"), list.replace('\n', " ")),
        None => Ok(()),
    }
}

fn known_command(probe: &mut Probe) -> Result<(), Violation> {
    for (name, truth) in [("play", "true"), ("no-such-command", "false")] {
        let text = probe.expect_accepted(&format!("known_command {name}"))?.text;
        if text != truth {
            return violation(format!("= {truth} for {name}"), format!("= {text}"));
        }
    }
    Ok(())
}

fn quiet_start(probe: &mut Probe) -> Result<(), Violation> {
    probe.expect_silence(Duration::from_millis(500), "nothing before the first command")
}

fn ids(probe: &mut Probe) -> Result<(), Violation> {
    for (line, id) in [("17 name", "17"), ("name", ""), ("0 no-such-command", "0"), ("2147483647 name", "2147483647")] {
        let response = probe.ask(line)?;
        if response.id != id {
            return violation(format!("the id '{id}' for {line}"), format!("the id '{}'", response.id));
        }
    }
    Ok(())
}

fn pipelining(probe: &mut Probe) -> Result<(), Violation> {
    let burst = "1 protocol_version\n2 name\n3 boardsize 8\n4 clear_board\n5 play b d3\n6 genmove w\n7 name\n";
    probe.send_raw(burst);
    for id in 1..=7 {
        let response = probe.response()?;
        if response.id != id.to_string() || !response.accepted {
            return violation(format!("={id}"), format!("id '{}', {}", response.id, response.text));
        }
    }
    Ok(())
}

fn blanks(probe: &mut Probe) -> Result<(), Violation> {
    probe.send_raw("\n# a comment\n   \n1\tname\r\n2 name # and a comment\n");
    for id in ["1", "2"] {
        let response = probe.response()?;
        if response.id != id || !response.accepted {
            return violation(format!("={id} and a name"), format!("id '{}', {}", response.id, response.text));
        }
    }
    probe.expect_silence(Duration::from_millis(200), "no response to blank lines and comments")
}

fn unknown(probe: &mut Probe) -> Result<(), Violation> {
    probe.expect_refused("no-such-command")?;
    probe.expect_refused("GENMOVE b")?;
    probe.expect_accepted("name").map(drop)
}

fn bad_input(probe: &mut Probe) -> Result<(), Violation> {
    probe.expect_accepted("clear_board")?;
    for line in ["play", "play b", "play b z9", "play b a1", "play x d3", "genmove", "boardsize", "boardsize x"] {
        probe.expect_refused(line)?;
    }
    probe.expect_accepted("play b d3").map(drop)
}

fn board_size(probe: &mut Probe) -> Result<(), Violation> {
    probe.expect_refused("boardsize 1000")?;
    probe.expect_accepted("boardsize 8")?;
    probe.expect_accepted("clear_board")?;
    probe.expect_accepted("play b f5").map(drop)
}

/// The engine plays both sides; forced passes are not sent, as Quarry does.
fn whole_game(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = reversi()?;
    probe.expect_accepted("clear_board")?;
    // Asks for fast moves; engines without a clock must answer, too.
    probe.ask("time_settings 0 1 1")?;
    while board.outcome().is_none() {
        let side = board.side();
        if board.force_pass(side.other()).is_ok() {
            continue;
        }
        let colour = board.sides()[side.index()];
        let mv = probe.expect_accepted(&format!("genmove {colour}"))?.text;
        play(board.as_mut(), side, &mv)?;
    }
    Ok(())
}

/// Plays a move on the board, where it must be legal.
fn play(board: &mut dyn DynEngine, side: Side, mv: &str) -> Result<(), Violation> {
    let legal = board.legal_moves(Style::Plain);
    let played = PlayedMove::by(side, mv.to_string());
    match board.set_position(Start::Here, &[played], Style::Plain, false) {
        Ok(()) => Ok(()),
        Err(_) => violation(format!("one of {}", legal.join(" ")), mv),
    }
}

fn cases(probe: &mut Probe) -> Result<(), Violation> {
    for line in ["play b d3", "play W C3", "play black C4", "play White e3"] {
        probe.expect_accepted(line)?;
    }
    Ok(())
}

/// Sends moves without passes; the board after them.
fn send_moves(probe: &mut Probe, line: &str) -> Result<Box<dyn DynEngine>, Violation> {
    let mut board = reversi()?;
    probe.expect_accepted("clear_board")?;
    for mv in line.split_whitespace() {
        let side = board.side();
        probe.expect_accepted(&format!("play {} {mv}", board.sides()[side.index()]))?;
        play(board.as_mut(), side, mv)?;
    }
    Ok(board)
}

fn implied_pass(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = send_moves(probe, WHITE_MUST_PASS)?;
    if board.force_pass(Side::First).is_err() {
        return violation("a position in which White must pass", board.position(Style::Plain));
    }
    let mv = probe.expect_accepted("genmove black")?.text;
    play(board.as_mut(), Side::First, &mv)
}

fn explicit_pass(probe: &mut Probe) -> Result<(), Violation> {
    let mut board = send_moves(probe, WHITE_MUST_PASS)?;
    probe.expect_accepted("play white PASS")?;
    play(board.as_mut(), Side::Second, "PASS")?;
    let mv = probe.expect_accepted("genmove black")?.text;
    play(board.as_mut(), Side::First, &mv)
}

fn genmove_pass(probe: &mut Probe) -> Result<(), Violation> {
    send_moves(probe, WHITE_MUST_PASS)?;
    expect_pass(probe, "genmove white")
}

fn expect_pass(probe: &mut Probe, line: &str) -> Result<(), Violation> {
    let text = probe.expect_accepted(line)?.text;
    if text.eq_ignore_ascii_case("pass") { Ok(()) } else { violation("= PASS", format!("= {text}")) }
}

fn finished(probe: &mut Probe) -> Result<(), Violation> {
    send_moves(probe, SHORTEST_GAME)?;
    expect_pass(probe, "genmove white")?;
    expect_pass(probe, "genmove black")
}

fn clock(probe: &mut Probe) -> Result<(), Violation> {
    probe.expect_accepted("clear_board")?;
    probe.expect_accepted("time_settings 0 1 1")?;
    probe.expect_accepted("time_left black 1 1")?;
    probe.expect_accepted("time_left white 1 1")?;
    probe.expect_accepted("play b d3")?;
    let begun = Instant::now();
    let took = probe.expect_accepted("genmove w")?.at.saturating_duration_since(begun);
    if took > Duration::from_millis(1_300) {
        return violation("a move within its second", format!("one after {:.2} s", took.as_secs_f64()));
    }
    Ok(())
}

fn quit(probe: &mut Probe) -> Result<(), Violation> {
    probe.expect_accepted("quit")?;
    probe.expect_exit()
}

fn end_of_input(probe: &mut Probe) -> Result<(), Violation> {
    probe.send_raw("1 clear_board\n2 genmove b\n3 name\n");
    probe.close_input();
    for id in ["1", "2", "3"] {
        let response = probe.response()?;
        if response.id != id || !response.accepted {
            return violation(format!("={id}"), format!("id '{}', {}", response.id, response.text));
        }
    }
    probe.expect_exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_as_described() {
        let mut board = reversi().expect("a board");
        let line = |text: &str| text.split_whitespace().map(PlayedMove::new).collect::<Vec<_>>();
        board.set_position(Start::Initial, &line(WHITE_MUST_PASS), Style::Plain, false).expect("legal");
        assert_eq!((board.side(), board.legal_moves(Style::Plain)), (Side::Second, vec!["PASS".to_string()]));
        board.set_position(Start::Initial, &line(SHORTEST_GAME), Style::Plain, false).expect("legal");
        assert!(board.outcome().is_some());
        assert_eq!(board.points(), Some([13, 0]));
    }
}
