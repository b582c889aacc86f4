//! Searches: their start, what hosts do to them while they run, their end at a word.

use super::requests::turns;
use super::running::{LAST_WORD, Purpose, Running};
use super::{Message, Session};
use crate::dialect::{Request, Ticket};
use crate::engine::clock::{self, Clock};
use crate::engine::command::{Go, LimitWords, Player, Refusal, Turn};
use crate::engine::event::{Bound, Choice, Event, Progress, Totals};
use crate::engine::registry;
use crate::engine::room::{Handle, Order, Room, Sink, Start};
use crate::engine::taste::{self, Taste};
use crate::search::game::{Certainty, Score, Side, Style, UNIT, WIN};
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
    fn order(&self, room: &dyn Room, clock: &Clock, side: Side, words: &LimitWords) -> Order {
        let overhead = self.settings.overhead;
        Order {
            limits: clock::limits(words, &self.defaults, clock, side, room.time_hint(), overhead),
            lines: 1,
            only: Vec::new(),
            style: self.style(),
            threads: self.settings.threads,
            taste: Taste::BEST,
        }
    }

    /// Gives the turn to whom a host means, without a word of it to the side to move, and says which side that is.
    fn give_turn(&mut self, player: Option<Player>) -> Result<Side, Refusal> {
        let side = player.map_or(Ok(self.room.side()), |player| player.side(self.room.sides()))?;
        let name = side.of(self.room.sides()).to_string();
        self.room.give_turn(side).map_err(|reason| Refusal::IllegalMove(name, reason))?;
        Ok(side)
    }

    pub(super) fn go(&mut self, ticket: Ticket, go: Go) {
        if self.room.outcome().is_some() {
            return self.go_on_finished_game(&ticket, &go);
        }
        let side = match self.give_turn(go.player) {
            Ok(side) => side,
            Err(refusal) => return self.say(&ticket, &Event::Refused(refusal)),
        };
        let held = go.ponder || go.limits.infinite;
        // Pondering knows no clock until the hit; other limits hold, and the answer waits.
        let words = match go.ponder {
            true => LimitWords { infinite: true, clocks: [None; 2], move_time: None, ..go.limits.clone() },
            false => go.limits.clone(),
        };
        let order = self.order(self.room.as_ref(), &self.clock, side, &words);
        let limits = taste::limited(order.limits, &self.settings);
        let taste = if held { Taste::BEST } else { Taste::of(&self.settings) };
        let order = Order { lines: self.settings.multi_pv, only: go.only, limits, taste, ..order };
        let purpose = Purpose::Move { side, play: go.play };
        self.start(ticket, order, purpose, held, go.limits);
    }

    /// Nothing can be chosen, but hosts want an answer, and some a last pass.
    fn go_on_finished_game(&mut self, ticket: &Ticket, go: &Go) {
        let mv = self.room.closing_pass(self.style());
        if go.play
            && let Some(pass) = &mv
        {
            // A closing pass is legal by construction.
            let _ = self.room.arrange(Start::Here, &[Turn::new(pass)], self.style(), false);
        }
        let best = Some(self.final_word(mv.iter().cloned().collect()));
        let choice = Choice { pass: mv.is_some(), mv, ponder: None, best, totals: Totals::default(), trouble: None };
        self.say(ticket, &Event::Chosen(choice));
    }

    /// What can be said of a finished game: its result, for the side to move.
    fn final_word(&self, line: Vec<String>) -> Progress {
        Progress {
            rank: 1,
            of: 1,
            depth: 0,
            selective_depth: 0,
            score: final_score(self.room.as_ref()),
            bound: Bound::Exact,
            certainty: Certainty::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hash_full: 0,
            line,
            ends: true,
        }
    }

    pub(super) fn analyze(
        &mut self,
        ticket: Ticket,
        player: Option<Player>,
        lines: usize,
        limits: LimitWords,
        until_input: bool,
    ) {
        let side = match self.give_turn(player) {
            Ok(side) => side,
            Err(refusal) => return self.say(&ticket, &Event::Refused(refusal)),
        };
        let order = Order { lines, ..self.order(self.room.as_ref(), &self.clock, side, &limits) };
        self.start(ticket, order, Purpose::Analysis { until_input }, false, limits);
    }

    fn start(&mut self, ticket: Ticket, order: Order, purpose: Purpose, held: bool, limits: LimitWords) {
        self.say(&ticket, &Event::Thinking);
        let sink = self.sink();
        let hard = order.limits.hard;
        let handle = self.room.search(order, sink);
        self.watch(ticket, handle, purpose, held, limits);
        self.expect_answer(hard);
    }

    fn watch(&mut self, ticket: Ticket, handle: Handle, purpose: Purpose, held: bool, limits: LimitWords) {
        if let Err(error) = &handle.thread {
            let refusal = Refusal::Internal(format!("no thread for the search: {error}"));
            return self.say(&ticket, &Event::Refused(refusal));
        }
        let number = self.searches;
        let started = Instant::now();
        let running = Running {
            number,
            ticket,
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

    pub(super) fn retrograde(&mut self, ticket: Ticket, limits: LimitWords) {
        let mut room = match registry::open(&self.settings) {
            Ok(room) => room,
            Err(error) => return self.say(&ticket, &Event::Refused(Refusal::Unavailable(error.to_string()))),
        };
        let start = self.room.start_position(Style::Plain);
        let moves = turns(self.room.as_ref());
        if room.arrange(Start::Text(&start), &moves, Style::Plain, false).is_err() {
            return self.say(&ticket, &Event::Refused(Refusal::Internal("the game could not be replayed".into())));
        }
        self.say(&ticket, &Event::Thinking);
        self.look_back(ticket, room, limits, moves.len());
    }

    /// Evaluates the position after `ply` moves; finished ones are told without a search.
    pub(super) fn look_back(&mut self, ticket: Ticket, mut room: Box<dyn Room>, limits: LimitWords, mut ply: usize) {
        while room.outcome().is_some() {
            let score = final_score(room.as_ref());
            self.say(&ticket, &Event::Retrograde { ply, score });
            if ply == 0 || !room.undo(1) {
                return self.say(&ticket, &Event::AnalysisClosed(Totals::default()));
            }
            ply -= 1;
        }
        let order = self.order(room.as_ref(), &Clock::default(), room.side(), &limits);
        let sink = self.sink();
        let handle = room.search(order, sink);
        self.watch(ticket, handle, Purpose::Retrograde { room, limits: limits.clone(), ply }, false, limits);
    }

    pub(super) fn perft(&mut self, ticket: Ticket, depth: u32) {
        let sink = self.sink();
        let handle = self.room.divide(depth, self.style(), sink);
        self.watch(ticket, handle, Purpose::Perft, false, LimitWords::default());
    }

    pub(super) fn ponder_hit(&mut self, told: Option<LimitWords>) {
        let Some(running) = &mut self.running else { return };
        if let Some(told) = told {
            running.limits = told;
        }
        let Purpose::Move { side, .. } = running.purpose else { return };
        let hint = self.room.time_hint();
        let limits = clock::limits(&running.limits, &self.defaults, &self.clock, side, hint, self.settings.overhead);
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
    pub(super) fn cancel(&mut self, ticket: &Ticket, number: u64) {
        if let Some(running) = self.running.take() {
            running.handle.stop.raise();
        }
        for (request, cost) in std::mem::take(&mut self.queue) {
            match request.command.without_search() {
                Some(command) => self.queue.push_back((Request { command, ..request }, cost)),
                None => self.gate.leave(cost),
            }
        }
        self.serve_queue();
        self.say(ticket, &Event::Cancelled(number));
    }
}

/// The score of the room's finished game for the side to move; 0 if it is not finished.
fn final_score(room: &dyn Room) -> Score {
    let Some(outcome) = room.outcome() else { return 0 };
    let size = outcome.margin.map_or(WIN, |margin| margin as Score * UNIT);
    match outcome.winner {
        None => 0,
        Some(winner) if winner == room.side() => size,
        Some(_) => -size,
    }
}
