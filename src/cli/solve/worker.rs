//! Solving or searching one position.

use super::answer::{AnsweredTask, SolveAnswer};
use super::args::SolveArgs;
use super::input::Request;
use crate::cli::cluster::task::Task;
use crate::cli::io::interrupt::Interrupt;
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::obf::{self, ObfLine};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::games::reversi::solver::settings::SolverSettings;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::result::SearchParameters;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Certainty, Selectivity, UNIT};
use crate::search::worker::SearchContext;
use crate::support::memory::MemoryError;
use crate::support::thread_pool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Positions with so many empty squares or more use the large table; a small one stays in the processor's cache.
const LARGE_TABLE_MIN_EMPTIES: u32 = 15;

/// MiB that suffice for a search to this depth. A larger table would only cause more cache misses.
fn table_mebibytes(depth: u32) -> usize {
    1 << (depth.min(64).saturating_sub(8) / 2)
}

/// A worker: answers one position after another with tables of its own.
pub struct SolveWorker<'a, K: SolverLevel, E: Eval<Reversi<K>>> {
    args: &'a SolveArgs,
    context: &'a SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    interrupt: &'a Interrupt,
    /// Threads of one position.
    threads: usize,
    /// For positions with few empty squares.
    small: Solver,
    /// For all others.
    large: Solver,
    /// For searches to a depth.
    table: TranspositionTable,
}

impl<'a, K: SolverLevel, E: Eval<Reversi<K>>> SolveWorker<'a, K, E> {
    /// A worker that takes its share of the memory for tables.
    ///
    /// # Errors
    /// There is not so much memory.
    pub fn new(
        args: &'a SolveArgs,
        jobs: usize,
        context: &'a SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
        interrupt: &'a Interrupt,
        settings: SolverSettings,
    ) -> Result<Self, MemoryError> {
        let mebibytes = (args.hash as usize / jobs).max(1);
        Ok(SolveWorker {
            args,
            context,
            interrupt,
            threads: thread_pool::useful(usize::from(args.threads)),
            small: Solver::with_settings(1, settings)?,
            large: Solver::with_settings(mebibytes, settings)?,
            table: TranspositionTable::new(args.depth.map_or(0, |depth| table_mebibytes(depth).min(mebibytes)))?,
        })
    }

    /// The answer to a position; none if the work was interrupted.
    pub fn answer(&mut self, request: &Request, number: u64) -> Option<SolveAnswer> {
        let start = Instant::now();
        let stop = self.interrupt.watch(Stop::new(&Limits::default()));
        let nodes = AtomicU64::new(0);
        let ObfLine { board, black_to_move, .. } = request.line;
        let mut answer = SolveAnswer {
            line: number,
            position: obf::show(board, black_to_move),
            best: Vec::new(),
            score: 0.into(),
            certainty: Certainty::Exact,
            depth: board.empties(),
            nodes: 0,
            seconds: 0.0,
            pv: Vec::new(),
            moves: None,
            task: None,
        };
        match (&request.task, self.args.depth) {
            (Some(task), _) => self.solve_task(board, task, &stop, &nodes, &mut answer)?,
            (None, Some(depth)) if depth < board.empties() => self.search(board, depth, &stop, &nodes, &mut answer)?,
            (None, _) => self.solve(board, &stop, &nodes, &mut answer)?,
        }
        answer.nodes = nodes.load(Ordering::Relaxed);
        answer.seconds = start.elapsed().as_secs_f64();
        Some(answer)
    }

    /// A solver, with empty tables unless they are to be kept.
    fn solver(&mut self, board: Board, keep_table: bool) -> &Solver {
        let solver = match board.empties() {
            LARGE_TABLE_MIN_EMPTIES.. => &mut self.large,
            _ => &mut self.small,
        };
        if !keep_table {
            solver.clear();
        }
        solver
    }

    /// Solves in the window of a task. The move is the one that the table holds: where it keeps its value is not proven.
    fn solve_task(
        &mut self,
        board: Board,
        task: &Task,
        stop: &Stop,
        nodes: &AtomicU64,
        answer: &mut SolveAnswer,
    ) -> Option<()> {
        let (context, threads) = (self.context, self.threads);
        let solver = self.solver(board, self.args.keep_table);
        let asked = SolveTask { window: task.window, selectivity: Selectivity::EXACT, threads };
        let root = RootSolver { solver, game: &context.game, eval: &context.eval, stop, nodes, task: asked };
        let score = root.score(board)?;
        let (alpha, beta) = task.window;
        let bound = match score {
            _ if score <= alpha => "at most",
            _ if score >= beta => "at least",
            _ => "exact",
        };
        answer.score = score.into();
        answer.pv = root.any_move(board).iter().map(|mv| obf::square_name(mv.square)).collect();
        answer.best = answer.pv.clone();
        answer.task = Some(AnsweredTask {
            task: task.task,
            window: task.window,
            bound: bound.into(),
            program: task.program.clone(),
            evaluation: task.evaluation.clone(),
        });
        (!stop.is_raised()).then_some(())
    }

    fn solve(&mut self, board: Board, stop: &Stop, nodes: &AtomicU64, answer: &mut SolveAnswer) -> Option<()> {
        let (args, context) = (self.args, self.context);
        let task = SolveTask {
            window: if args.wld { (-1, 1) } else { (-64, 64) },
            selectivity: args.selectivity.unwrap_or(Selectivity::EXACT),
            threads: self.threads,
        };
        // An answer must not depend on the positions solved before, and so not on the number of jobs.
        let solver = self.solver(board, false);
        let root = RootSolver { solver, game: &context.game, eval: &context.eval, stop, nodes, task };
        let to_output = |score: i32| if args.wld { score.signum() } else { score };
        answer.certainty = args.solved_certainty();
        let score;
        if args.all_moves {
            let values = root.all_moves(board)?;
            score = values.first().map_or_else(|| board.final_discs(), |&(_, value)| value);
            let named_move = |&(mv, value): &(Placement, i32)| (obf::square_name(mv.square), to_output(value));
            let moves: Vec<_> = values.iter().map(named_move).collect();
            let best = moves.iter().take_while(|(_, value)| *value == to_output(score));
            answer.best = best.map(|(name, _)| name.clone()).collect();
            answer.moves = Some(moves);
        } else {
            score = root.score(board)?;
        }
        answer.score = to_output(score).into();
        answer.pv =
            root.principal_variation(board, to_output(score)).iter().map(|mv| obf::square_name(mv.square)).collect();
        if answer.pv.is_empty() && !stop.is_raised() {
            // The table holds no move if every move fails low: all of them are equally good then.
            answer.pv = root.any_move(board).iter().map(|mv| obf::square_name(mv.square)).collect();
        }
        if answer.best.is_empty() {
            answer.best = answer.pv.first().cloned().into_iter().collect();
        }
        (!stop.is_raised()).then_some(())
    }

    fn search(
        &mut self,
        board: Board,
        depth: u32,
        stop: &Stop,
        nodes: &AtomicU64,
        answer: &mut SolveAnswer,
    ) -> Option<()> {
        self.table.clear();
        let request = SearchParameters {
            limits: Limits { depth: Some(depth), ..Limits::default() },
            multipv: 1,
            only: Vec::new(),
            threads: self.threads,
            draw: 0,
        };
        let result = iterative_deepening::search(self.context, &self.table, &board, &request, stop, &mut |_| ());
        if stop.is_raised() && self.interrupt.is_raised() {
            return None;
        }
        nodes.store(result.nodes, Ordering::Relaxed);
        if let Some(best) = &result.best {
            answer.certainty = best.certainty;
            answer.depth = best.depth.unsigned_abs();
            answer.score = serde_json::Number::from_f64(f64::from(best.score) / f64::from(UNIT))?;
        } else if self.context.game.outcome(&board).is_some() {
            answer.score = board.final_discs().into();
        }
        answer.pv = result.pv.iter().map(|mv| obf::square_name(mv.square)).collect();
        answer.best = answer.pv.first().cloned().into_iter().collect();
        Some(())
    }
}
