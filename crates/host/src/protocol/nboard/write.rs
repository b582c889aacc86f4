//! Writing the events for NBoard. Values are in discs for the side to move; numbers have no exponent.

use crate::api::command::CommandError;
use crate::api::event::{BestMove, BookLine, Event, Iteration, SearchStatistics};
use crate::api::protocol::RequestId;
use crate::protocol::text;
use crate::record::ggf::discs;
use flipside_core::search::types::Certainty;

/// The text of an event.
pub(super) fn write_event(request_id: &RequestId, event: &Event) -> String {
    match event {
        Event::SearchStarted => "status thinking\n".into(),
        Event::Book(lines) if request_id.word == "hint" => lines.iter().map(write_book_hint).collect(),
        Event::Book(lines) => lines.first().map_or(String::new(), |line| {
            format!("status book {} {line}\n", line.info.pv.first().map_or("", String::as_str))
        }),
        Event::Info(info) if request_id.word == "hint" => write_hint(info),
        Event::BestMove(best_move) => write_best_move(best_move),
        Event::GameAnalysis { ply, score } => format!("analysis {ply} {}\n", discs(*score)),
        Event::Learned(what) => format!("status learned: {}\nlearned\n", text::one_line(what)),
        // An empty status clears the line.
        Event::AnalysisFinished(_) => "status\n".into(),
        Event::Text(text) => format!("{}\n", text::one_line(text)),
        Event::Error(CommandError::UnknownCommand(_)) => String::new(),
        Event::Error(error) => {
            let said = format!("status error: {}\n", text::one_line(&error.to_string()));
            match request_id.word.as_str() {
                "go" => said + "=== PA\n",
                "learn" => said + "learned\n",
                _ => said,
            }
        }
        _ => String::new(),
    }
}

/// A variation; after the last of them the cost so far.
fn write_hint(info: &Iteration<String>) -> String {
    let pv = info.pv.concat();
    let text = format!("search {pv} {} 0 {}\n", discs(info.score), depth(info));
    if info.rank < info.multipv {
        return text;
    }
    text + &statistics(&SearchStatistics { nodes: info.nodes, time: info.time })
}

/// A move of the opening book: games after the value, and the grade as free text.
fn write_book_hint(line: &BookLine) -> String {
    let BookLine { info, grade, games, .. } = line;
    format!("book {} {} {games} {} {grade}\n", info.pv.concat(), discs(info.score), depth(info))
}

/// The certainty is part of the depth: `18`, `26@73%`, `100%W`, `100%`. A host takes any `%` for a solved or nearly
/// solved game, so estimates show their plies alone.
fn depth(info: &Iteration<String>) -> String {
    match info.certainty {
        Certainty::Exact => "100%".into(),
        Certainty::WinLossDraw | Certainty::Proven => "100%W".into(),
        Certainty::Selective(percent) => format!("{}@{percent}%", info.depth),
        Certainty::Estimate(_) => info.depth.to_string(),
    }
}

fn statistics(statistics: &SearchStatistics) -> String {
    format!("nodestats {} {:.3}\n", statistics.nodes, statistics.time.as_secs_f64())
}

/// The move with its time, and its value if known.
fn write_best_move(best_move: &BestMove) -> String {
    let value = best_move.info.as_ref().map_or(String::new(), |best| discs(best.score));
    let mv = best_move.mv.as_deref().unwrap_or("PA");
    format!("{}=== {mv}/{value}/{:.3}\n", statistics(&best_move.statistics), best_move.statistics.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::event::{Bound, example};
    use std::time::Duration;

    fn info(certainty: Certainty, rank: usize) -> Iteration<String> {
        let (nodes, time) = (12345, Duration::from_millis(250));
        let (depth, seldepth, bound) = (26, 30, Bound::Exact);
        let info = example(-651, &["F5", "PA"]);
        Iteration { rank, multipv: 2, depth, seldepth, bound, certainty, nodes, time, ..info }
    }

    fn request_id(word: &str) -> RequestId {
        RequestId { id: None, word: word.into() }
    }

    #[test]
    fn hints_say_how_sure_they_are() {
        for (certainty, depth) in [
            (Certainty::Estimate(80), "26"),
            (Certainty::Selective(73), "26@73%"),
            (Certainty::WinLossDraw, "100%W"),
            (Certainty::Proven, "100%W"),
            (Certainty::Exact, "100%"),
        ] {
            let event = Event::Info(info(certainty, 1));
            assert_eq!(write_event(&request_id("hint"), &event), format!("search F5PA -6.51 0 {depth}\n"));
            assert_eq!(write_event(&request_id("go"), &event), "");
        }
        let last = write_event(&request_id("hint"), &Event::Info(info(Certainty::Exact, 2)));
        assert!(last.ends_with("nodestats 12345 0.250\n"), "{last}");
    }

    #[test]
    fn a_move_has_its_value_in_discs() {
        let mut best_move = BestMove {
            mv: Some("F5".into()),
            code: None,
            ponder: None,
            is_pass: false,
            info: Some(info(Certainty::Exact, 1)),
            book: None,
            statistics: SearchStatistics { nodes: 100, time: Duration::from_millis(10) },
            failure: None,
        };
        let text = write_event(&request_id("go"), &Event::BestMove(best_move.clone()));
        assert_eq!(text, "nodestats 100 0.010\n=== F5/-6.51/0.010\n");
        (best_move.mv, best_move.info) = (None, None);
        assert!(write_event(&request_id("go"), &Event::BestMove(best_move)).ends_with("=== PA//0.010\n"));
    }

    #[test]
    fn the_small_answers() {
        assert_eq!(write_event(&request_id("ping"), &Event::Text("pong 62".into())), "pong 62\n");
        assert_eq!(
            write_event(&request_id("analyze"), &Event::GameAnalysis { ply: 3, score: 50 }),
            "analysis 3 0.50\n"
        );
        assert_eq!(write_event(&request_id("hint"), &Event::AnalysisFinished(SearchStatistics::default())), "status\n");
        let error = CommandError::IllegalMove("A1".into(), "not a\nlegal move".into());
        assert_eq!(
            write_event(&request_id("move"), &Event::Error(error)),
            "status error: illegal move: A1: not a legal move\n"
        );
    }
}
