//! What a search thread does: it searches as the engine says, tells what it finds, and survives a panic.

use super::dyn_engine::{News, Order, Sink};
use crate::api::event::{Choice, Progress, Totals};
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::{Game, MAX_MOVES};
use crate::search::iterative_deepening::{self, Report, Request, SearchResult};
use crate::search::limits::{Limits, Stop};
use crate::search::notation::Notation;
use crate::search::policy::SearchPolicy;
use crate::search::transposition_table::{Bound, TranspositionTable};
use crate::search::types::{Certainty, Depth, MAX_DEPTH, Score, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::searcher;
use crate::textbook::tracer::NoTracer;
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{SearchConfig, SearchInput, SearchOutput};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};

/// Everything that a search thread takes along.
pub(super) struct Job<G: Game, E, T> {
    pub context: Arc<SearchContext<G, E, T>>,
    pub table: Arc<OnceLock<TranspositionTable>>,
    pub hash: usize,
    pub root: G::Position,
    /// What a drawn game is worth to the side to move.
    pub draw: Score,
    pub algorithm: Algorithm,
    pub stop: Arc<Stop>,
    pub order: Order,
    pub sink: Sink,
}

impl<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>> Job<G, E, T> {
    /// Searches and tells; a panic inside becomes an answer with the best move so far.
    pub fn run(self) {
        let last: Mutex<Option<Progress>> = Mutex::new(None);
        let search = AssertUnwindSafe(|| self.search(&last));
        let choice = match catch_unwind(search) {
            Ok(result) => self.choice(&result),
            Err(_) => {
                let best = last.lock().map_or(None, |mut last| last.take());
                self.rescue(best)
            }
        };
        (self.sink)(News::Done(choice));
    }

    fn search(&self, last: &Mutex<Option<Progress>>) -> SearchResult<G::Move> {
        let mut tell = |report: Report<G::Move>| {
            let progress = self.progress(&report);
            if progress.rank == 1
                && let Ok(mut last) = last.lock()
            {
                *last = Some(progress.clone());
            }
            (self.sink)(News::Progress(progress));
        };
        match self.algorithm {
            Algorithm::Pvs => self.search_in_full(&mut tell),
            algorithm => self.search_by_name(algorithm, &mut tell),
        }
    }

    /// The moves that the order allows; all if empty.
    fn only(&self) -> Vec<G::Move> {
        let named = |text: &String| self.context.game.read_move(&self.root, text, self.order.style);
        self.order.only.iter().filter_map(named).collect()
    }

    fn search_in_full(&self, tell: &mut dyn FnMut(Report<G::Move>)) -> SearchResult<G::Move> {
        let Order { lines, skill, .. } = self.order;
        let valued = if skill.is_best() { lines } else { MAX_MOVES };
        let request = Request {
            limits: self.order.limits.clone(),
            multipv: valued,
            only: self.only(),
            threads: self.order.threads.max(1),
            draw: self.draw,
        };
        let table = self.table.get_or_init(|| TranspositionTable::new(self.hash));
        let mut latest: Vec<Report<G::Move>> = Vec::new();
        let result =
            iterative_deepening::search(&self.context, table, &self.root, &request, &self.stop, &mut |report| {
                if valued > lines {
                    latest.truncate(report.rank - 1);
                    latest.push(report.clone());
                }
                if report.rank <= lines {
                    tell(Report { of: report.of.min(lines), ..report });
                }
            });
        // The last step may have been cut short: what it did not reach is judged by the step before.
        let values: Vec<Score> = latest.iter().map(|report| report.score).collect();
        match skill.choose(&values, self.context.game.key(&self.root)).map(|index| latest.swap_remove(index)) {
            Some(chosen) if valued > lines => {
                SearchResult { line: chosen.line.clone(), best: Some(Report { rank: 1, of: 1, ..chosen }), ..result }
            }
            _ => result,
        }
    }

    /// One of the textbook's searchers, in the game's own order of moves: at once to the depth where nothing else limits
    /// the search, else ply by ply.
    fn search_by_name(&self, algorithm: Algorithm, tell: &mut dyn FnMut(Report<G::Move>)) -> SearchResult<G::Move> {
        let Limits { depth, nodes, soft, hard, .. } = self.order.limits;
        let deepen = depth.is_none() || nodes.is_some() || soft.is_some() || hard.is_some();
        let depth = depth.map_or(MAX_DEPTH, |depth| (depth as Depth).clamp(1, MAX_DEPTH));
        let config = SearchConfig { deepen, ..SearchConfig::fixed(algorithm, MoveOrder::Natural, depth) };
        let erased = ErasedGame::new(Arc::clone(&self.context));
        let input = SearchInput { only: self.only(), ..SearchInput::new(&erased, &erased, &self.root) };
        let mut best = None;
        let output = searcher::search_iterations(&input, config, &self.stop, &mut NoTracer, &mut |output| {
            let report = self.report(output);
            best = Some(report.clone());
            tell(report);
        });
        self.stop.raise();
        SearchResult { line: output.pv, best, nodes: output.nodes, time: self.stop.elapsed() }
    }

    fn report(&self, output: &SearchOutput<G::Move>) -> Report<G::Move> {
        // The textbook's scores do not count the plies to a win; its principal variation does.
        let distance = if output.score.abs() >= WIN_IN_MAX_PLY { output.pv.len() as Score } else { 0 };
        Report {
            rank: 1,
            of: 1,
            depth: output.depth,
            seldepth: output.depth.unsigned_abs() as usize,
            score: output.score - output.score.signum() * distance,
            kind: Bound::Exact,
            certainty: Certainty::Estimate(100),
            nodes: output.nodes,
            time: self.stop.elapsed(),
            hashfull: 0,
            line: output.pv.clone(),
        }
    }

    fn progress(&self, report: &Report<G::Move>) -> Progress {
        let (line, ends) = self.line(&report.line);
        Progress {
            rank: report.rank,
            of: report.of,
            depth: report.depth.unsigned_abs(),
            seldepth: report.seldepth as u32,
            score: report.score,
            bound: report.kind,
            certainty: report.certainty,
            nodes: report.nodes,
            time: report.time,
            hashfull: report.hashfull,
            line,
            ends,
        }
    }

    /// The line in the session's words; it stops where the game ends, and says whether it did.
    fn line(&self, moves: &[G::Move]) -> (Vec<String>, bool) {
        let game = &self.context.game;
        let mut position = self.root.clone();
        let mut names = Vec::with_capacity(moves.len());
        for &mv in moves {
            if game.outcome(&position).is_some() {
                break;
            }
            names.push(game.show_move(&position, mv, self.order.style));
            position = game.play(&position, mv);
        }
        (names, game.outcome(&position).is_some())
    }

    fn choice(&self, result: &SearchResult<G::Move>) -> Choice {
        let mut names = self.line(&result.line).0.into_iter();
        Choice {
            mv: names.next(),
            ponder: names.next(),
            pass: result.line.first().is_some_and(|&mv| self.context.game.is_pass(mv)),
            best: result.best.as_ref().map(|report| self.progress(report)),
            totals: Totals { nodes: result.nodes, time: result.time },
            trouble: None,
        }
    }

    /// After a panic: the best move that was reported, else the first legal one.
    fn rescue(&self, best: Option<Progress>) -> Choice {
        let game = &self.context.game;
        let reported = best.as_ref().and_then(|progress| progress.line.first().cloned());
        let first = || game.moves(&self.root).next().map(|mv| game.show_move(&self.root, mv, self.order.style));
        let mv = reported.or_else(first);
        let pass = mv.as_deref().is_some_and(|text| game.is_pass_word(text));
        let totals = Totals { nodes: best.as_ref().map_or(0, |b| b.nodes), time: self.stop.elapsed() };
        Choice { mv, ponder: None, pass, best, totals, trouble: Some("the search failed; see the log".into()) }
    }
}
