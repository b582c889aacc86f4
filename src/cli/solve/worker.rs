//! Solving or searching one position.

use super::answer::{AnsweredTask, SolveAnswer};
use super::args::SolveArgs;
use super::input::Request;
use crate::cli::cluster::task::Task;
use crate::cli::io::interrupt::Interrupt;
use flipside_core::games::reversi::board::{Board, Placement};
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::obf::{self, ObfLine};
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::result::SearchParameters;
use flipside_core::search::solve::{SolveTask, Wanted};
use flipside_core::search::types::{Certainty, Score, Selectivity, UNIT};
use flipside_support::memory::MemoryError;
use flipside_support::thread_pool;
use std::time::Instant;

/// MiB of a table for a search to this depth. A larger table would only cause more cache misses.
fn table_mebibytes(depth: u32) -> usize {
    1 << (depth.min(64).saturating_sub(8) / 2)
}

fn square_names(moves: &[Placement]) -> Vec<String> {
    moves.iter().map(|mv| obf::square_name(mv.square)).collect()
}

/// A worker: answers one position after another with tables of its own.
pub struct SolveWorker<'a> {
    args: &'a SolveArgs,
    interrupt: &'a Interrupt,
    searcher: ReversiSearcher,
    /// Threads of one position.
    threads: usize,
}

impl<'a> SolveWorker<'a> {
    /// A worker that takes its share of the memory for tables.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(
        args: &'a SolveArgs,
        jobs: usize,
        evaluation: &ReversiEvaluation,
        interrupt: &'a Interrupt,
    ) -> Result<Self, MemoryError> {
        let mebibytes = args.hash as usize / jobs;
        let search = args.depth.map_or(1, |depth| table_mebibytes(depth).min(mebibytes));
        let searcher = searcher::open(evaluation, &SearcherOptions::with_tables(search, mebibytes))?;
        Ok(SolveWorker { args, interrupt, searcher, threads: thread_pool::useful(usize::from(args.threads)) })
    }

    /// The answer to a position; `None` if interrupted.
    pub fn answer(&self, request: &Request, number: u64) -> Option<SolveAnswer> {
        let start = Instant::now();
        let stop = self.interrupt.watch(Stop::new(&Limits::default()));
        let ObfLine { board, black_to_move, .. } = request.line;
        let mut answer = SolveAnswer {
            line: number,
            position: obf::show(board, black_to_move),
            best: Vec::new(),
            score: 0.into(),
            certainty: Certainty::Exact,
            depth: board.empties(),
            nodes: 0,
            generated: None,
            seconds: 0.0,
            pv: Vec::new(),
            moves: None,
            task: None,
        };
        match (&request.task, self.args.depth) {
            (Some(task), _) => self.solve_task(board, task, &stop, &mut answer)?,
            (None, Some(depth)) if depth < board.empties() => self.search(board, depth, &stop, &mut answer)?,
            (None, _) => self.solve(board, &stop, &mut answer)?,
        }
        answer.seconds = start.elapsed().as_secs_f64();
        Some(answer)
    }

    /// Solves in the window of a task. The move comes from the table; it is not proven to keep the value.
    fn solve_task(&self, board: Board, task: &Task, stop: &Stop, answer: &mut SolveAnswer) -> Option<()> {
        let (alpha, beta) = task.window;
        let solution = self.searcher.solve(
            &board,
            &SolveTask {
                window: (alpha * UNIT, beta * UNIT),
                wanted: Wanted::Hint,
                fresh: !self.args.keep_table,
                ..SolveTask::exact(self.threads)
            },
            stop,
        )?;
        let score = solution.score / UNIT;
        let bound = match score {
            _ if score <= alpha => "at most",
            _ if score >= beta => "at least",
            _ => "exact",
        };
        answer.score = score.into();
        (answer.nodes, answer.generated) = (solution.nodes, Some(stop.generated()));
        answer.pv = square_names(&solution.line);
        answer.best = answer.pv.clone();
        answer.task = Some(AnsweredTask {
            task: task.task,
            window: task.window,
            bound: bound.into(),
            program: task.program.clone(),
            evaluation: task.evaluation.clone(),
        });
        Some(())
    }

    fn solve(&self, board: Board, stop: &Stop, answer: &mut SolveAnswer) -> Option<()> {
        let args = self.args;
        let exact = SolveTask::exact(self.threads);
        let task = SolveTask {
            window: if args.wld { (-UNIT, UNIT) } else { exact.window },
            selectivity: args.selectivity.unwrap_or(Selectivity::EXACT),
            wanted: if args.all_moves { Wanted::AllMoves } else { Wanted::Line },
            // An answer must not depend on the positions solved before, or it would depend on the number of jobs.
            fresh: true,
            ..exact
        };
        let solution = self.searcher.solve(&board, &task, stop)?;
        let to_output = |score: Score| if args.wld { score.signum() } else { score / UNIT };
        answer.certainty = args.solved_certainty();
        answer.score = to_output(solution.score).into();
        (answer.nodes, answer.generated) = (solution.nodes, Some(stop.generated()));
        answer.pv = square_names(&solution.line);
        answer.best = answer.pv.first().cloned().into_iter().collect();
        if args.all_moves {
            let named_move = |&(mv, value): &(Placement, Score)| (obf::square_name(mv.square), to_output(value));
            let moves: Vec<_> = solution.moves.iter().map(named_move).collect();
            let best = moves.iter().take_while(|(_, value)| *value == to_output(solution.score));
            answer.best = best.map(|(name, _)| name.clone()).collect();
            answer.moves = Some(moves);
        }
        Some(())
    }

    fn search(&self, board: Board, depth: u32, stop: &Stop, answer: &mut SolveAnswer) -> Option<()> {
        self.searcher.clear();
        let limits = Limits::depth(depth);
        let selectivity = self.args.selectivity.unwrap_or(Selectivity::PLAY);
        let parameters = SearchParameters { threads: self.threads, selectivity, ..SearchParameters::new(limits) };
        let result = self.searcher.search(&board, &parameters, stop, &mut |_| ());
        if stop.is_raised() && self.interrupt.is_raised() {
            return None;
        }
        answer.nodes = result.nodes;
        if let Some(best) = &result.best {
            answer.certainty = best.certainty;
            answer.depth = best.depth;
            answer.score = serde_json::Number::from_f64(f64::from(best.score) / f64::from(UNIT))?;
        } else if Reversi::portable().outcome(&board).is_some() {
            answer.score = board.final_discs().into();
        }
        answer.pv = square_names(&result.pv);
        answer.best = answer.pv.first().cloned().into_iter().collect();
        Some(())
    }
}
