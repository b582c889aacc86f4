//! Writing the events as JSON.

use super::Json;
use super::report::{
    AnalysisReport, BookLineReport, LineReport, MoveReport, OptionReport, PerftReport, ScoreReport, lower,
};
use crate::api::command::CommandError;
use crate::api::event::{Event, Iteration};
use crate::api::protocol::RequestId;
use flipside_core::search::wdl::Wdl;
use flipside_support::json;
use serde::Serialize;
use serde_json::json;

/// An answer, an error, or a report of a search under way.
#[derive(Serialize)]
struct Envelope<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    event: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    command: &'a str,
    #[serde(flatten)]
    body: T,
}

/// The body of an answer without fields.
#[derive(Serialize)]
struct Empty {}

fn line(request_id: &RequestId, event: &'static str, body: impl Serialize) -> String {
    let command = request_id.word.split(' ').next().unwrap_or_default();
    let envelope = Envelope { id: request_id.id, event, command, body };
    // Serialization never fails for these objects; if it does, the line reports the error.
    json::line(&envelope).unwrap_or_else(|error| format!("{{\"event\":\"error\",\"message\":\"{error}\"}}")) + "\n"
}

fn answer(request_id: &RequestId, body: impl Serialize) -> String {
    line(request_id, "answer", body)
}

fn failure(request_id: &RequestId, error: &CommandError) -> String {
    line(request_id, "error", json!({ "error": kind(error), "message": error.to_string() }))
}

/// The kind of an error as one word.
fn kind(error: &CommandError) -> &'static str {
    match error {
        CommandError::UnknownCommand(_) => "unknown_command",
        CommandError::Syntax(_) => "syntax",
        CommandError::NoSuchPlayer { .. } => "no_such_player",
        CommandError::IllegalMove(..) => "illegal_move",
        CommandError::BadPosition(_) => "bad_position",
        CommandError::UnsupportedGame(_) => "unsupported_game",
        CommandError::UnacceptableSize => "unacceptable_size",
        CommandError::CannotUndo => "cannot_undo",
        CommandError::CannotScore => "cannot_score",
        CommandError::CannotLoad(_) => "cannot_load",
        CommandError::FilesForbidden => "files_forbidden",
        CommandError::UnknownOption(_) => "unknown_option",
        CommandError::BadValue(..) => "bad_value",
        CommandError::NoBook(_) => "no_book",
        CommandError::CannotLearn(_) => "cannot_learn",
        CommandError::Unavailable(_) => "unavailable",
        CommandError::Internal(_) => "internal",
    }
}

impl Json {
    /// The line of an event; empty for a part of an answer, and for events without a meaning in this protocol.
    pub(super) fn write_event(&mut self, request_id: &RequestId, event: &Event) -> String {
        if request_id.word.starts_with("show ") {
            return self.collect(request_id, event);
        }
        match event {
            Event::Done | Event::Ready | Event::Text(_) => answer(request_id, Empty {}),
            Event::Error(error) => failure(request_id, error),
            Event::Handshake { options, .. } => {
                let options: Vec<_> = options.iter().map(OptionReport::from).collect();
                let version = env!("CARGO_PKG_VERSION");
                answer(request_id, json!({ "name": "Flipside", "release": version, "options": options }))
            }
            Event::Options(options) => {
                let options: Vec<_> = options.iter().map(OptionReport::from).collect();
                answer(request_id, json!({ "options": options }))
            }
            Event::OptionSet(option) => answer(request_id, json!({ "name": option.name, "value": option.value })),
            Event::GameSelected { game, .. } => answer(request_id, json!({ "game": game })),
            Event::Games(games) => answer(request_id, json!({ "games": games })),
            Event::SearchStarted => {
                self.lines.clear();
                String::new()
            }
            Event::Book(lines) if request_id.word == "book" => {
                let lines: Vec<_> = lines.iter().map(BookLineReport::from).collect();
                answer(request_id, json!({ "lines": lines }))
            }
            Event::Book(lines) => {
                lines.iter().map(|known| line(request_id, "info", BookLineReport::from(known))).collect()
            }
            Event::Info(info) => {
                self.remember(info);
                line(request_id, "info", LineReport::from(info))
            }
            Event::BestMove(best) => answer(request_id, MoveReport::from(best)),
            Event::GameAnalysis { ply, score, wdl } => {
                line(request_id, "info", Scored { ply: *ply, score: (*score).into(), wdl: wdl.map(Wdl::array) })
            }
            Event::AnalysisFinished(statistics) => answer(request_id, AnalysisReport::new(statistics, &self.lines)),
            Event::Learned(what) => answer(request_id, json!({ "learned": what })),
            Event::Perft(counts) => answer(request_id, PerftReport::from(counts)),
            // Only `show` asks for these.
            Event::Board { .. } | Event::SideToMove { .. } | Event::LegalMoves(_) | Event::Result { .. } => {
                String::new()
            }
            Event::Points(_) | Event::Statistics(..) | Event::Size(..) | Event::ProcessorTime(_) => String::new(),
            // Other protocols ask for these.
            Event::Progress(_) | Event::ForbiddenMoves(_) => String::new(),
            // What `only` leaves out is no part of the answer.
            Event::IllegalSearchMoves(_) => String::new(),
        }
    }

    /// Keeps the latest iteration of each variation.
    fn remember(&mut self, info: &Iteration<String>) {
        self.lines.retain(|line| line.rank != info.rank);
        self.lines.push(info.clone());
        self.lines.sort_by_key(|line| line.rank);
    }

    /// Adds a part to the answer of `show`, and writes the answer when it is complete.
    fn collect(&mut self, request_id: &RequestId, event: &Event) -> String {
        let state = &mut self.state;
        match (request_id.word.as_str(), event) {
            ("show game", Event::Text(game)) => state.game = game.clone(),
            ("show position", Event::Text(position)) => state.position = position.clone(),
            ("show moves", Event::Text(moves)) => {
                state.moves = moves.split_whitespace().map(str::to_ascii_lowercase).collect();
            }
            (_, Event::SideToMove { name, .. }) => state.side = name.clone(),
            (_, Event::LegalMoves(moves)) => state.legal = lower(moves),
            (_, Event::Points(points)) => state.points = *points,
            (_, Event::Board { grid, .. }) => state.set_board(grid.as_ref()),
            (_, Event::Result { outcome, winner }) => state.set_result(outcome, winner.as_deref()),
            // The game goes on.
            _ => {}
        }
        match request_id.word == "show result" {
            true => answer(request_id, std::mem::take(state)),
            false => String::new(),
        }
    }
}

/// The score of a position of the game.
#[derive(Serialize)]
struct Scored {
    ply: usize,
    #[serde(flatten)]
    score: ScoreReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u16; 3]>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::event::{BestMove, SearchStatistics, example};
    use flipside_core::search::types::WIN;

    fn request(word: &str) -> RequestId {
        RequestId { id: Some(3), word: word.into() }
    }

    fn info(rank: usize, score: i32) -> Iteration<String> {
        Iteration { rank, multipv: 2, ..example(score, &["E3", "PASS"]) }
    }

    #[test]
    fn a_report_has_the_words_of_the_outputs() {
        let text = Json::default().write_event(&request("go"), &Event::Info(info(1, -576)));
        let wanted = concat!(
            r#"{"version":2,"id":3,"event":"info","command":"go","rank":1,"score":-5.76,"wdl":[100,50,850],"bound":"at least","#,
            r#""certainty":"end@73%","depth":8,"seldepth":8,"nodes":1000,"seconds":0.5,"hashfull":7,"pv":["e3","pass"]}"#,
            "\n"
        );
        assert_eq!(text, wanted);
        let forced = |score| serde_json::to_string(&ScoreReport::from(score)).expect("JSON");
        assert_eq!(forced(WIN - 3), r#"{"win_in":3}"#);
        assert_eq!(forced(2 - WIN), r#"{"loss_in":2}"#);
    }

    #[test]
    fn an_analysis_ends_with_the_latest_iteration_of_each_line() {
        let mut json = Json::default();
        let id = request("analyze");
        for (rank, score) in [(1, 10), (2, 0), (1, 20), (2, 15)] {
            json.write_event(&id, &Event::Info(info(rank, score)));
        }
        let text = json.write_event(&id, &Event::AnalysisFinished(SearchStatistics::default()));
        let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&answer["lines"][0]["score"], &answer["lines"][1]["score"]), (&json!(0.2), &json!(0.15)));
        assert_eq!(json.write_event(&id, &Event::SearchStarted), "");
        let text = json.write_event(&id, &Event::AnalysisFinished(SearchStatistics::default()));
        assert!(text.contains("\"lines\":[]"), "{text}");
    }

    #[test]
    fn a_finished_game_has_no_move_and_errors_are_objects() {
        let best = BestMove {
            mv: None,
            code: None,
            ponder: None,
            is_pass: false,
            info: None,
            book: None,
            statistics: SearchStatistics::default(),
            failure: None,
        };
        let text = Json::default().write_event(&request("go"), &Event::BestMove(best));
        assert_eq!(
            text,
            "{\"version\":2,\"id\":3,\"event\":\"answer\",\"command\":\"go\",\"move\":null,\"nodes\":0,\"seconds\":0.0}\n"
        );
        let error = Event::Error(CommandError::IllegalMove("a\n1".into(), "not a legal move".into()));
        let text = Json::default().write_event(&RequestId::default(), &error);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.contains(r#""event":"error","error":"illegal_move","message":"illegal move: a\n1: not"#),
            "{text}"
        );
    }
}
