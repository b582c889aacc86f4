//! Parsing lines of JSON requests.

use super::arguments::{Analysis, Arguments, Nothing, Perft, Play, Position, Search, SelectGame, SetOption, Undo};
use crate::api::command::{Command, CommandError, Query};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use flipside_support::json;
use serde_json::{Map, Value};

/// Every command, in the order of protocol.md.
pub const COMMANDS: [&str; 20] = [
    "hello",
    "ready",
    "options",
    "set",
    "games",
    "game",
    "new",
    "position",
    "play",
    "undo",
    "show",
    "book",
    "learn",
    "go",
    "analyze",
    "analyze_game",
    "perft",
    "ponderhit",
    "stop",
    "quit",
];

/// The parts of an answer to `show`, in their order; the last one completes it.
pub const SHOWN: [(&str, Query); 8] = [
    ("show game", Query::Game),
    ("show position", Query::Position),
    ("show side", Query::Side),
    ("show legal", Query::LegalMoves),
    ("show moves", Query::Moves),
    ("show points", Query::Points),
    ("show board", Query::Board),
    ("show result", Query::Result),
];

/// A parsed line: its id, its command, and the other fields.
struct Line {
    id: Option<u64>,
    command: String,
    fields: Map<String, Value>,
}

/// Why a line cannot be a request, with its id and its command as far as they were read.
struct Refusal {
    request_id: RequestId,
    error: CommandError,
}

/// Parses a line; a blank one has no request.
pub fn line(line: &str) -> ParsedLine {
    if line.trim().is_empty() {
        return ParsedLine::of_requests(Urgency::Queue, None);
    }
    match read(line) {
        Ok(line) => {
            let is_urgent = ["ready", "stop", "ponderhit", "quit"].contains(&line.command.as_str());
            ParsedLine::of_requests(if is_urgent { Urgency::Now } else { Urgency::Queue }, requests(line))
        }
        Err(Refusal { request_id, error }) => {
            ParsedLine::of_requests(Urgency::Queue, Some(Request { request_id, command: Command::Invalid(error) }))
        }
    }
}

fn requests(Line { id, command, fields }: Line) -> Vec<Request> {
    let request = |word: &str, command| Request { request_id: RequestId { id, word: word.to_string() }, command };
    match meaning(&command, fields) {
        Err(error) => vec![request(&command, Command::Invalid(error))],
        Ok(None) => SHOWN.into_iter().map(|(word, query)| request(word, Command::Show(query))).collect(),
        // These commands have no answer of their own.
        Ok(Some(wanted @ (Command::Stop | Command::PonderHit(_)))) => {
            vec![request(&command, wanted), request(&command, Command::Reply(String::new()))]
        }
        Ok(Some(wanted)) => vec![request(&command, wanted)],
    }
}

fn syntax(text: impl Into<String>) -> CommandError {
    CommandError::Syntax(text.into())
}

fn read(line: &str) -> Result<Line, Refusal> {
    let refusal = |id, word: &str, error| Refusal { request_id: RequestId { id, word: word.to_string() }, error };
    let value = json::read_value(line).map_err(|error| {
        let reason = error.to_string().replace(" at line 1 column ", ", at column ");
        refusal(None, "", syntax(format!("expected a JSON object: {reason}")))
    })?;
    let Value::Object(mut fields) = value else {
        return Err(refusal(None, "", syntax("expected a JSON object such as {\"id\":1,\"command\":\"hello\"}")));
    };
    let id = match fields.remove("id") {
        None | Some(Value::Null) => None,
        Some(id) => match id.as_u64() {
            Some(id) => Some(id),
            None => return Err(refusal(None, "", syntax(format!("id: expected a whole number, saw {id}")))),
        },
    };
    match fields.remove("command") {
        Some(Value::String(command)) => Ok(Line { id, command, fields }),
        _ => Err(refusal(id, "", syntax(format!("command: expected one of {}", COMMANDS.join(", "))))),
    }
}

/// The command with its fields; `None` for all parts of the state.
fn meaning(command: &str, fields: Map<String, Value>) -> Result<Option<Command>, CommandError> {
    let command = match command {
        "hello" => none(fields, Command::Handshake)?,
        "ready" => none(fields, Command::Ready)?,
        "options" => none(fields, Command::Show(Query::Options))?,
        "set" => take::<SetOption>(fields)?,
        "games" => none(fields, Command::Show(Query::Games))?,
        "game" => take::<SelectGame>(fields)?,
        "new" => none(fields, Command::NewGame)?,
        "position" => take::<Position>(fields)?,
        "play" => take::<Play>(fields)?,
        "undo" => take::<Undo>(fields)?,
        "show" => return none(fields, Command::Ready).map(|_| None),
        "learn" => none(fields, Command::LearnGame)?,
        "book" => none(fields, Command::Show(Query::Book { moves_back: 0 }))?,
        "go" => take::<Search>(fields)?,
        "analyze" => take::<Analysis>(fields)?,
        "analyze_game" => fields_of::<Analysis>(fields)?.of_game().map_err(syntax)?,
        "perft" => take::<Perft>(fields)?,
        "ponderhit" => none(fields, Command::PonderHit(None))?,
        "stop" => none(fields, Command::Stop)?,
        "quit" => none(fields, Command::Quit)?,
        other => {
            let known = COMMANDS.join(", ");
            return Err(CommandError::UnknownCommand(format!("'{other}', not one of {known}")));
        }
    };
    Ok(Some(command))
}

fn fields_of<A: for<'de> serde::Deserialize<'de>>(fields: Map<String, Value>) -> Result<A, CommandError> {
    serde_json::from_value(Value::Object(fields)).map_err(|error| syntax(error.to_string()))
}

fn take<A: Arguments>(fields: Map<String, Value>) -> Result<Command, CommandError> {
    fields_of::<A>(fields)?.command().map_err(syntax)
}

fn none(fields: Map<String, Value>, command: Command) -> Result<Command, CommandError> {
    fields_of::<Nothing>(fields).map(|_| command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::command::{Go, GoLimits, PlayedMove};
    use crate::api::protocol::Protocol;
    use crate::protocol::json::Json;
    use flipside_core::search::notation::Style;
    use proptest::prelude::*;
    use std::time::Duration;

    fn requests(text: &str) -> Vec<Request> {
        Json::default().requests(line(text))
    }

    fn command(line: &str) -> Command {
        let mut requests = requests(line);
        assert_eq!(requests.len(), 1, "{line}");
        requests.pop().expect("a request").command
    }

    fn error(line: &str) -> String {
        match command(line) {
            Command::Invalid(error) => error.to_string(),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn requests_are_objects_with_a_command() {
        assert_eq!(command(r#"{"command":"hello"}"#), Command::Handshake);
        let request = &requests(r#" {"command":"undo","count":2,"id":7} "#)[0];
        assert_eq!(request.request_id, RequestId { id: Some(7), word: "undo".into() });
        assert_eq!(request.command, Command::Undo(2));
        assert_eq!(command(r#"{"command":"undo"}"#), Command::Undo(1));
        let set = Command::SetOption { name: "Hash".into(), value: Some("64".into()) };
        assert_eq!(command(r#"{"command":"set","name":"Hash","value":64}"#), set);
        assert_eq!(command(r#"{"command":"set","name":"Hash","value":"64"}"#), set);
        let moves = vec![PlayedMove::new("d3"), PlayedMove::new("c5")];
        let position = Command::SetPosition { start: None, moves, style: Style::Plain, keep_prefix: false };
        assert_eq!(command(r#"{"command":"position","moves":["d3","c5"]}"#), position);
        assert_eq!(requests(" \t").len(), 0);
        assert_eq!(requests(r#"{"command":"show"}"#).len(), SHOWN.len());
        assert_eq!(requests(r#"{"command":"stop"}"#).len(), 2);
    }

    #[test]
    fn limits_of_a_search() {
        let line = r#"{"command":"go","depth":7,"nodes":99,"seconds":0.5,"clocks":[300,0.005],"increments":[1,2],
            "moves_to_go":12,"only":["d3"],"play":true}"#;
        let limits = GoLimits {
            depth: Some(7),
            nodes: Some(99),
            move_time: Some(Duration::from_millis(500)),
            clocks: [Some(Duration::from_secs(300)), Some(Duration::from_millis(5))],
            increments: [Duration::from_secs(1), Duration::from_secs(2)],
            moves_to_go: Some(12),
            ..GoLimits::default()
        };
        let go = Go { play: true, limits, searchmoves: vec!["d3".into()], ..Go::default() };
        assert_eq!(command(line), Command::Go(go));
        assert_eq!(command(r#"{"command":"go"}"#), Command::Go(Go::default()));
        let endless = r#"{"command":"analyze","lines":3}"#;
        assert!(matches!(
            command(endless),
            Command::Analyze { multipv: 3, limits: GoLimits { infinite: true, .. }, .. }
        ));
        let bounded = r#"{"command":"analyze","depth":3}"#;
        assert!(matches!(
            command(bounded),
            Command::Analyze { multipv: 1, limits: GoLimits { infinite: false, .. }, .. }
        ));
    }

    #[test]
    fn errors_say_what_would_be_right() {
        for (line, part) in [
            ("hello", "expected a JSON object: expected value, at column 1"),
            (r#"{"command":"hello""#, "at column 18"),
            ("[1]", "expected a JSON object such as"),
            (r#"{"id":"a","command":"hello"}"#, "id: expected a whole number, saw \"a\""),
            (r#"{"id":1}"#, "command: expected one of hello, ready"),
            (r#"{"command":"stop","command":"quit"}"#, "a name is there twice, at column 35"),
            (r#"{"command":"dance"}"#, "unknown command: 'dance', not one of hello, "),
            (r#"{"command":"go","dept":3}"#, "unknown field `dept`, expected one of `depth`"),
            (r#"{"command":"go","depth":0}"#, "depth: expected at least 1, saw 0"),
            (r#"{"command":"go","depth":-1}"#, "integer `-1`"),
            (r#"{"command":"go","seconds":-1}"#, "expected seconds from 0 to 1000000000, saw -1"),
            (r#"{"command":"go","seconds":1e99}"#, "expected seconds"),
            (r#"{"command":"go","clocks":[1]}"#, "array of length 2"),
            (r#"{"command":"hello","x":1}"#, "unknown field `x`"),
            (r#"{"command":"analyze","lines":65}"#, "lines: expected 1 to 64, saw 65"),
            (r#"{"command":"analyze_game","lines":2}"#, "lines: "),
            (r#"{"command":"perft","depth":61}"#, "depth: expected 1 to 60, saw 61"),
            (r#"{"command":"set","name":"Hash","value":[]}"#, "value: expected a text"),
            (&"[".repeat(100_000), "recursion limit"),
        ] {
            assert!(error(line).contains(part), "{line:.60}: {}", error(line));
        }
    }

    #[test]
    fn what_must_not_wait_does_not() {
        for word in COMMANDS {
            let is_urgent = line(&format!("{{\"command\":\"{word}\"}}")).urgency == Urgency::Now;
            assert_eq!(is_urgent, ["ready", "ponderhit", "stop", "quit"].contains(&word), "{word}");
        }
        assert_eq!(line("stop").urgency, Urgency::Queue);
    }

    proptest! {
        #[test]
        fn any_line_is_a_request_or_blank(line in "\\PC*|[ -~\\t]{0,60}|\\{\"command\":\"[a-z_]{2,9}\"(,\"[a-z]{1,5}\":[0-9\\[\\]\"{}]{1,5}){0,2}\\}") {
            prop_assert_eq!(requests(&line).is_empty(), line.trim().is_empty());
        }
    }
}
