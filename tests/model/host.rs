//! A session with the engine in this process: bytes go in, lines come out.

use flipside::api::command::GoLimits;
use flipside::api::settings::Settings;
use flipside::engine::registry::Registry;
use flipside::engine::session::{Session, SessionConfig};
use flipside::engine::stdio;
use flipside::minichess::MiniChess;
use flipside::protocol;
use flipside::reversi::Reversi;
use flipside::{Engine, Limits, serve_on};
use std::io::{BufReader, PipeReader, PipeWriter, Write, pipe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The depth of a move without any limit.
const DEFAULT_DEPTH: u32 = 2;

pub struct Host {
    input: Option<PipeWriter>,
    output: Receiver<String>,
}

/// Output of the engine.
pub enum Heard {
    Line(String),
    Nothing,
    End,
}

impl Host {
    /// Starts the engine with Reversi or MiniChess. The first line that is sent chooses the protocol.
    pub fn start(reversi: bool) -> Host {
        Host::with_session(move |input, output| {
            let limits = Limits::depth(DEFAULT_DEPTH);
            let served = match reversi {
                true => serve_on(Engine::builder(Reversi).hash_mib(1), limits, input, output),
                false => serve_on(Engine::builder(MiniChess).hash_mib(1), limits, input, output),
            };
            served.expect("the engine opens");
        })
    }

    /// Starts the engine with all built-in games, as the program does.
    pub fn start_registry() -> Host {
        Host::with_session(|input, output| {
            let config = SessionConfig {
                settings: Settings { hash: 1, ..Settings::default() },
                is_usual_game: false,
                default_limits: GoLimits { depth: Some(DEFAULT_DEPTH), ..GoLimits::default() },
                protocol: None,
                recognize: protocol::recognize,
                factory: Arc::new(Registry),
            };
            let session = Session::new(config, output).expect("the engine opens");
            let (sender, backpressure) = session.input();
            std::thread::spawn(move || stdio::read(input, &sender, &backpressure));
            session.run();
        })
    }

    fn with_session(session: impl FnOnce(BufReader<PipeReader>, Lines) + Send + 'static) -> Host {
        let (reader, writer) = pipe().expect("a pipe");
        let (sender, output) = channel();
        let output_lines = Lines { sender, line: Vec::new() };
        let session = move || session(BufReader::new(reader), output_lines);
        std::thread::Builder::new().name("session".into()).spawn(session).expect("a thread");
        Host { input: Some(writer), output }
    }

    /// Sends bytes in one piece. An engine that has quit does not read them.
    pub fn send(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes);
        }
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    pub fn hear(&self, patience: Duration) -> Heard {
        match self.output.recv_timeout(patience) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }
}

impl Drop for Host {
    /// Ends the search of an abandoned conversation.
    fn drop(&mut self) {
        self.send(b"\n# interrupt\nquit\nEND\n");
    }
}

/// The engine's output, cut into lines.
struct Lines {
    sender: Sender<String>,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).expect("UTF-8");
                // A failed test no longer listens.
                let _ = self.sender.send(line);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
