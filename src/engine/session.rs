//! The session: one loop that alone owns the room, the settings, the clocks and stdout.
//!
//! Lines and news of the search arrive through one channel. While a search runs, urgent requests
//! are served beside it and the others wait in their order.

use super::clock::{self, Clock};
use super::command::{Command, Go, LimitWords, Query, Refusal, Turn};
use super::event::{Bound, Choice, Event, Progress, Totals};
use super::options::{Effect, Settings};
use super::registry;
use super::room::{Handle, Misfit, News, Order, Room, Sink, Start};
use super::wire::{self, Gate};
use crate::dialect::{self, Dialect, Request, Ticket, Urgency};
use crate::search::game::{Certainty, Score, Side, Style, UNIT, WIN};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What reaches the session.
#[derive(Clone, Debug)]
pub enum Message {
    /// A line of input.
    Line(String),
    /// The end of input.
    End,
    /// News of the search of that number.
    Search(u64, News),
}

/// A search under way.
struct Running {
    number: u64,
    ticket: Ticket,
    handle: Handle,
    purpose: Purpose,
    started: Instant,
    /// No answer before the host says so (`go infinite`, `go ponder`).
    held: bool,
    /// The answer that is being held back.
    finished: Option<Choice>,
    /// What a ponder hit puts into force.
    limits: LimitWords,
    /// The best line so far.
    latest: Option<Progress>,
    /// When the session answers from that line, should the search thread not come to a processor
    /// in time to answer itself.
    answer_by: Option<Instant>,
}

/// How long a search thread that must end gets to say its last word.
const LAST_WORD: Duration = Duration::from_millis(6);

impl Running {
    /// Ends the search: it has a moment to answer by itself.
    fn end(&mut self) {
        self.handle.stop.raise();
        self.answer_by = Some(Instant::now() + LAST_WORD);
    }
}

/// What a search is for.
enum Purpose {
    /// A move for this side; played if asked for.
    Move { side: Side, play: bool },
    /// Evaluation only.
    Analysis { until_input: bool },
    /// Position after position of the game, in a room of its own; the moves still to take back.
    Retrograde { room: Box<dyn Room>, limits: LimitWords, ply: usize },
    /// Counting leaves.
    Perft,
}

/// The engine between a pair of pipes.
pub struct Session<W> {
    dialect: Option<Box<dyn Dialect>>,
    room: Box<dyn Room>,
    settings: Settings,
    defaults: LimitWords,
    clock: Clock,
    queue: VecDeque<(Request, usize)>,
    running: Option<Running>,
    searches: u64,
    last: Totals,
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    gate: Gate,
    output: W,
    /// Nobody reads any more, or the host said goodbye.
    gone: bool,
}

impl<W: Write> Session<W> {
    /// A session in this room. Without a dialect the first line of input decides.
    pub fn new(
        settings: Settings,
        defaults: LimitWords,
        dialect: Option<Box<dyn Dialect>>,
        output: W,
    ) -> Result<Self, registry::OpenError> {
        let room = registry::open(&settings)?;
        let (sender, inbox) = channel();
        Ok(Session {
            dialect,
            room,
            settings,
            defaults,
            clock: Clock::default(),
            queue: VecDeque::new(),
            running: None,
            searches: 0,
            last: Totals::default(),
            sender,
            inbox,
            gate: Gate::default(),
            output,
            gone: false,
        })
    }

    /// Where lines of input are to be sent, and the gate that holds a flood back.
    pub fn door(&self) -> (Sender<Message>, Gate) {
        (self.sender.clone(), self.gate.clone())
    }

    /// Serves until the end of input, `quit`, or a closed output.
    pub fn run(mut self) {
        while !self.gone {
            match self.receive() {
                Some(Message::Line(line)) => self.line(&line),
                Some(Message::End) => {
                    self.end();
                    break;
                }
                Some(Message::Search(number, news)) => self.news(number, news),
                None => self.answer_for_the_search(),
            }
            self.serve_queue();
        }
        if let Some(running) = &self.running {
            running.handle.stop.raise();
        }
    }

    /// The next message, or nothing when the running search owes an answer.
    fn receive(&self) -> Option<Message> {
        let due = self.running.as_ref().filter(|running| !running.held).and_then(|running| running.answer_by);
        match due {
            None => Some(self.inbox.recv().unwrap_or(Message::End)),
            Some(due) => match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::End),
            },
        }
    }

    /// The search has been told to end but has not had the processor to say so: on a busy machine
    /// that may take longer than a host's clock allows. Its latest line is the answer.
    fn answer_for_the_search(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.answer_by = None;
        running.handle.stop.raise();
        let Some(best) = running.latest.take() else { return };
        let mut names = best.line.iter().cloned();
        let (mv, ponder) = (names.next(), names.next());
        let pass = mv.as_deref().is_some_and(|mv| self.room.is_pass(mv));
        let totals = Totals { nodes: best.nodes, time: running.started.elapsed() };
        self.finish(Choice { mv, ponder, pass, best: Some(best), totals, trouble: None });
    }

    // --- Lines.

    fn line(&mut self, line: &str) {
        if self.dialect.is_none() {
            self.dialect = dialect::recognize(line);
            if self.dialect.as_ref().is_some_and(|dialect| dialect.wants_silent_stderr()) {
                wire::hush();
            }
        }
        wire::note(line);
        let requests = self.dialect.as_mut().map(|dialect| dialect.parse(line)).unwrap_or_default();
        let mut cost = Gate::cost(line);
        for request in requests {
            if request.urgency == Urgency::Now {
                self.serve(request);
            } else {
                self.queue.push_back((request, std::mem::take(&mut cost)));
            }
        }
        self.gate.leave(cost);
        self.close_open_analysis();
    }

    /// GTP's analysis ends with the next line, be it blank.
    fn close_open_analysis(&mut self) {
        if let Some(running) = &mut self.running
            && matches!(running.purpose, Purpose::Analysis { until_input: true })
        {
            running.end();
        }
    }

    fn serve_queue(&mut self) {
        while self.running.is_none() && !self.gone {
            let Some((request, cost)) = self.queue.pop_front() else { return };
            self.gate.leave(cost);
            self.serve(request);
            if !self.queue.is_empty() {
                self.close_open_analysis();
            }
        }
    }

    /// The end of input: what is limited may finish, what is not is stopped; all is answered.
    fn end(&mut self) {
        loop {
            self.serve_queue();
            let Some(running) = &mut self.running else { return };
            if self.gone {
                return;
            }
            let analysis = matches!(running.purpose, Purpose::Analysis { .. });
            if running.held || analysis && running.limits.infinite && !running.handle.stop.is_raised() {
                running.held = false;
                running.end();
            }
            if let Some(choice) = self.running.as_mut().and_then(|running| running.finished.take()) {
                self.finish(choice);
                continue;
            }
            match self.receive() {
                Some(Message::Search(number, news)) => self.news(number, news),
                Some(_) => {}
                None => self.answer_for_the_search(),
            }
        }
    }

    fn say(&mut self, ticket: &Ticket, event: &Event) {
        let Some(dialect) = &mut self.dialect else { return };
        let text = dialect.write(ticket, event);
        if !wire::write(&mut self.output, &text) {
            self.gone = true;
        }
    }

    fn style(&self) -> Style {
        self.dialect.as_ref().map_or(Style::Plain, |dialect| dialect.style())
    }

    // --- Requests.

    fn serve(&mut self, request: Request) {
        let Request { ticket, command, .. } = request;
        let answer = match command {
            Command::Say(text) => Ok(Event::Text(text)),
            Command::Refuse(refusal) => Err(refusal),
            Command::Introduce => Ok(self.introduction()),
            Command::Ready => Ok(Event::Ready),
            Command::NewGame => {
                self.room.new_game();
                self.clock.reset();
                Ok(Event::Done)
            }
            Command::BoardSize(size) => self.board_size(size),
            Command::SelectGame(name) => self.select(&name),
            Command::Setup { start, moves, style, keep_prefix } => {
                let start = start.as_deref().map_or(Start::Initial, Start::Text);
                self.arrange(start, &moves, style, keep_prefix)
            }
            Command::Play { moves, style } => self.arrange(Start::Here, &moves, style, false),
            Command::Undo(count) => {
                if self.room.undo(count) {
                    Ok(Event::Done)
                } else {
                    Err(Refusal::CannotUndo)
                }
            }
            Command::Go(go) => return self.go(ticket, go),
            Command::Analyze { side, lines, limits, until_input } => {
                return self.analyze(ticket, side, lines, limits, until_input);
            }
            Command::Retrograde(limits) => return self.retrograde(ticket, limits),
            Command::Perft(depth) => return self.perft(ticket, depth),
            Command::PonderHit => return self.ponder_hit(),
            Command::Stop => return self.stop(),
            Command::Cancel(number) => return self.cancel(&ticket, number),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::TimeControl(control) => {
                self.clock = Clock::new(control);
                Ok(Event::Done)
            }
            Command::Clock { side, left, stones } => {
                self.clock.show(side, left, stones);
                Ok(Event::Done)
            }
            Command::Show(query) => self.show(query),
            Command::Quit => {
                self.say(&ticket, &Event::Done);
                self.gone = true;
                return;
            }
        };
        self.say(&ticket, &answer.unwrap_or_else(Event::Refused));
    }

    fn arrange(&mut self, start: Start<'_>, moves: &[Turn], style: Style, keep: bool) -> Result<Event, Refusal> {
        self.room.arrange(start, moves, style, keep).map(|()| Event::Done).map_err(|misfit| match misfit {
            Misfit::Position(error) => Refusal::BadPosition(error.to_string()),
            Misfit::Move(text, reason) => Refusal::IllegalMove(text, reason),
        })
    }

    fn board_size(&mut self, size: usize) -> Result<Event, Refusal> {
        let rows = self.room.grid().map(|grid| grid.rows).unwrap_or_default();
        if rows.len() != size || rows.iter().any(|row| row.len() != size) {
            return Err(Refusal::UnacceptableSize);
        }
        self.room.new_game();
        self.clock.reset();
        Ok(Event::Done)
    }

    fn introduction(&self) -> Event {
        let variants = registry::variants();
        let options = self.settings.describe(&variants, self.room.evaluations());
        Event::Introduction { options, variants }
    }

    fn selected(&self) -> Event {
        Event::Selected {
            game: self.room.game().to_string(),
            variant: self.room.variant().map(str::to_string),
            facts: self.room.variant_facts(),
        }
    }

    fn select(&mut self, name: &str) -> Result<Event, Refusal> {
        let game = registry::canonical(name).ok_or_else(|| Refusal::UnsupportedGame(name.to_string()))?;
        if game != self.room.game() {
            let settings = Settings { game: game.to_string(), evaluation: "default".into(), ..self.settings.clone() };
            self.room = registry::open(&settings).map_err(|error| Refusal::Unavailable(error.to_string()))?;
            self.settings = settings;
        }
        Ok(self.selected())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Event, Refusal> {
        let variants = registry::variants();
        let options = self.settings.describe(&variants, self.room.evaluations());
        let mut settings = self.settings.clone();
        match settings.set(&options, name, value)? {
            Effect::None => {}
            Effect::Forget => self.room.forget(),
            Effect::Reopen => self.reopen(&mut settings)?,
        }
        // UCI hosts want to hear of the variant even if it was chosen before.
        let changed_game = settings.game != self.settings.game || name.eq_ignore_ascii_case("UCI_Variant");
        self.settings = settings;
        if changed_game {
            return Ok(self.selected());
        }
        let options = self.settings.describe(&variants, self.room.evaluations());
        let set = options.into_iter().find(|info| info.name.eq_ignore_ascii_case(name));
        Ok(set.map_or(Event::Done, Event::OptionSet))
    }

    /// Opens the room anew, at the same position if it is the same game.
    fn reopen(&mut self, settings: &mut Settings) -> Result<(), Refusal> {
        let same_game = settings.game == self.settings.game;
        if !same_game {
            settings.evaluation = Settings::default().evaluation;
        }
        let mut room = registry::open(settings).map_err(|error| match settings.weights.clone() {
            Some(_) => Refusal::BadValue("Weights".into(), error.to_string()),
            None => Refusal::Unavailable(error.to_string()),
        })?;
        if same_game {
            let start = self.room.start_position(Style::Plain);
            let moves: Vec<Turn> = turns(self.room.as_ref());
            if room.arrange(Start::Text(&start), &moves, Style::Plain, false).is_err() {
                return Err(Refusal::Internal("the position was lost when the room was opened anew".into()));
            }
        }
        self.room = room;
        Ok(())
    }

    fn show(&self, query: Query) -> Result<Event, Refusal> {
        let style = self.style();
        Ok(match query {
            Query::Board => Event::Board { grid: self.room.grid(), picture: self.room.picture() },
            Query::Position => Event::Text(self.room.position(Style::Plain)),
            Query::Moves => {
                let moves: Vec<String> = self.room.history(style).into_iter().map(|(_, mv)| mv).collect();
                Event::Text(moves.join(" "))
            }
            Query::LegalMoves => Event::LegalMoves(self.room.legal_moves(style)),
            Query::Side => {
                let side = self.room.side();
                Event::Turn { side, name: side.of(self.room.sides()).to_string() }
            }
            Query::Result => Event::Result(self.room.outcome().ok_or(Refusal::CannotScore)?),
            Query::Points => Event::Points(self.room.points()),
            Query::Options => Event::Options(self.settings.describe(&registry::variants(), self.room.evaluations())),
            Query::Statistics => Event::Statistics(self.last.clone()),
            Query::Games => Event::Games(registry::NAMES.iter().map(|name| name.to_string()).collect()),
            Query::Game => Event::Text(self.room.game().to_string()),
            Query::Size => {
                let grid = self.room.grid().map(|grid| grid.rows).unwrap_or_default();
                Event::Size(grid.first().map_or(0, Vec::len), grid.len())
            }
        })
    }

    // --- Searches.

    fn sink(&mut self) -> Sink {
        self.searches += 1;
        let number = self.searches;
        let sender = self.sender.clone();
        // A session that is gone needs no news.
        Arc::new(move |news| drop(sender.send(Message::Search(number, news))))
    }

    fn go(&mut self, ticket: Ticket, go: Go) {
        if self.room.outcome().is_some() {
            return self.go_on_finished_game(&ticket, &go);
        }
        let side = go.side.unwrap_or(self.room.side());
        if let Err(reason) = self.room.give_turn(side) {
            let name = side.of(self.room.sides()).to_string();
            return self.say(&ticket, &Event::Refused(Refusal::IllegalMove(name, reason)));
        }
        let held = go.ponder || go.limits.infinite;
        let words = if go.ponder { LimitWords { infinite: true, ..LimitWords::default() } } else { go.limits.clone() };
        let order = Order {
            limits: clock::limits(
                &words,
                &self.defaults,
                &self.clock,
                side,
                self.room.time_hint(),
                self.settings.overhead,
            ),
            lines: self.settings.multi_pv,
            only: go.only,
            style: self.style(),
            threads: self.settings.threads,
        };
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

    fn analyze(&mut self, ticket: Ticket, side: Option<Side>, lines: usize, limits: LimitWords, until_input: bool) {
        let side = side.unwrap_or(self.room.side());
        if let Err(reason) = self.room.give_turn(side) {
            let name = side.of(self.room.sides()).to_string();
            return self.say(&ticket, &Event::Refused(Refusal::IllegalMove(name, reason)));
        }
        let order = Order {
            limits: clock::limits(
                &limits,
                &self.defaults,
                &self.clock,
                side,
                self.room.time_hint(),
                self.settings.overhead,
            ),
            lines,
            only: Vec::new(),
            style: self.style(),
            threads: self.settings.threads,
        };
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

    fn retrograde(&mut self, ticket: Ticket, limits: LimitWords) {
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
    fn look_back(&mut self, ticket: Ticket, mut room: Box<dyn Room>, limits: LimitWords, mut ply: usize) {
        while room.outcome().is_some() {
            let score = final_score(room.as_ref());
            self.say(&ticket, &Event::Retrograde { ply, score });
            if ply == 0 || !room.undo(1) {
                return self.say(&ticket, &Event::AnalysisClosed(Totals::default()));
            }
            ply -= 1;
        }
        let order = Order {
            limits: clock::limits(
                &limits,
                &self.defaults,
                &Clock::default(),
                room.side(),
                room.time_hint(),
                self.settings.overhead,
            ),
            lines: 1,
            only: Vec::new(),
            style: self.style(),
            threads: self.settings.threads,
        };
        let sink = self.sink();
        let handle = room.search(order, sink);
        self.watch(ticket, handle, Purpose::Retrograde { room, limits: limits.clone(), ply }, false, limits);
    }

    fn perft(&mut self, ticket: Ticket, depth: u32) {
        let sink = self.sink();
        let handle = self.room.divide(depth, self.style(), sink);
        self.watch(ticket, handle, Purpose::Perft, false, LimitWords::default());
    }

    fn ponder_hit(&mut self) {
        let Some(running) = &mut self.running else { return };
        let Purpose::Move { side, .. } = running.purpose else { return };
        let hint = self.room.time_hint();
        let limits = clock::limits(&running.limits, &self.defaults, &self.clock, side, hint, self.settings.overhead);
        running.handle.stop.set_time(limits.soft, limits.hard);
        running.started = Instant::now();
        running.held = running.limits.infinite;
        self.expect_answer(limits.hard);
        self.deliver();
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.held = false;
            running.end();
        }
        self.deliver();
    }

    /// Drops the search with its answer and the questions behind it, brings the position up to
    /// date, and confirms.
    fn cancel(&mut self, ticket: &Ticket, number: u64) {
        if let Some(running) = self.running.take() {
            running.handle.stop.raise();
        }
        let (questions, rest): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut self.queue).into_iter().partition(|(request, _)| request.command.starts_search());
        self.queue = rest;
        self.gate.leave(questions.iter().map(|(_, cost)| cost).sum());
        self.serve_queue();
        self.say(ticket, &Event::Cancelled(number));
    }

    // --- News.

    fn news(&mut self, number: u64, news: News) {
        let Some(running) = &mut self.running else { return };
        if running.number != number {
            return;
        }
        match news {
            News::Progress(progress) => {
                if !matches!(running.purpose, Purpose::Retrograde { .. }) {
                    if progress.rank == 1 {
                        running.latest = Some(progress.clone());
                    }
                    let ticket = running.ticket.clone();
                    self.say(&ticket, &Event::Progress(progress));
                }
            }
            News::Done(choice) => {
                running.finished = Some(choice);
                self.deliver();
            }
            News::Divided(divided, total) => {
                let ticket = running.ticket.clone();
                let interrupted = running.handle.stop.is_raised();
                self.running = None;
                let answer = match interrupted {
                    true => Event::Refused(Refusal::Unavailable("interrupted before all was counted".into())),
                    false => Event::Perft { divided, total },
                };
                self.say(&ticket, &answer);
            }
        }
    }

    /// Answers a finished search unless the host holds the answer back.
    fn deliver(&mut self) {
        let ready = self.running.as_mut().filter(|running| !running.held);
        if let Some(choice) = ready.and_then(|running| running.finished.take()) {
            self.finish(choice);
        }
    }

    fn finish(&mut self, choice: Choice) {
        let Some(Running { ticket, purpose, started, handle, .. }) = self.running.take() else { return };
        // The thread ends by itself; its number is no longer listened to.
        drop(handle);
        self.last = choice.totals.clone();
        if let Some(trouble) = &choice.trouble {
            log::error!("{trouble}");
        }
        match purpose {
            Purpose::Move { side, play } => self.play_choice(&ticket, choice, side, play, started),
            Purpose::Analysis { .. } => {
                self.room.return_turn();
                self.say(&ticket, &Event::AnalysisClosed(choice.totals));
            }
            Purpose::Retrograde { mut room, limits, ply } => {
                let score = choice.best.map_or(0, |best| best.score);
                self.say(&ticket, &Event::Retrograde { ply, score });
                if ply > 0 && room.undo(1) {
                    self.look_back(ticket, room, limits, ply - 1);
                } else {
                    self.say(&ticket, &Event::AnalysisClosed(choice.totals));
                }
            }
            Purpose::Perft => {}
        }
    }

    fn play_choice(&mut self, ticket: &Ticket, choice: Choice, side: Side, play: bool, started: Instant) {
        if !play {
            self.room.return_turn();
        } else if let Some(mv) = &choice.mv {
            let played = self.room.arrange(Start::Here, &[Turn::new(mv)], self.style(), false);
            if let Err(misfit) = played {
                let refusal = Refusal::Internal(format!("the search chose what cannot be played: {misfit:?}"));
                return self.say(ticket, &Event::Refused(refusal));
            }
            self.clock.spend(side, started.elapsed());
        }
        self.say(ticket, &Event::Chosen(choice));
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

/// The moves of the room's game, passes written out.
fn turns(room: &dyn Room) -> Vec<Turn> {
    room.history(Style::Plain).into_iter().map(|(side, text)| Turn { side: Some(side), text }).collect()
}
