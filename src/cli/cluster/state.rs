//! The state file of a split position: a first line with the question, then expansions, tasks and answers as they come.
//!
//! The file only grows, by one write per record, each with a checksum. It holds all that is known about the proof, so a
//! kill at any byte loses at most the record being written. A task is written before it is printed.

use super::line::Proven;
use super::task::Task;
use crate::cli::solve::answer::SolveAnswer;
use anyhow::{Context, bail, ensure};
use flipside_core::games::reversi::board::{Board, Placement};
use flipside_core::games::reversi::obf;
use flipside_core::games::reversi::proof::plan::{self, Question};
use flipside_core::games::reversi::proof::tree::Below;
use flipside_core::games::reversi::proof::{Bounds, ProofTree};
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_core::search::types::Certainty;
use flipside_support::json::{self, PROGRAM, Seal};
use flipside_support::resume::{GrowingFile, Line};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The probable values of the legal moves, and the number of positions searched for them.
type Estimate = (Vec<(Placement, f32)>, u64);

/// The question about a position: the first line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The program.
    pub program: String,
    /// Its evaluation, with the checksum of its weights if it has any.
    pub evaluation: String,
    /// The position.
    pub position: String,
    /// Positions with at most this many empty squares are tasks.
    pub empties: u32,
    /// Whether only win, draw or loss is asked.
    pub wld: bool,
    /// Plies of the searches that order the moves.
    pub depth: u32,
}

/// An accepted answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Answer {
    task: u64,
    score: i32,
    nodes: u64,
    seconds: f64,
}

/// A record: one line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
enum Record {
    /// What is asked.
    Split(Split),
    /// The legal moves of a position above the frontier, with their probable values.
    Expansion { position: String, values: Vec<(String, f32)>, nodes: u64 },
    /// A task given out.
    Task { task: u64, position: String, window: (i32, i32) },
    /// An answer.
    Answer(Answer),
}

/// The effect of an answer that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It was added to the file.
    New,
    /// The task already had an answer, and the two agree.
    Again,
}

/// The state of a proof and its file.
pub struct State {
    /// What is asked.
    pub split: Split,
    /// The known bounds.
    pub tree: ProofTree,
    /// The question about the root.
    pub question: Question,
    file: GrowingFile,
    path: PathBuf,
    /// Node and window of each task; the first task has number 1.
    tasks: Vec<(usize, (i32, i32))>,
    numbers: HashMap<(usize, (i32, i32)), u64>,
    answers: HashMap<u64, Answer>,
    nodes: u64,
    /// Why the file cannot be written; no task is planned after that.
    failure: Option<anyhow::Error>,
}

impl State {
    /// Creates the file of a split, or opens an existing one, which must be of the same split.
    ///
    /// # Errors
    /// The file cannot be read or written, is damaged or belongs to another split.
    pub fn create(path: &Path, split: &Split) -> anyhow::Result<State> {
        let mut file = open_file(path)?;
        // A kill interrupted the first line.
        let start = file.start(file.length()).with_context(|| path.display().to_string())?;
        if !start.contains(&b'\n') {
            let line = json::sealed_line(&Record::Split(split.clone()))?;
            let torn = line.as_bytes().starts_with(&start);
            ensure!(torn, "{} is not a state file of flipside split and was not changed", path.display());
            file.cut(0)?;
            file.append_line(&line).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let state = State::read(file, path)?;
        let found = &state.split;
        ensure!(
            found == split,
            "{} belongs to another split: {}, not {}",
            path.display(),
            serde_json::to_string(found)?,
            serde_json::to_string(split)?
        );
        Ok(state)
    }

    /// Opens the file of a split.
    ///
    /// # Errors
    /// The file does not exist, cannot be read or written, is damaged, or was made by another program or other weights.
    pub fn open(path: &Path, evaluation: &str) -> anyhow::Result<State> {
        ensure!(path.exists(), "cannot read {}: there is no such file; flipside split creates it", path.display());
        let state = State::read(open_file(path)?, path)?;
        let (own, other) = ((PROGRAM, evaluation), (state.split.program.as_str(), state.split.evaluation.as_str()));
        ensure!(
            own == other,
            "{} was made by {} with {}, this is {} with {}",
            path.display(),
            other.0,
            other.1,
            own.0,
            own.1
        );
        Ok(state)
    }

    fn read(mut file: GrowingFile, path: &Path) -> anyhow::Result<State> {
        let mut records = Vec::new();
        let mut number = 0;
        let accept = |line: Line| -> anyhow::Result<()> {
            number += 1;
            match line {
                Line::Whole(text) => records.push(read_record(text).with_context(|| format!("line {number}"))?),
                Line::Torn(text) => {
                    let start = format!("{{\"version\":{},\"record\":", json::VERSION);
                    ensure!(text.starts_with(&start) || start.starts_with(text), "line {number}: not a record");
                }
            }
            Ok(())
        };
        let refused =
            || format!("{} is not a complete state file of flipside split and was not changed", path.display());
        file.lines(accept).with_context(refused)?;
        let mut records = records.into_iter();
        let Some(Record::Split(split)) = records.next() else { bail!("{}: no first line", refused()) };
        let (board, _) = obf::position(&split.position).map_err(|error| anyhow::anyhow!(error.0))?;
        let question = if split.wld { Question::WinLossDraw } else { Question::Exact };
        let tree = ProofTree::new(board, split.empties);
        let mut state = State {
            split,
            tree,
            question,
            file,
            path: path.to_path_buf(),
            tasks: Vec::new(),
            numbers: HashMap::new(),
            answers: HashMap::new(),
            nodes: 0,
            failure: None,
        };
        for (index, record) in records.enumerate() {
            state.enter(record).with_context(|| format!("line {}", index + 2)).with_context(refused)?;
        }
        Ok(state)
    }

    /// Applies a record of the file.
    fn enter(&mut self, record: Record) -> anyhow::Result<()> {
        match record {
            Record::Split(_) => bail!("a second first line"),
            Record::Expansion { position, values, nodes } => {
                let node = self.node(&position)?;
                let board = self.tree.node(node).board;
                let mut moves = Vec::new();
                for mv in self.tree.moves(board) {
                    let name = obf::square_name(mv.square);
                    let value = values.iter().find(|(other, _)| *other == name);
                    moves.push((mv, value.with_context(|| format!("the legal move {name} is missing"))?.1));
                }
                ensure!(moves.len() == values.len(), "a move is not legal");
                self.tree.expand(node, &moves);
                self.nodes = self.nodes.saturating_add(nodes);
            }
            Record::Task { task, position, window } => {
                let node = self.node(&position)?;
                ensure!(task == self.tasks.len() as u64 + 1, "task {task} is not the next one");
                ensure!(
                    Bounds::is_window(window),
                    "task {task}: expected a window within -64 and 64, found {window:?}"
                );
                self.tasks.push((node, window));
                self.numbers.insert((node, window), task);
            }
            Record::Answer(answer) => {
                let &(node, window) =
                    self.task(answer.task).context("the answer is to a task that was not given out")?;
                let (task, score) = (answer.task, answer.score);
                ensure!(Bounds::UNKNOWN.hold(score), "task {task}: expected a score of -64 to 64, found {score}");
                let bounds = Bounds::of_search(score, window);
                ensure!(self.tree.prove(node, bounds), "the answer to task {task} contradicts earlier ones");
                self.nodes = self.nodes.saturating_add(answer.nodes);
                self.answers.insert(answer.task, answer);
            }
        }
        Ok(())
    }

    fn node(&self, position: &str) -> anyhow::Result<usize> {
        let (board, _) = obf::position(position).map_err(|error| anyhow::anyhow!(error.0))?;
        self.tree.find(board).with_context(|| format!("{position} is not a position of this proof"))
    }

    fn task(&self, number: u64) -> Option<&(usize, (i32, i32))> {
        self.tasks.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let line = json::sealed_line(record)?;
        self.file.append_line(&line).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Takes a line with the answer to a task.
    ///
    /// # Errors
    /// Outer error: the file cannot be written. Inner error: why the answer is refused; the state does not change.
    pub fn take(&mut self, line: &str) -> anyhow::Result<Result<Taken, String>> {
        let (answer, node, bounds) = match self.check(line) {
            Ok(checked) => checked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(known) = self.answers.get(&answer.task) {
            let agree = self.tree.node(node).bounds.and(bounds).is_some();
            return Ok(if agree {
                Ok(Taken::Again)
            } else {
                Err(format!(
                    "task {}: the score {} contradicts {}, which was answered before",
                    answer.task, answer.score, known.score
                ))
            });
        }
        if self.tree.node(node).bounds.and(bounds).is_none() {
            return Ok(Err(self.contradiction(answer.task, node, bounds)));
        }
        self.append(&Record::Answer(answer.clone()))?;
        self.enter(Record::Answer(answer))?;
        Ok(Ok(Taken::New))
    }

    fn contradiction(&self, task: u64, node: usize, bounds: Bounds) -> String {
        let others = self.answers.keys().filter(|&&number| self.task(number).is_some_and(|task| task.0 == node));
        let mut others: Vec<u64> = others.copied().collect();
        others.sort_unstable();
        format!(
            "task {task}: {} contradicts {} of the answers to the tasks {others:?} about the same position",
            super::bounds_text::bounds_text(bounds),
            super::bounds_text::bounds_text(self.tree.node(node).bounds)
        )
    }

    /// The task that a line answers and what the answer proves, or why the line is refused.
    fn check(&self, line: &str) -> Result<(Answer, usize, Bounds), String> {
        let excerpt: String = line.chars().take(60).collect();
        let found = SolveAnswer::read(line, true);
        let found = found.ok_or_else(|| format!("not an answer of flipside solve --json: '{excerpt}'"))?;
        let task = found.task.as_ref().ok_or("the answer does not name its task")?;
        let number = task.task;
        match json::seal(line) {
            Seal::Right => {}
            Seal::Wrong => return Err(format!("task {number}: the checksum is wrong, the line was changed")),
            Seal::Missing => return Err(format!("task {number}: the checksum is missing")),
        }
        let (own, other) = (&self.split, (&task.program, &task.evaluation));
        if (&own.program, &own.evaluation) != other {
            let (program, weights) = other;
            return Err(format!(
                "task {number}: answered by {program} with {weights}, asked by {} with {}",
                own.program, own.evaluation
            ));
        }
        let &(node, window) =
            self.task(number).ok_or_else(|| format!("task {number} was not given out by {}", self.path.display()))?;
        let position = obf::position(&found.position).map(|(board, _)| board);
        if position != Ok(self.tree.node(node).board) || task.window != window {
            return Err(format!("task {number}: the answer is about another position or window"));
        }
        if found.certainty != Certainty::Exact {
            return Err(format!("task {number}: expected an exact answer, found {}", found.certainty));
        }
        let score = found.score.as_i64().and_then(|score| i32::try_from(score).ok());
        let score = score.filter(|score| Bounds::UNKNOWN.hold(*score));
        let score =
            score.ok_or_else(|| format!("task {number}: expected a score of -64 to 64, found {}", found.score))?;
        let bounds = Bounds::of_search(score, window);
        if bounds.lower > bounds.upper {
            return Err(format!("task {number}: {score} is not a final score"));
        }
        Ok((Answer { task: number, score, nodes: found.nodes, seconds: found.seconds }, node, bounds))
    }

    /// At most `most` of the remaining tasks, the best first. New tasks are numbered and written to the file.
    /// `estimate` gives every legal move its probable value, and the number of positions searched.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn remaining(&mut self, most: usize, estimate: &mut dyn FnMut(Board) -> Estimate) -> anyhow::Result<Vec<Task>> {
        let planned = self.plan(most, &mut |board| Some(estimate(board)))?;
        planned.iter().map(|task| self.give_out(task)).collect()
    }

    /// The nodes of all remaining tasks, as far as positions have been expanded.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn wanted(&mut self) -> anyhow::Result<Vec<usize>> {
        Ok(self.plan(usize::MAX, &mut |_| None)?.iter().map(|task| task.node).collect())
    }

    fn plan(
        &mut self,
        most: usize,
        estimate: &mut dyn FnMut(Board) -> Option<Estimate>,
    ) -> anyhow::Result<Vec<plan::Task>> {
        // The tree is taken out while it grows, so that the file can be written meanwhile.
        let (question, empty) = (self.question, ProofTree::new(Board::START, 64));
        let mut tree = std::mem::replace(&mut self.tree, empty);
        let mut expand = |board: Board| {
            let (values, nodes) = estimate(board).filter(|_| self.failure.is_none())?;
            let named = values.iter().map(|(mv, value)| (obf::square_name(mv.square), *value)).collect();
            self.nodes = self.nodes.saturating_add(nodes);
            let record = Record::Expansion { position: obf::show(board, true), values: named, nodes };
            match self.append(&record) {
                Ok(()) => Some(values),
                Err(error) => {
                    self.failure = Some(error);
                    None
                }
            }
        };
        let planned = plan::plan(&mut tree, question, most, &mut expand);
        self.tree = tree;
        self.failure.take().map_or(Ok(planned), Err)
    }

    /// The task as it is printed, with its number.
    fn give_out(&mut self, planned: &plan::Task) -> anyhow::Result<Task> {
        let (node, window) = (planned.node, planned.window);
        let position = obf::show(self.tree.node(node).board, true);
        let known = self.numbers.get(&(node, window)).copied();
        let number = known.unwrap_or(self.tasks.len() as u64 + 1);
        if known.is_none() {
            let record = Record::Task { task: number, position: position.clone(), window };
            self.append(&record)?;
            self.enter(record)?;
        }
        Ok(Task {
            task: number,
            position,
            window,
            cost: planned.cost as u64,
            program: self.split.program.clone(),
            evaluation: self.split.evaluation.clone(),
        })
    }

    /// The position that was split, in canonical form.
    pub fn root(&self) -> Board {
        self.tree.node(ProofTree::ROOT).board
    }

    /// Whether no move has been searched yet.
    pub fn is_new(&self) -> bool {
        self.tree.node(ProofTree::ROOT).below == Below::Unexpanded
    }

    /// The node of a task, by the task's number.
    pub fn node_of(&self, task: u64) -> Option<usize> {
        self.task(task).map(|task| task.0)
    }

    /// Whether a task was answered.
    pub fn is_answered(&self, task: u64) -> bool {
        self.answers.contains_key(&task)
    }

    /// Number of answered tasks.
    pub fn answers(&self) -> u64 {
        self.answers.len() as u64
    }

    /// The known bounds of the position.
    pub fn bounds(&self) -> Bounds {
        self.tree.node(ProofTree::ROOT).bounds
    }

    /// The state as text.
    pub fn summary(&self) -> String {
        format!(
            "{}: {} tasks given out, {} answered, {} nodes",
            super::bounds_text::bounds_text(self.bounds()),
            self.tasks.len(),
            self.answers(),
            self.nodes
        )
    }

    /// The result, once it is proven.
    pub fn proven(&self) -> Option<Proven> {
        let bounds = self.bounds();
        if !self.question.is_answered(bounds) {
            return None;
        }
        let is_wld = self.question == Question::WinLossDraw;
        Some(Proven {
            position: self.split.position.clone(),
            best: self.best_moves(bounds),
            score: if is_wld { bounds.lower.signum() } else { bounds.lower },
            certainty: if is_wld { Certainty::WinLossDraw } else { Certainty::Exact }.to_string(),
            tasks: self.tasks.len() as u64,
            answers: self.answers(),
            nodes: self.nodes,
        })
    }

    /// The moves that are proven to keep the value, in the coordinates of the split position.
    fn best_moves(&self, bounds: Bounds) -> Vec<String> {
        let Ok((board, _)) = obf::position(&self.split.position) else { return Vec::new() };
        let least = if self.question == Question::WinLossDraw { bounds.lower.clamp(-64, 1) } else { bounds.lower };
        let keeps = |mv: &Placement| {
            let child = self.tree.find(Symmetry::canonical(board.after(*mv)).0);
            child.is_some_and(|child| -self.tree.node(child).bounds.upper >= least)
        };
        let best = self.tree.moves(board).into_iter().filter(keeps);
        best.map(|mv| obf::square_name(mv.square)).collect()
    }
}

fn open_file(path: &Path) -> anyhow::Result<GrowingFile> {
    GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))
}

fn read_record(text: &str) -> anyhow::Result<Record> {
    ensure!(json::seal(text) == Seal::Right, "the checksum is wrong or missing");
    serde_json::from_str(text).context("not a record")
}
