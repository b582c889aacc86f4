//! A session with the engine in this process: bytes go in, lines come out.

use flipside::minichess::MiniChess;
use flipside::reversi::Reversi;
use flipside::{Engine, Limits, serve_on};
use std::io::{BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// What a move may cost where nobody limits it.
const DEFAULT_DEPTH: u32 = 2;

pub struct Host {
    input: Option<PipeWriter>,
    output: Receiver<String>,
}

/// What came from the engine.
pub enum Heard {
    Line(String),
    Nothing,
    End,
}

impl Host {
    /// Starts the engine with Reversi or MiniChess. The first line that is sent chooses the protocol.
    pub fn start(reversi: bool) -> Host {
        let (reader, writer) = pipe().expect("a pipe");
        let (sender, output) = channel();
        let output_lines = Lines { sender, line: Vec::new() };
        let session = move || {
            let (limits, input) = (Limits::depth(DEFAULT_DEPTH), BufReader::new(reader));
            let served = match reversi {
                true => serve_on(Engine::builder(Reversi).hash_mib(1), limits, input, output_lines),
                false => serve_on(Engine::builder(MiniChess).hash_mib(1), limits, input, output_lines),
            };
            served.expect("the engine opens");
        };
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
    /// A conversation that is given up leaves no search behind.
    fn drop(&mut self) {
        self.send(b"\n# interrupt\nquit\n");
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
                // A test that has failed listens no more.
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
