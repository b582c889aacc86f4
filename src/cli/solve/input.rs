//! Reading positions and answering them in parallel.

use super::answer::SolveAnswer;
use crate::cli::input_lines::InputLines;
use crate::cli::interrupt::Interrupt;
use crate::games::reversi::obf::{self, ObfLine};
use crate::support::ordered_pool;
use anyhow::Context;
use std::io::{Write, stderr};

/// A position and the number of its line, from 1.
pub type NumberedPosition = (u64, ObfLine);

/// Reads positions. Lines that are no positions are reported on stderr and counted.
pub struct PositionReader {
    lines: InputLines,
    number: u64,
    bad_lines: u64,
    put_back: Option<NumberedPosition>,
    failure: Option<anyhow::Error>,
}

impl PositionReader {
    /// Reads these lines.
    pub fn new(lines: InputLines) -> PositionReader {
        PositionReader { lines, number: 0, bad_lines: 0, put_back: None, failure: None }
    }

    /// Makes this position the next one.
    pub fn put_back(&mut self, position: NumberedPosition) {
        self.put_back = Some(position);
    }

    /// The number of lines that were no positions.
    ///
    /// # Errors
    /// What ended the reading before the end of the input: it cannot be read, or nobody reads the reports.
    pub fn finish(self) -> anyhow::Result<u64> {
        self.failure.map_or(Ok(self.bad_lines), Err)
    }

    fn read(&mut self) -> anyhow::Result<Option<NumberedPosition>> {
        for line in self.lines.by_ref() {
            let bytes = line.context("cannot read the positions")?;
            self.number += 1;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match obf::line(text) {
                Ok(line) => return Ok(Some((self.number, line))),
                Err(error) => {
                    self.bad_lines += 1;
                    writeln!(stderr(), "line {}: {}", self.number, error.0).context("cannot report a bad line")?;
                }
            }
        }
        Ok(None)
    }
}

impl Iterator for PositionReader {
    type Item = NumberedPosition;

    fn next(&mut self) -> Option<NumberedPosition> {
        if self.put_back.is_some() {
            return self.put_back.take();
        }
        if self.failure.is_some() {
            return None;
        }
        self.read().unwrap_or_else(|error| {
            self.failure = Some(error);
            None
        })
    }
}

/// Stops the other workers when one panics: their answers will not be written.
struct RaiseOnPanic<'a>(&'a Interrupt);

impl Drop for RaiseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.raise();
        }
    }
}

/// Answers all positions with `jobs` threads and hands the answers to `write` in the order of the lines.
///
/// # Errors
/// The first error of `write`; the rest of the work is dropped.
///
/// # Panics
/// When `work` does; the work of the other threads is dropped.
pub fn answer_all<W, E>(
    positions: impl Iterator<Item = NumberedPosition> + Send,
    jobs: usize,
    interrupt: &Interrupt,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &ObfLine, u64) -> Option<SolveAnswer> + Sync,
    mut write: impl FnMut(&ObfLine, &SolveAnswer) -> Result<(), E>,
) -> Result<(), E> {
    let positions = positions.take_while(|_| !interrupt.is_raised());
    let answer = |worker: &mut W, (number, line): NumberedPosition| {
        let _guard = RaiseOnPanic(interrupt);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::board::Board;
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// There are far more positions than are taken ahead of the oldest unanswered one. Two jobs would work for ever.
    #[test]
    fn a_panic_ends_all_jobs() {
        let line = ObfLine { board: Board::START, black_to_move: true, moves: Vec::new(), comment: String::new() };
        let positions = (1..=5000).map(|number| (number, line.clone()));
        let interrupt = Interrupt::default();
        let work = |(): &mut (), _: &ObfLine, number: u64| {
            assert_ne!(number, 3, "on purpose");
            while number > 500 && !interrupt.is_raised() {
                std::thread::yield_now();
            }
            SolveAnswer::read("1 d3 +0 exact 1 nodes 0.000 s d3", false)
        };
        let mut written = 0;
        let write = |_: &ObfLine, _: &SolveAnswer| {
            written += 1;
            Ok::<(), Infallible>(())
        };
        let run = || answer_all(positions, 3, &interrupt, || (), work, write);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert!(written <= 2, "{written}");
    }
}
