//! Searches: how they start, and what hosts do to them while they run.

use super::Session;
use super::active_search::{ANSWER_GRACE, ActiveSearch, SearchPurpose};
use super::serve::{Answer, played_moves};
use crate::api::command::{CommandError, Go, GoLimits, PlayedMove, Player};
use crate::api::event::{BestMove, Bound, Event, Info, SearchStatistics};
use crate::api::protocol::{Request, RequestId};
use crate::api::settings::Settings;
use crate::engine::clock::{self, Clock};
use crate::engine::dyn_engine::{DynEngine, EventSink, SearchHandle, SearchRequest, Start};
use crate::engine::message::Message;
use crate::engine::skill::{self, Skill};
use crate::search::notation::Style;
use crate::search::types::{Certainty, Score, Side, UNIT, WIN};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl<W: Write> Session<W> {
    /// Where a new search sends its events.
    fn new_sink(&mut self) -> EventSink {
        self.search_number += 1;
        let number = self.search_number;
        let sender = self.sender.clone();
        // A session that has ended drops the events.
        Arc::new(move |event| drop(sender.send(Message::Search(number, event))))
    }

    /// A search for the best move within what host, clock and command line allow.
    fn search_request(&self, engine: &dyn DynEngine, clock: &Clock, side: Side, limits: &GoLimits) -> SearchRequest {
        let overhead = self.settings.move_overhead;
        let limits = clock::limits(limits, &self.default_limits, clock, side, engine.time_hint(), overhead);
        SearchRequest { style: self.style(), threads: self.settings.threads, ..SearchRequest::new(limits) }
    }

    /// Implies a forced pass where the host names the player who is not to move; the side to move comes back.
    fn force_pass(&mut self, player: Option<Player>) -> Result<Side, CommandError> {
        let side = player.map_or(Ok(self.engine.side()), |player| player.side(self.engine.sides()))?;
        let name = side.of(self.engine.sides()).to_string();
        self.engine.force_pass(side).map_err(|reason| CommandError::IllegalMove(name, reason))?;
        Ok(side)
    }

    pub(super) fn go(&mut self, request_id: &RequestId, go: Go) -> Answer {
        if self.engine.outcome().is_some() {
            return Ok(Some(self.go_on_finished_game(&go)));
        }
        let side = self.force_pass(go.player)?;
        let answer_held = go.ponder || go.limits.infinite;
        // Pondering has no clock before the ponder hit; other limits hold, and the answer waits.
        let limits = match go.ponder {
            true => GoLimits { infinite: true, clocks: [None; 2], move_time: None, ..go.limits.clone() },
            false => go.limits.clone(),
        };
        let request = self.search_request(self.engine.as_ref(), &self.clock, side, &limits);
        let Settings { level, strength, variety, seed, multipv, .. } = self.settings;
        let limits = skill::limited(request.limits, level, strength);
        let skill = if answer_held { Skill::BEST } else { Skill::new(strength, variety, seed) };
        let request = SearchRequest { multipv, searchmoves: go.searchmoves, limits, skill, ..request };
        let purpose = SearchPurpose::Move { side, play: go.play };
        self.start(request_id, request, purpose, answer_held, go.limits)
    }

    /// There is nothing to search, but hosts want an answer, and some of them a closing pass.
    fn go_on_finished_game(&mut self, go: &Go) -> Event {
        let mv = self.engine.closing_pass(self.style());
        if go.play
            && let Some(pass) = &mv
        {
            // A closing pass is legal; one more than a game may have is answered but not kept.
            let _ = self.engine.set_position(Start::Here, &[PlayedMove::new(pass)], self.style(), false);
        }
        let info = Some(self.final_info(mv.iter().cloned().collect()));
        let statistics = SearchStatistics::default();
        Event::BestMove(BestMove { is_pass: mv.is_some(), mv, ponder: None, info, statistics, failure: None })
    }

    /// The result of the finished game as an iteration.
    fn final_info(&self, pv: Vec<String>) -> Info {
        Info {
            rank: 1,
            multipv: 1,
            depth: 0,
            seldepth: 0,
            score: final_score(self.engine.as_ref()),
            bound: Bound::Exact,
            certainty: Certainty::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
            pv_ends_game: true,
        }
    }

    pub(super) fn analyze(
        &mut self,
        request_id: &RequestId,
        player: Option<Player>,
        multipv: usize,
        limits: GoLimits,
        until_input: bool,
    ) -> Answer {
        let side = self.force_pass(player)?;
        let request = self.search_request(self.engine.as_ref(), &self.clock, side, &limits);
        let request = SearchRequest { multipv, ..request };
        self.start(request_id, request, SearchPurpose::Analysis { until_input }, false, limits)
    }

    fn start(
        &mut self,
        request_id: &RequestId,
        request: SearchRequest,
        purpose: SearchPurpose,
        answer_held: bool,
        limits: GoLimits,
    ) -> Answer {
        self.send(request_id, &Event::SearchStarted);
        let sink = self.new_sink();
        let hard = request.limits.hard;
        let handle = self.engine.search(request, sink);
        self.activate(request_id, handle, purpose, answer_held, limits)?;
        self.expect_answer(hard);
        Ok(None)
    }

    /// Makes the search that was just started the active one.
    fn activate(
        &mut self,
        request_id: &RequestId,
        handle: SearchHandle,
        purpose: SearchPurpose,
        answer_held: bool,
        limits: GoLimits,
    ) -> Result<(), CommandError> {
        if let Err(error) = &handle.thread {
            return Err(CommandError::Internal(format!("no thread for the search: {error}")));
        }
        self.active = Some(ActiveSearch {
            number: self.search_number,
            request_id: request_id.clone(),
            handle,
            purpose,
            started: Instant::now(),
            answer_held,
            finished: None,
            limits,
            latest: None,
            answer_by: None,
        });
        Ok(())
    }

    /// The active search has so long from now, its hard limit.
    fn expect_answer(&mut self, hard: Option<Duration>) {
        if let Some(active) = &mut self.active {
            active.answer_by = hard.map(|hard| Instant::now() + hard + ANSWER_GRACE);
        }
    }

    pub(super) fn analyze_game(&mut self, request_id: &RequestId, limits: GoLimits) -> Answer {
        let opened = self.factory.open(&self.settings);
        let mut engine = opened.map_err(|error| CommandError::Unavailable(error.to_string()))?;
        let start = self.engine.start_position(Style::Plain);
        let moves = played_moves(self.engine.as_ref());
        if engine.set_position(Start::Text(&start), &moves, Style::Plain, false).is_err() {
            return Err(CommandError::Internal("the game could not be replayed".into()));
        }
        self.send(request_id, &Event::SearchStarted);
        self.analyze_ply(request_id, engine, limits, moves.len())
    }

    /// Scores the position of `engine`, which stands `ply` moves after the start; finished ones need no search.
    pub(super) fn analyze_ply(
        &mut self,
        request_id: &RequestId,
        mut engine: Box<dyn DynEngine>,
        limits: GoLimits,
        mut ply: usize,
    ) -> Answer {
        while engine.outcome().is_some() {
            let score = final_score(engine.as_ref());
            self.send(request_id, &Event::GameAnalysis { ply, score });
            if ply == 0 || !engine.undo(1) {
                return Ok(Some(Event::AnalysisFinished(SearchStatistics::default())));
            }
            ply -= 1;
        }
        let request = self.search_request(engine.as_ref(), &Clock::default(), engine.side(), &limits);
        let sink = self.new_sink();
        let handle = engine.search(request, sink);
        let purpose = SearchPurpose::GameAnalysis { engine, limits: limits.clone(), ply };
        self.activate(request_id, handle, purpose, false, limits)?;
        Ok(None)
    }

    pub(super) fn perft(&mut self, request_id: &RequestId, depth: u32) -> Answer {
        let sink = self.new_sink();
        let handle = self.engine.divide(depth, self.style(), sink);
        self.activate(request_id, handle, SearchPurpose::Perft, false, GoLimits::default())?;
        Ok(None)
    }

    /// The pondered move was played: the clock starts.
    pub(super) fn ponder_hit(&mut self, limits: Option<GoLimits>) -> Answer {
        let Some(active) = &mut self.active else { return Ok(None) };
        if let Some(limits) = limits {
            active.limits = limits;
        }
        let SearchPurpose::Move { side, .. } = active.purpose else { return Ok(None) };
        let (hint, overhead) = (self.engine.time_hint(), self.settings.move_overhead);
        let limits = clock::limits(&active.limits, &self.default_limits, &self.clock, side, hint, overhead);
        active.handle.stop.set_time(limits.soft, limits.hard);
        active.started = Instant::now();
        active.answer_held = active.limits.infinite;
        self.expect_answer(limits.hard);
        self.finish_unless_held();
        Ok(None)
    }

    /// Ends the active search, which then answers.
    pub(super) fn stop(&mut self) -> Answer {
        if let Some(active) = &mut self.active {
            active.answer_held = false;
            active.stop();
        }
        self.finish_unless_held();
        Ok(None)
    }

    /// Drops the active search with its answer and the queued searches, carries out what else is queued, and confirms.
    pub(super) fn cancel(&mut self, number: u64) -> Event {
        if let Some(active) = self.active.take() {
            active.handle.stop.raise();
        }
        for (request, cost) in std::mem::take(&mut self.queue) {
            match request.command.without_search() {
                Some(command) => self.queue.push_back((Request { command, ..request }, cost)),
                None => self.backpressure.release(cost),
            }
        }
        self.serve_queue();
        Event::Cancelled(number)
    }
}

/// The score of the engine's finished game for the side to move; 0 if it is not finished.
fn final_score(engine: &dyn DynEngine) -> Score {
    let Some(outcome) = engine.outcome() else { return 0 };
    let size = outcome.margin.map_or(WIN, |margin| margin as Score * UNIT);
    match outcome.winner {
        None => 0,
        Some(winner) if winner == engine.side() => size,
        Some(_) => -size,
    }
}
