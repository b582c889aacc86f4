//! Reading positions and answering them in parallel.

use super::positions::Source;
use crate::cli::cluster::task::Task;
use crate::cli::io::input_lines::InputLines;
use crate::cli::io::interrupt::Interrupt;
use anyhow::Context;
use flipside_core::games::names;
use flipside_core::games::reversi::obf::{self, ObfLine};
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::recorded_game;
use flipside_host::engine::registry;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::pasted;
use flipside_host::record::texts::{RecordText, RecordTexts};
use flipside_host::record::transcript;
use flipside_host::record::wthor::Names;
use flipside_support::{diagnostics, ordered_pool};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position.
    pub line: ObfLine,
    /// The task that the line holds, unless it is a position or a game.
    pub task: Option<Task>,
}

impl From<ObfLine> for Request {
    fn from(line: ObfLine) -> Request {
        Request { line, task: None }
    }
}

/// A position with what is remarkable in the game that it ends, or why it cannot be read.
type Found = Result<(Request, Vec<String>), String>;

/// Whether a line of JSON holds a task, not the record of a game.
fn is_task(line: &str) -> bool {
    line.contains("\"task\"")
}

/// Reads positions, and the last positions of games. Other input is reported on stderr.
pub struct PositionReader {
    texts: RecordTexts<InputLines>,
    /// The file that is read, for messages; `None` for standard input.
    file: Option<PathBuf>,
    /// Replays games; created at the first one.
    board: Option<Box<dyn DynEngine>>,
    /// The evaluation that tasks must ask for, or why this command cannot solve tasks.
    tasks_of: Result<String, &'static str>,
}

impl PositionReader {
    /// Reads these lines of a file or of standard input. Tasks must ask for this evaluation, or are refused for the
    /// reason.
    pub fn new(lines: InputLines, file: Option<&Path>, tasks_of: Result<String, &'static str>) -> PositionReader {
        let (texts, file) = (RecordTexts::new(lines), file.map(Path::to_path_buf));
        PositionReader { texts, file, board: None, tasks_of }
    }

    /// The positions of a text, with what is remarkable in their games; more than one only for WTHOR.
    fn positions(&mut self, text: &RecordText) -> anyhow::Result<Vec<Found>> {
        let line = String::from_utf8_lossy(&text.bytes);
        // Text that is not a game either is reported as a damaged position.
        let is_moves = || transcript::is_moves_of_reversi(&pasted::plain(&line)) || pasted::is_heading(&line);
        let is_game = text.format != Format::Transcript || is_moves();
        if text.format == Format::Obf || !is_game {
            return Ok(vec![obf::line(&line).map(|line| (line.into(), Vec::new())).map_err(|error| error.0)]);
        }
        if text.format == Format::Json && is_task(&line) {
            return Ok(vec![self.task(&line).map(|task| (task, Vec::new()))]);
        }
        let board = match &mut self.board {
            Some(board) => board,
            None => self.board.insert(registry::rules(names::REVERSI.name)?),
        };
        let end = |record: Result<GameRecord, String>| {
            let game = recorded_game::replay(&mut **board, &record?).map_err(|error| error.to_string())?;
            let end = obf::line(&board.position(Style::Plain)).map_err(|error| error.0)?;
            Ok((end.into(), game.remarks))
        };
        Ok(codec::read(text, names::REVERSI.name, &Names::default()).into_iter().map(end).collect())
    }

    /// The task of a line, which must ask for this evaluation.
    fn task(&self, line: &str) -> Result<Request, String> {
        let (task, line) = Task::read(line)?;
        let tasks_of = self.tasks_of.as_deref().map_err(|reason| format!("task {}: {reason}", task.task))?;
        task.check_origin(tasks_of)?;
        Ok(Request { line, task: Some(task) })
    }
}

impl Source for PositionReader {
    type Position = Request;

    fn read(&mut self, found: &mut VecDeque<(u64, Request)>) -> anyhow::Result<u64> {
        let mut bad = 0;
        while found.is_empty() {
            let Some(text) = self.texts.next().transpose().context("cannot read the positions")? else {
                break;
            };
            let file = self.file.clone();
            let report = |word: &str, number: u64, what: &str| {
                diagnostics::report(file.as_deref(), format_args!("{word} {number}: {what}"))
                    .context("cannot report a bad line")
            };
            text.warning.iter().try_for_each(|warning| report("line", text.line, warning))?;
            for (index, position) in self.positions(&text)?.into_iter().enumerate() {
                let is_wthor = text.format == Format::Wthor;
                let (word, number) = if is_wthor { ("game", index as u64 + 1) } else { ("line", text.line) };
                match position {
                    Ok((position, remarks)) => {
                        remarks.iter().try_for_each(|remark| report(word, number, remark))?;
                        found.push_back((number, position));
                    }
                    Err(reason) => {
                        bad += 1;
                        report(word, number, &reason)?;
                    }
                }
            }
        }
        Ok(bad)
    }
}

/// Stops the other workers when one panics, because their answers will not be written.
struct RaiseOnPanic<'a>(&'a Interrupt);

impl Drop for RaiseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.raise();
        }
    }
}

/// Answers all positions, in a thread for each worker, and passes the answers to `write` in the order of the lines.
///
/// # Errors
/// The first error of `write`, after which the rest of the work is dropped.
///
/// # Panics
/// `work` panics; the work of the other threads is dropped.
pub fn answer_all<P: Send, W: Send, A: Send, E>(
    positions: impl Iterator<Item = (u64, P)> + Send,
    workers: Vec<W>,
    interrupt: &Interrupt,
    work: impl Fn(&mut W, &P, u64) -> Option<A> + Sync,
    mut write: impl FnMut(&P, A) -> Result<(), E>,
) -> Result<(), E> {
    let positions = positions.take_while(|_| !interrupt.is_raised());
    let answer = |worker: &mut W, (number, position): (u64, P)| {
        let _guard = RaiseOnPanic(interrupt);
        let answer = work(worker, &position, number);
        (position, answer)
    };
    ordered_pool::run(workers, positions, answer, |(position, answer)| {
        // Writing ends at the first interrupted position, so that the work can be resumed there.
        let Some(answer) = answer else {
            interrupt.raise();
            return Ok(());
        };
        if interrupt.is_raised() {
            return Ok(());
        }
        write(&position, answer).inspect_err(|_| interrupt.raise())
    })
}

#[cfg(test)]
mod tests {
    use super::super::answer::SolveAnswer;
    use super::*;
    use flipside_core::games::reversi::board::Board;
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// The input has far more positions than are read ahead of the oldest unanswered one. Without a stop two jobs would
    /// never end.
    #[test]
    fn a_panic_ends_all_jobs() {
        let line = ObfLine { board: Board::START, black_to_move: true, moves: Vec::new(), comment: String::new() };
        let positions = (1..=5000).map(|number| (number, Request { line: line.clone(), task: None }));
        let interrupt = Interrupt::default();
        let work = |(): &mut (), _: &Request, number: u64| {
            assert_ne!(number, 3, "on purpose");
            while number > 500 && !interrupt.is_raised() {
                std::thread::yield_now();
            }
            SolveAnswer::read("1 d3 +0 exact 1 nodes 0.000 s d3", false)
        };
        let mut written = 0;
        let write = |_: &Request, _: SolveAnswer| {
            written += 1;
            Ok::<(), Infallible>(())
        };
        let run = || answer_all(positions, vec![(); 3], &interrupt, work, write);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert!(written <= 2, "{written}");
    }
}
