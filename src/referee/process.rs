//! A child process that can be written to, read and ended, but never waited for without a limit.

use super::spec::PlayerSpec;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest line taken from a player, in bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines kept unread; a player that writes more is made to wait by its pipe.
const MOST_UNREAD: usize = 4_096;
/// Lines of one answer; beyond it a player babbles.
const MOST_LINES: usize = 200_000;
/// Lines of stderr that are kept.
const MOST_NOISE: usize = 100;

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// Nothing until the deadline.
    Deadline,
    /// The output is closed.
    End,
    /// Far more than an answer.
    Flood,
}

/// A line and when it arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Without its line end.
    pub text: String,
    /// When its end was read.
    pub at: Instant,
}

enum Output {
    Line(Line),
    Flood,
}

/// A running player.
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    noise: Arc<Mutex<Vec<String>>>,
    name: String,
    unserved: usize,
}

/// The process groups that are alive, so that an interrupted match leaves nobody behind.
static ALIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

impl Process {
    /// Starts the player's command.
    pub fn start(spec: &PlayerSpec) -> std::io::Result<Process> {
        let (program, arguments) = spec.command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        // A group of its own: Ctrl-C is ours to handle, and helpers of the engine end with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        ALIVE.lock().map(|mut alive| alive.push(child.id())).ok();
        let (lines, output) = sync_channel(MOST_UNREAD);
        let (input, texts) = channel::<String>();
        let noise = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || read(stdout, &lines));
        }
        if let Some(mut stdin) = child.stdin.take() {
            // A player that does not read must not block us, so another thread writes.
            std::thread::spawn(move || {
                for text in texts {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stderr) = child.stderr.take() {
            let (noise, name) = (Arc::clone(&noise), spec.name.clone());
            std::thread::spawn(move || listen(stderr, &noise, &name));
        }
        Ok(Process { child, input: Some(input), output, noise, name: spec.name.clone(), unserved: 0 })
    }

    /// Sends a line; whether anybody reads it shows in the answer.
    pub fn send(&mut self, line: &str) {
        log::debug!("{} < {line}", self.name);
        self.send_raw(format!("{line}\n"));
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, text: String) {
        self.unserved = 0;
        if let Some(input) = &self.input {
            // The writer ends when the player does; the reader will say so.
            let _ = input.send(text);
        }
    }

    /// Closes the player's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line of output.
    pub fn line(&mut self, deadline: Instant) -> Result<Line, Silence> {
        if self.unserved >= MOST_LINES {
            return Err(Silence::Flood);
        }
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Output::Line(line)) => {
                self.unserved += 1;
                log::debug!("{} > {}", self.name, line.text);
                Ok(line)
            }
            Ok(Output::Flood) => Err(Silence::Flood),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Deadline),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::End),
        }
    }

    /// What it wrote to stderr so far, the first lines.
    pub fn noise(&self) -> Vec<String> {
        self.noise.lock().map(|noise| noise.clone()).unwrap_or_default()
    }

    /// The exit status, once the process has ended of itself before the deadline.
    pub fn ended(&mut self, deadline: Instant) -> Option<std::process::ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    /// Closes the input, waits a moment for a clean end, then ends the whole group.
    fn drop(&mut self) {
        self.input = None;
        let ended = self.ended(Instant::now() + Duration::from_millis(200)).is_some();
        if !ended {
            end_group(self.child.id());
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        ALIVE.lock().map(|mut alive| alive.retain(|&id| id != self.child.id())).ok();
    }
}

/// Ends every player that is still running, at once.
pub fn end_all() {
    let alive = ALIVE.lock().map(|mut alive| std::mem::take(&mut *alive)).unwrap_or_default();
    for id in alive {
        end_group(id);
    }
}

/// The standard library ends single processes only; `kill` knows groups.
fn end_group(id: u32) {
    if cfg!(unix) {
        let group = format!("-{id}");
        let quiet =
            Command::new("kill").args(["-KILL", "--", &group]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if let Err(error) = quiet {
            log::warn!("cannot end the process group {id}: {error}");
        }
    }
}

fn read(stdout: impl Read, lines: &SyncSender<Output>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        match stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(length) if length as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') => {
                let _ = lines.send(Output::Flood);
                return;
            }
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string();
        if lines.send(Output::Line(Line { text, at: Instant::now() })).is_err() {
            return;
        }
    }
}

/// Reads stderr to its end, so that no player blocks on it, and keeps its beginning.
fn listen(stderr: impl Read, noise: &Mutex<Vec<String>>, name: &str) {
    let mut stderr = BufReader::new(stderr);
    loop {
        let mut bytes = Vec::new();
        match stderr.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
        log::debug!("{name} ! {text}");
        if let Ok(mut noise) = noise.lock()
            && noise.len() < MOST_NOISE
        {
            noise.push(text);
        }
    }
}
