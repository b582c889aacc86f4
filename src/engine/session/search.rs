//! Searches: how they start, and what hosts do to them while they run.

use super::Session;
use super::active_search::{ActiveSearch, Hold, SearchPurpose};
use super::serve::{Answer, played_moves};
use crate::api::command::{Command, CommandError, Go, GoLimits, Player};
use crate::api::event::{BestMove, Bound, Event, Info, SearchStatistics};
use crate::api::protocol::RequestId;
use crate::api::settings::{BookSource, Settings};
use crate::engine::book_choice::BookChoice;
use crate::engine::clock::{self, Clock};
use crate::engine::dyn_engine::{BookUse, DynEngine, EventSink, SearchHandle, SearchRequest, Start};
use crate::engine::message::Message;
use crate::engine::skill::{self, Skill};
use crate::search::limits::{Limits, Stop};
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
        Arc::new(move |event| drop(sender.send(Message::Search(number, Box::new(event)))))
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
        let hold = match (go.ponder, go.limits.infinite) {
            (true, _) => Hold::PonderHit,
            (false, true) => Hold::Stop,
            (false, false) => Hold::Nothing,
        };
        if self.engine.outcome().is_some() {
            self.go_on_finished_game(request_id, go, hold);
            return Ok(None);
        }
        let side = self.force_pass(go.player)?;
        let mut request = self.search_request(self.engine.as_ref(), &self.clock, side, &go.limits);
        if go.ponder {
            // Pondering has no clock before the ponder hit; other limits hold, and the answer waits.
            (request.limits.soft, request.limits.hard) = (None, None);
        }
        let Settings { level, strength, variety, seed, multipv, .. } = self.settings;
        let limits = skill::limited(request.limits, level, strength);
        let skill = if go.limits.infinite { Skill::BEST } else { Skill::new(strength, variety, seed) };
        // An endless search and one for a forced end are asked for to be searched.
        let analysis = go.limits.infinite || go.limits.mate.is_some();
        let book = if analysis { self.book_in_analysis() } else { BookUse::Play(BookChoice::new(&self.settings)) };
        let request = SearchRequest { multipv, searchmoves: go.searchmoves, limits, skill, book, ..request };
        let purpose = SearchPurpose::Move { side, play: go.play };
        self.start(request_id, request, purpose, hold, go.limits)
    }

    /// What the opening book is for in an analysis.
    fn book_in_analysis(&self) -> BookUse {
        if self.settings.book_analysis { BookUse::Show } else { BookUse::Nothing }
    }

    /// There is nothing to search, but hosts want an answer, and some of them a closing pass.
    fn go_on_finished_game(&mut self, request_id: &RequestId, go: Go, hold: Hold) {
        let wants_pass = self.protocol.as_ref().is_none_or(|protocol| protocol.wants_closing_pass());
        let mv = wants_pass.then(|| self.engine.closing_pass(self.style())).flatten();
        let info = Some(self.final_info(mv.iter().cloned().collect()));
        let statistics = SearchStatistics::default();
        let is_pass = mv.is_some();
        let best_move = BestMove { is_pass, mv, ponder: None, info, book: None, statistics, failure: None };
        let purpose = SearchPurpose::Move { side: self.engine.side(), play: go.play };
        self.search_number += 1;
        let stop = Arc::new(Stop::new(&Limits::default()));
        let active = ActiveSearch::new(self.search_number, self.serving, request_id, stop, purpose);
        self.active = Some(ActiveSearch { hold, limits: go.limits, finished: Some(best_move), ..active });
        self.finish_unless_held();
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
        let request = SearchRequest { multipv, book: self.book_in_analysis(), ..request };
        self.start(request_id, request, SearchPurpose::Analysis { until_input }, Hold::Nothing, limits)
    }

    fn start(
        &mut self,
        request_id: &RequestId,
        request: SearchRequest,
        purpose: SearchPurpose,
        hold: Hold,
        limits: GoLimits,
    ) -> Answer {
        self.send(request_id, &Event::SearchStarted);
        let sink = self.new_sink();
        let hard = request.limits.hard;
        let handle = self.engine.search(request, sink);
        self.activate(request_id, handle, purpose, limits);
        if let Some(active) = &mut self.active {
            active.hold = hold;
            active.expect_answer(hard);
        }
        Ok(None)
    }

    /// Makes the search that was just started the active one.
    fn activate(&mut self, request_id: &RequestId, handle: SearchHandle, purpose: SearchPurpose, limits: GoLimits) {
        let active = ActiveSearch::new(self.search_number, self.serving, request_id, handle.stop, purpose);
        self.active = Some(ActiveSearch { limits, ..active });
    }

    pub(super) fn analyze_game(&mut self, request_id: &RequestId, limits: GoLimits) -> Answer {
        // A book that has vanished since it was opened does not matter here.
        let opened = self.open(&Settings { book: BookSource::None, ..self.settings.clone() })?;
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
        self.activate(request_id, handle, purpose, limits);
        Ok(None)
    }

    pub(super) fn perft(&mut self, request_id: &RequestId, depth: u32) -> Answer {
        let sink = self.new_sink();
        let handle = self.engine.divide(depth, self.style(), sink);
        self.activate(request_id, handle, SearchPurpose::Perft, GoLimits::default());
        Ok(None)
    }

    /// The pondered move was played. The clock of the search starts when it is heeded.
    pub(super) fn ponder_hit(&mut self, request_id: &RequestId, go: Option<Go>) -> Answer {
        self.last_ponder_hit = self.serving;
        match (go, &mut self.active) {
            (Some(go), Some(active)) => active.limits = go.limits,
            (Some(go), None) => return self.go(request_id, go),
            (None, _) => {}
        }
        Ok(None)
    }

    /// Does to the active search what lines after the one that asked for it demand.
    pub(super) fn heed_later_lines(&mut self) {
        let Some(active) = &mut self.active else { return };
        let until_input = matches!(active.purpose, SearchPurpose::Analysis { until_input: true });
        if self.last_stop > active.asked || until_input && self.lines > active.asked {
            active.stop();
        } else if self.last_ponder_hit > active.asked && active.hold == Hold::PonderHit {
            self.start_clock();
        }
        self.finish_unless_held();
    }

    /// The clock of the pondering search starts.
    fn start_clock(&mut self) {
        let Some(active) = &mut self.active else { return };
        let SearchPurpose::Move { side, .. } = active.purpose else { return };
        let (hint, overhead) = (self.engine.time_hint(), self.settings.move_overhead);
        let limits = clock::limits(&active.limits, &self.default_limits, &self.clock, side, hint, overhead);
        active.stop.set_time(limits.soft, limits.hard);
        active.started = Instant::now();
        active.hold = if active.limits.infinite { Hold::Stop } else { Hold::Nothing };
        active.expect_answer(limits.hard);
    }

    /// Drops the active search with its answer and the searches of queued lines before this one; carries out what else they ask
    /// for.
    pub(super) fn drop_searches(&mut self, number: u64) {
        if let Some(active) = self.active.take() {
            active.stop.raise();
        }
        while let Some(line) = self.queue.pop_front_if(|line| line.number < number) {
            self.serve_line(&line, Command::without_search);
        }
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
