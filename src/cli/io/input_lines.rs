//! Lines from a file or from standard input, read by a thread of their own: an interrupt ends the wait for a person or a
//! pipe that writes nothing.

use super::interrupt::Interrupt;
use anyhow::{Context, anyhow};
use flipside_host::engine::stdio::read_line;
use flipside_host::record::wthor;
use flipside_support::text::{LineEnds, drop_bom};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write, stderr, stdin};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Lines read ahead of their use.
const AHEAD: usize = 64;
/// Longest WTHOR file read, in bytes; all games of the world are ten million.
const MAX_BINARY_LENGTH: u64 = 256 << 20;

/// The lines of an input, without their line ends; of a line of several megabytes the beginning.
/// A WTHOR file is one line. After an interrupt there
/// are no more.
pub struct InputLines {
    /// A line, or the end.
    inbox: Receiver<Option<io::Result<Vec<u8>>>>,
    interrupt: Interrupt,
    is_over: bool,
}

/// Opens a file to be read by lines; standard input for `-` or nothing.
///
/// # Errors
/// The file cannot be opened; no thread can be started.
pub fn open(file: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<InputLines> {
    let opening = interrupt.ends_at_once();
    let input: Box<dyn Read + Send> = match file {
        Some(path) if path != Path::new("-") => Box::new(File::open(path).map_err(|error| cannot_read(path, error))?),
        _ => Box::new(stdin()),
    };
    drop(opening);
    let (sender, inbox) = sync_channel(AHEAD);
    let waker = sender.clone();
    // If the channel is full, nobody waits for a line, and the interrupt is seen before the next one is taken.
    interrupt.on_raise(move || drop(waker.try_send(None)));
    let read = move || send_lines(BufReader::new(input), &sender);
    std::thread::Builder::new().name("input".into()).spawn(read).context("cannot start a thread for the input")?;
    Ok(InputLines { inbox, interrupt: interrupt.clone(), is_over: false })
}

/// Why a file cannot be opened; where there is none, what else could be named.
fn cannot_read(path: &Path, error: io::Error) -> anyhow::Error {
    let context = format!("cannot read {}", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => {
            anyhow!("there is no such file; `-`, or no name, reads the standard input").context(context)
        }
        _ => anyhow::Error::new(error).context(context),
    }
}

/// Tells a person at a terminal what is waited for where no file is read.
pub fn announce(file: Option<&Path>, wanted: &str) {
    if file.is_none_or(|path| path == Path::new("-")) && stdin().is_terminal() {
        // A closed stderr is no reason not to read.
        let _ = writeln!(stderr(), "flipside: waiting for {wanted}; Ctrl-D ends the input, Ctrl-C the program");
    }
}

/// Sends the lines, or all of a WTHOR file, which has none, and at last the end or the error; less if nobody listens.
fn send_lines(mut input: impl BufRead, lines: &SyncSender<Option<io::Result<Vec<u8>>>>) {
    let is_wthor = loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            start => break start.map(wthor::is_wthor),
        }
    };
    if is_wthor.is_ok_and(|is_wthor| is_wthor) {
        let mut bytes = Vec::new();
        let read = input.take(MAX_BINARY_LENGTH).read_to_end(&mut bytes).map(|_| bytes);
        let is_whole = read.is_ok();
        if lines.send(Some(read)).is_ok() && is_whole {
            // Nobody may listen any more.
            drop(lines.send(None));
        }
        return;
    }
    let mut input = BufReader::new(LineEnds::new(input));
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let next = read_line(&mut input, &mut line).map(|any| any.then_some(line)).transpose();
        let is_last = !matches!(next, Some(Ok(_)));
        let without_bom = |mut line: Vec<u8>| {
            if std::mem::take(&mut is_first) {
                drop_bom(&mut line);
            }
            line
        };
        if lines.send(next.map(|line| line.map(without_bom))).is_err() || is_last {
            return;
        }
    }
}

impl Iterator for InputLines {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        // Behind the end nothing is sent, and the interrupt keeps the channel open: several workers ask for more.
        if self.is_over || self.interrupt.is_raised() {
            return None;
        }
        let line = self.inbox.recv().ok().flatten();
        self.is_over = line.is_none();
        line
    }
}
