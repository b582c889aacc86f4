//! A search thread: plays from the opening book or searches as requested, converts the typed results into text, and
//! survives a panic of the search.

use super::dyn_engine::{BookUse, EventSink, SearchRequest};
use super::engine_book::SharedBook;
use super::opened_book::{self, BookPosition};
use super::sight;
use crate::api::command::ValueQuestion;
use crate::api::event::{BestMove, SearchEvent, SearchStatistics};
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::Notation;
use flipside_core::search::result::{Iteration, SearchParameters, SearchResult};
use flipside_core::search::searcher::Searcher;
use flipside_core::search::types::{Certainty, Score, WIN_IN_MAX_PLY};
use flipside_support::thread_pool;
use flipside_textbook::game::TextbookGame;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::searcher;
use flipside_textbook::tracer::NoTracer;
use flipside_textbook::types::{DEFAULT_PLAYOUTS, SearchConfig, SearchInput, SearchOutput};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// Everything that a search thread needs.
pub(super) struct SearchThread<G: Game> {
    pub game: G,
    pub searcher: Arc<dyn Searcher<G>>,
    pub book: Option<SharedBook<G>>,
    pub root: G::Position,
    /// Value of a drawn game for the side to move.
    pub draw: Score,
    pub algorithm: Algorithm,
    pub stop: Arc<Stop>,
    pub request: SearchRequest,
    pub sink: EventSink,
}

impl<G: Notation + Clone> SearchThread<G> {
    /// Searches and sends the events.
    pub fn run(self) {
        let best_move = self.best_move();
        (self.sink)(SearchEvent::BestMove(best_move));
    }

    /// Consults the book, else searches and sends the iterations. After a panic of the search, the result is the best
    /// move so far.
    pub fn best_move(&self) -> BestMove {
        let candidate: Mutex<Option<BestMove>> = Mutex::new(None);
        let search = AssertUnwindSafe(|| match self.book_move() {
            Some(best_move) => best_move,
            None => self.show_result(&self.search(&candidate)),
        });
        match catch_unwind(search) {
            Ok(best_move) => best_move,
            Err(_) => self.best_move_after_panic(candidate.lock().map_or(None, |mut last| last.take())),
        }
    }

    /// The move from the opening book, if the request plays from the book and the book has one. Sends the book's moves.
    /// A textbook algorithm never plays from the book, because hosts select it to see it search.
    fn book_move(&self) -> Option<BestMove> {
        let SearchRequest { book: book_use, style, skill, multipv, .. } = self.request;
        let book = self.book.as_deref().filter(|_| self.algorithm == Algorithm::Pvs)?;
        let place = BookPosition { game: &self.game, book, position: &self.root, style };
        match book_use {
            BookUse::Nothing => None,
            BookUse::Show => {
                let lines = place.lines();
                if !lines.is_empty() {
                    (self.sink)(SearchEvent::Book(lines));
                }
                None
            }
            BookUse::Play(choice) => {
                let lines = place.choose(choice, skill, &self.searchmoves(), multipv)?;
                (self.sink)(SearchEvent::Book(lines.clone()));
                let time = self.stop.elapsed();
                lines.into_iter().next().map(|line| opened_book::best_move(&self.game, line, time))
            }
        }
    }

    fn search(&self, candidate: &Mutex<Option<BestMove>>) -> SearchResult<G::Move> {
        let mut latest: Vec<Iteration<G::Move>> = Vec::new();
        let mut report = |iteration: Iteration<G::Move>| {
            let multipv = self.request.multipv;
            let is_last = iteration.rank == iteration.multipv;
            if iteration.rank <= multipv {
                let shown = Iteration { multipv: iteration.multipv.min(multipv), ..iteration.clone() };
                (self.sink)(SearchEvent::Info(self.in_text(&shown)));
            }
            latest.truncate(iteration.rank - 1);
            latest.push(iteration);
            if let Some(chosen) = self.choose(&latest).filter(|_| is_last) {
                let (nodes, time) = (chosen.nodes, chosen.time);
                let best_move =
                    self.show_result(&SearchResult { pv: chosen.pv.clone(), best: Some(chosen), nodes, time });
                if let Ok(mut candidate) = candidate.lock() {
                    *candidate = Some(best_move.clone());
                }
                (self.sink)(SearchEvent::Candidate(best_move));
            }
        };
        let result = match self.algorithm {
            Algorithm::Pvs => self.search_with_pvs(&mut report),
            algorithm => self.search_with_textbook(algorithm, &mut report),
        };
        // At full skill the last iteration counts even if it was cut short.
        match self.choose(&latest).filter(|_| !self.request.skill.is_best()) {
            Some(chosen) => SearchResult { pv: chosen.pv.clone(), best: Some(chosen), ..result },
            None => result,
        }
    }

    /// The skill's choice among the variations of the latest iteration.
    fn choose(&self, latest: &[Iteration<G::Move>]) -> Option<Iteration<G::Move>> {
        let (skill, scores) = (self.request.skill, latest.iter().map(|iteration| iteration.score));
        let order = skill.order(&scores.collect::<Vec<_>>(), self.game.key(&self.root));
        let index = match skill.is_best() {
            true => order.first().copied(),
            false => {
                let moves: Vec<_> = latest.iter().filter_map(|iteration| iteration.pv.first().copied()).collect();
                sight::first_seen(&self.game, &self.root, skill.sight, &moves, &order)
            }
        }?;
        latest.get(index).map(|chosen| Iteration { rank: 1, multipv: 1, ..chosen.clone() })
    }

    /// The moves that the request allows; all if empty.
    fn searchmoves(&self) -> Vec<G::Move> {
        let read = |text: &String| self.game.read_move(&self.root, text, self.request.style);
        self.request.searchmoves.iter().filter_map(read).collect()
    }

    /// The production search. Limited skill needs the score of every move.
    fn search_with_pvs(&self, report: &mut dyn FnMut(Iteration<G::Move>)) -> SearchResult<G::Move> {
        let SearchRequest { multipv, skill, value, .. } = self.request;
        let mut parameters = SearchParameters {
            multipv: if skill.is_best() { multipv } else { usize::MAX },
            only: self.searchmoves(),
            threads: thread_pool::useful(self.request.threads),
            draw: self.draw,
            ..SearchParameters::new(self.request.limits.clone())
        };
        if let Some(ValueQuestion { window, selectivity }) = value {
            (parameters.window, parameters.selectivity, parameters.solve_selectivity) =
                (window, selectivity, selectivity);
        }
        self.searcher.search(&self.root, &parameters, &self.stop, report)
    }

    /// Searches with a textbook algorithm and the game's own move order: directly to the depth limit if that is the
    /// only limit, otherwise by iterative deepening.
    fn search_with_textbook(
        &self,
        algorithm: Algorithm,
        report: &mut dyn FnMut(Iteration<G::Move>),
    ) -> SearchResult<G::Move> {
        let limits = &self.request.limits;
        let Limits { depth, nodes, soft, hard, .. } = *limits;
        let deepen = depth.is_none() || nodes.is_some() || soft.is_some() || hard.is_some();
        let depth = limits.max_depth();
        let is_depth_alone = limits.depth.is_some() && !deepen;
        let config = SearchConfig {
            deepen,
            // UCT runs until its limits end it.
            playouts: is_depth_alone.then_some(DEFAULT_PLAYOUTS),
            ..SearchConfig::fixed(algorithm, MoveOrder::Natural, depth)
        };
        let game = TextbookGame::new(self.game.clone(), Arc::clone(&self.searcher));
        let input = SearchInput { only: self.searchmoves(), ..SearchInput::new(&game, &game, &self.root) };
        let mut best = None;
        let output = searcher::search_iterations(&input, config, &self.stop, &mut NoTracer, &mut |output| {
            let iteration = self.textbook_iteration(output);
            best = Some(iteration.clone());
            report(iteration);
        });
        self.stop.raise();
        let mut result = SearchResult { pv: output.pv, best, nodes: output.nodes, time: self.stop.elapsed() };
        result.end_with_the_game(&self.game, &self.root);
        result
    }

    fn textbook_iteration(&self, output: &SearchOutput<G::Move>) -> Iteration<G::Move> {
        // The textbook's scores do not count the plies to a win, but its principal variation does.
        let distance = if output.score.abs() >= WIN_IN_MAX_PLY { output.pv.len() as Score } else { 0 };
        let score = output.score - output.score.signum() * distance;
        let certainty = Certainty::of_search(score, 100);
        let found = Iteration::known(score, certainty, output.depth.unsigned_abs(), output.pv.clone());
        let mut iteration = Iteration { nodes: output.nodes, time: self.stop.elapsed(), ..found };
        iteration.end_with_the_game(&self.game, &self.root);
        iteration
    }

    /// The iteration as hosts see it.
    fn in_text(&self, iteration: &Iteration<G::Move>) -> Iteration<String> {
        let named = iteration.in_text(&self.game, &self.root, self.request.style);
        named.with_chances(self.game.wdl_model(&self.root), self.draw)
    }

    fn show_result(&self, result: &SearchResult<G::Move>) -> BestMove {
        let mut names = self.game.show_line(&self.root, &result.pv, self.request.style).into_iter();
        let first = result.pv.first();
        BestMove {
            mv: names.next(),
            code: first.map(|&mv| self.game.code(mv)),
            ponder: names.next(),
            is_pass: first.is_some_and(|&mv| self.game.is_pass(mv)),
            info: result.best.as_ref().map(|iteration| self.in_text(iteration)),
            statistics: SearchStatistics { nodes: result.nodes, time: result.time },
            ..BestMove::default()
        }
    }

    /// The candidate of the last finished iteration, or the first legal move.
    fn best_move_after_panic(&self, candidate: Option<BestMove>) -> BestMove {
        let first = || {
            let pv = self.game.moves(&self.root).take(1).collect();
            self.show_result(&SearchResult { pv, best: None, nodes: 0, time: self.stop.elapsed() })
        };
        let best_move = candidate.unwrap_or_else(first);
        BestMove { failure: Some("the search failed; see the log".into()), ..best_move }
    }
}
