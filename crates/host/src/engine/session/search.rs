//! Searches: how they start and how they are dropped, and the ponder hit.

use super::Session;
use super::active_search::{ActiveSearch, Hold, SearchPurpose};
use super::pending::{Answer, Asked};
use crate::api::command::{CommandError, Go, GoLimits, Player};
use crate::api::event::{BestMove, Event, Iteration, SearchStatistics};
use crate::api::settings::{BookSource, Settings};
use crate::engine::book_choice::BookChoice;
use crate::engine::clock::{self, Clock};
use crate::engine::dyn_engine::{BookUse, DynEngine, EventSink, SearchRequest};
use crate::engine::message::Message;
use crate::engine::skill::Skill;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::types::{Certainty, Side};
use flipside_core::search::wdl::Wdl;
use flipside_support::file_fault::FileFault;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

impl<W: Write> Session<W> {
    /// Where a new search sends its events.
    fn new_sink(&mut self) -> EventSink {
        self.number += 1;
        let number = self.number;
        let sender = self.sender.clone();
        // A session that has ended drops the events.
        Arc::new(move |event| drop(sender.send(Message::Search(number, Box::new(event)))))
    }

    /// A search for the best move within the limits of host, clock and command line.
    fn search_request(&self, engine: &dyn DynEngine, clock: &Clock, side: Side, limits: &GoLimits) -> SearchRequest {
        let overhead = self.settings.move_overhead;
        let limits = clock::limits(limits, &self.default_limits, clock, side, engine.time_hint(), overhead);
        SearchRequest { style: self.style(), threads: self.settings.threads, ..SearchRequest::new(limits) }
    }

    /// Implies a forced pass if the host names the player who is not to move; returns the side to move.
    fn force_pass(&mut self, player: Option<Player>) -> Result<Side, CommandError> {
        let side = player.map_or(Ok(self.engine.side()), |player| player.side(self.engine.sides()))?;
        let name = side.of(self.engine.sides()).to_string();
        self.engine.force_pass(side).map_err(|reason| CommandError::IllegalMove(name, reason))?;
        Ok(side)
    }

    pub(super) fn go(&mut self, asked: &Asked, go: Go) -> Answer {
        let hold = match (go.ponder, go.limits.infinite) {
            (true, _) => Hold::PonderHit,
            (false, true) => Hold::Stop,
            (false, false) => Hold::Nothing,
        };
        if self.engine.outcome().is_some() {
            self.go_on_finished_game(asked, go, hold);
            return Ok(None);
        }
        let side = self.force_pass(go.player)?;
        self.report_illegal(asked, &go.searchmoves);
        let mut request = self.search_request(self.engine.as_ref(), &self.clock, side, &go.limits);
        if go.ponder {
            // Before the ponder hit no clock runs; other limits apply, and the answer waits.
            (request.limits.soft, request.limits.hard) = (None, None);
        }
        let (skill, multipv) = (Skill::new(&self.settings), self.settings.multipv);
        let limits = skill.limited(request.limits);
        let wants_truth = go.limits.infinite || go.value.is_some();
        let skill = if wants_truth { Skill::BEST } else { skill };
        // The host asked for a search if it is endless or looks for a value or a forced end, so the book does not
        // answer.
        let analysis = wants_truth || go.limits.mate.is_some();
        let book = if analysis { self.book_in_analysis() } else { BookUse::Play(BookChoice::new(&self.settings)) };
        let request =
            SearchRequest { multipv, searchmoves: go.searchmoves, limits, skill, book, value: go.value, ..request };
        let purpose = SearchPurpose::Move { side, play: go.play };
        self.start(asked, request, purpose, hold, go.limits)
    }

    /// Tells the host which of the moves that it wants searched are none.
    fn report_illegal(&mut self, asked: &Asked, searchmoves: &[String]) {
        let style = self.style();
        let illegal = searchmoves.iter().filter(|mv| !self.engine.is_legal(mv, style)).cloned().collect::<Vec<_>>();
        if !illegal.is_empty() {
            self.send(&asked.request_id, &Event::IllegalSearchMoves(illegal));
        }
    }

    /// What the opening book is for in an analysis.
    fn book_in_analysis(&self) -> BookUse {
        if self.settings.book_analysis { BookUse::Show } else { BookUse::Nothing }
    }

    /// A finished game has nothing to search, but hosts expect an answer, and some of them a closing pass.
    fn go_on_finished_game(&mut self, asked: &Asked, go: Go, hold: Hold) {
        let wants_pass = self.protocol.as_ref().is_none_or(|protocol| protocol.wants_closing_pass());
        let mv = wants_pass.then(|| self.engine.closing_pass(self.style())).flatten();
        let info = Some(self.final_info(mv.iter().cloned().collect()));
        let best_move = BestMove { is_pass: mv.is_some(), mv, info, ..BestMove::default() };
        let purpose = SearchPurpose::Move { side: self.engine.side(), play: go.play };
        self.number += 1;
        let active = self.activate(asked, Arc::new(Stop::new(&Limits::default())), purpose, go.limits);
        (active.hold, active.finished) = (hold, Some(best_move));
    }

    /// The result of the finished game as an iteration.
    fn final_info(&self, pv: Vec<String>) -> Iteration<String> {
        let score = self.engine.static_eval();
        let wdl = Some(Wdl::certain(score));
        Iteration { pv_ends_game: true, wdl, ..Iteration::known(score, Certainty::Exact, 0, pv) }
    }

    pub(super) fn analyze(
        &mut self,
        asked: &Asked,
        player: Option<Player>,
        multipv: usize,
        limits: GoLimits,
        until_input: bool,
    ) -> Answer {
        let side = self.force_pass(player)?;
        let request = self.search_request(self.engine.as_ref(), &self.clock, side, &limits);
        let request = SearchRequest { multipv, book: self.book_in_analysis(), ..request };
        self.start(asked, request, SearchPurpose::Analysis { until_input }, Hold::Nothing, limits)
    }

    fn start(
        &mut self,
        asked: &Asked,
        request: SearchRequest,
        purpose: SearchPurpose,
        hold: Hold,
        limits: GoLimits,
    ) -> Answer {
        self.send(&asked.request_id, &Event::SearchStarted);
        let sink = self.new_sink();
        let hard = request.limits.hard;
        let handle = self.engine.search(request, sink);
        let active = self.activate(asked, handle.stop, purpose, limits);
        active.hold = hold;
        active.expect_answer(hard);
        Ok(None)
    }

    /// Makes the search with the latest number the active one; nothing holds its answer back.
    fn activate(
        &mut self,
        asked: &Asked,
        stop: Arc<Stop>,
        purpose: SearchPurpose,
        limits: GoLimits,
    ) -> &mut ActiveSearch {
        self.active.insert(ActiveSearch {
            number: self.number,
            asked: asked.clone(),
            stop,
            purpose,
            started: Instant::now(),
            hold: Hold::Nothing,
            finished: None,
            limits,
            candidate: None,
            answer_by: None,
            stopped: false,
        })
    }

    /// Analyses the game so far, on an engine of its own.
    pub(super) fn analyze_game(&mut self, asked: &Asked, limits: GoLimits) -> Answer {
        // The book does not matter here, and its file may have vanished since it was opened.
        let settings = Settings { book: BookSource::None, ..self.settings.clone() };
        let asker = asked.clone();
        self.open(asked, settings, move |session, opened| {
            let mut engine = opened.map_err(|error| CommandError::Unavailable(error.without_content()))?;
            let plies = session.copy_game(&mut *engine);
            let plies = plies.ok_or_else(|| CommandError::Internal("the game could not be replayed".into()))?;
            session.send(&asker.request_id, &Event::SearchStarted);
            session.analyze_ply(&asker, engine, limits, plies, Instant::now())
        })
    }

    /// Sets another engine of the same game to the present game and returns the number of moves.
    pub(super) fn copy_game(&self, engine: &mut dyn DynEngine) -> Option<usize> {
        let game = self.engine.save();
        let plies = game.plies;
        engine.resume(game).then_some(plies)
    }

    /// Scores the position of `engine` at `ply` moves after the start; finished games need no search.
    pub(super) fn analyze_ply(
        &mut self,
        asked: &Asked,
        mut engine: Box<dyn DynEngine>,
        limits: GoLimits,
        mut ply: usize,
        began: Instant,
    ) -> Answer {
        while engine.outcome().is_some() {
            let score = engine.static_eval();
            self.send(&asked.request_id, &Event::GameAnalysis { ply, score, wdl: Some(Wdl::certain(score)) });
            if ply == 0 || !engine.undo(1) {
                return Ok(Some(Event::AnalysisFinished(SearchStatistics::default())));
            }
            ply -= 1;
        }
        let request = self.search_request(engine.as_ref(), &Clock::default(), engine.side(), &limits);
        let sink = self.new_sink();
        let handle = engine.search(request, sink);
        let purpose = SearchPurpose::GameAnalysis { engine, limits: limits.clone(), ply, began };
        self.activate(asked, handle.stop, purpose, limits);
        Ok(None)
    }

    pub(super) fn perft(&mut self, asked: &Asked, depth: u32) -> Answer {
        let sink = self.new_sink();
        let handle = self.engine.divide(depth, self.style(), sink);
        self.activate(asked, handle.stop, SearchPurpose::Perft, GoLimits::default());
        Ok(None)
    }

    /// The pondered move was played: the clock of the search starts when this command is carried out.
    pub(super) fn ponder_hit(&mut self, asked: &Asked, go: Option<Go>) -> Answer {
        self.last_ponder_hit = asked.line;
        match (go, &mut self.active) {
            (Some(go), Some(active)) => active.limits = go.limits,
            (Some(go), None) => return self.go(asked, go),
            (None, _) => {}
        }
        Ok(None)
    }

    /// Drops the active search without an answer.
    pub(super) fn drop_search(&mut self) {
        if let Some(active) = self.active.take() {
            active.stop.raise();
        }
    }

    /// Drops the active search and the waiting ones without their answers. Other requests of waiting lines are carried
    /// out.
    pub(super) fn drop_searches(&mut self) {
        self.drop_search();
        self.queue.iter_mut().for_each(|line| line.searches_dropped = true);
        self.end_learning();
    }

    /// Drops all waiting lines.
    pub(super) fn drop_lines(&mut self) {
        for line in std::mem::take(&mut self.queue) {
            self.backpressure.release(line.cost);
        }
    }

    /// What the search under way has cost so far.
    pub(super) fn progress(&self) -> Option<SearchStatistics> {
        let active = self.active.as_ref()?;
        Some(SearchStatistics { nodes: active.stop.entered(), time: active.started.elapsed() })
    }
}
