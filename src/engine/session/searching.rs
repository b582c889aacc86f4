//! Searches: their start, what hosts do to them while they run, their end at a word.

use super::Session;
use super::requests::turns;
use super::running::{LAST_WORD, Purpose, Running};
use crate::api::command::{CommandError, Go, GoLimits, Player, Turn};
use crate::api::event::{Bound, Choice, Event, Progress, Totals};
use crate::api::protocol::{Request, RequestId};
use crate::api::settings::Settings;
use crate::engine::clock::{self, Clock};
use crate::engine::dyn_engine::{DynEngine, Handle, Order, Sink, Start};
use crate::engine::message::Message;
use crate::engine::skill::{self, Skill};
use crate::search::notation::Style;
use crate::search::types::{Certainty, Score, Side, UNIT, WIN};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl<W: Write> Session<W> {
    fn sink(&mut self) -> Sink {
        self.searches += 1;
        let number = self.searches;
        let sender = self.sender.clone();
        // A session that is gone needs no news.
        Arc::new(move |news| drop(sender.send(Message::Search(number, news))))
    }

    /// A search for one line of play within what words, clock and command line allow.
    fn order(&self, engine: &dyn DynEngine, clock: &Clock, side: Side, words: &GoLimits) -> Order {
        let overhead = self.settings.move_overhead;
        Order {
            limits: clock::limits(words, &self.default_limits, clock, side, engine.time_hint(), overhead),
            lines: 1,
            only: Vec::new(),
            style: self.style(),
            threads: self.settings.threads,
            skill: Skill::BEST,
        }
    }

    /// Gives the turn to whom a host remaining, without a word of it to the side to move, and says which side that is.
    fn force_pass(&mut self, player: Option<Player>) -> Result<Side, CommandError> {
        let side = player.map_or(Ok(self.engine.side()), |player| player.side(self.engine.sides()))?;
        let name = side.of(self.engine.sides()).to_string();
        self.engine.force_pass(side).map_err(|reason| CommandError::IllegalMove(name, reason))?;
        Ok(side)
    }

    pub(super) fn go(&mut self, request_id: RequestId, go: Go) {
        if self.engine.outcome().is_some() {
            return self.go_on_finished_game(&request_id, &go);
        }
        let side = match self.force_pass(go.player) {
            Ok(side) => side,
            Err(refusal) => return self.say(&request_id, &Event::Refused(refusal)),
        };
        let held = go.ponder || go.limits.infinite;
        // Pondering knows no clock until the hit; other limits hold, and the answer waits.
        let words = match go.ponder {
            true => GoLimits { infinite: true, clocks: [None; 2], move_time: None, ..go.limits.clone() },
            false => go.limits.clone(),
        };
        let order = self.order(self.engine.as_ref(), &self.clock, side, &words);
        let Settings { level, strength, variety, seed, .. } = self.settings;
        let limits = skill::limited(order.limits, level, strength);
        let skill = if held { Skill::BEST } else { Skill::new(strength, variety, seed) };
        let order = Order { lines: self.settings.multipv, only: go.only, limits, skill, ..order };
        let purpose = Purpose::Move { side, play: go.play };
        self.start(request_id, order, purpose, held, go.limits);
    }

    /// Nothing can be chosen, but hosts want an answer, and some a last pass.
    fn go_on_finished_game(&mut self, request_id: &RequestId, go: &Go) {
        let mv = self.engine.closing_pass(self.style());
        if go.play
            && let Some(pass) = &mv
        {
            // A closing pass is legal by construction.
            let _ = self.engine.set_position(Start::Here, &[Turn::new(pass)], self.style(), false);
        }
        let best = Some(self.final_word(mv.iter().cloned().collect()));
        let choice = Choice { pass: mv.is_some(), mv, ponder: None, best, totals: Totals::default(), trouble: None };
        self.say(request_id, &Event::Chosen(choice));
    }

    /// What can be said of a finished game: its result, for the side to move.
    fn final_word(&self, line: Vec<String>) -> Progress {
        Progress {
            rank: 1,
            of: 1,
            depth: 0,
            seldepth: 0,
            score: final_score(self.engine.as_ref()),
            bound: Bound::Exact,
            certainty: Certainty::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            line,
            ends: true,
        }
    }

    pub(super) fn analyze(
        &mut self,
        request_id: RequestId,
        player: Option<Player>,
        lines: usize,
        limits: GoLimits,
        until_input: bool,
    ) {
        let side = match self.force_pass(player) {
            Ok(side) => side,
            Err(refusal) => return self.say(&request_id, &Event::Refused(refusal)),
        };
        let order = Order { lines, ..self.order(self.engine.as_ref(), &self.clock, side, &limits) };
        self.start(request_id, order, Purpose::Analysis { until_input }, false, limits);
    }

    fn start(&mut self, request_id: RequestId, order: Order, purpose: Purpose, held: bool, limits: GoLimits) {
        self.say(&request_id, &Event::Thinking);
        let sink = self.sink();
        let hard = order.limits.hard;
        let handle = self.engine.search(order, sink);
        self.watch(request_id, handle, purpose, held, limits);
        self.expect_answer(hard);
    }

    fn watch(&mut self, request_id: RequestId, handle: Handle, purpose: Purpose, held: bool, limits: GoLimits) {
        if let Err(error) = &handle.thread {
            let refusal = CommandError::Internal(format!("no thread for the search: {error}"));
            return self.say(&request_id, &Event::Refused(refusal));
        }
        let number = self.searches;
        let started = Instant::now();
        let running = Running {
            number,
            request_id,
            handle,
            purpose,
            started,
            held,
            finished: None,
            limits,
            latest: None,
            answer_by: None,
        };
        self.running = Some(running);
    }

    /// The running search has so long from now.
    fn expect_answer(&mut self, hard: Option<Duration>) {
        if let Some(running) = &mut self.running {
            running.answer_by = hard.map(|hard| Instant::now() + hard + LAST_WORD);
        }
    }

    pub(super) fn analyze_game(&mut self, request_id: RequestId, limits: GoLimits) {
        let mut engine = match self.factory.open(&self.settings) {
            Ok(engine) => engine,
            Err(error) => return self.say(&request_id, &Event::Refused(CommandError::Unavailable(error.to_string()))),
        };
        let start = self.engine.start_position(Style::Plain);
        let moves = turns(self.engine.as_ref());
        if engine.set_position(Start::Text(&start), &moves, Style::Plain, false).is_err() {
            return self
                .say(&request_id, &Event::Refused(CommandError::Internal("the game could not be replayed".into())));
        }
        self.say(&request_id, &Event::Thinking);
        self.analyze_ply(request_id, engine, limits, moves.len());
    }

    /// Evaluates the position after `ply` moves; finished ones are told without a search.
    pub(super) fn analyze_ply(
        &mut self,
        request_id: RequestId,
        mut engine: Box<dyn DynEngine>,
        limits: GoLimits,
        mut ply: usize,
    ) {
        while engine.outcome().is_some() {
            let score = final_score(engine.as_ref());
            self.say(&request_id, &Event::AnalyzeGame { ply, score });
            if ply == 0 || !engine.undo(1) {
                return self.say(&request_id, &Event::AnalysisClosed(Totals::default()));
            }
            ply -= 1;
        }
        let order = self.order(engine.as_ref(), &Clock::default(), engine.side(), &limits);
        let sink = self.sink();
        let handle = engine.search(order, sink);
        self.watch(request_id, handle, Purpose::AnalyzeGame { engine, limits: limits.clone(), ply }, false, limits);
    }

    pub(super) fn perft(&mut self, request_id: RequestId, depth: u32) {
        let sink = self.sink();
        let handle = self.engine.divide(depth, self.style(), sink);
        self.watch(request_id, handle, Purpose::Perft, false, GoLimits::default());
    }

    pub(super) fn ponder_hit(&mut self, told: Option<GoLimits>) {
        let Some(running) = &mut self.running else { return };
        if let Some(told) = told {
            running.limits = told;
        }
        let Purpose::Move { side, .. } = running.purpose else { return };
        let hint = self.engine.time_hint();
        let limits =
            clock::limits(&running.limits, &self.default_limits, &self.clock, side, hint, self.settings.move_overhead);
        running.handle.stop.set_time(limits.soft, limits.hard);
        running.started = Instant::now();
        running.held = running.limits.infinite;
        self.expect_answer(limits.hard);
        self.deliver();
    }

    pub(super) fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.held = false;
            running.end();
        }
        self.deliver();
    }

    /// Drops the search with its answer and the questions behind it, brings the position up to
    /// date, and confirms.
    pub(super) fn cancel(&mut self, request_id: &RequestId, number: u64) {
        if let Some(running) = self.running.take() {
            running.handle.stop.raise();
        }
        for (request, cost) in std::mem::take(&mut self.queue) {
            match request.command.without_search() {
                Some(command) => self.queue.push_back((Request { command, ..request }, cost)),
                None => self.backpressure.leave(cost),
            }
        }
        self.serve_queue();
        self.say(request_id, &Event::Cancelled(number));
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
