//! Writing the events for a Gomocup manager.

use super::parse::{OPEN, SWAP2};
use super::state::GomocupState;
use super::swap2;
use crate::api::command::CommandError;
use crate::api::event::{BestMove, Event, Iteration};
use crate::api::protocol::RequestId;
use crate::protocol::text;

/// The text of an event.
pub(super) fn write_event(request_id: &RequestId, event: &Event, state: &mut GomocupState) -> String {
    match event {
        Event::SearchStarted => {
            state.commit();
            String::new()
        }
        Event::Done => done(&request_id.word, state),
        Event::Text(text) => format!("{text}\n"),
        Event::Info(info) if info.rank == 1 => message(info, state),
        Event::ForbiddenMoves(names) => write_forbidden(names, state),
        Event::BestMove(best_move) => write_best_move(best_move, state),
        Event::Error(error) => write_error(request_id, error, state),
        _ => String::new(),
    }
}

/// The answer to a request that succeeded.
fn done(word: &str, state: &mut GomocupState) -> String {
    if std::mem::take(&mut state.refused) {
        return String::new();
    }
    state.commit();
    match word {
        "START" | "RECTSTART" | "RESTART" | "TAKEBACK" => "OK\n".into(),
        SWAP2 => {
            let stones: Vec<String> = state.placed.stones.iter().map(|stone| stone.at.to_string()).collect();
            stones.join(" ") + "\n"
        }
        "PLAY" => state.placed.stones.last().map_or(String::new(), |stone| format!("{}\n", stone.at)),
        _ => String::new(),
    }
}

/// Two digits for each coordinate, and a full stop at the end, as Yixin's manager reads them.
fn write_forbidden(names: &[String], state: &GomocupState) -> String {
    let points = names.iter().filter_map(|name| state.coordinates_of(name));
    let digits: String = points.map(|at| format!("{:02}{:02}", at.x, at.y)).collect();
    format!("FORBID {digits}.\n")
}

fn write_best_move(best_move: &BestMove, state: &mut GomocupState) -> String {
    if std::mem::take(&mut state.may_swap) && swap2::takes_black(best_move) {
        return "SWAP\n".into();
    }
    match best_move.mv.as_deref().and_then(|name| state.coordinates_of(name)) {
        Some(at) => {
            state.placed.play(at);
            format!("{at}\n")
        }
        None => "ERROR the game is over\n".into(),
    }
}

/// An iteration, for the manager's log: its moves in the manager's coordinates.
fn message(info: &Iteration<String>, state: &GomocupState) -> String {
    let moves = info.pv.iter().filter_map(|name| state.coordinates_of(name));
    let pv: Vec<String> = moves.map(|at| at.to_string()).collect();
    let Iteration { depth, seldepth, nodes, time, .. } = info;
    let score = text::score(info.score);
    format!(
        "MESSAGE depth {depth}-{seldepth} score {score} nodes {nodes} ms {} pv {}\n",
        time.as_millis(),
        pv.join(" ")
    )
}

fn write_error(request_id: &RequestId, error: &CommandError, state: &mut GomocupState) -> String {
    state.pending = None;
    state.may_swap = false;
    state.refused = request_id.word == OPEN;
    let text = text::one_line(&error.to_string());
    match error {
        // The manager expects no answer to `INFO`.
        _ if request_id.word == "INFO" => {
            log::warn!("{text}");
            String::new()
        }
        CommandError::UnknownCommand(word) => format!("UNKNOWN {}\n", text::one_line(word)),
        _ => format!("ERROR {text}\n"),
    }
}
