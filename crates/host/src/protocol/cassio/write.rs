//! Writing the events for Cassio. `ready.` says that a command is done.

use super::parse::BLANK;
use super::result_line::{cost, result_line};
use crate::api::command::CommandError;
use crate::api::event::{Event, SearchStatistics};
use crate::api::protocol::RequestId;
use crate::protocol::text;

/// The text of an event; `position` is the one that is being searched.
pub(super) fn write_event(request_id: &RequestId, event: &Event, position: &str) -> String {
    let word = request_id.word.as_str();
    match event {
        Event::Ready => "ready.\n".into(),
        Event::Text(text) => format!("{text}\n"),
        Event::Progress(None) => "ready.\n".into(),
        Event::Progress(Some(SearchStatistics { nodes, time })) if word != BLANK => {
            let (nodes, seconds) = cost(*nodes, *time);
            format!("node {nodes}, time {seconds}\n")
        }
        Event::Progress(Some(_)) => "ok.\n".into(),
        Event::BestMove(best_move) => {
            let result = result_line(position, best_move).map_or(String::new(), |line| line + "\n");
            result + "ready.\n"
        }
        Event::Done if word == "quit" => "bye bye.\n".into(),
        Event::Error(error) => write_error(word, error),
        _ => String::new(),
    }
}

fn write_error(word: &str, error: &CommandError) -> String {
    let what = match error {
        CommandError::UnknownCommand(word) => {
            return format!("ERROR: unknown command {}\nready.\n", text::one_line(word));
        }
        CommandError::Syntax(parameter) => format!("cannot parse {parameter}"),
        CommandError::BadPosition(_) => "cannot parse position".into(),
        CommandError::IllegalMove(..) => "cannot parse moves".into(),
        other => text::one_line(&other.to_string()),
    };
    match word {
        "feed-hash" => format!("Error: in feed-hash, {what}.\n"),
        "empty-hash" => String::new(),
        _ => format!("ERROR: {word} {what}.\nready.\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn write(word: &str, event: Event) -> String {
        write_event(&RequestId { id: None, word: word.into() }, &event, "")
    }

    #[test]
    fn signs_of_life() {
        let spent = SearchStatistics { nodes: 8_438_333, time: Duration::from_millis(802) };
        for (word, running) in [(BLANK, "ok.\n"), ("get-search-infos", "node 8438333, time 0.802\n")] {
            assert_eq!(write(word, Event::Progress(None)), "ready.\n");
            assert_eq!(write(word, Event::Progress(Some(spent.clone()))), running);
        }
        assert_eq!(write("quit", Event::Done), "bye bye.\n");
        assert_eq!(write("feed-hash", Event::Done), "");
    }

    #[test]
    fn errors_name_the_command() {
        let syntax = || Event::Error(CommandError::Syntax("alpha".into()));
        assert_eq!(write("midgame-search", syntax()), "ERROR: midgame-search cannot parse alpha.\nready.\n");
        assert_eq!(write("feed-hash", syntax()), "Error: in feed-hash, cannot parse alpha.\n");
        let bad_position = Event::Error(CommandError::BadPosition("x".into()));
        assert_eq!(write("endgame-search", bad_position), "ERROR: endgame-search cannot parse position.\nready.\n");
        let unknown = Event::Error(CommandError::UnknownCommand("fly".into()));
        assert_eq!(write("fly", unknown), "ERROR: unknown command fly\nready.\n");
    }
}
