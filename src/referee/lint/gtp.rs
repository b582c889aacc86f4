//! The rules of GTP 2 that hosts of Othello engines rely on.

use super::Check;
use super::probe::{Complaint, Probe, complaint, reversi};
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
/// Black wipes White out in nine moves: the shortest game of all.
const SHORTEST_GAME: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

fn protocol_version(probe: &mut Probe) -> Result<(), Complaint> {
    let text = probe.accepted("protocol_version")?.text;
    if text == "2" { Ok(()) } else { complaint("= 2", format!("= {text}")) }
}

fn identity(probe: &mut Probe) -> Result<(), Complaint> {
    for command in ["name", "version"] {
        if probe.accepted(command)?.text.is_empty() {
            return complaint(format!("a text to {command}"), "nothing");
        }
    }
    Ok(())
}

fn mandatory(probe: &mut Probe) -> Result<(), Complaint> {
    let list = probe.accepted("list_commands")?.text;
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
        Some(missing) => complaint(format!("{missing} in the list"), list.replace('\n', " ")),
        None => Ok(()),
    }
}

fn known_command(probe: &mut Probe) -> Result<(), Complaint> {
    for (name, truth) in [("play", "true"), ("no-such-command", "false")] {
        let text = probe.accepted(&format!("known_command {name}"))?.text;
        if text != truth {
            return complaint(format!("= {truth} for {name}"), format!("= {text}"));
        }
    }
    Ok(())
}

fn quiet_start(probe: &mut Probe) -> Result<(), Complaint> {
    probe.quiet(Duration::from_millis(500), "nothing before the first command")
}

fn ids(probe: &mut Probe) -> Result<(), Complaint> {
    for (line, id) in [("17 name", "17"), ("name", ""), ("0 no-such-command", "0"), ("2147483647 name", "2147483647")] {
        let response = probe.ask(line)?;
        if response.id != id {
            return complaint(format!("the id '{id}' for {line}"), format!("the id '{}'", response.id));
        }
    }
    Ok(())
}

fn pipelining(probe: &mut Probe) -> Result<(), Complaint> {
    let burst = "1 protocol_version\n2 name\n3 boardsize 8\n4 clear_board\n5 play b d3\n6 genmove w\n7 name\n";
    probe.send_raw(burst);
    for id in 1..=7 {
        let response = probe.response()?;
        if response.id != id.to_string() || !response.accepted {
            return complaint(format!("={id}"), format!("id '{}', {}", response.id, response.text));
        }
    }
    Ok(())
}

fn blanks(probe: &mut Probe) -> Result<(), Complaint> {
    probe.send_raw("\n# a comment\n   \n1\tname\r\n2 name # and a comment\n");
    for id in ["1", "2"] {
        let response = probe.response()?;
        if response.id != id || !response.accepted {
            return complaint(format!("={id} and a name"), format!("id '{}', {}", response.id, response.text));
        }
    }
    probe.quiet(Duration::from_millis(200), "no response to blank lines and comments")
}

fn unknown(probe: &mut Probe) -> Result<(), Complaint> {
    probe.refused("no-such-command")?;
    probe.refused("GENMOVE b")?;
    probe.accepted("name").map(drop)
}

fn bad_input(probe: &mut Probe) -> Result<(), Complaint> {
    probe.accepted("clear_board")?;
    for line in ["play", "play b", "play b z9", "play b a1", "play x d3", "genmove", "boardsize", "boardsize x"] {
        probe.refused(line)?;
    }
    probe.accepted("play b d3").map(drop)
}

fn board_size(probe: &mut Probe) -> Result<(), Complaint> {
    probe.refused("boardsize 1000")?;
    probe.accepted("boardsize 8")?;
    probe.accepted("clear_board")?;
    probe.accepted("play b f5").map(drop)
}

/// The engine plays both sides; forced passes are made by the rules and not told, as Quarry does.
fn whole_game(probe: &mut Probe) -> Result<(), Complaint> {
    let mut room = reversi()?;
    probe.accepted("clear_board")?;
    // A fast move of whatever strength: engines that know no clock still have to answer.
    probe.ask("time_settings 0 1 1")?;
    while room.outcome().is_none() {
        let side = room.side();
        if room.force_pass(side.other()).is_ok() {
            continue;
        }
        let colour = room.sides()[side.index()];
        let mv = probe.accepted(&format!("genmove {colour}"))?.text;
        play(room.as_mut(), side, &mv)?;
    }
    Ok(())
}

/// A move by our own rules.
fn play(room: &mut dyn DynEngine, side: Side, mv: &str) -> Result<(), Complaint> {
    let legal = room.legal_moves(Style::Plain);
    let turn = PlayedMove::by(side, mv.to_string());
    match room.set_position(Start::Here, &[turn], Style::Plain, false) {
        Ok(()) => Ok(()),
        Err(_) => complaint(format!("one of {}", legal.join(" ")), mv),
    }
}

fn cases(probe: &mut Probe) -> Result<(), Complaint> {
    for line in ["play b d3", "play W C3", "play black C4", "play White e3"] {
        probe.accepted(line)?;
    }
    Ok(())
}

/// Plays a line without passes; the side that is to move after it.
fn tell(probe: &mut Probe, line: &str) -> Result<Box<dyn DynEngine>, Complaint> {
    let mut room = reversi()?;
    probe.accepted("clear_board")?;
    for mv in line.split_whitespace() {
        let side = room.side();
        probe.accepted(&format!("play {} {mv}", room.sides()[side.index()]))?;
        play(room.as_mut(), side, mv)?;
    }
    Ok(room)
}

fn implied_pass(probe: &mut Probe) -> Result<(), Complaint> {
    let mut room = tell(probe, WHITE_MUST_PASS)?;
    if room.force_pass(Side::First).is_err() {
        return complaint("a position in which White must pass", room.position(Style::Plain));
    }
    let mv = probe.accepted("genmove black")?.text;
    play(room.as_mut(), Side::First, &mv)
}

fn explicit_pass(probe: &mut Probe) -> Result<(), Complaint> {
    let mut room = tell(probe, WHITE_MUST_PASS)?;
    probe.accepted("play white PASS")?;
    play(room.as_mut(), Side::Second, "PASS")?;
    let mv = probe.accepted("genmove black")?.text;
    play(room.as_mut(), Side::First, &mv)
}

fn genmove_pass(probe: &mut Probe) -> Result<(), Complaint> {
    tell(probe, WHITE_MUST_PASS)?;
    expect_pass(probe, "genmove white")
}

fn expect_pass(probe: &mut Probe, line: &str) -> Result<(), Complaint> {
    let text = probe.accepted(line)?.text;
    if text.eq_ignore_ascii_case("pass") { Ok(()) } else { complaint("= PASS", format!("= {text}")) }
}

fn finished(probe: &mut Probe) -> Result<(), Complaint> {
    tell(probe, SHORTEST_GAME)?;
    expect_pass(probe, "genmove white")?;
    expect_pass(probe, "genmove black")
}

fn clock(probe: &mut Probe) -> Result<(), Complaint> {
    probe.accepted("clear_board")?;
    probe.accepted("time_settings 0 1 1")?;
    probe.accepted("time_left black 1 1")?;
    probe.accepted("time_left white 1 1")?;
    probe.accepted("play b d3")?;
    let begun = Instant::now();
    let took = probe.accepted("genmove w")?.at.saturating_duration_since(begun);
    if took > Duration::from_millis(1_300) {
        return complaint("a move within its second", format!("one after {:.2} s", took.as_secs_f64()));
    }
    Ok(())
}

fn quit(probe: &mut Probe) -> Result<(), Complaint> {
    probe.accepted("quit")?;
    probe.leaves()
}

fn end_of_input(probe: &mut Probe) -> Result<(), Complaint> {
    probe.send_raw("1 clear_board\n2 genmove b\n3 name\n");
    probe.close_input();
    for id in ["1", "2", "3"] {
        let response = probe.response()?;
        if response.id != id || !response.accepted {
            return complaint(format!("={id}"), format!("id '{}', {}", response.id, response.text));
        }
    }
    probe.leaves()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_what_they_say() {
        let mut room = reversi().expect("a room");
        let line = |text: &str| text.split_whitespace().map(PlayedMove::new).collect::<Vec<_>>();
        room.set_position(Start::Initial, &line(WHITE_MUST_PASS), Style::Plain, false).expect("legal");
        assert_eq!((room.side(), room.legal_moves(Style::Plain)), (Side::Second, vec!["PASS".to_string()]));
        room.set_position(Start::Initial, &line(SHORTEST_GAME), Style::Plain, false).expect("legal");
        assert!(room.outcome().is_some());
        assert_eq!(room.points(), Some([13, 0]));
    }
}
