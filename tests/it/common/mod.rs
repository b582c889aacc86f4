//! Driving the real binary through pipes: send a line, expect a line before a deadline.

pub mod books;
pub mod console;
pub mod home;
pub mod program;
#[cfg(unix)]
pub mod terminal;
pub mod transcript;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Deadlines only guard against hangs.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    /// Starts the binary with these arguments, without an opening book unless they name one, so that searches do not
    /// depend on the embedded book.
    pub fn start(arguments: &[&str]) -> Engine {
        Engine::start_with(arguments, &[])
    }

    /// Starts the binary with exactly these arguments.
    pub fn start_plainly(arguments: &[&str]) -> Engine {
        Engine::spawn(Command::new(env!("CARGO_BIN_EXE_flipside")).args(arguments))
    }

    /// The same with environment variables.
    pub fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flipside"));
        Engine::spawn(command.args(without_book(arguments)).envs(variables.iter().copied()))
    }

    /// Starts the binary with `kib` KiB of address space.
    #[cfg(target_os = "linux")]
    pub fn start_within(kib: usize, arguments: &[&str]) -> Engine {
        let script = format!("ulimit -v {kib}; exec \"$0\" \"$@\"");
        Engine::spawn(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_flipside")]).args(arguments))
    }

    fn spawn(command: &mut Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_string();
                if sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        });
        let input = child.stdin.take();
        Engine { child, input, output }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    /// Sends a line, if the process still reads.
    pub fn try_send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line of output.
    pub fn line(&self) -> String {
        self.output.recv_timeout(TIMEOUT).expect("a line of output")
    }

    /// A line if one comes within this time.
    pub fn line_within(&self, time: Duration) -> Option<String> {
        match self.output.recv_timeout(time) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine closed its output"),
        }
    }

    /// Lines up to and including the first that fulfils the condition.
    pub fn until(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !wanted(&lines[lines.len() - 1]) {
            lines.push(self.line());
        }
        lines
    }

    /// A whole GTP response: its lines without the empty one that ends it.
    pub fn response(&self) -> String {
        let mut lines = self.until(str::is_empty);
        lines.pop();
        lines.join("\n")
    }

    /// Sends a GTP command and returns the response.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.response()
    }

    /// Sends SIGINT.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let line = format!("kill -INT {}", self.child.id());
        // The engine may have ended.
        let _ = Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status();
    }

    /// Whether the process still runs.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a status").is_none()
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// All output that is still to come, and the status at the end.
    pub fn finish(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let deadline = Instant::now() + TIMEOUT;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end: {lines:?}"),
            }
        }
        (lines, self.child.wait().expect("a status"))
    }

    /// The status once the process ends by itself; its input stays open.
    pub fn wait_for_exit(mut self) -> ExitStatus {
        self.child.wait().expect("a status")
    }
}

/// The arguments with `--book none`, if they start the engine itself and do not mention a book.
fn without_book<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let engine = arguments.first().is_none_or(|first| first.starts_with("--"));
    let silent = engine && arguments.iter().all(|argument| !argument.starts_with("--book"));
    let book = if silent { &["--book", "none"][..] } else { &[] };
    [arguments, book].concat()
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
