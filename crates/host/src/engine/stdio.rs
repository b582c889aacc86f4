//! Standard input and output: a thread that reads lines, and a writer that survives a closed pipe.

use super::message::Message;
use flipside_support::text::without_bom;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex};

/// Longest line read, in bytes; the rest of a longer line is dropped.
const MAX_LINE_LENGTH: usize = 4 << 20;
/// Limit of unserved input in memory, in bytes; above it the reader waits.
const MAX_UNSERVED: usize = 8 << 20;

/// Backpressure: the reader waits while too much input is unserved, so that a flood of lines does not fill the memory.
#[derive(Clone, Default)]
pub struct Backpressure(Arc<(Mutex<usize>, Condvar)>);

impl Backpressure {
    /// The cost of a line in bytes: its length and an allowance for its place in the queue.
    pub fn cost(line: &str) -> usize {
        line.len() + 256
    }

    fn acquire(&self, bytes: usize) {
        let (unserved, served) = &*self.0;
        let Ok(guard) = unserved.lock() else { return };
        if let Ok(mut guard) = served.wait_while(guard, |unserved| *unserved > MAX_UNSERVED) {
            *guard += bytes;
        }
    }

    /// Reports that `bytes` of input have been served.
    pub fn release(&self, bytes: usize) {
        let (unserved, served) = &*self.0;
        if let Ok(mut guard) = unserved.lock() {
            *guard = guard.saturating_sub(bytes);
            served.notify_one();
        }
    }
}

/// Sends every line of the input, then the end, until the session is gone.
///
/// Invalid UTF-8 becomes replacement characters. The carriage return of CR LF and a byte-order mark before the first line are
/// dropped.
pub fn read(mut input: impl BufRead, inbox: &Sender<Message>, backpressure: &Backpressure) {
    let mut line = Vec::new();
    let mut is_first = true;
    while let Ok(true) = read_line(&mut input, &mut line) {
        let text = String::from_utf8_lossy(&line);
        let text = if std::mem::take(&mut is_first) { without_bom(&text) } else { &text };
        let text = text.trim_end_matches('\r').to_string();
        backpressure.acquire(Backpressure::cost(&text));
        if inbox.send(Message::Line(text)).is_err() {
            return;
        }
    }
    // The session may have ended, which is fine.
    let _ = inbox.send(Message::End);
}

/// Reads up to the line end, keeping at most 4 MiB; false at the end of input.
///
/// # Errors
/// The input cannot be read.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(buffer.len());
        let kept = MAX_LINE_LENGTH.saturating_sub(line.len()).min(length);
        line.extend(buffer.iter().take(kept));
        input.consume(length + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Writes a text and flushes it; false if the output is closed.
pub fn write(output: &mut impl Write, text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    for line in text.lines() {
        log::debug!("> {line}");
    }
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_ok()
}

/// Whether diagnostics on stderr are off.
static STDERR_SILENCED: AtomicBool = AtomicBool::new(false);

/// Stops diagnostics on stderr for the rest of the process, for hosts that read them as answers.
pub fn silence_stderr() {
    STDERR_SILENCED.store(true, Ordering::Relaxed);
}

/// stderr for diagnostics; drops everything written after [`silence_stderr`].
#[derive(Debug, Default)]
pub struct Diagnostics;

impl Write for Diagnostics {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if STDERR_SILENCED.load(Ordering::Relaxed) { Ok(bytes.len()) } else { std::io::stderr().write(bytes) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

/// Logs a line of input. Called once the protocol is known, because some hosts need a silent stderr.
pub fn log_input(line: &str) {
    log::debug!("< {}", shortened(line));
}

/// The first 500 characters, for the log.
fn shortened(text: &str) -> &str {
    text.char_indices().nth(500).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let (sender, inbox) = channel();
        read(bytes, &sender, &Backpressure::default());
        drop(sender);
        inbox
            .iter()
            .map(|message| match message {
                Message::Line(line) => line,
                _ => "<end>".to_string(),
            })
            .collect()
    }

    #[test]
    fn every_line_then_the_end() {
        assert_eq!(lines(b"name\r\n\nquit"), ["name", "", "quit", "<end>"]);
        assert_eq!(lines(b""), ["<end>"]);
        assert_eq!(lines("\u{feff}uci\n\u{feff}uci".as_bytes()), ["uci", "\u{feff}uci", "<end>"]);
        assert_eq!(lines(b"a\xffb\0\n"), ["a\u{fffd}b\0", "<end>"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut bytes = vec![b'x'; MAX_LINE_LENGTH + 10];
        bytes.extend(b"\nname\n");
        let lines = lines(&bytes);
        assert_eq!(lines[0].len(), MAX_LINE_LENGTH);
        assert_eq!(lines[1], "name");
    }
}
