//! Lines from a file or from standard input. A separate thread reads them, so that an interrupt ends the wait for a
//! silent person or pipe.

use super::interrupt::Interrupt;
use anyhow::{Context, anyhow};
use flipside_host::engine::stdio::read_line;
use flipside_host::record::{charset, wthor};
use flipside_support::diagnostics;
use flipside_support::text::{LineEnds, drop_bom};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write, stderr, stdin};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Lines read ahead.
const AHEAD: usize = 64;
/// Longest file of WTHOR or UTF-16 read, in bytes; the whole WTHOR database has about ten million.
const MAX_WHOLE_LENGTH: u64 = 256 << 20;

/// The lines of an input, without their line ends. A line of several megabytes is cut. A WTHOR file counts as one line.
/// An interrupt ends the lines.
pub struct InputLines {
    /// A line, or the end.
    inbox: Receiver<Option<io::Result<Vec<u8>>>>,
    interrupt: Interrupt,
    is_over: bool,
}

/// Opens a file to read by lines, or standard input for `-` or `None`.
///
/// # Errors
/// The file cannot be opened; no thread can be started.
pub fn open(file: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<InputLines> {
    let opening = interrupt.ends_at_once();
    let input = source(file)?;
    drop(opening);
    let (sender, inbox) = sync_channel(AHEAD);
    let waker = sender.clone();
    // If the channel is full, no reader is waiting for a line, and it sees the interrupt before it takes the next one.
    interrupt.on_raise(move || drop(waker.try_send(None)));
    let read = move || send_lines(BufReader::new(input), &sender);
    std::thread::Builder::new().name("input".into()).spawn(read).context("cannot start a thread for the input")?;
    Ok(InputLines { inbox, interrupt: interrupt.clone(), is_over: false })
}

/// Opens a file, or standard input for `-` or `None`.
///
/// # Errors
/// The file cannot be opened.
pub fn source(file: Option<&Path>) -> anyhow::Result<Box<dyn Read + Send>> {
    Ok(match file {
        Some(path) if path != Path::new("-") => Box::new(File::open(path).map_err(|error| cannot_read(path, error))?),
        _ => Box::new(stdin()),
    })
}

/// The reason why a file cannot be opened; if it does not exist, also how to read standard input.
fn cannot_read(path: &Path, error: io::Error) -> anyhow::Error {
    let context = format!("cannot read {}", path.display());
    match error.kind() {
        io::ErrorKind::NotFound => {
            anyhow!("there is no such file; `-`, or no name, reads standard input").context(context)
        }
        _ => anyhow::Error::new(error).context(context),
    }
}

/// Tells a person at a terminal which input the command waits for.
pub fn announce(file: Option<&Path>, wanted: &str) {
    if file.is_none_or(|path| path == Path::new("-")) && stdin().is_terminal() {
        // The input is read even if stderr is closed.
        let _ = writeln!(stderr(), "flipside: waiting for {wanted}; Ctrl-D ends the input, Ctrl-C the program");
    }
}

/// Sends the lines (or a whole WTHOR file, which has no lines), then the end or the error. Stops early if the receiver is
/// gone.
fn send_lines(mut input: impl BufRead, lines: &SyncSender<Option<io::Result<Vec<u8>>>>) {
    let (is_wthor, is_utf16) = loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break (false, false),
            Ok(start) => break (wthor::is_wthor(start), charset::is_utf16(start)),
        }
    };
    if !is_wthor && !is_utf16 {
        return send_text_lines(input, lines);
    }
    let mut bytes = Vec::new();
    let read = input.take(MAX_WHOLE_LENGTH).read_to_end(&mut bytes);
    if is_utf16 && read.is_ok() {
        let (text, is_damaged) = charset::without_mark(&bytes);
        if is_damaged {
            // The text is read even if stderr is closed.
            let _ = diagnostics::report(None, charset::DAMAGED_UTF16);
        }
        return send_text_lines(&*text, lines);
    }
    let is_whole = read.is_ok();
    if lines.send(Some(read.map(|_| bytes))).is_ok() && is_whole {
        // The receiver may be gone.
        drop(lines.send(None));
    }
}

/// Sends the lines of a text, then the end or the error.
fn send_text_lines(input: impl BufRead, lines: &SyncSender<Option<io::Result<Vec<u8>>>>) {
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
        // Nothing is sent after the end, and the interrupt keeps the channel open: several workers ask for more.
        if self.is_over || self.interrupt.is_raised() {
            return None;
        }
        let line = self.inbox.recv().ok().flatten();
        self.is_over = line.is_none();
        line
    }
}
