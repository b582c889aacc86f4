//! Checks of UCI with variants: the rules that hosts rely on.

use super::Check;
use super::probe::{Probe, Violation, reversi, violation};
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::search::notation::Style;
use std::time::{Duration, Instant};

/// All checks, the basic ones first.
pub const CHECKS: [Check; 11] = [
    Check { name: "handshake", rule: "uci answers id name, id author, options and uciok", run: handshake },
    Check { name: "variant-listed", rule: "UCI_Variant is a combo that lists flipello", run: variant_listed },
    Check { name: "ready", rule: "isready answers readyok, also during a search", run: ready },
    Check { name: "legal-move", rule: "bestmove is legal through a whole game, passes included", run: whole_game },
    Check { name: "info", rule: "an info line with depth, score, nodes and pv comes before bestmove", run: info },
    Check { name: "stop", rule: "go infinite waits for stop, then answers at once", run: stop },
    Check { name: "clock", rule: "a move fits into its movetime and its clock", run: clock },
    Check { name: "bad-input", rule: "unknown commands and bad positions leave the engine answering", run: bad_input },
    Check { name: "finished-game", rule: "go on a finished game answers one bestmove", run: finished },
    Check { name: "quit", rule: "quit ends the process at once, also during a search", run: quit },
    Check {
        name: "end-of-input",
        rule: "a limited search finishes after the end of input, then it leaves",
        run: end_of_input,
    },
];

/// The moves of the shortest game in flipello's notation.
const SHORTEST_GAME: &str = "P@e3 P@f5 P@e6 P@f3 P@g4 P@d3 P@e2 P@f4 P@c4";

/// The handshake; the lines of its answer.
fn handshake_lines(probe: &mut Probe) -> Result<Vec<String>, Violation> {
    let mut lines = Vec::new();
    probe.send("uci");
    probe.until("uciok", |line| lines.push(line.to_string()))?;
    probe.send("setoption name UCI_Variant value flipello");
    probe.send("ucinewgame");
    probe.send("isready");
    probe.until("readyok", |_| {})?;
    Ok(lines)
}

fn handshake(probe: &mut Probe) -> Result<(), Violation> {
    let lines = handshake_lines(probe)?;
    for start in ["id name ", "id author ", "option name "] {
        if !lines.iter().any(|line| line.starts_with(start)) {
            return violation(format!("a line that begins with '{start}'"), "none");
        }
    }
    Ok(())
}

fn variant_listed(probe: &mut Probe) -> Result<(), Violation> {
    let lines = handshake_lines(probe)?;
    let Some(line) = lines.iter().find(|line| line.starts_with("option name UCI_Variant ")) else {
        return violation("option name UCI_Variant", "none");
    };
    if line.contains(" type combo ") && line.contains(" var flipello") {
        Ok(())
    } else {
        violation("type combo ... var flipello", line.as_str())
    }
}

fn ready(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    probe.send("position startpos");
    probe.send("go infinite");
    probe.send("isready");
    let mut early = None;
    probe.until("readyok", |line| {
        if line.starts_with("bestmove") {
            early = Some(line.to_string());
        }
    })?;
    if let Some(line) = early {
        return violation("no bestmove before stop", line);
    }
    probe.send("stop");
    probe.until("bestmove", |_| {}).map(drop)
}

/// The move of a bestmove line, which must be legal on the board.
fn legal(line: &str, board: &dyn DynEngine) -> Result<String, Violation> {
    let mv = line.split_whitespace().nth(1).unwrap_or_default();
    let moves = board.legal_moves(Style::Uci);
    if moves.iter().any(|own| own == mv) {
        Ok(mv.to_string())
    } else {
        violation(format!("one of {}", moves.join(" ")), line)
    }
}

fn whole_game(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    let mut board = reversi()?;
    while board.outcome().is_none() {
        let moves: Vec<String> = board.history(Style::Uci).into_iter().map(|(_, mv)| mv).collect();
        let words = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        probe.send(&format!("position startpos{words}"));
        probe.send("go depth 2");
        let line = probe.until("bestmove", |_| {})?.text;
        let mv = legal(&line, board.as_ref())?;
        let played = PlayedMove::by(board.side(), mv);
        if board.set_position(Start::Here, &[played], Style::Uci, false).is_err() {
            return violation("a legal move", line);
        }
    }
    Ok(())
}

fn info(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    probe.send("position startpos moves P@e3");
    probe.send("go depth 4");
    let mut last = String::new();
    probe.until("bestmove", |line| {
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

fn stop(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    probe.send("position startpos");
    probe.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    probe.send("stop");
    let line = probe.until("bestmove", |_| {})?;
    let took = line.at.saturating_duration_since(begun);
    match line.at < begun {
        true => violation("no bestmove before stop", line.text),
        false if took > Duration::from_millis(500) => {
            violation("bestmove within half a second", format!("after {:.2} s", took.as_secs_f64()))
        }
        false => legal(&line.text, reversi()?.as_ref()).map(drop),
    }
}

fn clock(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    for (go, most) in
        [("go movetime 300", 600), ("go wtime 1000 btime 1000 winc 0 binc 0", 1_000), ("go wtime 500", 500)]
    {
        probe.send("position startpos");
        let begun = Instant::now();
        probe.send(go);
        let took = probe.until("bestmove", |_| {})?.at.saturating_duration_since(begun);
        if took > Duration::from_millis(most) {
            return violation(format!("{most} ms at most for '{go}'"), format!("{} ms", took.as_millis()));
        }
    }
    Ok(())
}

fn bad_input(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    for line in
        ["no-such-command", "position fen nonsense", "position startpos moves P@a1", "setoption name Nothing value 1"]
    {
        probe.send(line);
    }
    probe.send("position startpos");
    probe.send("go depth 1");
    let line = probe.until("bestmove", |_| {})?.text;
    legal(&line, reversi()?.as_ref()).map(drop)
}

fn finished(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    probe.send(&format!("position startpos moves {SHORTEST_GAME}"));
    probe.send("go depth 2");
    probe.until("bestmove", |_| {})?;
    probe.send("isready");
    let mut more = None;
    probe.until("readyok", |line| more = Some(line.to_string()))?;
    match more.filter(|line| line.starts_with("bestmove")) {
        Some(line) => violation("one bestmove a go", line),
        None => Ok(()),
    }
}

fn quit(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    probe.send("position startpos");
    probe.send("go infinite");
    probe.send("quit");
    probe.expect_exit()
}

fn end_of_input(probe: &mut Probe) -> Result<(), Violation> {
    handshake_lines(probe)?;
    probe.send("position startpos");
    probe.send("go depth 4");
    probe.close_input();
    probe.until("bestmove", |_| {})?;
    probe.expect_exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_game_is_over() {
        let mut board = reversi().expect("a board");
        let moves: Vec<PlayedMove> = SHORTEST_GAME.split(' ').map(PlayedMove::new).collect();
        board.set_position(Start::Initial, &moves, Style::Uci, false).expect("legal");
        assert!(board.outcome().is_some());
    }
}
