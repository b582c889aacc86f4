//! A search thread: it searches as the request says, turns the search's typed results into text once, and survives a
//! panic of the search.

use super::dyn_engine::{EventSink, SearchRequest};
use crate::api::event::{BestMove, Info, SearchEvent, SearchStatistics};
use crate::search::algorithm::Algorithm;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::Notation;
use crate::search::policy::SearchPolicy;
use crate::search::result::{Iteration, SearchParameters, SearchResult};
use crate::search::transposition_table::{Bound, TranspositionTable};
use crate::search::types::{Certainty, Depth, MAX_DEPTH, Score, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;
use crate::support::thread_pool;
use crate::textbook::move_order::MoveOrder;
use crate::textbook::searcher;
use crate::textbook::tracer::NoTracer;
use crate::textbook::type_erased::ErasedGame;
use crate::textbook::types::{SearchConfig, SearchInput, SearchOutput};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};

/// Everything that a search thread needs.
pub(super) struct SearchThread<G: Game, E, T> {
    pub context: Arc<SearchContext<G, E, T>>,
    /// Made by the first search if nothing prepared it.
    pub table: Arc<OnceLock<TranspositionTable>>,
    /// MiB of the table.
    pub hash: usize,
    pub root: G::Position,
    /// Value of a drawn game for the side to move.
    pub draw: Score,
    pub algorithm: Algorithm,
    pub stop: Arc<Stop>,
    pub request: SearchRequest,
    pub sink: EventSink,
}

impl<G: Notation, E: Eval<G>, T: SearchPolicy<G, E>> SearchThread<G, E, T> {
    /// Searches and sends the events.
    pub fn run(self) {
        let best_move = self.best_move();
        (self.sink)(SearchEvent::BestMove(best_move));
    }

    /// Searches and sends the iterations; a panic of the search becomes a result with the best move so far.
    pub fn best_move(&self) -> BestMove {
        let last: Mutex<Option<Info>> = Mutex::new(None);
        let search = AssertUnwindSafe(|| self.search(&last));
        match catch_unwind(search) {
            Ok(result) => self.show_result(&result),
            Err(_) => {
                let info = last.lock().map_or(None, |mut last| last.take());
                self.best_move_after_panic(info)
            }
        }
    }

    fn search(&self, last: &Mutex<Option<Info>>) -> SearchResult<G::Move> {
        let mut send = |report: Iteration<G::Move>| {
            let info = self.info(&report);
            if info.rank == 1
                && let Ok(mut last) = last.lock()
            {
                *last = Some(info.clone());
            }
            (self.sink)(SearchEvent::Info(info));
        };
        match self.algorithm {
            Algorithm::Pvs => self.search_with_pvs(&mut send),
            algorithm => self.search_with_textbook(algorithm, &mut send),
        }
    }

    /// The moves that the request allows; all if empty.
    fn searchmoves(&self) -> Vec<G::Move> {
        let read = |text: &String| self.context.game.read_move(&self.root, text, self.request.style);
        self.request.searchmoves.iter().filter_map(read).collect()
    }

    /// The production search. Limited skill needs the score of every move.
    fn search_with_pvs(&self, send: &mut dyn FnMut(Iteration<G::Move>)) -> SearchResult<G::Move> {
        let SearchRequest { multipv, skill, .. } = self.request;
        let scored = if skill.is_best() { multipv } else { usize::MAX };
        let parameters = SearchParameters {
            limits: self.request.limits.clone(),
            multipv: scored,
            only: self.searchmoves(),
            threads: thread_pool::useful(self.request.threads),
            draw: self.draw,
        };
        let table = self.table.get_or_init(|| TranspositionTable::new(self.hash));
        // The latest report of each rank: where the last iteration was cut short, those of the iteration before remain.
        let mut latest: Vec<Iteration<G::Move>> = Vec::new();
        let result =
            iterative_deepening::search(&self.context, table, &self.root, &parameters, &self.stop, &mut |iteration| {
                if scored > multipv {
                    latest.truncate(iteration.rank - 1);
                    latest.push(iteration.clone());
                }
                if iteration.rank <= multipv {
                    send(Iteration { multipv: iteration.multipv.min(multipv), ..iteration });
                }
            });
        let scores: Vec<Score> = latest.iter().map(|iteration| iteration.score).collect();
        match skill.choose(&scores, self.context.game.key(&self.root)).map(|index| latest.swap_remove(index)) {
            Some(chosen) if scored > multipv => SearchResult {
                pv: chosen.pv.clone(),
                best: Some(Iteration { rank: 1, multipv: 1, ..chosen }),
                ..result
            },
            _ => result,
        }
    }

    /// An algorithm of the textbook, with the game's own order of moves: directly to the depth limit where nothing else
    /// limits the search, else by iterative deepening.
    fn search_with_textbook(
        &self,
        algorithm: Algorithm,
        send: &mut dyn FnMut(Iteration<G::Move>),
    ) -> SearchResult<G::Move> {
        let Limits { depth, nodes, soft, hard, .. } = self.request.limits;
        let deepen = depth.is_none() || nodes.is_some() || soft.is_some() || hard.is_some();
        let depth = depth.map_or(MAX_DEPTH, |depth| (depth as Depth).clamp(1, MAX_DEPTH));
        let config = SearchConfig { deepen, ..SearchConfig::fixed(algorithm, MoveOrder::Natural, depth) };
        let erased = ErasedGame::new(Arc::clone(&self.context));
        let input = SearchInput { only: self.searchmoves(), ..SearchInput::new(&erased, &erased, &self.root) };
        let mut best = None;
        let output = searcher::search_iterations(&input, config, &self.stop, &mut NoTracer, &mut |output| {
            let iteration = self.textbook_iteration(output);
            best = Some(iteration.clone());
            send(iteration);
        });
        self.stop.raise();
        SearchResult { pv: output.pv, best, nodes: output.nodes, time: self.stop.elapsed() }
    }

    fn textbook_iteration(&self, output: &SearchOutput<G::Move>) -> Iteration<G::Move> {
        // The textbook's scores do not count the plies to a win; its principal variation does.
        let distance = if output.score.abs() >= WIN_IN_MAX_PLY { output.pv.len() as Score } else { 0 };
        Iteration {
            rank: 1,
            multipv: 1,
            depth: output.depth,
            seldepth: output.depth.unsigned_abs() as usize,
            score: output.score - output.score.signum() * distance,
            bound: Bound::Exact,
            certainty: Certainty::of_search(output.score, 100),
            nodes: output.nodes,
            time: self.stop.elapsed(),
            hashfull: 0,
            pv: output.pv.clone(),
        }
    }

    fn info(&self, iteration: &Iteration<G::Move>) -> Info {
        let (pv, pv_ends_game) = self.show_line(&iteration.pv);
        Info {
            rank: iteration.rank,
            multipv: iteration.multipv,
            depth: iteration.depth.unsigned_abs(),
            seldepth: iteration.seldepth as u32,
            score: iteration.score,
            bound: iteration.bound,
            certainty: iteration.certainty,
            nodes: iteration.nodes,
            time: iteration.time,
            hashfull: iteration.hashfull,
            pv,
            pv_ends_game,
        }
    }

    /// The moves in the request's notation up to the end of the game, and whether they reach it.
    fn show_line(&self, moves: &[G::Move]) -> (Vec<String>, bool) {
        let game = &self.context.game;
        let mut position = self.root.clone();
        let mut texts = Vec::with_capacity(moves.len());
        for &mv in moves {
            if game.outcome(&position).is_some() {
                break;
            }
            texts.push(game.show_move(&position, mv, self.request.style));
            position = game.play(&position, mv);
        }
        (texts, game.outcome(&position).is_some())
    }

    fn show_result(&self, result: &SearchResult<G::Move>) -> BestMove {
        let mut texts = self.show_line(&result.pv).0.into_iter();
        BestMove {
            mv: texts.next(),
            ponder: texts.next(),
            is_pass: result.pv.first().is_some_and(|&mv| self.context.game.is_pass(mv)),
            info: result.best.as_ref().map(|iteration| self.info(iteration)),
            statistics: SearchStatistics { nodes: result.nodes, time: result.time },
            failure: None,
        }
    }

    /// The best move of the last finished iteration, else the first legal one.
    fn best_move_after_panic(&self, info: Option<Info>) -> BestMove {
        let game = &self.context.game;
        let reported = info.as_ref().and_then(|info| info.pv.first().cloned());
        let first = || game.moves(&self.root).next().map(|mv| game.show_move(&self.root, mv, self.request.style));
        let mv = reported.or_else(first);
        let is_pass = mv.as_deref().is_some_and(|text| game.is_pass_word(text));
        let statistics =
            SearchStatistics { nodes: info.as_ref().map_or(0, |info| info.nodes), time: self.stop.elapsed() };
        BestMove { mv, ponder: None, is_pass, info, statistics, failure: Some("the search failed; see the log".into()) }
    }
}
