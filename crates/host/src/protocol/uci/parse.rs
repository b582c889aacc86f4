//! Parsing lines of UCI.

use crate::api::command::{Command, CommandError, Go, GoLimits, PlayedMove, Query};
use crate::api::protocol::{ParsedLine, Request, RequestId, Urgency};
use crate::protocol::text::without_controls;
use crate::protocol::token::{clamped_count, clamped_number, clamped_time, perft_depth, word_and_rest, words};
use flipside_core::search::notation::Style;
use std::time::Duration;

/// The words that may follow `go`.
const GO_WORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// Limit of moves read after `searchmoves`, above the count of any position; further ones are ignored.
const MAX_SEARCHMOVES: usize = 1_000;

/// Parses a line and sets its urgency.
pub fn line(line: &str) -> ParsedLine {
    let request = request(line);
    let urgency = match request.as_ref().map(|request| &request.command) {
        Some(Command::Ready | Command::Stop | Command::PonderHit(_) | Command::Quit) => Urgency::Now,
        _ => Urgency::Queue,
    };
    ParsedLine::of_requests(urgency, request)
}

/// The request of a line; none for blank lines and commands without effect.
fn request(line: &str) -> Option<Request> {
    let clean = without_controls(line);
    let (word, rest) = word_and_rest(&clean)?;
    let command = match word {
        "uci" => Command::Handshake,
        "isready" => Command::Ready,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit(None),
        "quit" => Command::Quit,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(rest),
        "position" => position(rest),
        "go" => go(rest),
        "d" => Command::Show(Query::Board),
        "debug" | "register" => return None,
        _ => Command::Invalid(CommandError::UnknownCommand(word.to_string())),
    };
    Some(Request { request_id: RequestId { id: None, word: word.to_string() }, command })
}

/// `name N [value V]`; both may contain blanks.
fn set_option(text: &str) -> Command {
    let invalid = || Command::Invalid(CommandError::Syntax("expected setoption name NAME [value VALUE]".into()));
    let Some(("name", rest)) = word_and_rest(text) else { return invalid() };
    let lower = rest.to_ascii_lowercase();
    let marks = [lower.find(" value "), lower.strip_suffix(" value").map(str::len)];
    let (name, value) = match marks.into_iter().flatten().next() {
        Some(at) => (rest.get(..at).unwrap_or_default(), rest.get(at + 6..).map(|value| value.trim().to_string())),
        None => (rest, None),
    };
    // UCI's spelling of an empty text.
    let value = value.map(|value| if value == "<empty>" { String::new() } else { value });
    let name = words(name).join(" ");
    if name.is_empty() { invalid() } else { Command::SetOption { name, value } }
}

/// `startpos|fen F [moves M ...]`.
fn position(text: &str) -> Command {
    let invalid =
        || Command::Invalid(CommandError::Syntax("expected position startpos|fen FEN [moves MOVE ...]".into()));
    let Some((kind, rest)) = word_and_rest(text) else { return invalid() };
    let mut parts = words(rest).into_iter();
    let fen: Vec<&str> = parts.by_ref().take_while(|part| *part != "moves").collect();
    let start = match kind {
        "startpos" if fen.is_empty() => None,
        "fen" if !fen.is_empty() && !fen.iter().any(|field| is_move(field)) => Some(fen.join(" ")),
        _ => return invalid(),
    };
    Command::SetPosition { start, moves: parts.map(PlayedMove::new).collect(), style: Style::Uci, keep_prefix: true }
}

/// Whether a word is a move rather than a field of a FEN. Then the word `moves` is missing, and the moves would be lost.
fn is_move(word: &str) -> bool {
    let is_square = |file: u8, rank: u8| file.is_ascii_lowercase() && rank.is_ascii_digit();
    match word.as_bytes() {
        [_, b'@', ..] => true,
        [a, b, c, d] | [a, b, c, d, b'a'..=b'z'] => is_square(*a, *b) && is_square(*c, *d),
        _ => false,
    }
}

/// The limits in any order. A limit without a proper value is ignored. `go` alone is `go infinite`, but a `go` whose words
/// were all ignored gets the engine's own limit.
fn go(text: &str) -> Command {
    let list = words(text);
    let mut go = Go { limits: GoLimits { infinite: list.is_empty(), ..GoLimits::default() }, ..Go::default() };
    let mut at = list.iter().copied().peekable();
    while let Some(word) = at.next() {
        match word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = at.next_if(|next| !GO_WORDS.contains(next)) {
                    if go.searchmoves.len() < MAX_SEARCHMOVES {
                        go.searchmoves.push(mv.to_string());
                    }
                }
            }
            _ if GO_WORDS.contains(&word) => {
                let Some(value) = at.next_if(|next| !GO_WORDS.contains(next)) else { continue };
                if word == "perft" {
                    match perft_depth(value) {
                        Some(depth) => return Command::Perft(depth),
                        None => return Command::Invalid(CommandError::Syntax("expected go perft 1..60".into())),
                    }
                }
                limit(&mut go.limits, word, value);
            }
            _ => {}
        }
    }
    Command::Go(go)
}

fn limit(limits: &mut GoLimits, word: &str, value: &str) {
    let [first, second] = &mut limits.clocks;
    let [first_increment, second_increment] = &mut limits.increments;
    match word {
        "wtime" => *first = milliseconds(value),
        "btime" => *second = milliseconds(value),
        "winc" => *first_increment = milliseconds(value).unwrap_or_default(),
        "binc" => *second_increment = milliseconds(value).unwrap_or_default(),
        "movetime" => limits.move_time = milliseconds(value),
        "movestogo" => limits.moves_to_go = clamped_count(value).filter(|moves| *moves > 0),
        "depth" => limits.depth = clamped_count(value).filter(|depth| *depth > 0),
        "nodes" => limits.nodes = clamped_number(value).filter(|nodes| *nodes > 0),
        "mate" => limits.mate = clamped_count(value).filter(|moves| *moves > 0),
        _ => {}
    }
}

fn milliseconds(text: &str) -> Option<Duration> {
    clamped_time(text, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(line: &str) -> Command {
        request(line).map(|request| request.command).expect("a request")
    }

    fn limits(line: &str) -> GoLimits {
        match command(line) {
            Command::Go(go) => go.limits,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_must_not_wait_does_not() {
        for urgent in ["stop", "isready", "quit", " ponderhit\t"] {
            assert_eq!(line(urgent).urgency, Urgency::Now, "{urgent}");
        }
        for other in ["go", "position startpos", "uci", "ucinewgame", "setoption name Hash value 1", "", "stopped"] {
            assert_eq!(line(other).urgency, Urgency::Queue, "{other}");
        }
        for silent in ["", " \t\r", "debug on", "register later"] {
            assert_eq!(request(silent), None, "{silent:?}");
        }
    }

    #[test]
    fn options_have_names_and_values_with_blanks() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(str::to_string),
        };
        assert_eq!(command("setoption name Hash value 64"), set("Hash", Some("64")));
        assert_eq!(command("setoption name  clear   hash"), set("clear hash", None));
        assert_eq!(command("setoption name clear hash value true"), set("clear hash", Some("true")));
        assert_eq!(command("setoption name Weights value /a b/c"), set("Weights", Some("/a b/c")));
        assert_eq!(command("setoption name Weights value"), set("Weights", Some("")));
        assert_eq!(command("setoption name Weights value <empty>"), set("Weights", Some("")));
        for bad in ["setoption", "setoption Hash 1", "setoption name", "setoption name  "] {
            assert!(matches!(command(bad), Command::Invalid(CommandError::Syntax(_))), "{bad}");
        }
    }

    #[test]
    fn positions() {
        let Command::SetPosition { start: None, moves, keep_prefix: true, .. } =
            command("position startpos moves P@d6 a1a1")
        else {
            panic!("a position")
        };
        assert_eq!(moves, [PlayedMove::new("P@d6"), PlayedMove::new("a1a1")]);
        let Command::SetPosition { start, moves, .. } = command("position fen 8/8 w - - 0 1") else {
            panic!("a position")
        };
        assert_eq!((start.as_deref(), moves.len()), (Some("8/8 w - - 0 1"), 0));
        for bad in [
            "position",
            "position fen",
            "position fen moves a1",
            "position here",
            "position startpos P@d6",
            "position fen 8/8 w - - 0 1 P@d6",
            "position fen kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1 b2b3",
        ] {
            assert!(matches!(command(bad), Command::Invalid(CommandError::Syntax(_))), "{bad}");
        }
    }

    #[test]
    fn limits_in_any_order() {
        let clocks = limits("go btime 5 binc 2 wtime 300000 winc 1000 movestogo 12");
        assert_eq!(clocks.clocks, [Some(Duration::from_secs(300)), Some(Duration::from_millis(5))]);
        assert_eq!(clocks.increments, [Duration::from_secs(1), Duration::from_millis(2)]);
        assert_eq!(clocks.moves_to_go, Some(12));
        assert_eq!(limits("go wtime -50").clocks, [Some(Duration::ZERO), None]);
        assert_eq!(limits("go depth 7 nodes 99").depth, Some(7));
        assert_eq!(limits("go mate 3").mate, Some(3));
        assert!(limits("go").infinite && limits("go infinite").infinite);
        assert_eq!(limits("go depth x"), GoLimits::default());
        let huge = "99999999999999999999999";
        assert_eq!(limits(&format!("go depth {huge}")).depth, Some(u32::MAX));
        assert_eq!(limits(&format!("go nodes {huge}")).nodes, Some(u64::MAX));
        assert!(limits(&format!("go movetime {huge}")).move_time > Some(Duration::from_secs(900_000_000)));
        assert_eq!(limits("go depth wtime 9").clocks[0], Some(Duration::from_millis(9)));
        assert_eq!(command("go perft 5"), Command::Perft(5));
        let Command::Go(go) = command("go ponder searchmoves P@d6 P@e3 depth 3") else { panic!("a search") };
        assert!(go.ponder && !go.play);
        assert_eq!((go.searchmoves.len(), go.limits.depth), (2, Some(3)));
        let Command::Go(go) = command(&format!("go searchmoves {}depth 3", "a1 ".repeat(5_000))) else {
            panic!("a search")
        };
        assert_eq!((go.searchmoves.len(), go.limits.depth), (MAX_SEARCHMOVES, Some(3)));
    }

    proptest! {
        #[test]
        fn any_line_is_one_request_or_none(line in "\\PC*|[ -~\\t\\x00-\\x1f]{0,60}") {
            let blank: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let silent = word_and_rest(&blank).is_none_or(|(word, _)| ["debug", "register"].contains(&word));
            prop_assert_eq!(request(&line).is_some(), !silent);
        }

        #[test]
        fn any_words_after_go_are_one_request(
            list in proptest::collection::vec(prop_oneof![
                prop::sample::select(GO_WORDS.to_vec()).prop_map(str::to_string),
                any::<i64>().prop_map(|n| n.to_string()),
                "[a-zP@0-9é]{1,6}",
            ], 0..12)
        ) {
            let line = format!("go {}", list.join(" "));
            prop_assert!(request(&line).is_some());
        }

        #[test]
        fn limits_written_are_read(wtime in 0u64..1_000_000, depth in 1u32..99, nodes in 1u64..u64::MAX) {
            let read = limits(&format!("go wtime {wtime} depth {depth} nodes {nodes}"));
            prop_assert_eq!(read.clocks[0], Some(Duration::from_millis(wtime)));
            prop_assert_eq!((read.depth, read.nodes), (Some(depth), Some(nodes)));
        }
    }
}
