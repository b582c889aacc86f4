//! Whole conversations: the first byte chooses the protocol, the rest are lines. Lines with searches, which may take
//! any time, and with files are left out.

#![no_main]

mod common;

use flipside::api::command::{Command, GoLimits};
use flipside::api::protocol::Request;
use flipside::api::settings::Settings;
use flipside::engine::message::Message;
use flipside::engine::registry::Registry;
use flipside::engine::session::{Session, SessionConfig};
use flipside::protocol;
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A question that every protocol answers, and its answer.
const LAST: [(&str, &str, &str); 7] = [
    ("gtp", "77 protocol_version", "=77 2\n\n"),
    ("nboard", "ping 77", "pong 77\n"),
    ("uci", "isready", "readyok\n"),
    ("xboard", "ping 77", "pong 77\n"),
    (
        "json",
        "{\"id\":77,\"command\":\"ready\"}",
        "{\"version\":2,\"id\":77,\"event\":\"answer\",\"command\":\"ready\"}\n",
    ),
    ("gomocup", "FLY 77", "UNKNOWN FLY\n"),
    ("cassio", "ENGINE-PROTOCOL fly-77", "ERROR: unknown command fly-77\nready.\n"),
];

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// How long a session waits for files before it serves other lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// MiB of the largest table that a session may ask for.
const MAX_HASH: u32 = 64;

/// Whether a line may be sent: it starts no search, ends no session, opens no file and takes little memory.
fn harmless(line: &str) -> bool {
    // For Gomocup's engine, the end of a list of stones is the request for a move.
    let excluded = ["loadsgf", "eights", "done"].iter().any(|word| line.to_ascii_lowercase().contains(word));
    let safe = |request: &Request| match &request.command {
        Command::Quit => false,
        Command::SetOption { name, value } if name.eq_ignore_ascii_case("hash") => {
            value.as_ref().and_then(|value| value.parse().ok()).is_none_or(|mebibytes: u32| mebibytes <= MAX_HASH)
        }
        command => !command.starts_search(),
    };
    !excluded
        && protocol::NAMES.iter().filter_map(|name| protocol::open(name)).all(|mut own| {
            let parsed = own.parse(line);
            own.requests(parsed).iter().all(safe)
        })
}

/// The session's output for the lines; empty if the engine cannot be opened.
fn conversation<'a>(name: &str, lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let output = Output::default();
    let settings = Settings { hash: 1, ..Settings::default() };
    let config = SessionConfig {
        settings,
        is_usual_game: true,
        default_limits: GoLimits::default(),
        protocol: protocol::open(name),
        recognize: protocol::recognize,
        factory: Arc::new(Registry),
    };
    let session = Session::new(config, output.clone()).ok()?;
    let (sender, gate) = session.input();
    for line in lines {
        let _ = sender.send(Message::Line(line.to_string()));
    }
    let _ = sender.send(Message::End);
    drop(gate);
    session.run();
    let said = output.0.lock().unwrap_or_else(PoisonError::into_inner);
    Some(String::from_utf8_lossy(&said).into_owned())
}

fuzz_target!(|bytes: &[u8]| {
    let _threads = common::StartedThreads::new();
    let Some((&first, rest)) = bytes.split_first() else { return };
    let (name, question, answer) = LAST[usize::from(first) % LAST.len()];
    let text = String::from_utf8_lossy(rest);
    loop {
        let start = Instant::now();
        let Some(said) = conversation(name, text.lines().filter(|line| harmless(line)).chain([question])) else {
            return;
        };
        if said.ends_with(answer) {
            return;
        }
        // On a starved machine an engine may open more slowly than a session waits, and lines served beside it overtake
        // it: try once more.
        assert!(start.elapsed() >= PATIENCE, "{said}");
    }
});
