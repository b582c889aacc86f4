//! Lines in, answers out in the same order by several jobs; Ctrl-C; what a file of answers already answers.

use super::solve::Answer;
use crate::games::reversi::obf::{self, ObfLine};
use crate::search::limits::Stop;
use crate::support::{ordered_pool, resume};
use std::io::{self, BufRead, Write, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A lock that a panicking thread does not take with it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The positions of the input with their line numbers.
pub struct Feed {
    lines: Box<dyn BufRead + Send>,
    number: u64,
    skip: u64,
    bad_lines: u64,
}

impl Feed {
    /// Reads lines, leaving out the first `skip` of them.
    pub fn new(lines: Box<dyn BufRead + Send>, skip: u64) -> Feed {
        Feed { lines, number: 0, skip, bad_lines: 0 }
    }

    /// Lines that could not be read as positions.
    pub fn bad_lines(&self) -> u64 {
        self.bad_lines
    }

    fn complain(&mut self, number: u64, reason: &str) {
        self.bad_lines += 1;
        // Nothing is left to do if even stderr is gone.
        let _ = writeln!(stderr(), "line {number}: {reason}");
    }
}

impl Iterator for Feed {
    type Item = (u64, ObfLine);

    fn next(&mut self) -> Option<(u64, ObfLine)> {
        loop {
            let mut bytes = Vec::new();
            match self.lines.read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(_) => self.number += 1,
                Err(error) => {
                    self.complain(self.number + 1, &error.to_string());
                    return None;
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim();
            if self.number <= self.skip || text.is_empty() || text.starts_with('#') {
                continue;
            }
            match obf::line(text) {
                Ok(line) => return Some((self.number, line)),
                Err(error) => self.complain(self.number, &error.0),
            }
        }
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

    /// Ends what is under way, as Ctrl-C does.
    fn raise(&self) {
        self.raised.store(true, Ordering::SeqCst);
        lock(&self.stops).iter().for_each(|stop| stop.raise());
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

/// Answers all positions by `jobs` threads and hands the answers to `write` in the order of the lines.
///
/// # Errors
/// The first error of `write`; the rest of the work is dropped.
pub fn serve<B>(
    feed: &mut Feed,
    jobs: usize,
    interrupt: &Interrupt,
    bench: impl Fn() -> B + Sync,
    work: impl Fn(&mut B, &ObfLine, u64) -> Option<Answer> + Sync,
    mut write: impl FnMut(&ObfLine, &Answer) -> io::Result<()>,
) -> io::Result<()> {
    let positions = std::iter::from_fn(|| if interrupt.is_raised() { None } else { feed.next() });
    let answer = |bench: &mut B, (number, line): (u64, ObfLine)| {
        let answer = work(bench, &line, number);
        (line, answer)
    };
    ordered_pool::run(jobs, positions, bench, answer, |(line, answer)| {
        // Behind an answer that was interrupted nothing is written, so that work can be resumed there.
        let Some(answer) = answer else {
            interrupt.raised.store(true, Ordering::SeqCst);
            return Ok(());
        };
        if interrupt.is_raised() {
            return Ok(());
        }
        write(&line, &answer).inspect_err(|_| interrupt.raise())
    })
}

/// The number of the last input line that a file of answers has an answer for; cuts off a last line that was not
/// finished.
///
/// # Errors
/// When the file cannot be read or cut.
pub fn answered_lines(path: &Path) -> io::Result<u64> {
    let mut last = 0;
    resume::lines(path, |line| -> io::Result<bool> {
        let number = answered_line(line);
        last = number.unwrap_or(last);
        Ok(number.is_some())
    })?;
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
