//! Reading positions, answering them in parallel, and resuming a file of answers.

use super::answer::SolveAnswer;
use crate::cli::interrupt::Interrupt;
use crate::games::reversi::obf::{self, ObfLine};
use crate::support::{ordered_pool, resume};
use std::io::{self, BufRead, Write, stderr};
use std::path::Path;

/// Reads positions with their line numbers. Lines that are no positions are reported on stderr and counted.
pub struct PositionReader {
    lines: Box<dyn BufRead + Send>,
    number: u64,
    skip: u64,
    bad_lines: u64,
}

impl PositionReader {
    /// Reads lines, leaving out the first `skip` of them.
    pub fn new(lines: Box<dyn BufRead + Send>, skip: u64) -> PositionReader {
        PositionReader { lines, number: 0, skip, bad_lines: 0 }
    }

    /// Lines that were no positions.
    pub fn bad_lines(&self) -> u64 {
        self.bad_lines
    }

    fn report_bad_line(&mut self, number: u64, reason: &str) {
        self.bad_lines += 1;
        // Nothing is left to do if even stderr is gone.
        let _ = writeln!(stderr(), "line {number}: {reason}");
    }
}

impl Iterator for PositionReader {
    type Item = (u64, ObfLine);

    fn next(&mut self) -> Option<(u64, ObfLine)> {
        loop {
            let mut bytes = Vec::new();
            match self.lines.read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(_) => self.number += 1,
                Err(error) => {
                    self.report_bad_line(self.number + 1, &error.to_string());
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
                Err(error) => self.report_bad_line(self.number, &error.0),
            }
        }
    }
}

/// Answers all positions with `jobs` threads and hands the answers to `write` in the order of the lines.
///
/// # Errors
/// The first error of `write`; the rest of the work is dropped.
pub fn answer_all<W>(
    positions: &mut PositionReader,
    jobs: usize,
    interrupt: &Interrupt,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &ObfLine, u64) -> Option<SolveAnswer> + Sync,
    mut write: impl FnMut(&ObfLine, &SolveAnswer) -> io::Result<()>,
) -> io::Result<()> {
    let positions = std::iter::from_fn(|| if interrupt.is_raised() { None } else { positions.next() });
    let answer = |worker: &mut W, (number, line): (u64, ObfLine)| {
        let answer = work(worker, &line, number);
        (line, answer)
    };
    ordered_pool::run(jobs, positions, worker, answer, |(line, answer)| {
        // Nothing is written after the first interrupted position, so that the work can be resumed there.
        let Some(answer) = answer else {
            interrupt.raise();
            return Ok(());
        };
        if interrupt.is_raised() {
            return Ok(());
        }
        write(&line, &answer).inspect_err(|_| interrupt.raise())
    })
}

/// The number of the last input line that a file of answers answers. An unfinished last line is cut off.
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
