//! Positions with the numbers of their lines, and the file of answers that a solve of them
//! continues, whatever the game.

use super::args::SolveArgs;
use anyhow::{Context, ensure};
use flipside_support::resume::{GrowingFile, Line};
use flipside_support::{json, text};
use std::collections::VecDeque;
use std::path::Path;

/// Reads the positions of one game.
pub trait Source {
    /// A position with what is asked of it.
    type Position;
    /// Reads until a position is found or the input ends; each comes with the number of its line,
    /// from 1. Reports on stderr what cannot be read, and returns how much that was.
    ///
    /// # Errors
    /// The input cannot be read, or stderr is closed.
    fn read(&mut self, found: &mut VecDeque<(u64, Self::Position)>) -> anyhow::Result<u64>;
}

/// The positions of a source, to its end or to the first failure, which is kept.
pub struct Positions<S: Source> {
    source: S,
    found: VecDeque<(u64, S::Position)>,
    bad: u64,
    failure: Option<anyhow::Error>,
}

impl<S: Source> Positions<S> {
    /// The positions that the source reads.
    pub fn new(source: S) -> Positions<S> {
        Positions { source, found: VecDeque::new(), bad: 0, failure: None }
    }

    /// How much could not be read.
    ///
    /// # Errors
    /// The input could not be read to its end.
    pub fn finish(self) -> anyhow::Result<u64> {
        self.failure.map_or(Ok(self.bad), Err)
    }

    /// Opens the file of `--resume` and passes each answer to `check` with its position. The next
    /// position is then the first unanswered one.
    ///
    /// # Errors
    /// The file cannot be read or written, or does not hold the answers to these positions; it is
    /// not changed then.
    pub fn resume(
        &mut self,
        path: &Path,
        args: &SolveArgs,
        mut check: impl FnMut(&str, u64, &S::Position) -> anyhow::Result<()>,
    ) -> anyhow::Result<GrowingFile> {
        let mut file = GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut answers = 0;
        let accept = |line: Line| {
            answers += 1;
            let next = self.next().context("the file has more answers than the input has positions");
            let accepted = next.and_then(|(number, position)| match line {
                Line::Whole(answer) => check(answer, number, &position),
                Line::Torn(answer) => {
                    self.found.push_front((number, position));
                    torn(answer, args.json, number)
                }
            });
            accepted.with_context(|| format!("line {answers}"))
        };
        file.lines(accept).with_context(|| format!("cannot resume {}, which was not changed", path.display()))?;
        Ok(file)
    }
}

impl<S: Source> Iterator for Positions<S> {
    type Item = (u64, S::Position);

    fn next(&mut self) -> Option<(u64, S::Position)> {
        if self.found.is_empty() && self.failure.is_none() {
            match self.source.read(&mut self.found) {
                Ok(bad) => self.bad += bad,
                Err(error) => self.failure = Some(error),
            }
        }
        self.found.pop_front()
    }
}

/// A torn line must be the beginning of the answer to this line.
fn torn(answer: &str, is_json: bool, line: u64) -> anyhow::Result<()> {
    let start = if is_json { format!("{{\"version\":{},\"line\":{line},", json::VERSION) } else { format!("{line} ") };
    let fits = answer.starts_with(&start) || start.starts_with(answer);
    ensure!(fits, "expected the beginning of the answer to line {line}, found {}", text::one_line(answer, 60));
    Ok(())
}
