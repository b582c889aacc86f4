//! Answers of NBoard. Values are in discs for the side to move; numbers have no exponent.

use crate::api::command::CommandError;
use crate::api::event::{Choice, Event, Progress, Totals};
use crate::api::protocol::RequestId;
use crate::protocol::words;
use crate::record::ggf::discs;
use crate::search::types::Certainty;

/// The text that tells of an event.
pub(super) fn answer(request_id: &RequestId, event: &Event) -> String {
    match event {
        Event::Thinking => "status thinking\n".into(),
        Event::Progress(progress) if request_id.word == "hint" => hint(progress),
        Event::Chosen(choice) => chosen(choice),
        Event::AnalyzeGame { ply, score } => format!("analysis {ply} {}\n", discs(*score)),
        // An empty status clears the line.
        Event::AnalysisClosed(_) => "status\n".into(),
        Event::Cancelled(number) => format!("pong {number}\n"),
        Event::Text(text) => format!("{}\n", words::one_line(text)),
        Event::Refused(CommandError::UnknownCommand(_)) => String::new(),
        Event::Refused(refusal) => {
            let said = format!("status error: {}\n", words::one_line(&refusal.to_string()));
            let unanswered = request_id.word == "go";
            if unanswered { said + "=== PA\n" } else { said }
        }
        _ => String::new(),
    }
}

/// A line of play; after the last of them the cost so far.
fn hint(progress: &Progress) -> String {
    let line = progress.line.concat();
    let text = format!("search {line} {} 0 {}\n", discs(progress.score), depth(progress));
    if progress.rank < progress.of {
        return text;
    }
    text + &statistics(&Totals { nodes: progress.nodes, time: progress.time })
}

/// How sure a value is stands in the depth: `18`, `26@73%`, `100%W`, `100%`. A host takes any `%`
/// for a solved or nearly solved game, so that estimates show their plies alone.
fn depth(progress: &Progress) -> String {
    match progress.certainty {
        Certainty::Exact => "100%".into(),
        Certainty::WinLossDraw => "100%W".into(),
        Certainty::Selective(percent) => format!("{}@{percent}%", progress.depth),
        Certainty::Estimate(_) => progress.depth.to_string(),
    }
}

fn statistics(totals: &Totals) -> String {
    format!("nodestats {} {:.3}\n", totals.nodes, totals.time.as_secs_f64())
}

/// The move with its value, if there is one, and its time.
fn chosen(choice: &Choice) -> String {
    let value = choice.best.as_ref().map_or(String::new(), |best| discs(best.score));
    let mv = choice.mv.as_deref().unwrap_or("PA");
    format!("{}=== {mv}/{value}/{:.3}\n", statistics(&choice.totals), choice.totals.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::event::Bound;
    use std::time::Duration;

    fn progress(certainty: Certainty, rank: usize) -> Progress {
        Progress {
            rank,
            of: 2,
            depth: 26,
            seldepth: 30,
            score: -651,
            bound: Bound::Exact,
            certainty,
            nodes: 12345,
            time: Duration::from_millis(250),
            hashfull: 0,
            line: vec!["F5".into(), "PA".into()],
            ends: false,
        }
    }

    fn request_id(word: &str) -> RequestId {
        RequestId { id: None, word: word.into() }
    }

    #[test]
    fn hints_say_how_sure_they_are() {
        for (certainty, depth) in [
            (Certainty::Estimate(73), "26"),
            (Certainty::Selective(73), "26@73%"),
            (Certainty::WinLossDraw, "100%W"),
            (Certainty::Exact, "100%"),
        ] {
            let event = Event::Progress(progress(certainty, 1));
            assert_eq!(answer(&request_id("hint"), &event), format!("search F5PA -6.51 0 {depth}\n"));
            assert_eq!(answer(&request_id("go"), &event), "");
        }
        let last = answer(&request_id("hint"), &Event::Progress(progress(Certainty::Exact, 2)));
        assert!(last.ends_with("nodestats 12345 0.250\n"), "{last}");
    }

    #[test]
    fn a_move_has_its_value_in_discs() {
        let mut choice = Choice {
            mv: Some("F5".into()),
            ponder: None,
            pass: false,
            best: Some(progress(Certainty::Exact, 1)),
            totals: Totals { nodes: 100, time: Duration::from_millis(10) },
            trouble: None,
        };
        let text = answer(&request_id("go"), &Event::Chosen(choice.clone()));
        assert_eq!(text, "nodestats 100 0.010\n=== F5/-6.51/0.010\n");
        (choice.mv, choice.best) = (None, None);
        assert!(answer(&request_id("go"), &Event::Chosen(choice)).ends_with("=== PA//0.010\n"));
    }

    #[test]
    fn the_small_answers() {
        assert_eq!(answer(&request_id("ping"), &Event::Cancelled(62)), "pong 62\n");
        assert_eq!(answer(&request_id("analyze"), &Event::AnalyzeGame { ply: 3, score: 50 }), "analysis 3 0.50\n");
        assert_eq!(answer(&request_id("hint"), &Event::AnalysisClosed(Totals::default())), "status\n");
        let refusal = CommandError::IllegalMove("A1".into(), "not a\nlegal move".into());
        assert_eq!(
            answer(&request_id("move"), &Event::Refused(refusal)),
            "status error: illegal move: A1: not a legal move\n"
        );
    }
}
