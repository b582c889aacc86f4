//! Property tests of UCI, NBoard and JSON lines: random and mangled lines between requests. Every request gets exactly one answer, and
//! the engine exits at the end of input. (GTP and XBoard have the same among their own tests.)

#![cfg(feature = "cli")]

use crate::common::Engine;
use proptest::prelude::*;

/// Commands that get an answer or end the session.
const REQUESTS: [&str; 9] = ["go", "isready", "quit", "uci", "d", "ping", "learn", "hint", "analyze"];

/// Lines that are no request.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[ -~]{0,30}".prop_map(String::into_bytes),
        "(position|setoption name|debug|stop|ponderhit|set game|set depth|set contempt|move|new) [ -~]{0,30}"
            .prop_map(String::into_bytes),
        "position startpos moves( P@[a-h][1-8]){0,4}".prop_map(String::into_bytes),
        "(move )?[A-H][1-8](/[0-9.-]{0,4}){0,2}".prop_map(String::into_bytes),
    ];
    bytes.prop_filter("no request", |line| {
        let text = String::from_utf8_lossy(line).replace(|c: char| c.is_control(), " ");
        !line.contains(&b'\n') && !text.split_whitespace().next().is_some_and(|word| REQUESTS.contains(&word))
    })
}

fn request(forms: &'static str) -> impl Strategy<Value = Vec<u8>> {
    forms.prop_map(String::into_bytes)
}

/// Lines that are not requests, and perhaps not JSON.
fn json_noise() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[ -~]{0,30}".prop_map(String::into_bytes),
        "\\{\"command\":\"(play|position)\",\"moves\":\\[(\"[a-h][1-8]\",){0,2}\"[a-h][1-8]\"\\]\\}"
            .prop_map(String::into_bytes),
        "\\{\"command\":\"(set|game|undo|go|perft|options|hello)\",\"(name|depth|count)\":[0-9\"a-z{\\[]{0,4}\\}"
            .prop_map(String::into_bytes),
    ];
    bytes.prop_filter("one line", |line| {
        !line.contains(&b'\n') && !line.contains(&b'\r') && !line.starts_with(b"\xef\xbb")
    })
}

fn feed(engine: &mut Engine, lines: &[Vec<u8>]) {
    for line in lines {
        engine.send_bytes(&[line.as_slice(), b"\n"].concat());
    }
}

fn count(lines: &[Vec<u8>], word: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(word.as_bytes())).count()
}

fn answers(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.split(' ').next() == Some(word)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn uci_answers_every_request_once(
        lines in prop::collection::vec(
            prop_oneof![3 => noise(), 1 => request("go depth [1-3]|go [a-z0-9]{0,9} nodes [1-9]|go movetime [a-z1-9]|isready")],
            1..60
        )
    ) {
        let mut engine = Engine::start(&["--uci", "--depth", "2", "--hash", "4"]);
        feed(&mut engine, &lines);
        engine.send("setoption name UCI_Variant value flipello\nposition startpos\ngo depth 2\nisready");
        let (output, status) = engine.finish();
        prop_assert!(status.success());
        prop_assert_eq!(answers(&output, "bestmove"), count(&lines, "go") + 1, "{:?}", output);
        prop_assert_eq!(answers(&output, "readyok"), count(&lines, "isready") + 1);
        prop_assert!(output.iter().any(|line| line.starts_with("bestmove P@")), "the last request is a correct one");
    }

    #[test]
    fn json_answers_every_line_once(
        lines in prop::collection::vec(
            prop_oneof![3 => json_noise(), 1 => request(
                "\\{\"id\":[0-9]{1,3},\"command\":\"(go|analyze|perft|analyze_game)\",\"depth\":[1-2]\\}|\\{\"command\":\"(ready|stop|show|new)\"\\}"
            )],
            1..60
        )
    ) {
        let mut engine = Engine::start(&["--protocol", "json", "--depth", "2", "--hash", "4"]);
        feed(&mut engine, &lines);
        engine.send("{\"id\":7777,\"command\":\"new\"}\n{\"id\":8888,\"command\":\"go\",\"depth\":2}");
        let (output, status) = engine.finish();
        prop_assert!(status.success());
        let objects: Vec<serde_json::Value> =
            output.iter().map(|line| serde_json::from_str(line).expect("every line is an object")).collect();
        prop_assert!(objects.iter().all(|object| object["version"] == 2));
        let is_blank = |line: &Vec<u8>| String::from_utf8_lossy(line).trim().is_empty();
        let asked = lines.iter().filter(|line| !is_blank(line)).count() + 2;
        let final_ones = objects.iter().filter(|object| object["event"] != "info").count();
        prop_assert_eq!(final_ones, asked, "{:?}", output);
        let last = objects.iter().find(|object| object["id"] == 8888 && object["event"] == "answer");
        prop_assert!(last.is_some_and(|answer| answer["move"].is_string()), "the last request is a correct one");
    }

    #[test]
    fn nboard_answers_every_request_once(
        lines in prop::collection::vec(
            prop_oneof![3 => noise(), 1 => request("ping [0-9]{1,5}|learn|go|hint [1-3]|analyze")],
            1..60
        )
    ) {
        let mut engine = Engine::start(&["--nboard", "--depth", "2", "--hash", "4"]);
        feed(&mut engine, &lines);
        engine.send("set depth 2\nping 77\nnew\ngo");
        let (output, status) = engine.finish();
        prop_assert!(status.success());
        prop_assert_eq!(answers(&output, "pong"), count(&lines, "ping") + 1);
        prop_assert_eq!(answers(&output, "learned"), count(&lines, "learn"));
        // A ping drops the answers of the searches before it.
        let last = output.iter().rposition(|line| line.starts_with("pong ")).expect("a pong");
        prop_assert_eq!(answers(&output[last..], "==="), 1, "{:?}", output);
        prop_assert!(answers(&output, "===") <= count(&lines, "go") + 1);
    }
}
