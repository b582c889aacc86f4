//! Lines in, answers out in the same order: jobs side by side with bounded memory.

use super::solve::Answer;
use crate::games::reversi::obf::{self, ObfLine};
use crate::search::limits::Stop;
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Write, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Positions that may be read ahead of the oldest one without an answer.
const AHEAD: u64 = 1024;

/// A lock that a panicking thread does not take with it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The input, read by whichever job is free.
pub struct Feed {
    input: Mutex<Input>,
    /// Positions answered and written.
    written: Mutex<u64>,
    moved: Condvar,
    bad: AtomicU64,
}

struct Input {
    lines: Box<dyn BufRead + Send>,
    number: u64,
    given: u64,
    skip: u64,
}

impl Feed {
    /// Reads lines, leaving out the first `skip` of them.
    pub fn new(lines: Box<dyn BufRead + Send>, skip: u64) -> Feed {
        let input = Mutex::new(Input { lines, number: 0, given: 0, skip });
        Feed { input, written: Mutex::new(0), moved: Condvar::new(), bad: AtomicU64::new(0) }
    }

    /// Lines that could not be read as positions.
    pub fn bad_lines(&self) -> u64 {
        self.bad.load(Ordering::Relaxed)
    }

    /// The next position: its place among the positions, its line number, the line.
    fn next(&self) -> Option<(u64, u64, ObfLine)> {
        let mut input = lock(&self.input);
        let mut written = lock(&self.written);
        while input.given >= *written + AHEAD {
            written = self.moved.wait(written).unwrap_or_else(PoisonError::into_inner);
        }
        drop(written);
        loop {
            let mut bytes = Vec::new();
            match input.lines.read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(_) => input.number += 1,
                Err(error) => {
                    self.complain(input.number + 1, &error.to_string());
                    return None;
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim();
            if input.number <= input.skip || text.is_empty() || text.starts_with('#') {
                continue;
            }
            match obf::line(text) {
                Ok(line) => {
                    input.given += 1;
                    return Some((input.given - 1, input.number, line));
                }
                Err(error) => self.complain(input.number, &error.0),
            }
        }
    }

    fn complain(&self, number: u64, reason: &str) {
        self.bad.fetch_add(1, Ordering::Relaxed);
        // Nothing is left to do if even stderr is gone.
        let _ = writeln!(stderr(), "line {number}: {reason}");
    }

    fn wrote(&self) {
        *lock(&self.written) += 1;
        self.moved.notify_all();
    }
}

/// Ctrl-C: ends what is under way, and no more is begun.
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    stops: Arc<Mutex<Vec<Arc<Stop>>>>,
}

impl Interrupt {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the process already has a handler, or the system refuses one.
    pub fn new() -> Result<Interrupt, ctrlc::Error> {
        let interrupt = Interrupt { raised: Arc::default(), stops: Arc::default() };
        let (raised, stops) = (interrupt.raised.clone(), interrupt.stops.clone());
        ctrlc::set_handler(move || {
            raised.store(true, Ordering::SeqCst);
            lock(&stops).iter().for_each(|stop| stop.raise());
        })?;
        Ok(interrupt)
    }

    /// True once somebody pressed Ctrl-C.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    /// Has the flag raised with the interrupt, too.
    pub fn watch(&self, stop: Stop) -> Arc<Stop> {
        let stop = Arc::new(stop);
        let mut stops = lock(&self.stops);
        stops.retain(|stop| Arc::strong_count(stop) > 1);
        stops.push(stop.clone());
        if self.is_raised() {
            stop.raise();
        }
        stop
    }
}

type Reply = (u64, ObfLine, Option<Answer>);

/// Answers all positions by `jobs` threads and hands the answers to `write` in the order of the lines.
///
/// # Errors
/// The first error of `write`; the rest of the work is dropped.
pub fn serve<B>(
    feed: &Feed,
    jobs: usize,
    interrupt: &Interrupt,
    bench: impl Fn() -> B + Sync,
    work: impl Fn(&mut B, &ObfLine, u64) -> Option<Answer> + Sync,
    mut write: impl FnMut(&ObfLine, &Answer) -> io::Result<()>,
) -> io::Result<()> {
    let job = |replies: Sender<Reply>| {
        let mut bench = bench();
        while !interrupt.is_raised()
            && let Some((place, number, line)) = feed.next()
        {
            let answer = work(&mut bench, &line, number);
            if replies.send((place, line, answer)).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let (sender, replies) = channel();
        for _ in 0..jobs {
            let sender = sender.clone();
            scope.spawn(|| job(sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        for (place, line, answer) in replies {
            waiting.insert(place, (line, answer));
            while let Some((line, answer)) = waiting.remove(&next) {
                next += 1;
                // Behind an answer that was interrupted nothing is written, so that work can be resumed there.
                if answer.is_none() {
                    interrupt.raised.store(true, Ordering::SeqCst);
                }
                if let Some(answer) = answer.filter(|_| result.is_ok() && !interrupt.is_raised()) {
                    result = write(&line, &answer);
                }
                if result.is_err() {
                    interrupt.raised.store(true, Ordering::SeqCst);
                    lock(&interrupt.stops).iter().for_each(|stop| stop.raise());
                }
                feed.wrote();
            }
        }
        result
    })
}

/// The number of the last input line that a file of answers has an answer for; cuts off a last line that was not
/// finished.
///
/// # Errors
/// When the file cannot be read or cut.
pub fn answered_lines(path: &Path) -> io::Result<u64> {
    let Ok(mut file) = OpenOptions::new().read(true).write(true).open(path) else { return Ok(0) };
    let (mut whole, mut last) = (0, 0);
    let mut reader = BufReader::new(Read::by_ref(&mut file));
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        let Some(number) = answered_line(&text).filter(|_| text.ends_with('\n')) else { break };
        whole += bytes.len() as u64;
        last = number;
        bytes.clear();
    }
    drop(reader);
    file.set_len(whole)?;
    Ok(last)
}

fn answered_line(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Line {
        line: u64,
    }
    if text.starts_with('{') {
        return serde_json::from_str::<Line>(text).ok().map(|answer| answer.line);
    }
    text.split_whitespace().next()?.parse().ok()
}
