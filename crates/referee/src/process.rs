//! A child process to be written to, read and ended; every wait for it has a limit.

use super::process_group::GroupLeader;
use super::spec::PlayerSpec;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest line read from a player, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// Limit of buffered unread lines, 16 MiB at most; the pipe blocks a player that writes more.
const MAX_UNREAD_LINES: usize = 256;
/// Limit of lines after one request; more is a flood.
const MAX_ANSWER_LINES: usize = 200_000;
/// Limit of bytes after one request; more is a flood.
const MAX_ANSWER_BYTES: usize = 32 << 20;
/// Lines of stderr that are kept.
const MAX_STDERR_LINES: usize = 100;

/// Why no line could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// No line came before the deadline.
    Timeout,
    /// The output is closed.
    Closed,
    /// The output is far longer than any answer.
    Flood,
}

/// A line and when it arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputLine {
    /// Without its line end.
    pub text: String,
    /// When the end of the line was read.
    pub at: Instant,
}

enum Output {
    Line(OutputLine),
    Flood,
}

/// A running player.
pub struct Process {
    leader: GroupLeader,
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    stderr: Arc<Mutex<Vec<String>>>,
    name: String,
    lines_since_send: usize,
    bytes_since_send: usize,
}

impl Process {
    /// Starts the player's command.
    ///
    /// # Errors
    /// The command is empty or cannot be started.
    pub fn start(spec: &PlayerSpec) -> std::io::Result<Process> {
        let (program, arguments) = spec.command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        let mut leader = GroupLeader::start(command)?;
        let child = leader.child();
        let (lines, output) = sync_channel(MAX_UNREAD_LINES);
        let (input, texts) = channel::<String>();
        let stderr_lines = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || read_stdout(stdout, &lines));
        }
        if let Some(mut stdin) = child.stdin.take() {
            // Another thread writes, because a player that does not read must not block the referee.
            std::thread::spawn(move || {
                for text in texts {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stderr) = child.stderr.take() {
            let (lines, name) = (Arc::clone(&stderr_lines), spec.name.clone());
            std::thread::spawn(move || read_stderr(stderr, &lines, &name));
        }
        Ok(Process {
            leader,
            input: Some(input),
            output,
            stderr: stderr_lines,
            name: spec.name.clone(),
            lines_since_send: 0,
            bytes_since_send: 0,
        })
    }

    /// Sends a line. An error appears when the answer is read.
    pub fn send(&mut self, line: &str) {
        log::debug!("{} < {line}", self.name);
        self.send_raw(format!("{line}\n"));
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, text: String) {
        (self.lines_since_send, self.bytes_since_send) = (0, 0);
        if let Some(input) = &self.input {
            // The writing thread ends with the player; then reading fails, too.
            let _ = input.send(text);
        }
    }

    /// Closes the player's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line of output.
    ///
    /// # Errors
    /// No line comes before the deadline, or the output is closed.
    pub fn line(&mut self, deadline: Instant) -> Result<OutputLine, ReadError> {
        if self.lines_since_send >= MAX_ANSWER_LINES || self.bytes_since_send >= MAX_ANSWER_BYTES {
            return Err(ReadError::Flood);
        }
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Output::Line(line)) => {
                self.lines_since_send += 1;
                self.bytes_since_send += line.text.len();
                log::debug!("{} > {}", self.name, line.text);
                Ok(line)
            }
            Ok(Output::Flood) => Err(ReadError::Flood),
            Err(RecvTimeoutError::Timeout) => Err(ReadError::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(ReadError::Closed),
        }
    }

    /// The first lines written to stderr.
    pub fn stderr_lines(&self) -> Vec<String> {
        self.stderr.lock().map(|lines| lines.clone()).unwrap_or_default()
    }

    /// The exit status, if the process ends by itself before the deadline. Helper processes that it leaves behind are
    /// ended.
    pub fn wait_for_exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        while !self.leader.has_left() {
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.leader.end().ok()
    }
}

impl Drop for Process {
    /// Closes the input, gives the player 0.2 s to exit, then kills its whole process group.
    fn drop(&mut self) {
        self.input = None;
        self.wait_for_exit(Instant::now() + Duration::from_millis(200));
    }
}

/// Reads a line. The flag tells whether it is whole or was cut at [`MAX_LINE_BYTES`]; `None` at the end.
fn read_line(output: &mut impl BufRead) -> Option<(String, bool)> {
    let mut bytes = Vec::new();
    let length = output.take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes).ok().filter(|&length| length > 0)?;
    let is_whole = (length as u64) < MAX_LINE_BYTES || bytes.ends_with(b"\n");
    Some((String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string(), is_whole))
}

fn read_stdout(stdout: impl Read, lines: &SyncSender<Output>) {
    let mut stdout = BufReader::new(stdout);
    while let Some((text, is_whole)) = read_line(&mut stdout) {
        let output = if is_whole { Output::Line(OutputLine { text, at: Instant::now() }) } else { Output::Flood };
        if lines.send(output).is_err() || !is_whole {
            return;
        }
    }
}

/// Reads stderr to its end, so that a full pipe never blocks a player, and keeps the first lines.
fn read_stderr(stderr: impl Read, lines: &Mutex<Vec<String>>, name: &str) {
    let mut stderr = BufReader::new(stderr);
    while let Some((text, _)) = read_line(&mut stderr) {
        let text = text.trim_end();
        log::debug!("{name} ! {text}");
        if let Ok(mut lines) = lines.lock()
            && lines.len() < MAX_STDERR_LINES
        {
            lines.push(text.to_string());
        }
    }
}
